package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	v1 "k8s.io/api/core/v1"
)

// A history is a cluster's life in steps. What is in it is put before the scheduler as the API server would show it.
type history struct {
	Name    string `json:"name"`
	Repeats int    `json:"repeats"` // the scheduler breaks ties at random; absent: 1
	Conf    string `json:"conf"`    // the text of volcano-scheduler.conf
	Steps   []step `json:"steps"`
}

// A step is one of, by Do:
//
//	node          a node is added or updated: Name, Labels, Allocatable, Taints, Unschedulable
//	remove-node   Name. Its pods stay until they are "gone", as they do until Kubernetes collects them
//	queue         Object, a Queue, is added or updated; Open unless it says otherwise
//	remove-queue  Name
//	job           a PodGroup, Pending, with pods, Pending: Namespace, Name, Queue, MinMember, MinResources, Priority, Pods
//	              Annotations are the PodGroup's. Of one that is there: more pods of it, with what else is said changed
//	remove-job    Namespace, Name: the PodGroup alone; its pods stay as they are
//	session       one session of the scheduler; then what was bound runs, what was evicted terminates
//	delete        Pod ("namespace/name"): it terminates, and keeps its node until it is gone
//	gone          Pod: its object is removed
//	all-gone      of every pod that terminates: which ones were evicted differs from run to run
type step struct {
	Do            string            `json:"do"`
	Namespace     string            `json:"namespace"`
	Name          string            `json:"name"`
	Labels        map[string]string `json:"labels"`
	Annotations   map[string]string `json:"annotations"`
	Allocatable   v1.ResourceList   `json:"allocatable"`
	Taints        []v1.Taint        `json:"taints"`
	Unschedulable bool              `json:"unschedulable"`
	Object        json.RawMessage   `json:"object"`
	Queue         string            `json:"queue"`
	MinMember     int32             `json:"minMember"`
	MinResources  *v1.ResourceList  `json:"minResources"`
	Priority      *int32            `json:"priority"`
	Pods          []podStep         `json:"pods"`
	Pod           string            `json:"pod"`
}

type podStep struct {
	Name         string            `json:"name"`
	Requests     v1.ResourceList   `json:"requests"`
	Labels       map[string]string `json:"labels"`
	Annotations  map[string]string `json:"annotations"`
	NodeSelector map[string]string `json:"nodeSelector"`
	Tolerations  []v1.Toleration   `json:"tolerations"`
}

// An answer has a run for each repeat, and in it what each "session" of the history did.
type answer struct {
	Name  string `json:"name"`
	Error string `json:"error"`
	Runs  []run  `json:"runs"`
}

type run struct {
	Sessions []session `json:"sessions"`
}

type session struct {
	Limits    map[string]map[string]float64 `json:"limits"`    // limits.go
	Bound     map[string]string             `json:"bound"`     // pod to node
	Evicted   []string                      `json:"evicted"`   // pods, sorted
	PodGroups map[string]string             `json:"podgroups"` // all there are, to their phases after the session
	// What pods that have a node request, by the queue of their PodGroup, after the session: cpu in milli, else in units.
	Held        map[string]amounts `json:"held"`
	Terminating map[string]amounts `json:"terminating"` // of pods that terminate, which Held leaves out
}

type amounts map[string]int64

// readHistory wants known names alone: a misspelt field would be a rule that nobody plays.
func readHistory(line []byte) (history, error) {
	var h history
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&h); err != nil {
		return h, err
	}
	if decoder.More() {
		return h, fmt.Errorf("more than one JSON value in a line")
	}
	if h.Repeats < 1 {
		h.Repeats = 1
	}
	return h, nil
}

func (a amounts) add(requests v1.ResourceList) {
	for name, quantity := range requests {
		if name == v1.ResourceCPU {
			a[string(name)] += quantity.MilliValue()
		} else {
			a[string(name)] += quantity.Value()
		}
	}
}
