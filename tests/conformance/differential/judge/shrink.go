//go:build !quotas

package differential

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// model is gpol's model as a running program: a history in, the same with the model's outcomes out.
type model struct {
	in  io.WriteCloser
	out *bufio.Reader
}

func startModel(program string) (*model, error) {
	command := exec.Command(program, "play")
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &model{in, bufio.NewReaderSize(out, 1<<20)}, command.Start()
}

func (m *model) play(h *history) (*history, error) {
	text, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	if _, err := m.in.Write(append(text, '\n')); err != nil {
		return nil, err
	}
	line, err := m.out.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	played := &history{}
	return played, json.Unmarshal(line, played)
}

// shrink leaves out events, as long as model and Kueue still disagree; what comes after the first disagreement first.
func shrink(d *disagreement, m *model) *disagreement {
	try := func(ops []op) *disagreement {
		less := *d.history
		less.Ops = ops
		played, err := m.play(&less)
		must(err)
		_, _, found := compare(played)
		return found
	}
	if found := try(append([]op{}, d.history.Ops[:d.at+1]...)); found != nil {
		d = found
	}
	for size := len(d.history.Ops) / 2; size > 0; {
		smaller := false
		for at := 0; at+size <= len(d.history.Ops); {
			ops := append(append([]op{}, d.history.Ops[:at]...), d.history.Ops[at+size:]...)
			if found := try(ops); found != nil {
				d, smaller = found, true
			} else {
				at += size
			}
		}
		if !smaller || size > 1 {
			size /= 2
		}
	}
	return d
}

// report prints a disagreement, shrunk where the model's program is known, and the history to be saved.
func report(d *disagreement, program string) {
	fmt.Printf("seed %d: disagreement at event %d of %d\n", d.history.Seed, d.at, len(d.history.Ops))
	if program != "" {
		m, err := startModel(program)
		must(err)
		d = shrink(d, m)
		m.in.Close()
	}
	printDifference(strings.Split(d.model, "\n"), strings.Split(d.kueue, "\n"))
	text, err := json.Marshal(d.history)
	must(err)
	fmt.Printf("  shrunk to %d events; to keep it, add this line to regressions.jsonl:\n%s\n", len(d.history.Ops), text)
}
