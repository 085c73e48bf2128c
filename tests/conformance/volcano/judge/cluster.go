package main

import (
	"fmt"
	"strconv"
	"time"

	v1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/tools/record"
	scheduling "volcano.sh/apis/pkg/apis/scheduling/v1beta1"
	"volcano.sh/volcano/pkg/scheduler/api"
	"volcano.sh/volcano/pkg/scheduler/cache"
)

// A cluster is the real scheduler's cache, told of changes by the functions that its informers would call
// (pkg/scheduler/cache/event_handlers.go), and the objects as the API server would have them.
type cluster struct {
	cache  *cache.SchedulerCache
	writes writes
	pods   map[string]*v1.Pod
	groups map[string]*scheduling.PodGroup
	queues map[string]*scheduling.Queue
	queue  map[string]string // of a pod, also when its PodGroup is gone
	made   int               // objects and versions
	epoch  time.Time
}

const schedulerName = "volcano"

func newCluster() *cluster {
	c := &cluster{}
	// An unbuffered recorder without a channel drops events; the default one blocks when it has 100.
	c.cache = cache.NewCustomMockSchedulerCache(schedulerName, &c.writes, &c.writes, &c.writes, nil, &record.FakeRecorder{})
	return c
}

// reset empties it. That everything is in these fields can be seen at newMockSchedulerCache (pkg/scheduler/cache/
// cache_mock.go): images, volumes and claims no history has.
func (c *cluster) reset() {
	c.cache.Lock()
	c.cache.Jobs = map[api.JobID]*api.JobInfo{}
	c.cache.Nodes = map[string]*api.NodeInfo{}
	c.cache.NodeList = []string{}
	c.cache.Queues = map[api.QueueID]*api.QueueInfo{}
	c.cache.PriorityClasses = map[string]*schedulingv1.PriorityClass{}
	c.cache.NamespaceCollection = map[string]*api.NamespaceCollection{}
	c.cache.CSINodesStatus = map[string]*api.CSINodeStatusInfo{}
	c.cache.InUseNodesInShard = sets.Set[string]{}
	c.cache.HyperNodesInfo = api.NewHyperNodesInfo(nil)
	c.cache.Unlock()
	for len(c.cache.BindFlowChannel) > 0 {
		<-c.cache.BindFlowChannel
	}
	c.writes.take()
	c.pods, c.groups, c.queue = map[string]*v1.Pod{}, map[string]*scheduling.PodGroup{}, map[string]string{}
	c.queues = map[string]*scheduling.Queue{}
	c.made, c.epoch = 0, time.Now().Truncate(time.Second).Add(-24*time.Hour)
	for _, queue := range builtinQueues() {
		c.putQueue(queue)
	}
}

// meta is of a new object. What is made later is a second younger: the scheduler orders by that, then by UID.
func (c *cluster) meta(namespace, name string) metav1.ObjectMeta {
	c.made++
	return metav1.ObjectMeta{
		Namespace: namespace, Name: name, UID: types.UID(fmt.Sprintf("%08d", c.made)), ResourceVersion: strconv.Itoa(c.made),
		CreationTimestamp: metav1.NewTime(c.epoch.Add(time.Duration(c.made) * time.Second)),
	}
}

// version is of a changed object: events of an old one are dropped.
func (c *cluster) version() string {
	c.made++
	return strconv.Itoa(c.made)
}

func (c *cluster) take(s step) error {
	switch s.Do {
	case "node":
		return c.node(s)
	case "remove-node":
		return c.cache.RemoveNode(s.Name)
	case "queue":
		return c.addQueue(s.Object)
	case "remove-queue":
		queue := c.queues[s.Name]
		if queue == nil {
			return fmt.Errorf("no queue %q", s.Name)
		}
		delete(c.queues, s.Name)
		c.cache.DeleteQueueV1beta1(queue)
		return nil
	case "job":
		return c.job(s)
	case "remove-job":
		key := s.Namespace + "/" + s.Name
		group := c.groups[key]
		if group == nil {
			return fmt.Errorf("no PodGroup %q", key)
		}
		delete(c.groups, key)
		c.cache.DeletePodGroupV1beta1(group)
		return nil
	case "all-gone":
		for key, pod := range c.pods {
			if pod.DeletionTimestamp != nil {
				c.gone(key)
			}
		}
		return nil
	case "delete", "gone":
		pod := c.pods[s.Pod]
		if pod == nil {
			return fmt.Errorf("no pod %q", s.Pod)
		}
		if s.Do == "delete" {
			c.terminate(pod)
			return nil
		}
		c.gone(s.Pod)
		return nil
	}
	return fmt.Errorf("no step is called that")
}

