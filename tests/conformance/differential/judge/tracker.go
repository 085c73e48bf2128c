//go:build !quotas

package differential

import (
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	clienttesting "k8s.io/client-go/testing"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
)

// The default tracker of the fake client keeps managed fields, for which it makes a REST mapper at every write: more than
// half of the whole time. A plain one does here.
var scheme, decoder = func() (*runtime.Scheme, runtime.Decoder) {
	s := runtime.NewScheme()
	must(batchv1.AddToScheme(s))
	must(corev1.AddToScheme(s))
	must(schedulingv1.AddToScheme(s))
	must(kueue.AddToScheme(s))
	return s, serializer.NewCodecFactory(s).UniversalDecoder()
}()

// Tracker is what a fake client keeps its objects in.
func Tracker() clienttesting.ObjectTracker { return clienttesting.NewObjectTracker(scheme, decoder) }
