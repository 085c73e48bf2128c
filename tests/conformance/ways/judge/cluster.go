//go:build !quotas

package ways

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	differential "gpol.dev/tests/conformance/differential/judge"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	testingclock "k8s.io/utils/clock/testing"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	config "sigs.k8s.io/kueue/apis/config/v1beta2"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	qcache "sigs.k8s.io/kueue/pkg/cache/queue"
	schdcache "sigs.k8s.io/kueue/pkg/cache/scheduler"
	"sigs.k8s.io/kueue/pkg/controller/constants"
	"sigs.k8s.io/kueue/pkg/controller/jobframework"
	"sigs.k8s.io/kueue/pkg/controller/jobs/job"
	"sigs.k8s.io/kueue/pkg/scheduler"
	preemptexpectations "sigs.k8s.io/kueue/pkg/scheduler/preemption/expectations"
	utiltesting "sigs.k8s.io/kueue/pkg/util/testing"
	"sigs.k8s.io/kueue/pkg/workload"
	workloadfinish "sigs.k8s.io/kueue/pkg/workload/finish"
	"sigs.k8s.io/kueue/pkg/workloadslicing"
)

// cluster is Kueue's scheduler and its controller of Jobs over a fake client. Unlike ../../differential/judge's world it
// has Jobs, since Workloads of elastic ones are not what a tenant writes.
type cluster struct {
	ctx       context.Context
	log       logr.Logger
	clock     *testingclock.FakeClock
	client    client.Client
	cache     *schdcache.Cache
	queues    *qcache.Manager
	requeuer  interface{ ProcessRequeues(context.Context) int }
	scheduler *scheduler.Scheduler
	jobs      reconcile.Reconciler
	heard     map[workload.Reference]*kueue.Workload // as cache and queues know them
	settled   map[string]string                      // by Job: what its controller has seen
}

// `fair`: nil where nobody shares fairly.
func newCluster(fair *config.FairSharing) *cluster {
	c := &cluster{log: logr.Discard(), clock: testingclock.NewFakeClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)),
		heard: map[workload.Reference]*kueue.Workload{}, settled: map[string]string{}}
	c.ctx = ctrl.LoggerInto(context.Background(), c.log)
	builder := utiltesting.NewClientBuilder().
		WithObjectTracker(differential.Tracker()).
		WithObjects(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}).
		WithStatusSubresource(&kueue.Workload{}, &batchv1.Job{}).
		WithInterceptorFuncs(interceptor.Funcs{SubResourcePatch: utiltesting.TreatSSAAsStrategicMerge, Create: c.create})
	indexer := utiltesting.AsIndexer(builder)
	must(job.SetupIndexes(c.ctx, indexer))
	c.client = builder.Build()
	c.cache = schdcache.New(c.client, schdcache.WithFairSharing(fair != nil))
	expectations := preemptexpectations.New()
	c.queues, c.requeuer = qcache.NewManagerForUnitTestsWithRequeuer(c.client, c.cache, qcache.WithPreemptionExpectations(expectations))
	c.scheduler = scheduler.New(c.queues, c.cache, c.client, &utiltesting.EventRecorder{},
		scheduler.WithClock(nil, c.clock), scheduler.WithPreemptionExpectations(expectations),
		scheduler.WithFairSharing(fair))
	var err error
	c.jobs, err = job.NewReconciler(c.ctx, c.client, indexer, &utiltesting.EventRecorder{}, jobframework.WithCache(c.cache),
		jobframework.WithQueues(c.queues), jobframework.WithClock(c.clock))
	must(err)
	return c
}

// What an API server sets and a fake client does not: who is older is told by this time.
func (c *cluster) create(ctx context.Context, to client.WithWatch, object client.Object, options ...client.CreateOption) error {
	c.clock.Step(time.Second)
	object.SetUID(types.UID(object.GetName()))
	object.SetCreationTimestamp(metav1.NewTime(c.clock.Now()))
	object.SetGeneration(1)
	return to.Create(ctx, object, options...)
}

func (c *cluster) addQueue(queue *kueue.ClusterQueue) {
	must(c.cache.AddClusterQueue(c.ctx, queue))
	must(c.queues.AddClusterQueue(c.ctx, queue))
	local := &kueue.LocalQueue{ObjectMeta: metav1.ObjectMeta{Name: queue.Name, Namespace: namespace},
		Spec: kueue.LocalQueueSpec{ClusterQueue: kueue.ClusterQueueReference(queue.Name)}}
	must(c.client.Create(c.ctx, local))
	must(c.queues.AddLocalQueue(c.ctx, local))
}

func (c *cluster) addFlavor(flavor *kueue.ResourceFlavor) {
	must(c.client.Create(c.ctx, flavor))
	c.cache.AddOrUpdateResourceFlavor(c.log, flavor)
}

// elastic is a Job of so many pods that says that it is elastic: where the gate is off nothing reads that.
func elastic(queue, name string, pods int32, template corev1.PodTemplateSpec) *batchv1.Job {
	return &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace,
		Labels:      map[string]string{constants.QueueLabel: queue},
		Annotations: map[string]string{workloadslicing.EnabledAnnotationKey: workloadslicing.EnabledAnnotationValue}},
		Spec: batchv1.JobSpec{Parallelism: &pods, Suspend: ptr.To(true), Template: template}}
}

// submit creates a Job as Kueue's webhook leaves it.
func (c *cluster) submit(asks *batchv1.Job) {
	if workloadslicing.Enabled(asks) {
		asks.Spec.Template.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: kueue.ElasticJobSchedulingGate}}
	}
	must(c.client.Create(c.ctx, asks))
}

