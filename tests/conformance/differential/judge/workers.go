//go:build !quotas

package differential

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
)

// Feature gates are of a whole process, so that histories with different ones cannot be played in one at a time. Each
// worker is a process of its own: histories in, a line each; verdicts out, a line each.
type verdict struct {
	Cycles  int    `json:"cycles"`
	Panics  bool   `json:"panics"`
	Differs bool   `json:"differs"`
	At      int    `json:"at"`
	Model   string `json:"model"`
	Kueue   string `json:"kueue"`
}

func eachLine(in io.Reader, do func([]byte)) {
	reader := bufio.NewReaderSize(in, 1<<20)
	for {
		line, err := reader.ReadBytes('\n')
		if len(line) > 1 {
			do(line)
		}
		if err != nil {
			return
		}
	}
}

// work is what a worker does.
func work() {
	out := json.NewEncoder(os.Stdout)
	eachLine(os.Stdin, func(line []byte) {
		h := &history{}
		must(json.Unmarshal(line, h))
		var v verdict
		var found *disagreement
		v.Cycles, v.Panics, found = compare(h)
		if found != nil {
			v.Differs, v.At, v.Model, v.Kueue = true, found.at, found.model, found.kueue
		}
		must(out.Encode(v))
	})
}

// distribute plays every history of standard input in one of the workers and hands on its verdict, one at a time.
func distribute(crds string, take func(line []byte, v verdict)) {
	lines := make(chan []byte, 64)
	var mutex sync.Mutex
	var group sync.WaitGroup
	program, err := os.Executable()
	must(err)
	for range runtime.GOMAXPROCS(0) {
		command := exec.Command(program, "histories", "-worker", "-crds", crds)
		command.Stderr = os.Stderr
		command.Env = append(os.Environ(), "GOMAXPROCS=2")
		in, err := command.StdinPipe()
		must(err)
		out, err := command.StdoutPipe()
		must(err)
		must(command.Start())
		answers := bufio.NewReaderSize(out, 1<<20)
		group.Go(func() {
			for line := range lines {
				_, err := in.Write(line)
				must(err)
				answer, err := answers.ReadBytes('\n')
				if err != nil {
					fmt.Printf("differential: a worker ended: %s\n", answer)
					os.Exit(2)
				}
				var v verdict
				if err := json.Unmarshal(answer, &v); err != nil {
					fmt.Printf("differential: a worker said: %s\n", answer)
					os.Exit(2)
				}
				mutex.Lock()
				take(line, v)
				mutex.Unlock()
			}
			in.Close()
			must(command.Wait())
		})
	}
	eachLine(os.Stdin, func(line []byte) {
		if line[len(line)-1] != '\n' {
			line = append(line, '\n')
		}
		lines <- line
	})
	close(lines)
	group.Wait()
}
