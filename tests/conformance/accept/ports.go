package accept

import (
	"fmt"
	"net"
	"strconv"
)

// printPorts prints n ports of 127.0.0.1 that are free now, on one line.
func printPorts(n string) error {
	count, err := strconv.Atoi(n)
	if err != nil || count < 1 || count > 100 {
		return fmt.Errorf("how many ports: %q", n)
	}
	for range count {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		defer listener.Close() // all at once at the end, so that no port is given twice
		fmt.Print(listener.Addr().(*net.TCPAddr).Port, " ")
	}
	fmt.Println()
	return nil
}
