package main

import (
	"fmt"
	"regexp"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
)

// outcome says what is the case after a cycle, in the words of player.cpp. `before` holds the states before the cycle.
func (w *world) outcome(before map[int]state) string {
	parked := map[string]bool{}
	for _, keys := range w.queues.DumpInadmissible() {
		for _, key := range keys {
			parked[string(key)] = true
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
			if parked[namespace+"/"+workloadName(id)] {
				fmt.Fprintf(&out, "w%d parked\n", n)
			} else {
				fmt.Fprintf(&out, "w%d pending\n", n)
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
	return out.String()
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
	if condition == nil {
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
		object := clusterQueue(q, nil, string(kueue.None))
		stats, err := w.cache.Usage(object)
		must(err)
		var lines []string
		for _, f := range stats.ReservedResources {
			for _, r := range f.Resources {
				if value := r.Total.Value(); value != 0 {
					lines = append(lines, fmt.Sprintf("%s uses %s/%s %d\n", q.Name, f.Name, r.Name, value))
				}
			}
		}
		sort.Strings(lines)
		out.WriteString(strings.Join(lines, ""))
	}
}