func (c *cluster) node(s step) error {
	node := &v1.Node{ObjectMeta: c.meta("", s.Name)}
	node.Labels, node.Annotations = s.Labels, s.Annotations
	if node.Labels == nil {
		node.Labels = map[string]string{}
	}
	if node.Labels[v1.LabelHostname] == "" {
		node.Labels[v1.LabelHostname] = s.Name // as the kubelet does
	}
	node.Spec.Taints, node.Spec.Unschedulable = s.Taints, s.Unschedulable
	node.Status.Capacity, node.Status.Allocatable = s.Allocatable, s.Allocatable
	node.Status.Conditions = []v1.NodeCondition{{Type: v1.NodeReady, Status: v1.ConditionTrue}}
	return c.cache.AddOrUpdateNode(node)
}

// addQueue takes it as the API server would hand it on, were it accepted (admission.go), and then Open, as the
// controller makes it.
func (c *cluster) addQueue(object []byte) error {
	queue, err := completeQueue(object)
	if err != nil {
		return err
	}
	if queue.Status.State == "" {
		queue.Status.State = scheduling.QueueStateOpen
	}
	c.putQueue(queue)
	return nil
}

func (c *cluster) putQueue(queue *scheduling.Queue) {
	meta := c.meta("", queue.Name)
	old := c.queues[queue.Name]
	if old != nil {
		meta.UID, meta.CreationTimestamp = old.UID, old.CreationTimestamp
	}
	meta.Labels, meta.Annotations = queue.Labels, queue.Annotations
	queue.ObjectMeta = meta
	c.queues[queue.Name] = queue
	if old == nil {
		c.cache.AddQueueV1beta1(queue)
	} else {
		c.cache.UpdateQueueV1beta1(old, queue)
	}
}

func (c *cluster) job(s step) error {
	key := s.Namespace + "/" + s.Name
	class := ""
	if s.Priority != nil {
		class = fmt.Sprintf("priority-%d", *s.Priority)
		c.cache.AddPriorityClass(&schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: class}, Value: *s.Priority})
	}
	old := c.groups[key]
	group := &scheduling.PodGroup{ObjectMeta: c.meta(s.Namespace, s.Name)}
	group.Status.Phase = scheduling.PodGroupPending
	if old != nil {
		group = old.DeepCopy()
		group.ResourceVersion = c.version()
	}
	if s.Annotations != nil {
		group.Annotations = s.Annotations
	}
	group.Spec.Queue, group.Spec.MinMember = s.Queue, s.MinMember
	group.Spec.MinResources, group.Spec.PriorityClassName = s.MinResources, class
	c.groups[key] = group
	if old == nil {
		c.cache.AddPodGroupV1beta1(group)
	} else {
		c.cache.UpdatePodGroupV1beta1(old, group)
	}
	for _, p := range s.Pods {
		if err := c.pod(s, p, class); err != nil {
			return err
		}
	}
	return nil
}

func (c *cluster) pod(s step, p podStep, class string) error {
	key := s.Namespace + "/" + p.Name
	if c.pods[key] != nil {
		return fmt.Errorf("there is a pod %q already", key)
	}
	pod := &v1.Pod{ObjectMeta: c.meta(s.Namespace, p.Name)}
	pod.Labels, pod.Annotations = p.Labels, map[string]string{scheduling.KubeGroupNameAnnotationKey: s.Name}
	for name, value := range p.Annotations {
		pod.Annotations[name] = value
	}
	pod.Spec = v1.PodSpec{
		SchedulerName: schedulerName, NodeSelector: p.NodeSelector, Tolerations: p.Tolerations,
		PriorityClassName: class, Priority: s.Priority,
		Containers: []v1.Container{{Name: "main", Image: "image", Resources: v1.ResourceRequirements{Requests: p.Requests}}},
	}
	pod.Status.Phase = v1.PodPending
	c.pods[key], c.queue[key] = pod, s.Queue
	if s.Queue == "" {
		c.queue[key] = "default" // setPodGroup in pkg/scheduler/cache/event_handlers.go
	}
	c.cache.AddPod(pod.DeepCopy())
	return nil
}

// change replaces a pod by what change makes of a copy of it.
func (c *cluster) change(pod *v1.Pod, change func(*v1.Pod)) {
	changed := pod.DeepCopy()
	change(changed)
	changed.ResourceVersion = c.version()
	c.pods[pod.Namespace+"/"+pod.Name] = changed
	c.cache.UpdatePod(pod.DeepCopy(), changed.DeepCopy())
}

func (c *cluster) terminate(pod *v1.Pod) {
	if pod.DeletionTimestamp == nil {
		now := metav1.Now()
		c.change(pod, func(p *v1.Pod) { p.DeletionTimestamp = &now })
	}
}

func (c *cluster) gone(key string) {
	c.cache.DeletePod(c.pods[key])
	delete(c.pods, key)
	delete(c.queue, key)
}
