package differential

import (
	corev1 "k8s.io/api/core/v1"
	config "sigs.k8s.io/kueue/apis/config/v1beta2"
)

// A history as ../history.h describes it and histories.cpp writes it: one JSON document a line.

type quota struct {
	Nominal   int64  `json:"nominal"`
	Borrowing *int64 `json:"borrowing,omitempty"`
	Lending   *int64 `json:"lending,omitempty"`
}

type row struct {
	Flavor string  `json:"flavor"`
	Quotas []quota `json:"quotas"`
}

type group struct {
	Covered []string `json:"covered"`
	Flavors []row    `json:"flavors"`
}

type cohort struct {
	Name   string  `json:"name"`
	Parent string  `json:"parent"`
	Groups []group `json:"groups"`
	Weight string  `json:"weight"`
}

type queue struct {
	Name           string  `json:"name"`
	Cohort         string  `json:"cohort"`
	Groups         []group `json:"groups"`
	Strategy       string  `json:"strategy"`
	Within         string  `json:"within"`
	Reclaim        string  `json:"reclaim"`
	BorrowWithin   string  `json:"borrowWithin"`
	Threshold      *int32  `json:"threshold,omitempty"`
	WhenCanBorrow  string  `json:"whenCanBorrow"`
	WhenCanPreempt string  `json:"whenCanPreempt"`
	Preference     string  `json:"preference"`
	Weight         string  `json:"weight"`
	Stop           string  `json:"stop"`
}

type change struct {
	Queue    string `json:"queue"`
	Flavor   string `json:"flavor"`
	Resource string `json:"resource"`
	Quota    quota  `json:"quota"`
}

type podset struct {
	Count  int32            `json:"count"`
	Each   map[string]int64 `json:"each"` // of one pod
	Flavor string           `json:"flavor,omitempty"`
	// Absent: of everything.
	Tolerations *[]corev1.Toleration `json:"tolerations,omitempty"`
}

type nodes struct {
	Taints      []corev1.Taint      `json:"taints"`
	Tolerations []corev1.Toleration `json:"tolerations"`
}

type op struct {
	Do       string   `json:"do"` // submit, finish, release, mode, stop, stopLocal, delist, move, cohort, flavor, cycle, expect, available, ready, evict, ended, wait
	ID       int      `json:"id"`
	Queue    string   `json:"queue,omitempty"`
	Priority int32    `json:"priority"`
	Again    bool     `json:"again"`
	Local    int      `json:"local"` // submit, stopLocal: which LocalQueue of the queue
	Podsets  []podset `json:"podsets,omitempty"`
	Stranger bool     `json:"stranger"` // in a namespace that no ClusterQueue selects
	Mode     int      `json:"mode"`
	Flavor   string   `json:"flavor,omitempty"`
	Policy   string   `json:"policy,omitempty"`
	Outcome  string   `json:"outcome,omitempty"`
	Cohort   *cohort  `json:"cohort,omitempty"` // as it is from now on
	Deleted  bool     `json:"deleted"`          // or gone
	To       string   `json:"to,omitempty"`     // move: the queue's new cohort; none: without
	// What a verdict says: whether all these workloads are admitted; what the queue could be admitted to at once.
	Workloads []int  `json:"workloads,omitempty"`
	Admitted  bool   `json:"admitted"`
	Resource  string `json:"resource,omitempty"`
	Amount    int64  `json:"amount"`
	OrMore    bool   `json:"orMore"`
	Ready     bool   `json:"ready"`
	Seconds   int64  `json:"seconds"`
	Podset    int    `json:"podset"`          // ended
	Boost     int64  `json:"boost,omitempty"` // submit: the annotation's value
}

// What of the Configuration's waitForPodsReady decides anything.
type podsReady struct {
	Block    bool `json:"block"`    // blockAdmission
	Creation bool `json:"creation"` // requeuingStrategy.timestamp Creation
}

type history struct {
	Seed            uint64                          `json:"seed"`
	Version         string                          `json:"version"`     // of Kueue, by whose rules the model plays
	Yaml            string                          `json:"yaml"`        // the manifests; none: the objects below
	FairSharing     []string                        `json:"fairSharing"` // the preemption strategies; none: no fair sharing
	QuotaCheck      string                          `json:"quotaCheck"`  // resources.quotaCheckStrategy; none: the default
	Gates           map[string]bool                 `json:"gates"`       // feature gates; others have their defaults
	PodsReady       podsReady                       `json:"podsReady"`
	Flavors         []string                        `json:"flavors"`
	Nodes           map[string]nodes                `json:"nodes"` // by flavor
	Transformations []config.ResourceTransformation `json:"transformations"`
	Exclude         []string                        `json:"exclude"` // resources.excludeResourcePrefixes
	Resources       []string                        `json:"resources"`
	Cohorts         []cohort                        `json:"cohorts"`
	Queues          []queue                         `json:"queues"`
	Modes           [][]change                      `json:"modes"`
	Ops             []op                            `json:"ops"`
}
