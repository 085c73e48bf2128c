package differential

// `judge quotas < histories` asks the real quota code of one version of Kueue, old ones too, what gpol's model says of
// each state that it reached.
//
// After every cycle of a history the cache of Kueue is given what each queue uses by the model's word, and each queue is
// asked what it could be admitted to at once of each flavor and resource. No scheduler decides anything here, so that
// versions whose schedulers differ can be asked alike. Against an older one these files alone are built (-tags quotas,
// ../quotas), by a go.mod of its own (../older.sh). The last line counts; exit 1: they disagree.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	schdcache "sigs.k8s.io/kueue/pkg/cache/scheduler"
	"sigs.k8s.io/kueue/pkg/resources"
	utiltesting "sigs.k8s.io/kueue/pkg/util/testing"
)

// One client for all: no object is ever in it. Made when it is first asked for: other judges are in the same program.
var noObjects = sync.OnceValue(func() client.Client { return utiltesting.NewFakeClient() })

type quotas struct {
	ctx    context.Context
	log    logr.Logger
	cache  *schdcache.Cache
	of     *history
	queues []queue
	stops  map[string]string
	mode   int
}

func newQuotas(h *history) *quotas {
	w := &quotas{ctx: context.Background(), log: logr.Discard(), cache: schdcache.New(noObjects()), of: h,
		queues: append([]queue{}, h.Queues...), stops: map[string]string{}}
	for _, name := range h.Flavors {
		w.cache.AddOrUpdateResourceFlavor(w.log, resourceFlavor(name, h.Nodes[name]))
	}
	for _, c := range h.Cohorts {
		w.apply(c)
	}
	for _, q := range w.queues {
		w.stops[q.Name] = string(kueue.None)
		unlessCycle(w.cache.AddClusterQueue(w.ctx, clusterQueue(q, nil, w.stops[q.Name])))
	}
	return w
}

func unlessCycle(err error) {
	if !errors.Is(err, schdcache.ErrCohortHasCycle) {
		must(err)
	}
}

func (w *quotas) apply(c cohort) { unlessCycle(w.cache.AddOrUpdateCohort(cohortObject(c))) }

// What changes quotas; false: the event changes none.
func (w *quotas) play(o op) {
	switch o.Do {
	case "mode":
		w.mode = o.Mode
	case "stop":
		w.stops[o.Queue] = o.Policy
	case "move":
		w.edit(o.Queue, func(q queue) queue { q.Cohort = o.To; return q })
	case "cohort":
		if o.Deleted {
			w.cache.DeleteCohort(kueue.CohortReference(o.Cohort.Name))
		} else {
			w.apply(*o.Cohort)
		}
		return
	case "flavor":
		flavor := resourceFlavor(o.Flavor, w.of.Nodes[o.Flavor])
		if o.Deleted {
			w.cache.DeleteResourceFlavor(w.log, flavor)
		} else {
			w.cache.AddOrUpdateResourceFlavor(w.log, flavor)
		}
		return
	default:
		return
	}
	for _, q := range w.queues {
		unlessCycle(w.cache.UpdateClusterQueue(w.log, clusterQueue(q, w.of.Modes[w.mode], w.stops[q.Name])))
	}
}

func (w *quotas) edit(name string, change func(queue) queue) {
	for i := range w.queues {
		if w.queues[i].Name == name {
			w.queues[i] = change(w.queues[i])
		}
	}
}

// hold makes each queue use what the lines "QUEUE uses FLAVOR/RESOURCE AMOUNT" say: by one workload with a podset for
// each flavor.
func (w *quotas) hold(outcome string) {
	uses := map[string]map[string]corev1.ResourceList{}
	for line := range strings.SplitSeq(outcome, "\n") {
		name, rest, found := strings.Cut(line, " uses ")
		if !found {
			continue
		}
		flavor, rest, _ := strings.Cut(rest, "/")
		resource, text, _ := strings.Cut(rest, " ")
		amount, err := strconv.ParseInt(text, 10, 64)
		must(err)
		if uses[name] == nil {
			uses[name] = map[string]corev1.ResourceList{}
		}
		if uses[name][flavor] == nil {
			uses[name][flavor] = corev1.ResourceList{}
		}
		uses[name][flavor][corev1.ResourceName(resource)] = quantity(corev1.ResourceName(resource), amount)
	}
	for _, q := range w.queues {
		w.cache.AddOrUpdateWorkload(w.log, holder(q.Name, uses[q.Name]))
	}
}

