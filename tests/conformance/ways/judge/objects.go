package ways

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	"sigs.k8s.io/kueue/pkg/resources"
)

const (
	namespace = "ns"
	gpu       = corev1.ResourceName("nvidia.com/gpu")
	flavor    = kueue.ResourceFlavorReference("h100")
)

var gpus = resources.FlavorResource{Flavor: flavor, Resource: gpu}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func resourceFlavor() *kueue.ResourceFlavor {
	return &kueue.ResourceFlavor{ObjectMeta: metav1.ObjectMeta{Name: string(flavor)}}
}

// A ClusterQueue that evicts nobody. Of `lends` GPUs it has others may take what it does not use; nil: of all.
func clusterQueue(name, cohort string, has int64, lends *int64) *kueue.ClusterQueue {
	quota := kueue.ResourceQuota{Name: gpu, NominalQuota: *resource.NewQuantity(has, resource.DecimalSI)}
	if lends != nil {
		quota.LendingLimit = resource.NewQuantity(*lends, resource.DecimalSI)
	}
	stop := kueue.None
	return &kueue.ClusterQueue{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: kueue.ClusterQueueSpec{
		CohortName:        kueue.CohortReference(cohort),
		NamespaceSelector: &metav1.LabelSelector{},
		QueueingStrategy:  kueue.BestEffortFIFO,
		StopPolicy:        &stop,
		FlavorFungibility: &kueue.FlavorFungibility{WhenCanBorrow: kueue.MayStopSearch, WhenCanPreempt: kueue.TryNextFlavor},
		Preemption: &kueue.ClusterQueuePreemption{WithinClusterQueue: kueue.PreemptionPolicyNever,
			ReclaimWithinCohort: kueue.PreemptionPolicyNever,
			BorrowWithinCohort:  &kueue.BorrowWithinCohort{Policy: kueue.BorrowWithinCohortPolicyNever}},
		ResourceGroups: []kueue.ResourceGroup{{CoveredResources: []corev1.ResourceName{gpu},
			Flavors: []kueue.FlavorQuotas{{Name: flavor, Resources: []kueue.ResourceQuota{quota}}}}}}}
}

// Pods that ask for so many GPUs each.
func template(each int64) corev1.PodTemplateSpec {
	asked := corev1.ResourceList{gpu: *resource.NewQuantity(each, resource.DecimalSI)}
	return corev1.PodTemplateSpec{Spec: corev1.PodSpec{RestartPolicy: corev1.RestartPolicyNever,
		Containers: []corev1.Container{{Name: "c", Resources: corev1.ResourceRequirements{Requests: asked, Limits: asked}}}}}
}
