package main

import (
	"sync"

	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"volcano.sh/apis/pkg/apis/scheduling/scheme"
	scheduling "volcano.sh/apis/pkg/apis/scheduling/v1beta1"
	shard "volcano.sh/apis/pkg/apis/shard/v1alpha1"
	"volcano.sh/volcano/pkg/scheduler/api"
	"volcano.sh/volcano/pkg/scheduler/cache"
)

// writes stands for the API server where the scheduler writes to it (the Default ones of pkg/scheduler/cache/cache.go):
// it keeps what is written until the session is over. Jobs are updated by many goroutines at once.
type writes struct {
	sync.Mutex
	pods   map[string]v1.PodStatus
	groups map[string]*scheduling.PodGroup
}

var (
	_ cache.StatusUpdater = (*writes)(nil)
	_ cache.Binder        = (*writes)(nil)
	_ cache.Evictor       = (*writes)(nil)
)

func (w *writes) take() (map[string]v1.PodStatus, map[string]*scheduling.PodGroup) {
	w.Lock()
	defer w.Unlock()
	pods, groups := w.pods, w.groups
	w.pods, w.groups = map[string]v1.PodStatus{}, map[string]*scheduling.PodGroup{}
	return pods, groups
}

func (w *writes) UpdatePodStatus(pod *v1.Pod) (*v1.Pod, error) {
	w.Lock()
	defer w.Unlock()
	w.pods[pod.Namespace+"/"+pod.Name] = *pod.Status.DeepCopy()
	return pod, nil
}

func (w *writes) UpdatePodGroup(group *api.PodGroup) (*api.PodGroup, error) {
	written := &scheduling.PodGroup{}
	if err := scheme.Scheme.Convert(&group.PodGroup, written, nil); err != nil {
		return nil, err
	}
	w.Lock()
	defer w.Unlock()
	w.groups[written.Namespace+"/"+written.Name] = written.DeepCopy()
	return group, nil
}

// UpdateQueueStatus: what a queue has allocated the scheduler writes and does not read.
func (w *writes) UpdateQueueStatus(*api.QueueInfo) error { return nil }

func (w *writes) UpdateNodeShardStatus(s *shard.NodeShard) (*shard.NodeShard, error) { return s, nil }

// Bind and Evict: what they are for is read from the cache (session.go).
func (w *writes) Bind(kubernetes.Interface, []*api.TaskInfo) map[api.TaskID]string { return nil }

func (w *writes) Evict(*v1.Pod, string) error { return nil }
