//go:build !quotas

// Package differential plays the histories of standard input in the real Kueue code and compares the outcome of every scheduling cycle with
// what gpol's model says of it.
//
//	judge histories [-shrink PROGRAM] [-crds DIR] < histories
//
// PROGRAM is `histories`, which plays shrunk histories anew in the model. The last line counts; exit 1: they disagree.
package differential

import (
	"encoding/json"
	"flag"
	"fmt"
)

// A disagreement: the first cycle whose outcome differs.
type disagreement struct {
	history      *history
	at           int
	model, kueue string
}

// compare plays the history; returns how many cycles it compared and the first disagreement, nil where there is none.
// It ends where Kueue has made a choice at random, since from there on the model knows one of several outcomes only, and
// where Kueue's scheduler panics (docs/conformance.md).
func compare(h *history) (cycles int, panics bool, found *disagreement) {
	setGates(h)
	w := newWorld(h)
	defer w.close()
	defer func() {
		if recover() != nil {
			panics = true
		}
	}()
	for i, o := range h.Ops {
		if o.Outcome == "arbitrary" {
			break
		}
		before := make(map[int]state, len(w.states))
		for id, s := range w.states {
			before[id] = s
		}
		if o.Do == "expect" || o.Do == "available" {
			if expected, real := w.verdict(o); expected != real {
				return cycles, false, &disagreement{h, i, expected, real}
			}
			continue
		}
		w.play(o)
		if o.Do != "cycle" {
			continue
		}
		cycles++
		if real := w.outcome(before); real != o.Outcome {
			return cycles, false, &disagreement{h, i, o.Outcome, real}
		}
	}
	return cycles, false, nil
}

// Main judges standard input and returns the exit code.
func Main(args []string) int {
	flags := flag.NewFlagSet("judge histories", flag.ExitOnError)
	shrinker := flags.String("shrink", "", "the program that plays shrunk histories in the model")
	worker := flags.Bool("worker", false, "answer each history with a line (workers.go)")
	crds := flags.String("crds", "", "the directory of Kueue's CRDs, for histories given as YAML")
	_ = flags.Parse(args)
	if *crds != "" {
		must(ReadDefaults(*crds))
	}
	if *worker {
		work()
		return 0
	}
	histories, cycles, crashes := 0, 0, 0
	var bad []*disagreement
	distribute(*crds, func(line []byte, v verdict) {
		histories++
		cycles += v.Cycles
		if v.Panics {
			crashes++
		}
		if v.Differs {
			h := &history{}
			must(json.Unmarshal(line, h))
			bad = append(bad, &disagreement{h, v.At, v.Model, v.Kueue})
		}
	})
	for i, d := range bad {
		if i == 5 {
			fmt.Printf("and %d more\n", len(bad)-i)
			break
		}
		report(d, *shrinker)
	}
	fmt.Printf("differential: Kueue's own scheduler panicked in %d histories\n", crashes)
	fmt.Printf("differential: %d histories, %d decisions, %d disagreements\n", histories, cycles, len(bad))
	if len(bad) > 0 || cycles == 0 {
		return 1
	}
	return 0
}
