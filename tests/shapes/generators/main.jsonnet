local queue(name, gpus) = {apiVersion: 'kueue.x-k8s.io/v1beta2', kind: 'ClusterQueue', metadata: {name: name}};
{'queues.json': [queue('embed', 4), queue('train', 12)]}
