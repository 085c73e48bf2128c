//go:build !quotas

package differential

import (
	"fmt"
	"regexp"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	"sigs.k8s.io/kueue/pkg/resources"
	"sigs.k8s.io/kueue/pkg/workload"
)

// outcome says what is the case after a cycle, in the words of player.cpp. `before` holds the states before the cycle.
func (w *world) outcome(before map[int]state) string {
	parked := map[string]bool{}
	for _, keys := range w.queues.DumpInadmissible() {
		for _, key := range keys {
			parked[string(key)] = true
		}
	}
	waiting := map[string]bool{} // heads in flight among them
	for _, q := range w.history.Queues {
		for _, info := range w.queues.PendingWorkloadsInfo(kueue.ClusterQueueReference(q.Name)) {
			waiting[string(workload.Key(info.Obj))] = true
		}
	}
	number := map[int]int{} // workloads are counted without the gaps of a shrunk history
	for i, id := range w.ids() {
		number[id] = i
	}
	var out strings.Builder
	evictions := map[int][]int{}
	for _, id := range w.ids() {
		n := number[id]
		switch w.states[id] {
		case pending:
			switch key := w.submitted[id].namespace() + "/" + workloadName(id); {
			case parked[key]:
				fmt.Fprintf(&out, "w%d parked\n", n)
			case waiting[key]:
				fmt.Fprintf(&out, "w%d pending\n", n)
			default:
				fmt.Fprintf(&out, "w%d out of scheduling\n", n)
			}
		case gone:
			fmt.Fprintf(&out, "w%d gone\n", n)
		case admitted, evicting:
			word := "admitted"
			if w.states[id] == evicting {
				word = "evicting"
			}
			fmt.Fprintf(&out, "w%d %s%s\n", n, word, w.flavors(id))
		}
		if w.states[id] == evicting && before[id] == admitted {
			if preemptor := w.preemptor(id); preemptor >= 0 {
				evictions[number[preemptor]] = append(evictions[number[preemptor]], n)
			}
		}
	}
	var preemptors []int
	for p := range evictions {
		preemptors = append(preemptors, p)
	}
	sort.Ints(preemptors)
	for _, p := range preemptors {
		sort.Ints(evictions[p])
		for _, victim := range evictions[p] {
			fmt.Fprintf(&out, "w%d evicts w%d\n", p, victim)
		}
	}
	w.usage(&out)
	w.left(&out)
	return out.String()
}

// verdict says of an "expect" or "available" what is the case, in the words of what is expected.
func (w *world) verdict(o op) (expected, real string) {
	if o.Do == "expect" {
		all := true
		for _, id := range o.Workloads {
			all = all && w.states[id] == admitted
		}
		return fmt.Sprintf("all of %v admitted: %v", o.Workloads, o.Admitted),
			fmt.Sprintf("all of %v admitted: %v", o.Workloads, all)
	}
	snapshot, err := w.cache.Snapshot(w.ctx)
	must(err)
	queue := snapshot.ClusterQueue(kueue.ClusterQueueReference(o.Queue))
	if queue == nil {
		return "", o.Queue + " is not active"
	}
	left := queue.Available(resources.FlavorResource{Flavor: kueue.ResourceFlavorReference(o.Flavor),
		Resource: corev1.ResourceName(o.Resource)})
	words := "%s could have %s/%s %d"
	if o.OrMore && left.Int64() > o.Amount {
		return "", ""
	}
	return fmt.Sprintf(words, o.Queue, o.Flavor, o.Resource, o.Amount),
		fmt.Sprintf(words, o.Queue, o.Flavor, o.Resource, left.Int64())
}

// left says what each active queue could be admitted to at once.
func (w *world) left(out *strings.Builder) {
	snapshot, err := w.cache.Snapshot(w.ctx)
	must(err)
	for _, q := range w.history.Queues {
		queue := snapshot.ClusterQueue(kueue.ClusterQueueReference(q.Name))
		if queue == nil {
			continue
		}
		var lines []string
		for _, group := range queue.ResourceGroups {
			for _, flavor := range group.Flavors {
				for name := range group.CoveredResources {
					left := queue.Available(resources.FlavorResource{Flavor: flavor, Resource: name})
					lines = append(lines, fmt.Sprintf("%s could have %s/%s %d\n", q.Name, flavor, name, left.Int64()))
				}
			}
		}
		sort.Strings(lines)
		out.WriteString(strings.Join(lines, ""))
	}
}

func (w *world) flavors(id int) string {
	var pairs []string
	for i, assignment := range w.objects[id].Status.Admission.PodSetAssignments {
		for name, flavor := range assignment.Flavors {
			pairs = append(pairs, fmt.Sprintf(" %d/%s:%s", i, name, flavor))
		}
	}
	sort.Strings(pairs)
	return strings.Join(pairs, "")
}

var uid = regexp.MustCompile(`UID: w0*([0-9]+)`)

// preemptor reads who evicted the workload from its condition; -1 where nobody did.
func (w *world) preemptor(id int) int {
	condition := meta.FindStatusCondition(w.objects[id].Status.Conditions, kueue.WorkloadPreempted)
	if condition == nil || condition.Status != metav1.ConditionTrue {
		return -1
	}
	found := uid.FindStringSubmatch(condition.Message)
	if found == nil {
		panic("no preemptor in: " + condition.Message)
	}
	var preemptor int
	fmt.Sscanf(found[1], "%d", &preemptor)
	return preemptor
}

func (w *world) usage(out *strings.Builder) {
	for _, q := range w.history.Queues {
		stats, err := w.cache.Usage(w.object(q, nil, string(kueue.None)))
		must(err)
		var lines []string
		for _, f := range stats.ReservedResources {
			for _, r := range f.Resources {
				if value := base(r.Name, r.Total); value != 0 {
					lines = append(lines, fmt.Sprintf("%s uses %s/%s %d\n", q.Name, f.Name, r.Name, value))
				}
			}
		}
		sort.Strings(lines)
		out.WriteString(strings.Join(lines, ""))
	}
}
