//go:build !quotas

package differential

import (
	"context"

	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
)

// The scheduler looks into every queue, finds nothing and waits: from then on no head is in flight.
func (w *world) lookForHeads() {
	ctx, cancel := context.WithCancel(w.ctx)
	cancel()
	w.queues.Heads(ctx)
}

// The scheduler waits for ever where there is no head to look at.
func (w *world) anyHead() bool {
	for name := range w.queues.Dump() {
		if w.cache.ClusterQueueActive(kueue.ClusterQueueReference(name)) {
			return true
		}
	}
	return false
}