func (c *cluster) job(name string) *batchv1.Job {
	object := &batchv1.Job{}
	must(c.client.Get(c.ctx, types.NamespacedName{Namespace: namespace, Name: name}, object))
	return object
}

func (c *cluster) scale(name string, pods int32) {
	object := c.job(name)
	object.Spec.Parallelism = &pods
	object.Generation++ // as an API server; the name of the new Workload is made of it
	must(c.client.Update(c.ctx, object))
}

// run has every Job that is not suspended run all its pods. Those of a Job that is evicted go on until `end`, and Kueue
// waits for it.
func (c *cluster) run() {
	c.pods(func(job *batchv1.Job) int32 {
		if *job.Spec.Suspend {
			return job.Status.Active
		}
		return *job.Spec.Parallelism
	})
}

func (c *cluster) end() {
	c.pods(func(job *batchv1.Job) int32 {
		if *job.Spec.Suspend {
			return 0
		}
		return job.Status.Active
	})
}

// How many pods of each Job there are, as the controller of Jobs says it.
func (c *cluster) pods(are func(*batchv1.Job) int32) {
	var jobs batchv1.JobList
	must(c.client.List(c.ctx, &jobs))
	for i := range jobs.Items {
		job := &jobs.Items[i]
		if active := are(job); active != job.Status.Active {
			job.Status.Active = active
			must(c.client.Status().Update(c.ctx, job))
		}
	}
}

func (c *cluster) cycles(n int) {
	for range n {
		c.settle()
		if c.anyHead() {
			c.clock.Step(time.Second)
			differential.Cycle(c.ctx, c.scheduler)
		}
	}
	c.settle()
}

// The scheduler waits for ever where there is no head to look at.
func (c *cluster) anyHead() bool {
	for name := range c.queues.Dump() {
		if c.cache.ClusterQueueActive(kueue.ClusterQueueReference(name)) {
			return true
		}
	}
	return false
}

// settle lets the controllers run until all is said and done. The one of Jobs is called for a Job that has changed, or a
// Workload of it has, and gives an error where it wants to be called again.
func (c *cluster) settle() {
	var failed error
	for range 20 {
		workloads := c.hear()
		c.requeuer.ProcessRequeues(c.ctx)
		var jobs batchv1.JobList
		must(c.client.List(c.ctx, &jobs))
		quiet := true
		for i := range jobs.Items {
			job := &jobs.Items[i]
			is := content(job) + workloads[job.Name]
			if c.settled[job.Name] == is {
				continue
			}
			quiet, c.settled[job.Name] = false, is
			if _, err := c.jobs.Reconcile(c.ctx, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(job)}); err != nil {
				failed = fmt.Errorf("%s: %w", job.Name, err)
				delete(c.settled, job.Name)
			}
		}
		if quiet {
			return
		}
	}
	panic(fmt.Sprint("this does not settle: ", failed))
}

// A fake client, unlike an API server, counts a write that changes nothing as a new version.
func content(object client.Object) string {
	object = object.DeepCopyObject().(client.Object)
	object.SetResourceVersion("")
	text, err := json.Marshal(object)
	must(err)
	return string(text)
}

// hear tells cache and queues what became of Workloads, as pkg/controller/core/workload_controller.go Create and Update. It
// returns what they are, by Job.
func (c *cluster) hear() map[string]string {
	contents := map[string]string{}
	var all kueue.WorkloadList
	must(c.client.List(c.ctx, &all))
	gone := map[workload.Reference]bool{}
	for key := range c.heard {
		gone[key] = true
	}
	for i := range all.Items {
		object := &all.Items[i]
		key := workload.Key(object)
		delete(gone, key)
		for _, owner := range object.OwnerReferences {
			contents[owner.Name] += content(object)
		}
		before := c.heard[key]
		if before != nil && before.ResourceVersion == object.ResourceVersion {
			continue
		}
		c.heard[key] = object
		held := before != nil && workload.HasQuotaReservation(before)
		switch {
		case workloadfinish.IsFinished(object):
			c.release(key)
		case workload.HasQuotaReservation(object) && held: // perhaps it is smaller now
			c.queues.QueueAssociatedInadmissibleWorkloadsAfter(c.ctx, key, func() { c.cache.AddOrUpdateWorkload(c.log, object) })
		case workload.HasQuotaReservation(object):
			c.queues.DeleteWorkload(c.log, key)
			c.cache.AddOrUpdateWorkload(c.log, object)
		case held: // it was evicted, and asks again
			c.release(key)
			must(c.queues.AddOrUpdateWorkload(c.log, object))
		default:
			must(c.queues.AddOrUpdateWorkload(c.log, object))
		}
	}
	for key := range gone {
		delete(c.heard, key)
		c.release(key)
	}
	return contents
}

func (c *cluster) release(key workload.Reference) {
	c.queues.DeleteWorkload(c.log, key)
	c.queues.QueueAssociatedInadmissibleWorkloadsAfter(c.ctx, key, func() { _ = c.cache.DeleteWorkload(c.log, key) })
}

func (c *cluster) queue(name string) *schdcache.ClusterQueueSnapshot {
	snapshot, err := c.cache.Snapshot(c.ctx)
	must(err)
	return snapshot.ClusterQueue(kueue.ClusterQueueReference(name))
}

func (c *cluster) holds(queue string) int64 { return c.queue(queue).ResourceNode.Usage[gpus].Int64() }

func (c *cluster) left(queue string) int64 { return c.queue(queue).Available(gpus).Int64() }
