package accept

import (
	"context"
	"encoding/json"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
	kueuev1beta1 "sigs.k8s.io/kueue/apis/kueue/v1beta1"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	"sigs.k8s.io/kueue/pkg/webhooks"
)

// webhookErrors runs Kueue's validating webhooks on an object to which the defaults of its CRD were applied; one of
// v1beta1 is converted first, as the server does. Kinds without a validating webhook have no errors.
func webhookErrors(object map[string]any) field.ErrorList {
	v1beta1 := text(object, "apiVersion") == "kueue.x-k8s.io/v1beta1"
	if !v1beta1 && text(object, "apiVersion") != "kueue.x-k8s.io/v1beta2" {
		return nil
	}
	old := func(old conversion.Convertible) conversion.Convertible {
		if v1beta1 {
			return old
		}
		return nil
	}
	switch text(object, "kind") {
	case "ClusterQueue":
		queue := &kueue.ClusterQueue{}
		if err := typed(object, queue, old(&kueuev1beta1.ClusterQueue{})); err != nil {
			return err
		}
		return webhooks.ValidateClusterQueue(queue)
	case "ResourceFlavor":
		flavor := &kueue.ResourceFlavor{}
		if err := typed(object, flavor, nil); err != nil { // the same in both versions
			return err
		}
		return webhooks.ValidateResourceFlavor(flavor)
	case "Workload":
		workload := &kueue.Workload{}
		if err := typed(object, workload, old(&kueuev1beta1.Workload{})); err != nil {
			return err
		}
		return webhooks.ValidateWorkload(workload, nil)
	case "Cohort":
		cohort := &kueue.Cohort{}
		if err := typed(object, cohort, old(&kueuev1beta1.Cohort{})); err != nil {
			return err
		}
		if _, err := (&webhooks.CohortWebhook{}).ValidateCreate(context.Background(), cohort); err != nil {
			return field.ErrorList{field.InternalError(nil, err)}
		}
	}
	return nil
}

// typed decodes an object as controller-runtime's webhooks do: from JSON, where some quantities fail that the CRD takes.
// With `old` it is decoded into that and converted.
func typed(object map[string]any, into any, old conversion.Convertible) field.ErrorList {
	bytes, err := json.Marshal(object)
	if err == nil && old != nil {
		if err = json.Unmarshal(bytes, old); err == nil {
			err = old.ConvertTo(into.(conversion.Hub))
		}
	} else if err == nil {
		err = json.Unmarshal(bytes, into)
	}
	if err != nil {
		return field.ErrorList{field.InternalError(nil, err)}
	}
	return nil
}
