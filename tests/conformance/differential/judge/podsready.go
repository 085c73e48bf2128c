//go:build !quotas

package differential

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	"sigs.k8s.io/kueue/pkg/workload"
	workloadevict "sigs.k8s.io/kueue/pkg/workload/evict"
)

// With waitForPodsReady.blockAdmission a scheduling cycle stops in its middle, on a condition variable, until all that
// is admitted is ready. Then it runs beside what happens meanwhile. So that the order of events is the history's alone,
// it is stopped at two places, which it logs: where it begins to wait, and where it has done so. Between the two the
// world goes on; after the second it goes on only when the event that woke it has been played to its end.
const (
	beginsToWait = "Blocking admission as not all workloads are in the PodsReady condition" // scheduler cache, level 3
	hasWaited    = "Finished waiting for all admitted workloads to be in the PodsReady condition"
)

// A cycle that runs beside the world.
type besides struct {
	waits   chan struct{} // it has begun to wait
	goesOn  chan struct{} // it may go on
	ended   chan any      // with what it panicked, nil
	waiting bool          // only the cycle itself reads and writes it
	context context.Context
	cancel  context.CancelFunc
}

// The log that stops it.
type stops struct{ *besides }

func (stops) Init(logr.RuntimeInfo)            {}
func (stops) Enabled(level int) bool           { return level == 3 || level == 5 }
func (stops) Error(error, string, ...any)      {}
func (s stops) WithValues(...any) logr.LogSink { return s }
func (s stops) WithName(string) logr.LogSink   { return s }
func (s stops) Info(_ int, message string, _ ...any) {
	switch message {
	case beginsToWait: // also where it woke and must go on waiting
		if !s.waiting {
			s.waiting = true
			select {
			case s.waits <- struct{}{}:
			case <-s.context.Done():
			}
		}
	case hasWaited:
		s.waiting = false
		select {
		case <-s.goesOn:
		case <-s.context.Done():
		}
	}
}

func (w *world) startCycle() {
	c := &besides{waits: make(chan struct{}, 1), goesOn: make(chan struct{}), ended: make(chan any, 1)}
	c.context, c.cancel = context.WithCancel(w.ctx)
	w.running = c
	go func() {
		defer func() { c.ended <- recover() }()
		schedule(w.scheduler, ctrl.LoggerInto(c.context, logr.New(stops{c})))
	}()
	w.await()
}

// await returns when the cycle has ended or waits.
func (w *world) await() {
	select {
	case <-w.running.waits:
	case panicked := <-w.running.ended:
		w.running = nil
		if panicked != nil {
			panic(panicked)
		}
	case <-time.After(time.Minute):
		fmt.Println("differential: the scheduler neither ends its cycle nor says that it waits for pods")
		os.Exit(2)
	}
}

// goOn lets a cycle that waits go on, where nothing holds it up any more.
func (w *world) goOn() {
	for w.running != nil && w.cache.PodsReadyForAllAdmittedWorkloads(w.log) {
		w.running.goesOn <- struct{}{}
		w.await()
		w.observe()
	}
}

// close ends a cycle that waits for ever.
func (w *world) close() {
	if w.running == nil {
		return
	}
	w.running.cancel()
	w.cache.CleanUpOnContext(w.running.context)
	<-w.running.ended
}

// The job's pods are ready, or no longer (pkg/controller/jobframework/reconciler.go generatePodsReadyCondition).
func (w *world) setReady(id int, ready bool) {
	if s, known := w.states[id]; !known || (s != admitted && s != evicting) {
		return
	}
	object := w.get(id)
	if meta.IsStatusConditionTrue(object.Status.Conditions, kueue.WorkloadPodsReady) == ready {
		return
	}
	status := metav1.ConditionFalse
	if ready {
		status = metav1.ConditionTrue
	}
	meta.SetStatusCondition(&object.Status.Conditions, metav1.Condition{Type: kueue.WorkloadPodsReady, Status: status,
		Reason: kueue.WorkloadStarted, LastTransitionTime: metav1.NewTime(w.clock.Now())})
	must(w.client.Status().Update(w.ctx, object))
	w.cache.AddOrUpdateWorkload(w.log, object)
}

// The pods were not ready in time (core/workload_controller.go reconcileNotReadyTimeout).
func (w *world) timeOut(id int) {
	if s, known := w.states[id]; !known || s != admitted {
		return
	}
	object := w.get(id)
	workloadevict.SetEvictedCondition(object, w.clock.Now(), kueue.WorkloadEvictedByPodsReadyTimeout, "not ready")
	must(w.client.Status().Update(w.ctx, object))
	w.patched[object.Name] = true
	w.observe()
}

// All pods of a podset have ended, and the job says so (jobframework/reconciler.go: ReclaimablePods;
// core/workload_controller.go Update).
func (w *world) endPodset(id, podset int) {
	if s, known := w.states[id]; !known || s != admitted {
		return
	}
	object := w.get(id)
	if podset >= len(object.Spec.PodSets) || object.Spec.PodSets[podset].Count == 0 {
		return
	}
	of := object.Spec.PodSets[podset]
	for _, ended := range object.Status.ReclaimablePods {
		if ended.Name == of.Name {
			return
		}
	}
	object.Status.ReclaimablePods = append(object.Status.ReclaimablePods,
		kueue.ReclaimablePod{Name: of.Name, Count: of.Count})
	must(w.client.Status().Update(w.ctx, object))
	w.queues.QueueAssociatedInadmissibleWorkloadsAfter(w.ctx, workload.Key(object),
		func() { w.cache.AddOrUpdateWorkload(w.log, object) })
}
