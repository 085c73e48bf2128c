// Asks the real Volcano, in memory: its scheduler (sessions over its own cache), its queue webhook, its reader of
// configurations. What gpol's model says of Volcano and what gpol writes for it is compared with the answers.
//
//	judge play [-limit DURATION]   histories (history.go), one JSON a line, to what happened in them, one JSON a line
//	judge accept [-update]         a stream of YAML to what the API server with Volcano's webhook says of each Queue
//	judge conf                     a volcano-scheduler.conf to the actions and plugins that the scheduler makes of it
//
// Each reads stdin. Exit 0: answered, whatever the answers; 1: not; 2: called wrongly; 3: play: a history did not end.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"k8s.io/klog/v2"
)

var commands = map[string]func(args []string) error{
	"play":   play,
	"accept": accept,
	"conf":   readConf,
}

// misuse is an error of the command line: exit 2.
type misuse struct{ error }

func main() {
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		var names []string
		for name := range commands {
			names = append(names, name)
		}
		slices.Sort(names)
		fmt.Fprintln(os.Stderr, "usage: judge "+strings.Join(names, "|")+" [ARG...] < INPUT")
		os.Exit(2)
	}
	quiet()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // a session makes much garbage and keeps little
	}
	if err := commands[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintf(os.Stderr, "judge: %s: %v\n", os.Args[1], err)
		if errors.As(err, &misuse{}) {
			os.Exit(2)
		}
		os.Exit(1)
	}
}

// parse reads the flags of a command, which takes no other arguments.
func parse(flags *flag.FlagSet, args []string) error {
	flags.SetOutput(io.Discard)
	if err := flags.Parse(args); err != nil {
		return misuse{err}
	}
	if flags.NArg() > 0 {
		return misuse{fmt.Errorf("unexpected argument %q", flags.Arg(0))}
	}
	return nil
}

// newEncoder writes one line a value, and messages as they are.
func newEncoder() *json.Encoder {
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	return encoder
}

// quiet: klog writes errors to stderr whatever else it is told, unless their threshold is above them, too.
func quiet() {
	flags := flag.NewFlagSet("klog", flag.PanicOnError)
	klog.InitFlags(flags)
	for name, value := range map[string]string{"logtostderr": "false", "stderrthreshold": "FATAL", "v": "0"} {
		if err := flags.Set(name, value); err != nil {
			panic(err)
		}
	}
	klog.SetOutput(io.Discard)
}
