package ways

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/go-logr/logr"
	differential "gpol.dev/tests/conformance/differential/judge"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	schdcache "sigs.k8s.io/kueue/pkg/cache/scheduler"
	utiltesting "sigs.k8s.io/kueue/pkg/util/testing"
	"sigs.k8s.io/kueue/pkg/workload"
)

const (
	quota = 8 // of batch, which has no cohort
	pods  = 8
	large = math.MaxInt64 // the most that a quantity holds, and that a container may ask for
)

// LargeRequests plays a Workload of `pods` pods that ask for `large` each. It has no build tag: it is in the judges of
// older versions, too, and asks what of Kueue's code all of them have. The scheduler of older ones is in no judge, so it
// is done here what the scheduler does: what does not fit is not admitted, and an admission has the sum of pkg/workload.
func LargeRequests(args []string) int { return expect("large-requests", args, playLargeRequests) }

func playLargeRequests() seen {
	c := &capacity{ctx: context.Background(), log: logr.Discard(), cache: schdcache.New(utiltesting.NewFakeClient())}
	c.cache.AddOrUpdateResourceFlavor(c.log, resourceFlavor())
	must(c.cache.AddClusterQueue(c.ctx, clusterQueue("batch", "", quota, nil)))
	charged, admitted := c.ask("large", pods, large)
	left := c.left()
	// Others of batch ask for all that is said to be left.
	_, others := c.ask("others", 1, left)
	held := int64(0)
	if others {
		held = left
	}
	word := "is not admitted"
	if admitted {
		word = "is admitted"
	}
	return seen{
		text: fmt.Sprintf("a Job of %d pods that ask for %d is charged %d and %s, beside it batch holds %d of its %d",
			pods, int64(large), charged, word, held, quota),
		open:   admitted && charged < 0 && held > quota,
		closed: !admitted && charged > quota && held == quota,
	}
}

type capacity struct {
	ctx   context.Context
	log   logr.Logger
	cache *schdcache.Cache
}

// ask says what the Workload is charged, and holds it where that fits.
func (c *capacity) ask(name string, count int32, each int64) (charged int64, admitted bool) {
	asks := &kueue.Workload{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace}, Spec: kueue.WorkloadSpec{
		PodSets: []kueue.PodSet{{Name: kueue.DefaultPodSetName, Count: count, Template: template(each)}}}}
	for of, amount := range workload.NewInfo(asks).FlavorResourceUsage() { // no flavor yet
		if of.Resource == gpu {
			charged = differential.Plain(amount)
		}
	}
	asks.Status.Admission = &kueue.Admission{ClusterQueue: "batch", PodSetAssignments: []kueue.PodSetAssignment{{
		Name: kueue.DefaultPodSetName, Count: &count,
		Flavors:       map[corev1.ResourceName]kueue.ResourceFlavorReference{gpu: flavor},
		ResourceUsage: corev1.ResourceList{gpu: *resource.NewQuantity(charged, resource.DecimalSI)}}}}
	asks.Status.Conditions = []metav1.Condition{{Type: kueue.WorkloadQuotaReserved, Status: metav1.ConditionTrue,
		Reason: "Held", LastTransitionTime: metav1.NewTime(time.Unix(0, 0))}}
	if !fits(c.batch().Fits(workload.NewInfo(asks).Usage())) {
		return charged, false
	}
	c.cache.AddOrUpdateWorkload(c.log, asks)
	return charged, true
}

func (c *capacity) batch() *schdcache.ClusterQueueSnapshot {
	snapshot, err := c.cache.Snapshot(c.ctx)
	must(err)
	return snapshot.ClusterQueue("batch")
}

func (c *capacity) left() int64 { return differential.Plain(c.batch().Available(gpus)) }

// A bool in v0.15.0, later a number that is 0 where it fits.
func fits(answer any) bool {
	if yes, is := answer.(bool); is {
		return yes
	}
	return fmt.Sprintf("%d", answer) == "0"
}
