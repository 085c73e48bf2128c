package accept

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// A document with what gpol says of it, one a line (../schema/objects.cpp).
type judged struct {
	File       string
	Index      int
	Text       string
	Expected   *string // "" where it must be accepted; absent: whatever the judges say
	Field      string
	Violations []struct{ Rule, Field, What string }
}

// agree reads judged documents and demands that gpol refuses exactly those which the cluster would refuse, and for the
// reason that the document itself names.
func agree(crds string, in io.Reader) error {
	log.SetLogger(logr.Discard()) // the webhooks', which say nothing that they do not return
	judge, err := newJudge(crds)
	if err != nil {
		return err
	}
	return compare(in, func(j judged) ([]string, string, error) { return judge.judgeText(j.Text) })
}

// compare reads judged documents and says where another judge, which names the kind, is of another mind.
func compare(in io.Reader, ask func(judged) (refusals []string, kind string, err error)) error {
	count, bad := map[string]int{}, 0
	lines := bufio.NewReaderSize(in, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		var j judged
		if err := json.Unmarshal(line, &j); err != nil {
			return err
		}
		refusals, kind, err := ask(j)
		if err != nil {
			return fmt.Errorf("%s, document %d: %w", j.File, j.Index, err)
		}
		why := disagreement(j, refusals)
		if why != "" {
			bad++
			if bad <= 20 {
				fmt.Printf("objects: DISAGREE: %s, document %d: %s\n%s\n", j.File, j.Index, why, strings.TrimSpace(j.Text))
			}
		}
		verdict := "accepted"
		if len(refusals) > 0 {
			verdict = "refused"
			count["refused by "+strings.SplitN(refusals[0], ":", 2)[0]]++
		}
		count[verdict]++
		count[verdict+" "+kind]++
	}
	fmt.Printf("objects: %d documents, %d accepted, %d refused, %d disagreements\n",
		count["accepted"]+count["refused"], count["accepted"], count["refused"], bad)
	for _, key := range sortedKeys(count) {
		if strings.Contains(key, " ") {
			fmt.Printf("objects: %7d %s\n", count[key], key)
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d disagreements", bad)
	}
	if all := count["accepted"] + count["refused"]; all == 0 || all >= 100 && (count["accepted"] == 0 || count["refused"] == 0) {
		return fmt.Errorf("nothing to compare")
	}
	return nil
}

func (j *judge) judgeText(text string) (refusals []string, kind string, err error) {
	d, err := parseDocument([]byte(text))
	if err != nil {
		return nil, "", err
	}
	if d == nil {
		return nil, "", fmt.Errorf("is empty")
	}
	if _, known := j.resources[d.kind()]; !known {
		return nil, "other", nil
	}
	return j.refusals(*d), strings.TrimPrefix(d.kind(), "kueue.x-k8s.io/"), nil
}

func disagreement(j judged, refusals []string) string {
	var ours []string
	for _, v := range j.Violations {
		ours = append(ours, v.Rule+" at "+v.Field+": "+v.What)
	}
	both := fmt.Sprintf("\n  gpol:    %s\n  cluster: %s", strings.Join(ours, "\n           "), strings.Join(refusals, "\n           "))
	switch {
	case len(ours) == 0 && len(refusals) > 0:
		return "gpol accepts it, the cluster refuses it" + both
	case len(ours) > 0 && len(refusals) == 0:
		return "gpol refuses it, the cluster accepts it" + both
	case j.Expected == nil:
		return ""
	case *j.Expected == "" && len(ours) > 0:
		return "it should be accepted, and both refuse it" + both
	case *j.Expected != "" && len(ours) != 1:
		return fmt.Sprintf("it should break one rule, and breaks %d%s", len(ours), both)
	case *j.Expected != "" && (j.Violations[0].Rule != *j.Expected || j.Violations[0].Field != j.Field):
		return fmt.Sprintf("it should break %s at %s%s", *j.Expected, j.Field, both)
	}
	return ""
}
