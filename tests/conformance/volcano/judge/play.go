package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
	"volcano.sh/volcano/pkg/scheduler/metrics"
)

// play answers history for history. One scheduler plays all of them, emptied before each run: making one takes longer than
// a session, and leaves goroutines behind.
func play(args []string) error {
	flags := flag.NewFlagSet("play", flag.ContinueOnError)
	limit := flags.Duration("limit", time.Minute, "")
	if err := parse(flags, args); err != nil {
		return err
	}
	metrics.InitKubeSchedulerRelatedMetrics() // or the first bind dereferences nil (uthelper/helper.go does so, too)
	catchPanics()
	out := &answers{Writer: bufio.NewWriter(os.Stdout)}
	out.encoder = json.NewEncoder(out.Writer)
	out.encoder.SetEscapeHTML(false)
	var c *cluster
	reader := bufio.NewReader(os.Stdin)
	for {
		line, err := reader.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			h, malformed := readHistory(line)
			if malformed != nil {
				out.write(answer{Name: h.Name, Error: "malformed: " + malformed.Error(), Runs: []run{}}, true)
				continue
			}
			// A scheduler that does not return cannot be stopped, and holds locks that the next one needs.
			watch := time.AfterFunc(*limit, func() {
				out.write(answer{Name: h.Name, Error: fmt.Sprintf("did not end within %v", *limit), Runs: []run{}}, true)
				os.Exit(3)
			})
			var a answer
			a, c = playHistory(h, c)
			if !watch.Stop() {
				select {} // that exits
			}
			// Whoever writes histories one by one waits for each answer.
			out.write(a, reader.Buffered() == 0)
		}
		if err == io.EOF {
			return out.Flush()
		}
		if err != nil {
			return err
		}
	}
}

// playHistory returns the scheduler, too, for the next history: nil where it panicked, and is in an unknown state.
func playHistory(h history, c *cluster) (a answer, next *cluster) {
	a = answer{Name: h.Name, Runs: []run{}}
	next = c
	defer func() {
		if r := recover(); r != nil {
			a.Error, next = fmt.Sprintf("the scheduler panicked: %v", r), nil
		} else if r := caught.take(); r != "" {
			a.Error, next = "the scheduler panicked: "+r, nil
		}
	}()
	conf, err := parseConf(h.Conf)
	if err != nil {
		a.Error = "conf: " + err.Error()
		return a, next
	}
	if next == nil {
		next = newCluster()
	}
	for range h.Repeats {
		next.reset()
		r := run{Sessions: []session{}}
		for i, s := range h.Steps {
			if s.Do == "session" {
				r.Sessions = append(r.Sessions, next.session(conf))
			} else if err := next.take(s); err != nil {
				a.Error = fmt.Sprintf("step %d (%s): %v", i, s.Do, err)
				return a, next
			}
		}
		a.Runs = append(a.Runs, r)
	}
	return a, next
}

// answers is written to by the watch, too.
type answers struct {
	sync.Mutex
	*bufio.Writer
	encoder *json.Encoder
}

func (o *answers) write(a answer, flush bool) {
	o.Lock()
	defer o.Unlock()
	if err := o.encoder.Encode(a); err != nil {
		panic(err)
	}
	if flush {
		o.Flush()
	}
}

// caught are panics in goroutines that the scheduler started, where nobody else can recover them.
var caught panics

type panics struct {
	sync.Mutex
	first string
}

func (p *panics) take() string {
	p.Lock()
	defer p.Unlock()
	first := p.first
	p.first = ""
	return first
}

// catchPanics: a scheduler that would die of a history, or of its configuration (klog.Fatal), is an answer to it.
func catchPanics() {
	utilruntime.ReallyCrash = false
	utilruntime.PanicHandlers = []func(context.Context, any){func(_ context.Context, r any) {
		caught.Lock()
		defer caught.Unlock()
		if caught.first == "" {
			caught.first = fmt.Sprint(r)
		}
	}}
	klog.OsExit = func(code int) { panic(fmt.Sprintf("it exits with %d", code)) }
}
