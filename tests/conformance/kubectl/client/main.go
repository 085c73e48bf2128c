// kubectl for the plays, which call it thousands of times: what ../server serves it is asked for, with the caller's
// standard input, output and error; everything else is done by the real program, KUBECTL_PROGRAM.
package main

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"
)

var served = map[string]bool{"annotate": true, "apply": true, "create": true, "delete": true, "get": true, "label": true,
	"patch": true, "replace": true, "scale": true, "wait": true}

// verb is the first word that is neither a flag nor the value of one; all flags that stand before it have a value.
func verb(args []string) string {
	for i := 0; i < len(args); i++ {
		if !strings.HasPrefix(args[i], "-") {
			return args[i]
		}
		if !strings.Contains(args[i], "=") {
			i++
		}
	}
	return ""
}

func ask(socket string) (int, error) {
	conn, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return 0, err
	}
	directory, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	request, err := json.Marshal(struct {
		Directory string
		Arguments []string
	}{directory, os.Args[1:]})
	if err != nil {
		return 0, err
	}
	// The first byte carries the files.
	if _, _, err := conn.WriteMsgUnix([]byte{0}, syscall.UnixRights(0, 1, 2), nil); err != nil {
		return 0, err
	}
	if _, err := conn.Write(request); err != nil {
		return 0, err
	}
	var status [1]byte
	if _, err := conn.Read(status[:]); err != nil {
		return 0, fmt.Errorf("the server of kubectl says nothing: %w", err)
	}
	return int(status[0]), nil
}

func main() {
	if socket := os.Getenv("KUBECTL_SOCKET"); socket != "" && served[verb(os.Args[1:])] {
		status, err := ask(socket)
		if err != nil {
			fmt.Fprintln(os.Stderr, "kubectl:", err)
			status = 1
		}
		os.Exit(status)
	}
	program := os.Getenv("KUBECTL_PROGRAM")
	fmt.Fprintln(os.Stderr, "kubectl:", program, syscall.Exec(program, append([]string{"kubectl"}, os.Args[1:]...), os.Environ()))
	os.Exit(1)
}
