package main

import (
	"encoding/json"
	"fmt"
	"sync"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	admission "k8s.io/api/admission/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/tools/cache"
	scheduling "volcano.sh/apis/pkg/apis/scheduling/v1beta1"
	schedulinglister "volcano.sh/apis/pkg/client/listers/scheduling/v1beta1"
	"volcano.sh/volcano/cmd/webhook-manager/app/options"
	"volcano.sh/volcano/pkg/webhooks/router"

	// Register themselves, as in cmd/webhook-manager/main.go.
	_ "volcano.sh/volcano/pkg/webhooks/admission/queues/mutate"
	_ "volcano.sh/volcano/pkg/webhooks/admission/queues/validate"
)

// The webhook's two services for queues, and the queues that the second one sees.
type webhook struct {
	mutate, validate *router.AdmissionService
	existing         cache.Indexer
}

var theWebhook = sync.OnceValue(func() webhook {
	w := webhook{existing: cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})}
	for path, service := range map[string]**router.AdmissionService{"/queues/mutate": &w.mutate, "/queues/validate": &w.validate} {
		err := router.ForEachAdmission(&options.Config{EnabledAdmission: path}, func(s *router.AdmissionService) error {
			*service = s
			return nil
		})
		if err != nil {
			panic(err)
		}
	}
	// Defaults of the flags, in cmd/webhook-manager/app/options/options.go.
	w.validate.Config.MaxQueueDepth = 5
	w.validate.Config.EnableRootQueueProtection = true
	w.validate.Config.EnableQueueAllocatedPodsCheck = false
	w.validate.Config.QueueLister = schedulinglister.NewQueueLister(w.existing) // without an informer it asks this alone
	return w
})

// admit says what the object becomes where the API server would store it, else why not. Its steps are the server's:
// decoding, defaults, mutation (of a CREATE alone: mutate_queue.go), defaults, schema, validation. old: of an UPDATE.
func (w webhook) admit(object map[string]any, old *scheduling.Queue) (*scheduling.Queue, error) {
	object = runtime.DeepCopyJSON(object)
	operation := admission.Create
	if old != nil {
		operation = admission.Update
	}
	schema := queueSchema()
	if err := schema.decode(object); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	delete(object, "status") // it is a subresource of its own
	if old == nil {
		mutated, err := w.mutated(object)
		if err != nil {
			return nil, fmt.Errorf("mutate: %w", err)
		}
		object = mutated
		schema.complete(object)
	}
	errs := metadataErrors(object)
	errs = append(errs, validation.ValidateCustomResource(nil, object, schema.validator)...)
	if len(errs) > 0 {
		return nil, fmt.Errorf("schema: %w", errs.ToAggregate())
	}
	queue, err := queueOf(object)
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	if old != nil {
		queue.Status = old.Status
	}
	if response := w.validate.Func(review(queue.Name, operation, queue, old)); !response.Allowed {
		return nil, fmt.Errorf("validate: %s", response.Result.Message)
	}
	return queue, nil
}

func (w webhook) mutated(object map[string]any) (map[string]any, error) {
	raw, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	metadata, _ := object["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	response := w.mutate.Func(review(name, admission.Create, json.RawMessage(raw), nil))
	if !response.Allowed {
		return nil, fmt.Errorf("%s", response.Result.Message)
	}
	if len(response.Patch) > 0 {
		patch, err := jsonpatch.DecodePatch(response.Patch)
		if err != nil {
			return nil, err
		}
		if raw, err = patch.Apply(raw); err != nil {
			return nil, err
		}
	}
	var out map[string]any
	return out, utiljson.Unmarshal(raw, &out)
}

// review is a request as the server would send it.
func review(name string, operation admission.Operation, object any, old *scheduling.Queue) admission.AdmissionReview {
	request := &admission.AdmissionRequest{
		Name: name, Operation: operation, Object: rawOf(object),
		Resource: metav1.GroupVersionResource{Group: scheduling.GroupName, Version: scheduling.GroupVersion, Resource: "queues"},
	}
	if old != nil {
		request.OldObject = rawOf(old)
	}
	return admission.AdmissionReview{Request: request}
}

func rawOf(object any) runtime.RawExtension {
	raw, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	return runtime.RawExtension{Raw: raw}
}

func queueOf(object map[string]any) (*scheduling.Queue, error) {
	raw, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	queue := &scheduling.Queue{}
	return queue, json.Unmarshal(raw, queue)
}

// completeQueue is what is stored of a Queue that nobody judges: histories have such that the webhook refuses.
func completeQueue(raw []byte) (*scheduling.Queue, error) {
	var object map[string]any
	if err := utiljson.Unmarshal(raw, &object); err != nil {
		return nil, err
	}
	if object["kind"] == nil {
		object["apiVersion"], object["kind"] = scheduling.SchemeGroupVersion.String(), "Queue"
	}
	if err := queueSchema().decode(object); err != nil {
		return nil, err
	}
	object, err := theWebhook().mutated(object)
	if err != nil {
		return nil, err
	}
	queue, err := queueOf(object)
	if err == nil && queue.Name == "" {
		err = fmt.Errorf("a queue without a name")
	}
	return queue, err
}