func holder(queue string, uses map[string]corev1.ResourceList) *kueue.Workload {
	held := &kueue.Workload{ObjectMeta: metav1.ObjectMeta{Name: "of-" + queue, Namespace: namespace}}
	held.Status.Admission = &kueue.Admission{ClusterQueue: kueue.ClusterQueueReference(queue)}
	held.Status.Conditions = []metav1.Condition{{Type: kueue.WorkloadQuotaReserved, Status: metav1.ConditionTrue,
		Reason: "Held", LastTransitionTime: metav1.NewTime(time.Unix(0, 0))}}
	one := int32(1)
	for flavor, amounts := range uses {
		flavors := map[corev1.ResourceName]kueue.ResourceFlavorReference{}
		for name := range amounts {
			flavors[name] = kueue.ResourceFlavorReference(flavor)
		}
		name := kueue.PodSetReference(flavor)
		held.Spec.PodSets = append(held.Spec.PodSets, kueue.PodSet{Name: name, Count: one})
		held.Status.Admission.PodSetAssignments = append(held.Status.Admission.PodSetAssignments,
			kueue.PodSetAssignment{Name: name, Flavors: flavors, ResourceUsage: amounts, Count: &one})
	}
	return held
}

// Plain is the number of an amount, which is a type of its own since v0.18.
func Plain(amount any) int64 {
	if number, is := amount.(int64); is {
		return number
	}
	return amount.(interface{ Int64() int64 }).Int64()
}

// left has the lines of outcome.go.
func (w *quotas) left() []string {
	snapshot, err := w.cache.Snapshot(w.ctx)
	must(err)
	var lines []string
	for _, q := range w.of.Queues {
		queue := snapshot.ClusterQueue(kueue.ClusterQueueReference(q.Name))
		if queue == nil {
			continue
		}
		for _, group := range queue.ResourceGroups {
			for _, flavor := range group.Flavors {
				for name := range group.CoveredResources {
					left := queue.Available(resources.FlavorResource{Flavor: flavor, Resource: name})
					lines = append(lines, fmt.Sprintf("%s could have %s/%s %d", q.Name, flavor, name, Plain(left)))
				}
			}
		}
	}
	sort.Strings(lines)
	return lines
}

func expected(outcome string) []string {
	var lines []string
	for line := range strings.SplitSeq(outcome, "\n") {
		if strings.Contains(line, " could have ") {
			lines = append(lines, line)
		}
	}
	sort.Strings(lines)
	return lines
}

// Quotas judges standard input and returns the exit code.
func Quotas([]string) int {
	histories, states, answers, differ := 0, 0, 0, 0
	reader := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := reader.ReadBytes('\n')
		if len(line) > 1 {
			h := &history{}
			must(json.Unmarshal(line, h))
			histories++
			w := newQuotas(h)
			for at, o := range h.Ops {
				if o.Outcome == "arbitrary" || o.Do == "delist" {
					break // of a flavor that is no longer listed the outcome does not say who uses it
				}
				w.play(o)
				if o.Do != "cycle" {
					continue
				}
				w.hold(o.Outcome)
				model, real := expected(o.Outcome), w.left()
				states++
				answers += len(real)
				if strings.Join(model, "\n") == strings.Join(real, "\n") {
					continue
				}
				if differ++; differ <= 5 {
					reportQuotas(h, at, model, real)
				}
				break
			}
		}
		if err == io.EOF {
			break
		}
		must(err)
	}
	fmt.Printf("quotas: %d histories, %d states, %d answers, %d disagreements\n", histories, states, answers, differ)
	if differ > 0 || answers == 0 {
		return 1
	}
	return 0
}

func reportQuotas(h *history, at int, model, real []string) {
	fmt.Printf("seed %d: disagreement at event %d of %d\n", h.Seed, at, len(h.Ops))
	printDifference(model, real)
}

// printDifference prints the lines that are not alike.
func printDifference(model, real []string) {
	for i := 0; i < max(len(model), len(real)); i++ {
		var left, right string
		if i < len(model) {
			left = model[i]
		}
		if i < len(real) {
			right = real[i]
		}
		if left != right {
			fmt.Printf("  model: %-60s kueue: %s\n", left, right)
		}
	}
}
