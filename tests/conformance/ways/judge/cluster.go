//go:build !quotas

package ways

import (
	"context"
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
// has Jobs, since Workloads of elastic ones are not what a tenant writes. Nobody is evicted in it.
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
	heard     map[workload.Reference]string // versions of Workloads that cache and queues know
}

func newCluster() *cluster {
	c := &cluster{log: logr.Discard(), clock: testingclock.NewFakeClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)),
		heard: map[workload.Reference]string{}}
	c.ctx = ctrl.LoggerInto(context.Background(), c.log)
	builder := utiltesting.NewClientBuilder().
		WithObjects(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, resourceFlavor()).
		WithStatusSubresource(&kueue.Workload{}, &batchv1.Job{}).
		WithInterceptorFuncs(interceptor.Funcs{SubResourcePatch: utiltesting.TreatSSAAsStrategicMerge, Create: c.create})
	indexer := utiltesting.AsIndexer(builder)
	must(job.SetupIndexes(c.ctx, indexer))
	c.client = builder.Build()
	c.cache = schdcache.New(c.client)
	expectations := preemptexpectations.New()
	c.queues, c.requeuer = qcache.NewManagerForUnitTestsWithRequeuer(c.client, c.cache, qcache.WithPreemptionExpectations(expectations))
	c.cache.AddOrUpdateResourceFlavor(c.log, resourceFlavor())
	c.scheduler = scheduler.New(c.queues, c.cache, c.client, &utiltesting.EventRecorder{},
		scheduler.WithClock(nil, c.clock), scheduler.WithPreemptionExpectations(expectations))
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

// submit creates a Job of so many pods with a GPU each, as Kueue's webhook leaves it. Each says that it is elastic: where
// the gate is off nothing reads that.
func (c *cluster) submit(queue, name string, pods int32) {
	asks := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace,
		Labels:      map[string]string{constants.QueueLabel: queue},
		Annotations: map[string]string{workloadslicing.EnabledAnnotationKey: workloadslicing.EnabledAnnotationValue}},
		Spec: batchv1.JobSpec{Parallelism: &pods, Suspend: ptr.To(true), Template: template(1)}}
	if workloadslicing.Enabled(asks) {
		asks.Spec.Template.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: kueue.ElasticJobSchedulingGate}}
	}
	must(c.client.Create(c.ctx, asks))
	c.settle()
}

func (c *cluster) scale(name string, pods int32) {
	object := &batchv1.Job{}
	must(c.client.Get(c.ctx, types.NamespacedName{Namespace: namespace, Name: name}, object))
	if *object.Spec.Suspend {
		panic(name + " does not run")
	}
	object.Spec.Parallelism = &pods
	object.Generation++ // as an API server; the name of the new Workload is made of it
	must(c.client.Update(c.ctx, object))
	c.settle()
}

func (c *cluster) cycles(n int) {
	for range n {
		if len(c.queues.Dump()) > 0 {
			c.clock.Step(time.Second)
			differential.Cycle(c.ctx, c.scheduler)
		}
		c.settle()
	}
}

// settle lets the controllers run until all is said and done. The one of Jobs gives an error where it wants to be called
// again, so only those of the last round are any.
func (c *cluster) settle() {
	var failed error
	for range 5 {
		failed = nil
		var jobs batchv1.JobList
		must(c.client.List(c.ctx, &jobs))
		for i := range jobs.Items {
			_, err := c.jobs.Reconcile(c.ctx, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&jobs.Items[i])})
			if err != nil {
				failed = fmt.Errorf("%s: %w", jobs.Items[i].Name, err)
			}
		}
		c.hear()
		c.requeuer.ProcessRequeues(c.ctx)
	}
	must(failed)
}

// hear tells cache and queues what became of Workloads, as pkg/controller/core/workload_controller.go Create and Update.
func (c *cluster) hear() {
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
		if c.heard[key] == object.ResourceVersion {
			continue
		}
		c.heard[key] = object.ResourceVersion
		switch {
		case workloadfinish.IsFinished(object):
			c.release(key)
		case workload.HasQuotaReservation(object):
			c.queues.DeleteWorkload(c.log, key)
			c.cache.AddOrUpdateWorkload(c.log, object)
		default:
			must(c.queues.AddOrUpdateWorkload(c.log, object))
		}
	}
	for key := range gone {
		delete(c.heard, key)
		c.release(key)
	}
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
