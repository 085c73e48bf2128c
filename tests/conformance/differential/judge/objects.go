package differential

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
)

// The namespace that every ClusterQueue selects, and one that none does. Every LocalQueue exists in both.
const (
	namespace = "ns"
	strangers = "strangers"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

var selected = map[string]string{"tenant": "known"}

func (o op) namespace() string {
	if o.Stranger {
		return strangers
	}
	return namespace
}

func amount(of *int64) *resource.Quantity {
	if of == nil {
		return nil
	}
	return resource.NewQuantity(*of, resource.DecimalSI)
}

// An amount in base units as a quantity, and back: cpu counts in thousandths (pkg/resources/amount.go).
func quantity(name corev1.ResourceName, of int64) resource.Quantity {
	if name == corev1.ResourceCPU {
		return *resource.NewMilliQuantity(of, resource.DecimalSI)
	}
	return *resource.NewQuantity(of, resource.DecimalSI)
}

func base(name corev1.ResourceName, of resource.Quantity) int64 {
	if name == corev1.ResourceCPU {
		return of.MilliValue()
	}
	return of.Value()
}

// The resource groups of a queue or cohort; `changed` (nil for a cohort) replaces the quotas it names.
func resourceGroups(groups []group, changed map[[2]string]quota) []kueue.ResourceGroup {
	var out []kueue.ResourceGroup
	for _, g := range groups {
		var rg kueue.ResourceGroup
		for _, name := range g.Covered {
			rg.CoveredResources = append(rg.CoveredResources, corev1.ResourceName(name))
		}
		for _, r := range g.Flavors {
			quotas := kueue.FlavorQuotas{Name: kueue.ResourceFlavorReference(r.Flavor)}
			for i, q := range r.Quotas {
				if other, ok := changed[[2]string{r.Flavor, g.Covered[i]}]; ok {
					q = other
				}
				quotas.Resources = append(quotas.Resources, kueue.ResourceQuota{
					Name: corev1.ResourceName(g.Covered[i]), NominalQuota: *amount(&q.Nominal),
					BorrowingLimit: amount(q.Borrowing), LendingLimit: amount(q.Lending)})
			}
			rg.Flavors = append(rg.Flavors, quotas)
		}
		out = append(out, rg)
	}
	return out
}

func resourceFlavor(name string, of nodes) *kueue.ResourceFlavor {
	return &kueue.ResourceFlavor{ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: kueue.ResourceFlavorSpec{NodeLabels: map[string]string{"pool": name}, NodeTaints: of.Taints,
			Tolerations: of.Tolerations}}
}

func fairSharing(weight string) *kueue.FairSharing {
	if weight == "" {
		return nil
	}
	quantity := resource.MustParse(weight)
	return &kueue.FairSharing{Weight: &quantity}
}

func cohortObject(c cohort) *kueue.Cohort {
	return &kueue.Cohort{ObjectMeta: metav1.ObjectMeta{Name: c.Name},
		Spec: kueue.CohortSpec{ParentName: kueue.CohortReference(c.Parent),
			ResourceGroups: resourceGroups(c.Groups, nil), FairSharing: fairSharing(c.Weight)}}
}

// The queue with a flavor taken off its groups.
func (q queue) without(flavor string) queue {
	groups := append([]group{}, q.Groups...)
	for i := range groups {
		var rows []row
		for _, r := range groups[i].Flavors {
			if r.Flavor != flavor {
				rows = append(rows, r)
			}
		}
		groups[i].Flavors = rows
	}
	q.Groups = groups
	return q
}

// The queue with the limits of a mode and under a stop policy.
func clusterQueue(q queue, mode []change, stop string) *kueue.ClusterQueue {
	changed := map[[2]string]quota{}
	for _, c := range mode {
		if c.Queue == q.Name {
			changed[[2]string{c.Flavor, c.Resource}] = c.Quota
		}
	}
	policy := kueue.StopPolicy(stop)
	out := &kueue.ClusterQueue{ObjectMeta: metav1.ObjectMeta{Name: q.Name}, Spec: kueue.ClusterQueueSpec{
		CohortName:        kueue.CohortReference(q.Cohort),
		ResourceGroups:    resourceGroups(q.Groups, changed),
		QueueingStrategy:  kueue.QueueingStrategy(q.Strategy),
		NamespaceSelector: &metav1.LabelSelector{MatchLabels: selected},
		StopPolicy:        &policy,
		FairSharing:       fairSharing(q.Weight),
		FlavorFungibility: &kueue.FlavorFungibility{
			WhenCanBorrow:  kueue.FlavorFungibilityPolicy(q.WhenCanBorrow),
			WhenCanPreempt: kueue.FlavorFungibilityPolicy(q.WhenCanPreempt)},
		Preemption: &kueue.ClusterQueuePreemption{
			WithinClusterQueue:  kueue.PreemptionPolicy(q.Within),
			ReclaimWithinCohort: kueue.PreemptionPolicy(q.Reclaim),
			BorrowWithinCohort: &kueue.BorrowWithinCohort{
				Policy: kueue.BorrowWithinCohortPolicy(q.BorrowWithin), MaxPriorityThreshold: q.Threshold}}}}
	if q.Preference != "" {
		preference := kueue.FlavorFungibilityPreference(q.Preference)
		out.Spec.FlavorFungibility.Preference = &preference
	}
	return out
}

// Every ClusterQueue has so many LocalQueues.
const locals = 2

func localName(clusterQueue string, local int) string {
	return fmt.Sprintf("%s-%d", clusterQueue, local)
}

func localQueue(clusterQueue string, local int, in string) *kueue.LocalQueue {
	return &kueue.LocalQueue{ObjectMeta: metav1.ObjectMeta{Name: localName(clusterQueue, local), Namespace: in},
		Spec: kueue.LocalQueueSpec{ClusterQueue: kueue.ClusterQueueReference(clusterQueue)}}
}

// Of pkg/controller/constants, which older versions lack.
const priorityBoost = "kueue.x-k8s.io/priority-boost"

func workloadName(id int) string { return fmt.Sprintf("w%06d", id) }

// Requests is what one pod asks for, of amounts in base units.
func Requests(each map[string]int64) corev1.ResourceList {
	requests := corev1.ResourceList{}
	for name, a := range each {
		if name != string(corev1.ResourcePods) { // Kueue counts the pods itself
			requests[corev1.ResourceName(name)] = quantity(corev1.ResourceName(name), a)
		}
	}
	return requests
}

func workloadObject(o op, created metav1.Time, from *manifests) *kueue.Workload {
	var podSets []kueue.PodSet
	for i, p := range o.Podsets {
		podSet := kueue.PodSet{Name: kueue.PodSetReference(fmt.Sprintf("set%d", i)), Count: p.Count,
			Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
				RestartPolicy: corev1.RestartPolicyNever,
				Containers:    []corev1.Container{{Name: "c", Resources: corev1.ResourceRequirements{Requests: Requests(p.Each)}}}}}}
		podSet.Template.Spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
		if p.Tolerations != nil {
			podSet.Template.Spec.Tolerations = *p.Tolerations
		}
		if p.Flavor != "" {
			podSet.Template.Spec.NodeSelector = from.selector(p.Flavor)
		}
		podSets = append(podSets, podSet)
	}
	active, priority := true, o.Priority
	var annotations map[string]string
	if o.Boost != 0 {
		annotations = map[string]string{priorityBoost: fmt.Sprint(o.Boost)}
	}
	return &kueue.Workload{
		ObjectMeta: metav1.ObjectMeta{Name: workloadName(o.ID), Namespace: o.namespace(),
			UID: types.UID(workloadName(o.ID)), CreationTimestamp: created, Annotations: annotations},
		Spec: kueue.WorkloadSpec{QueueName: kueue.LocalQueueName(localName(o.Queue, o.Local)), Priority: &priority,
			PodSets: podSets, Active: &active}}
}
