package main

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	"sigs.k8s.io/kueue/pkg/webhooks"
)

// webhookErrors runs Kueue's validating webhooks on an object to which the defaults of its CRD were applied. Kinds
// without a validating webhook have no errors.
func webhookErrors(object map[string]any) field.ErrorList {
	switch text(object, "apiVersion") + " " + text(object, "kind") {
	case "kueue.x-k8s.io/v1beta2 ClusterQueue":
		queue, err := typed[kueue.ClusterQueue](object)
		if err != nil {
			return err
		}
		return webhooks.ValidateClusterQueue(queue)
	case "kueue.x-k8s.io/v1beta2 ResourceFlavor":
		flavor, err := typed[kueue.ResourceFlavor](object)
		if err != nil {
			return err
		}
		return webhooks.ValidateResourceFlavor(flavor)
	case "kueue.x-k8s.io/v1beta2 Cohort":
		cohort, err := typed[kueue.Cohort](object)
		if err != nil {
			return err
		}
		if _, err := (&webhooks.CohortWebhook{}).ValidateCreate(context.Background(), cohort); err != nil {
			return field.ErrorList{field.InternalError(nil, err)}
		}
	}
	return nil
}

func typed[T any](object map[string]any) (*T, field.ErrorList) {
	out := new(T)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object, out); err != nil {
		return nil, field.ErrorList{field.InternalError(nil, err)}
	}
	return out, nil
}
