package main

import (
	"context"
	"sync"
	_ "unsafe" // linkname

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	scheduling "volcano.sh/apis/pkg/apis/scheduling/v1beta1"
	"volcano.sh/apis/pkg/client/clientset/versioned"
	"volcano.sh/apis/pkg/client/clientset/versioned/fake"
)

// The scheduler makes these at its start, where they are not there (pkg/scheduler/cache/cache.go).
//
//go:linkname newDefaultAndRootQueue volcano.sh/volcano/pkg/scheduler/cache.newDefaultAndRootQueue
func newDefaultAndRootQueue(client versioned.Interface, defaultQueue string)

var readBuiltin = sync.OnceValue(func() []scheduling.Queue {
	client := fake.NewSimpleClientset()
	newDefaultAndRootQueue(client, "default") // defaultQueue of cmd/scheduler/app/options/options.go
	list, err := client.SchedulingV1beta1().Queues().List(context.Background(), metav1.ListOptions{})
	if err != nil {
		panic(err)
	}
	return list.Items
})

// builtinQueues are `root` and `default`, Open, as the controller makes them.
func builtinQueues() []*scheduling.Queue {
	var queues []*scheduling.Queue
	for _, queue := range readBuiltin() {
		queue := queue.DeepCopy()
		queue.Status.State = scheduling.QueueStateOpen
		queues = append(queues, queue)
	}
	return queues
}
