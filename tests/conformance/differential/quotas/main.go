// The quota judge of an older version of Kueue: `go build -tags quotas -modfile=differential/kueue-VERSION.mod
// ./differential/quotas`. What else ../../judge holds is compiled against the newest alone.
//
//	quota-judge-VERSION < histories                    quotas (../judge/quotas.go)
//	quota-judge-VERSION large-requests open|closed     a way round them (../../ways/judge): here, since what is compiled
//	                                                   against an older version takes a minute and more
package main

import (
	"os"

	differential "gpol.dev/tests/conformance/differential/judge"
	ways "gpol.dev/tests/conformance/ways/judge"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "large-requests" {
		os.Exit(ways.LargeRequests(os.Args[2:]))
	}
	os.Exit(differential.Quotas(os.Args[1:]))
}
