//go:build !quotas

package ways

import (
	"fmt"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"sigs.k8s.io/kueue/pkg/features"
)

// Main returns the exit code.
func Main(args []string) int {
	if len(args) > 0 {
		switch args[0] {
		case "elastic-jobs":
			return expect(args[0], args[1:], playElasticJobs)
		case "large-requests":
			return LargeRequests(args[1:])
		case "drawn":
			return playDrawn(args[1:])
		}
	}
	fmt.Println("usage: judge ways elastic-jobs|large-requests open|closed, or: judge ways drawn CRDS LEAST")
	return 2
}

const (
	chatHas  = 8 // and lends nothing
	batchHas = 8 // 4 of train, 4 of train2
)

// The gate is played as it is by default first: that it is on then is part of what the table says.
func playElasticJobs() seen {
	on := features.Enabled(features.ElasticJobsViaWorkloadSlices)
	as := growAnElasticJob()
	must(utilfeature.DefaultMutableFeatureGate.SetFromMap(map[string]bool{string(features.ElasticJobsViaWorkloadSlices): false}))
	off := growAnElasticJob()
	text := fmt.Sprintf("batch holds %d of its %d, chat can have %d of %d%s; gate off: %d and %d%s",
		as.batch, batchHas, as.chat, chatHas, as.then(), off.batch, off.chat, off.then())
	if !on {
		text = "the gate is off by default: " + text
	}
	return seen{
		text:   text,
		open:   on && as.batch > batchHas && as.chat < chatHas && !as.served && off.within(),
		closed: as.within() && off.within(),
	}
}

type end struct {
	batch, chat int64 // what batch holds; what chat could be admitted to at once
	served      bool  // chat then asked for all that it owns, and got it
}

func (e end) within() bool { return e.batch <= batchHas && e.chat == chatHas && e.served }

func (e end) then() string {
	if e.served {
		return ""
	}
	return " and waits for the rest"
}

// growAnElasticJob plays the events that a tenant needs, with Jobs and nothing else: the Workloads are made by Kueue.
func growAnElasticJob() end {
	c := newCluster(nil)
	c.addFlavor(resourceFlavor())
	none := int64(0)
	c.addQueue(clusterQueue("chat", "all", chatHas, &none))
	c.addQueue(clusterQueue("train", "all", batchHas/2, nil))
	c.addQueue(clusterQueue("train2", "all", batchHas/2, nil))
	c.submit(elastic("train", "elastic", 4, template(1)))
	c.cycles(1)
	// In one cycle: what train2 asks for it need not borrow, so it is looked at before the Job of train that grows.
	if *c.job("elastic").Spec.Suspend {
		panic("what is to grow does not run")
	}
	c.scale("elastic", 8)
	c.submit(elastic("train2", "plain", 4, template(1)))
	// Batch asks for all that it can get: where the Job that grows is refused this one is not.
	c.submit(elastic("train", "second", 4, template(1)))
	c.cycles(4)
	e := end{batch: c.holds("train") + c.holds("train2"), chat: c.left("chat")}
	c.submit(elastic("chat", "serving", chatHas, template(1)))
	c.cycles(4)
	e.served = c.holds("chat") == chatHas
	return e
}
