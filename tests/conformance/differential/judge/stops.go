//go:build !quotas

package differential

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	qcache "sigs.k8s.io/kueue/pkg/cache/queue"
)

// As the controller (resourceflavor_controller.go Create and Delete). Upstream's finalizer would keep the object until no
// queue names it; it can be removed, and a queue can name a flavor that was never made.
func (w *world) loseOrFind(flavor *kueue.ResourceFlavor, lose bool) {
	active := w.cache.AddOrUpdateResourceFlavor
	if lose {
		active = w.cache.DeleteResourceFlavor
	}
	if names := active(w.log, flavor); len(names) > 0 {
		qcache.NotifyRetryInadmissible(w.queues, names)
	}
}

// As the controller: a stopped LocalQueue leaves the queues, one that is started again is added to them
// (localqueue_controller.go Update).
func (w *world) stopLocal(o op, in string) {
	object := &kueue.LocalQueue{}
	must(w.client.Get(w.ctx, types.NamespacedName{Namespace: in, Name: localName(o.Queue, o.Local)}, object))
	old := object.DeepCopy()
	policy := kueue.StopPolicy(o.Policy)
	object.Spec.StopPolicy = &policy
	must(w.client.Update(w.ctx, object))
	before := ptr.Deref(old.Spec.StopPolicy, kueue.None)
	switch {
	case before == policy && policy == kueue.None:
		must(w.queues.UpdateLocalQueue(w.log, object))
	case before == policy:
	case policy == kueue.None:
		must(w.queues.AddLocalQueue(w.ctx, object))
	default:
		w.queues.DeleteLocalQueue(w.log, old)
	}
	w.drained[object.Name] = policy == kueue.HoldAndDrain
	if policy == kueue.HoldAndDrain {
		w.drain(kueue.WorkloadEvictedByLocalQueueStopped,
			func(s op) bool { return s.Queue == o.Queue && s.Local == o.Local && s.namespace() == in })
	}
}

// HoldAndDrain: the workload controller evicts what is admitted (core/workload_controller.go
// reconcileOnClusterQueueActiveState, reconcileOnLocalQueueActiveState).
func (w *world) drain(reason string, of func(op) bool) {
	for _, id := range w.ids() {
		if w.states[id] != admitted || !of(w.submitted[id]) {
			continue
		}
		object := w.get(id)
		meta.SetStatusCondition(&object.Status.Conditions, metav1.Condition{Type: kueue.WorkloadEvicted,
			Status: metav1.ConditionTrue, Reason: reason, Message: "stopped"})
		must(w.client.Status().Update(w.ctx, object))
		w.patched[object.Name] = true
	}
	w.observe()
}
