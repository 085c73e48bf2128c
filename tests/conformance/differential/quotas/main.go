// The quota judge of an older version of Kueue: `go build -tags quotas -modfile=differential/kueue-VERSION.mod
// ./differential/quotas`. What else ../../judge holds is compiled against the newest alone.
package main

import (
	"os"

	differential "gpol.dev/tests/conformance/differential/judge"
)

func main() { os.Exit(differential.Quotas(os.Args[1:])) }
