//go:build !quotas

package differential

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"sync"
	"testing"
	"time"
	_ "unsafe" // go:linkname

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	testingclock "k8s.io/utils/clock/testing"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	qcache "sigs.k8s.io/kueue/pkg/cache/queue"
	schdcache "sigs.k8s.io/kueue/pkg/cache/scheduler"
	"sigs.k8s.io/kueue/pkg/scheduler"
	preemptexpectations "sigs.k8s.io/kueue/pkg/scheduler/preemption/expectations"
	"sigs.k8s.io/kueue/pkg/util/routine"
	utiltesting "sigs.k8s.io/kueue/pkg/util/testing"
	"sigs.k8s.io/kueue/pkg/util/wait"
	"sigs.k8s.io/kueue/pkg/workload"
	workloadevict "sigs.k8s.io/kueue/pkg/workload/evict"
)

// One scheduling cycle of the real scheduler, and what makes its status updates happen before it returns. Both are
// unexported upstream.
//
//go:linkname schedule sigs.k8s.io/kueue/pkg/scheduler.(*Scheduler).schedule
func schedule(s *scheduler.Scheduler, ctx context.Context) wait.SpeedSignal

//go:linkname setAdmissionRoutineWrapper sigs.k8s.io/kueue/pkg/scheduler.(*Scheduler).setAdmissionRoutineWrapper
func setAdmissionRoutineWrapper(s *scheduler.Scheduler, w routine.Wrapper)

type atOnce struct{}

func (atOnce) Run(f func()) { f() }

// Cycle is one cycle of a scheduler that another judge has made. It waits for ever where there is no head to look at.
func Cycle(ctx context.Context, s *scheduler.Scheduler) {
	setAdmissionRoutineWrapper(s, atOnce{})
	schedule(s, ctx)
}

type state byte

const (
	pending state = iota
	admitted
	evicting
	gone
)

// world is the real scheduler, its queues and its cache over a fake client, with the part of the workload and job
// controllers that a history needs: status changes reach cache and queues as in
// pkg/controller/core/workload_controller.go.
type world struct {
	ctx        context.Context
	log        logr.Logger
	clock      *testingclock.FakeClock
	client     client.Client
	cache      *schdcache.Cache
	queues     *qcache.Manager
	requeuer   interface{ ProcessRequeues(context.Context) int }
	scheduler  *scheduler.Scheduler
	history    *history
	queueSpecs []queue // as the edits so far have left them
	states     map[int]state
	patching   sync.Mutex
	patched    map[string]bool         // names of workloads whose status the scheduler has changed since the last observe
	objects    map[int]*kueue.Workload // as last read: reading is what takes the time
	submitted  map[int]op
	stops      map[string]string
	applied    map[string]*kueue.ClusterQueue // as last applied
	mode       int
	manifests  *manifests      // of a history given as YAML
	running    *besides        // a cycle that waits in its middle
	drained    map[string]bool // LocalQueues
}

func newWorld(h *history) *world {
	w := &world{log: logr.Discard(), history: h, states: map[int]state{},
		drained: map[string]bool{}, patched: map[string]bool{}, objects: map[int]*kueue.Workload{}, submitted: map[int]op{}, stops: map[string]string{},
		applied: map[string]*kueue.ClusterQueue{}}
	w.queueSpecs = append(w.queueSpecs, h.Queues...)
	if h.Yaml != "" {
		var err error
		w.manifests, err = readManifests(h.Yaml)
		must(err)
	}
	w.ctx = ctrl.LoggerInto(context.Background(), w.log)
	w.clock = testingclock.NewFakeClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	w.client = utiltesting.NewClientBuilder().
		WithObjectTracker(Tracker()).
		WithObjects(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace, Labels: selected}},
			&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: strangers}}).
		WithStatusSubresource(&kueue.Workload{}).
		WithInterceptorFuncs(interceptor.Funcs{SubResourcePatch: w.patch}).Build()
	fair := fairSharingConfiguration(h)
	if w.manifests != nil {
		fair = w.manifests.fair
	}
	w.cache = schdcache.New(w.client, schdcache.WithFairSharing(fair != nil),
		schdcache.WithResourceTransformations(h.Transformations), schdcache.WithExcludedResourcePrefixes(h.Exclude),
		schdcache.WithPodsReadyTracking(h.PodsReady.Block))
	expectations := preemptexpectations.New()
	w.queues, w.requeuer = qcache.NewManagerForUnitTestsWithRequeuer(w.client, w.cache,
		qcache.WithPreemptionExpectations(expectations), qcache.WithPodsReadyRequeuingTimestamp(requeuing(h)),
		qcache.WithResourceTransformations(h.Transformations), qcache.WithExcludedResourcePrefixes(h.Exclude))
	flavors, cohorts := w.flavorsAndCohorts()
	for _, flavor := range flavors {
		w.cache.AddOrUpdateResourceFlavor(w.log, flavor)
	}
	for _, object := range cohorts {
		w.applyCohort(object)
	}
	for _, q := range h.Queues {
		w.stops[q.Name] = string(kueue.None)
		if w.manifests != nil {
			// Of a queue without a spec no default was set.
			w.stops[q.Name] = string(ptr.Deref(w.manifests.queues[q.Name].Spec.StopPolicy, kueue.None))
		}
		object := w.object(q, nil, w.stops[q.Name])
		w.applied[q.Name] = object.DeepCopy()
		if err := w.cache.AddClusterQueue(w.ctx, object); !errors.Is(err, schdcache.ErrCohortHasCycle) {
			must(err)
		}
		must(w.queues.AddClusterQueue(w.ctx, object))
		for n := range locals {
			for _, in := range []string{namespace, strangers} {
				local := localQueue(q.Name, n, in)
				must(w.client.Create(w.ctx, local))
				must(w.queues.AddLocalQueue(w.ctx, local))
			}
		}
	}
	w.scheduler = scheduler.New(w.queues, w.cache, w.client, &utiltesting.EventRecorder{},
		scheduler.WithClock((testing.TB)(nil), w.clock), scheduler.WithPreemptionExpectations(expectations),
		scheduler.WithFairSharing(fair), scheduler.WithQuotaCheckStrategy(quotaCheck(h)),
		scheduler.WithPodsReadyRequeuingTimestamp(requeuing(h)))
	setAdmissionRoutineWrapper(w.scheduler, atOnce{})
	w.requeuer.ProcessRequeues(w.ctx)
	return w
}

