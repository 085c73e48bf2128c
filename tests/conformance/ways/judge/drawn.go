//go:build !quotas

package ways

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"

	differential "gpol.dev/tests/conformance/differential/judge"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/version"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	"sigs.k8s.io/kueue/pkg/controller/constants"
	"sigs.k8s.io/kueue/pkg/features"
	"sigs.k8s.io/kueue/pkg/resources"
)

// A random cluster, what gpol says of it, and what batch does in it, one attack after another: ../../verdicts/elastic.cpp
// writes them, a line each.
type drawn struct {
	Seed    uint64
	Version string // of Kueue
	Yaml    string
	Says    string // of the way elastic-jobs: "shut"; "assumed", which nobody is seen to use; "used", by an object
	Claims  []claim
	Attacks [][]step
}

// However others act a queue could have so much at once.
type claim struct {
	Queue, Flavor, Resource string
	Least, Late             int64 // once the pods of victims have ended, and before
}

type step struct {
	// submit, scale, cycle; run, end: the pods of Jobs (cluster.go), without which an evicted one has ended at once
	Do       string           `json:"do"`
	Job      string           `json:"job,omitempty"`
	Queue    string           `json:"queue,omitempty"`
	Pods     int32            `json:"pods"`
	Each     map[string]int64 `json:"each,omitempty"`   // what a pod asks for
	Flavor   string           `json:"flavor,omitempty"` // whose nodes it selects; none: any
	Priority int32            `json:"priority"`
}

// gateOf says whether elastic Jobs are on, by the Configuration and by what Kueue's own code has as the default of the
// version: gpol's table is not asked.
func gateOf(d drawn, configured map[string]bool) bool {
	const gate = features.ElasticJobsViaWorkloadSlices
	if set, is := configured[string(gate)]; is {
		return set
	}
	on := false
	for _, spec := range utilfeature.DefaultMutableFeatureGate.GetAllVersioned()[gate] { // the oldest first
		if version.MustParse(d.Version).AtLeast(spec.Version) {
			on = spec.Default
		}
	}
	return on
}

// attack plays one until a claim does not hold, and says which, in words, and how many events it took; empty: all hold.
func attack(objects differential.Objects, claims []claim, steps []step) (string, int) {
	c := newCluster(objects.Fair)
	for _, flavor := range objects.Flavors {
		c.addFlavor(flavor.DeepCopy())
	}
	for _, cohort := range objects.Cohorts {
		must(c.cache.AddOrUpdateCohort(cohort))
		c.queues.AddOrUpdateCohort(c.ctx, cohort)
	}
	for _, name := range slices.Sorted(maps.Keys(objects.Queues)) {
		queue := objects.Queues[name].DeepCopy()
		queue.Spec.NamespaceSelector = &metav1.LabelSelector{}
		c.addQueue(queue)
	}
	classes, late := map[string]bool{}, false
	for at, s := range steps {
		switch s.Do {
		case "submit":
			asked := differential.Requests(s.Each)
			job := elastic(s.Queue, s.Job, s.Pods, corev1.PodTemplateSpec{Spec: corev1.PodSpec{RestartPolicy: corev1.RestartPolicyNever,
				Tolerations: []corev1.Toleration{{Operator: corev1.TolerationOpExists}},
				Containers:  []corev1.Container{{Name: "c", Resources: corev1.ResourceRequirements{Requests: asked, Limits: asked}}}}})
			for _, flavor := range objects.Flavors {
				if flavor.Name == s.Flavor {
					job.Spec.Template.Spec.NodeSelector = flavor.Spec.NodeLabels
				}
			}
			class := fmt.Sprintf("p%d", s.Priority)
			if !classes[class] {
				classes[class] = true
				must(c.client.Create(c.ctx, &kueue.WorkloadPriorityClass{ObjectMeta: metav1.ObjectMeta{Name: class}, Value: s.Priority}))
			}
			job.Labels[constants.WorkloadPriorityClassLabel] = class
			c.submit(job)
		case "scale":
			c.scale(s.Job, s.Pods)
		case "run":
			c.run()
			late = true
		case "end":
			c.end()
		case "cycle":
			c.cycles(1)
		default:
			panic(s.Do)
		}
		if s.Do != "cycle" {
			continue
		}
		for _, claim := range claims {
			least := claim.Least
			if late {
				least = claim.Late
			}
			of := resources.FlavorResource{Flavor: kueue.ResourceFlavorReference(claim.Flavor), Resource: corev1.ResourceName(claim.Resource)}
			if queue := c.queue(claim.Queue); queue != nil && queue.Available(of).Int64() < least {
				return fmt.Sprintf("%s could have %d of %s/%s, not %d", claim.Queue, queue.Available(of).Int64(), claim.Flavor,
					claim.Resource, least), at + 1
			}
		}
	}
	return "", len(steps)
}

// playDrawn judges standard input and returns the exit code. LEAST: how many attacks must pass a figure where gpol says
// that the way is open, or nothing is shown by those that do not where it is shut.
func playDrawn(args []string) int {
	if len(args) != 2 {
		fmt.Println("usage: judge ways drawn CRDS LEAST < clusters")
		return 2
	}
	must(differential.ReadDefaults(args[0]))
	least, err := strconv.Atoi(args[1])
	must(err)
	clusters, attacks, passed, bad := map[string]int{}, map[string]int{}, map[string]int{}, 0
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<24)
	for in.Scan() {
		var d drawn
		must(json.Unmarshal(in.Bytes(), &d))
		objects, err := differential.ReadObjects(d.Yaml)
		must(err)
		gate := gateOf(d, objects.Gates)
		must(utilfeature.DefaultMutableFeatureGate.SetFromMap(map[string]bool{string(features.ElasticJobsViaWorkloadSlices): gate}))
		clusters[d.Says]++
		if gate != (d.Says != "shut") {
			bad++
			fmt.Printf("elastic: seed %d: gpol says that the way is %s; in Kueue %s the gate is %v\n", d.Seed, d.Says, d.Version, gate)
		}
		for i, steps := range d.Attacks {
			attacks[d.Says]++
			short, events := attack(objects, d.Claims, steps)
			if short == "" {
				continue
			}
			passed[d.Says]++
			if d.Says == "shut" {
				bad++
				fmt.Printf("elastic: escape: seed %d, attack %d: %s\n", d.Seed, i, short)
				for _, s := range steps[:events] {
					text, err := json.Marshal(s)
					must(err)
					fmt.Printf("  %s\n", text)
				}
			}
		}
	}
	must(in.Err())
	for _, says := range []string{"used", "assumed", "shut"} {
		fmt.Printf("elastic: gpol says %s: %d clusters, %d attacks, of which %d pass a figure of its\n", says, clusters[says],
			attacks[says], passed[says])
	}
	if open := passed["used"] + passed["assumed"]; open < least {
		fmt.Printf("elastic: %d attacks pass a figure where the way is open: fewer than %d\n", open, least)
		return 1
	}
	return min(bad, 1)
}
