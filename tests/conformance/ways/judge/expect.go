// Package ways plays ways in which batch gets round its quota, of which gpol has a table (checker/families/quota_ways.cpp),
// in the real code of Kueue.
//
//	judge ways elastic-jobs|large-requests open|closed     in the newest version
//	judge ways drawn CRDS LEAST < clusters                 elastic Jobs in random ones, likewise (drawn.go)
//	quota-judge-VERSION large-requests open|closed         in an older one
//
// The last word is what the table says of the version. Prints what was seen; exit 1: the table says otherwise.
package ways

import "fmt"

// What was seen of a way. Where it is neither open nor closed something else is wrong, with the play or with Kueue.
type seen struct {
	text         string
	open, closed bool
}

// expect returns the exit code.
func expect(way string, args []string, play func() seen) int {
	if len(args) != 1 || (args[0] != "open" && args[0] != "closed") {
		fmt.Printf("usage: %s open|closed\n", way)
		return 2
	}
	s := play()
	fmt.Println(s.text)
	const row = "the row `%s` of checker/families/quota_ways.cpp has to say so, and so has expected() of tests/conformance/ways/run.sh\n"
	switch {
	case s.open == s.closed:
		fmt.Printf("this is neither the way as it is known nor a version without it: the play or the row `%s` is wrong\n", way)
	case s.closed && args[0] == "open":
		fmt.Printf("this version closes the way: "+row, way)
	case s.open && args[0] == "closed":
		fmt.Printf("the way is open in this version: "+row, way)
	default:
		return 0
	}
	return 1
}