func (w *world) flavorsAndCohorts() (flavors []*kueue.ResourceFlavor, cohorts []*kueue.Cohort) {
	if w.manifests != nil {
		return w.manifests.flavors, w.manifests.cohorts
	}
	for _, name := range w.history.Flavors {
		flavors = append(flavors, resourceFlavor(name, w.history.Nodes[name]))
	}
	for _, c := range w.history.Cohorts {
		cohorts = append(cohorts, cohortObject(c))
	}
	return flavors, cohorts
}

// The queue with the limits of a mode and under a stop policy.
func (w *world) object(q queue, mode []change, stop string) *kueue.ClusterQueue {
	if w.manifests == nil {
		return clusterQueue(q, mode, stop)
	}
	object := w.manifests.queues[q.Name].DeepCopy()
	policy := kueue.StopPolicy(stop)
	object.Spec.StopPolicy = &policy
	return object
}

func (w *world) patch(ctx context.Context, c client.Client, subresource string, object client.Object, patch client.Patch,
	options ...client.SubResourcePatchOption) error {
	w.patching.Lock() // victims are evicted in parallel
	w.patched[object.GetName()] = true
	w.patching.Unlock()
	return utiltesting.TreatSSAAsStrategicMerge(ctx, c, subresource, object, patch, options...)
}

func (w *world) get(id int) *kueue.Workload {
	object := &kueue.Workload{}
	at := types.NamespacedName{Namespace: w.submitted[id].namespace(), Name: workloadName(id)}
	must(w.client.Get(w.ctx, at, object))
	return object
}

func (w *world) ids() []int {
	var ids []int
	for id := range w.states {
		ids = append(ids, id)
	}
	sort.Ints(ids)
	return ids
}

// The victims' pods are gone, or a job has ended: quota is free again; a job that is started anew asks again, and keeps
// why it was evicted until it is admitted (a backoff after a timeout is over).
func (w *world) leave(id int, again bool) {
	object := w.get(id)
	key := workload.Key(object)
	if again {
		var kept []metav1.Condition
		for _, condition := range object.Status.Conditions {
			if condition.Type == kueue.WorkloadEvicted || condition.Type == kueue.WorkloadPreempted {
				kept = append(kept, condition)
			}
		}
		object.Status = kueue.WorkloadStatus{Conditions: kept}
		must(w.client.Status().Update(w.ctx, object))
		object = w.get(id)
	}
	w.queues.QueueAssociatedInadmissibleWorkloadsAfter(w.ctx, key, func() { must(w.cache.DeleteWorkload(w.log, key)) })
	w.requeuer.ProcessRequeues(w.ctx)
	if again {
		w.enqueue(object)
		w.states[id] = pending
	} else {
		w.end(id, object)
	}
}

// A stopped LocalQueue is unknown to the queues; the controller ignores that error, too (workload_controller.go Create).
func (w *world) enqueue(object *kueue.Workload) {
	if err := w.queues.AddOrUpdateWorkload(w.log, object); !errors.Is(err, qcache.ErrLocalQueueDoesNotExistOrInactive) {
		must(err)
	}
}

// The workload is deleted: a LocalQueue that starts again lists those that exist.
func (w *world) end(id int, object *kueue.Workload) {
	w.queues.DeleteWorkload(w.log, workload.Key(object))
	must(w.client.Delete(w.ctx, object))
	w.states[id] = gone
}

