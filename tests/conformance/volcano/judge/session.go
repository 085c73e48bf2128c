package main

import (
	"slices"
	"volcano.sh/volcano/pkg/scheduler/metrics"

	v1 "k8s.io/api/core/v1"
	"volcano.sh/volcano/pkg/scheduler/api"
	"volcano.sh/volcano/pkg/scheduler/conf"
	"volcano.sh/volcano/pkg/scheduler/framework"
)

// session is runOnce (pkg/scheduler/scheduler.go), which is not exported, and then what the rest of the cluster does
// before the next one.
func (c *cluster) session(sc schedulerConf) session {
	conf.EnabledActionMap = map[string]bool{}
	for _, action := range sc.actions {
		conf.EnabledActionMap[action.Name()] = true
	}
	for name := range c.queues {
		metrics.DeleteQueueMetrics(name)
	}
	ssn := framework.OpenSession(c.cache, sc.tiers, sc.configurations)
	limits := c.limits()
	for _, action := range sc.actions {
		action.Execute(ssn)
	}
	framework.CloseSession(ssn) // updates the PodGroups, too

	s := session{Limits: limits, Bound: map[string]string{}, Evicted: []string{}, PodGroups: map[string]string{}}
	c.bind(s.Bound)
	s.Evicted = c.evict()
	c.written()
	for key, group := range c.groups {
		s.PodGroups[key] = string(group.Status.Phase)
	}
	s.Held, s.Terminating = c.held()
	return s
}

// bind: what the scheduler binds is in a channel that a goroutine of the real one empties (BindTask in pkg/scheduler/
// cache/cache.go): it asks the API server, and the pods run.
func (c *cluster) bind(bound map[string]string) {
	for len(c.cache.BindFlowChannel) > 0 {
		task := (<-c.cache.BindFlowChannel).TaskInfo
		key := task.Namespace + "/" + task.Name
		bound[key] = task.NodeName
		c.change(c.pods[key], func(pod *v1.Pod) {
			pod.Spec.NodeName = task.NodeName
			pod.Status.Phase = v1.PodRunning
			pod.Status.Conditions = []v1.PodCondition{{Type: v1.PodScheduled, Status: v1.ConditionTrue}}
		})
	}
}

// evict: Evict of the cache marks what it evicts before it deletes the pod, in a goroutine that nobody can wait for.
func (c *cluster) evict() []string {
	evicted := []string{}
	c.cache.Lock()
	for _, job := range c.cache.Jobs {
		for _, task := range job.TaskStatusIndex[api.Releasing] {
			key := task.Namespace + "/" + task.Name
			if c.pods[key].DeletionTimestamp == nil {
				evicted = append(evicted, key)
			}
		}
	}
	c.cache.Unlock()
	slices.Sort(evicted)
	for _, key := range evicted {
		c.terminate(c.pods[key])
	}
	return evicted
}

// written brings back to the scheduler what it wrote to the API server: a pod's conditions and the node it is nominated
// for, which the next session tries first (pkg/scheduler/actions/allocate/allocate.go), and a PodGroup's phase.
func (c *cluster) written() {
	pods, groups := c.writes.take()
	for key, status := range pods {
		if pod := c.pods[key]; pod != nil && pod.Spec.NodeName == "" && pod.DeletionTimestamp == nil {
			c.change(pod, func(p *v1.Pod) { p.Status = status })
		}
	}
	for key, group := range groups {
		old := c.groups[key]
		group.ResourceVersion = c.version()
		c.groups[key] = group
		c.cache.UpdatePodGroupV1beta1(old, group)
	}
}

func (c *cluster) held() (held, terminating map[string]amounts) {
	held, terminating = map[string]amounts{}, map[string]amounts{}
	for key, pod := range c.pods {
		if pod.Spec.NodeName == "" {
			continue
		}
		by := held
		if pod.DeletionTimestamp != nil {
			by = terminating
		}
		queue := c.queue[key]
		if by[queue] == nil {
			by[queue] = amounts{}
		}
		by[queue].add(pod.Spec.Containers[0].Resources.Requests)
	}
	return held, terminating
}