// As the controller: where the cache refuses it the queues do not hear of it (cohort_controller.go).
func (w *world) applyCohort(object *kueue.Cohort) {
	if err := w.cache.AddOrUpdateCohort(object); !errors.Is(err, schdcache.ErrCohortHasCycle) {
		must(err)
		w.queues.AddOrUpdateCohort(w.ctx, object)
	}
}

func (w *world) update(q queue) {
	object := w.object(q, w.history.Modes[w.mode], w.stops[q.Name])
	// The controller passes no update on where the spec is as before (clusterqueue_controller.go Update).
	if old := w.applied[q.Name]; old != nil && equality.Semantic.DeepEqual(old.Spec, object.Spec) {
		return
	}
	w.applied[q.Name] = object.DeepCopy()
	must(w.cache.UpdateClusterQueue(w.log, object))
	must(w.queues.UpdateClusterQueue(w.ctx, object, true))
}

// What each scheduling cycle reads is up to date before it: the workload controller's events have been handled.
func (w *world) observe() {
	drained := false
	for _, id := range w.ids() {
		if !w.patched[workloadName(id)] || w.states[id] == gone {
			continue
		}
		object := w.get(id)
		w.objects[id] = object
		switch {
		case w.states[id] == pending && workload.HasQuotaReservation(object):
			w.states[id] = admitted
			w.cache.AddOrUpdateWorkload(w.log, object)
			w.queues.DeleteWorkload(w.log, workload.Key(object))
			o := w.submitted[id] // stopped while the cycle waited?
			drained = drained || w.stops[o.Queue] == string(kueue.HoldAndDrain) || w.drained[localName(o.Queue, o.Local)]
		case w.states[id] == admitted && workloadevict.IsEvicted(object):
			w.states[id] = evicting
			w.cache.AddOrUpdateWorkload(w.log, object)
		}
	}
	clear(w.patched)
	if drained {
		w.drain(kueue.WorkloadEvictedByClusterQueueStopped,
			func(s op) bool { return w.stops[s.Queue] == string(kueue.HoldAndDrain) })
		w.drain(kueue.WorkloadEvictedByLocalQueueStopped,
			func(s op) bool { return w.drained[localName(s.Queue, s.Local)] })
	}
}

func (w *world) play(o op) {
	w.clock.Step(time.Second)
	switch o.Do {
	case "submit":
		w.submitted[o.ID], w.states[o.ID] = o, pending
		must(w.client.Create(w.ctx, workloadObject(o, metav1.NewTime(w.clock.Now()), w.manifests)))
		w.enqueue(w.get(o.ID))
	case "finish":
		switch s, known := w.states[o.ID]; {
		case !known || s == gone:
		case s == pending:
			w.end(o.ID, w.get(o.ID))
		default:
			w.leave(o.ID, false)
		}
	case "release":
		for _, id := range w.ids() {
			if w.states[id] == evicting {
				w.leave(id, w.submitted[id].Again)
			}
		}
	case "mode":
		w.mode = o.Mode
		for _, q := range w.queueSpecs {
			w.update(q)
		}
	case "stop":
		w.stops[o.Queue] = o.Policy
		for _, q := range w.queueSpecs {
			if q.Name == o.Queue {
				w.update(q)
			}
		}
		if o.Policy == string(kueue.HoldAndDrain) {
			w.drain(kueue.WorkloadEvictedByClusterQueueStopped, func(s op) bool { return s.Queue == o.Queue })
		}
	case "stopLocal":
		for _, in := range []string{namespace, strangers} {
			w.stopLocal(o, in)
		}
	case "delist":
		for i := range w.queueSpecs {
			if w.queueSpecs[i].Name == o.Queue {
				w.queueSpecs[i] = w.queueSpecs[i].without(o.Flavor)
				w.update(w.queueSpecs[i])
			}
		}
	case "move":
		for i := range w.queueSpecs {
			if w.queueSpecs[i].Name == o.Queue {
				w.queueSpecs[i].Cohort = o.To
				w.update(w.queueSpecs[i])
			}
		}
	case "cohort":
		if o.Deleted {
			w.cache.DeleteCohort(kueue.CohortReference(o.Cohort.Name))
			w.queues.DeleteCohort(kueue.CohortReference(o.Cohort.Name))
			break
		}
		w.applyCohort(cohortObject(*o.Cohort))
	case "flavor":
		w.loseOrFind(resourceFlavor(o.Flavor, w.history.Nodes[o.Flavor]), o.Deleted)
	case "ready":
		w.setReady(o.ID, o.Ready)
	case "evict":
		w.timeOut(o.ID)
	case "ended":
		w.endPodset(o.ID, o.Podset)
	case "wait":
		w.clock.Step(time.Duration(o.Seconds) * time.Second)
	case "cycle":
		switch {
		case w.running != nil:
		case !w.anyHead():
			w.lookForHeads()
		case w.history.PodsReady.Block:
			w.startCycle()
		default:
			schedule(w.scheduler, w.ctx)
		}
		w.observe()
	default:
		panic(fmt.Sprintf("no such event: %q", o.Do))
	}
	w.requeuer.ProcessRequeues(w.ctx)
	w.goOn()
}
