package accept

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/yaml"
)

var plurals = map[string]string{"ClusterQueue": "clusterqueues", "Cohort": "cohorts", "LocalQueue": "localqueues",
	"ResourceFlavor": "resourceflavors", "Topology": "topologies", "WorkloadPriorityClass": "workloadpriorityclasses",
	"AdmissionCheck": "admissionchecks", "Workload": "workloads"}

// askServer reads the lines that `agree` reads, and asks a running API server with a running Kueue to create each
// document, strictly and as a dry run.
func askServer(kubeconfig, file string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.QPS = -1
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return err
	}
	post := func(path string, body []byte) (int, string, error) {
		response, err := client.Post(config.Host+path, "application/json", bytes.NewReader(body))
		if err != nil {
			return 0, "", err
		}
		defer response.Body.Close()
		answer, err := io.ReadAll(response.Body)
		return response.StatusCode, string(answer), err
	}
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	lines := bufio.NewReaderSize(in, 1<<20)
	count, bad := map[string]int{}, 0
	made := map[string]bool{}
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
		body, err := yaml.YAMLToJSON([]byte(j.Text))
		if err != nil {
			return err
		}
		d, err := parseDocument([]byte(j.Text))
		if err != nil {
			return err
		}
		path := "/apis/" + text(d.object, "apiVersion")
		metadata, _ := d.object["metadata"].(map[string]any)
		kind, ns := text(d.object, "kind"), text(metadata, "namespace")
		if namespaced := kind == "LocalQueue" || kind == "Workload"; namespaced && ns != "" {
			if !made[ns] {
				made[ns] = true
				// A name that is none is refused here, and then with the object too.
				object := fmt.Sprintf(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":%q}}`, ns)
				if _, _, err := post("/api/v1/namespaces", []byte(object)); err != nil {
					return err
				}
			}
			path += "/namespaces/" + strings.ReplaceAll(ns, " ", "%20")
		}
		status, answer, err := post(path+"/"+plurals[kind]+"?dryRun=All&fieldValidation=Strict", body)
		if err != nil {
			return err
		}
		refused := status >= 400
		if status >= 500 && !strings.Contains(answer, "webhook") {
			return fmt.Errorf("the server fails: %s", answer)
		}
		count[map[bool]string{true: "refused", false: "accepted"}[refused]]++
		if !refused && mended(kind, j) {
			count["mended"]++
		} else if refused != (len(j.Violations) > 0) {
			bad++
			fmt.Printf("objects: SERVER DISAGREES: %s, document %d: %d %s\n%v\n%s\n", j.File, j.Index, status, answer, j.Violations, j.Text)
		}
	}
	fmt.Printf("objects: a real API server: %d accepted (%d of them mended), %d refused, %d disagreements\n",
		count["accepted"], count["mended"], count["refused"], bad)
	if bad > 0 || count["accepted"] == 0 || count["refused"] == 0 {
		return fmt.Errorf("%d disagreements", bad)
	}
	return nil
}

// mended says whether Kueue's mutating webhook, which comes first when a ClusterQueue is created, may have repaired what
// the CRD refuses: it decodes the object and writes anew what is missing, and all quantities. It does not come when an
// object is changed.
func mended(kind string, j judged) bool {
	for _, v := range j.Violations {
		name := v.Field[strings.LastIndex(v.Field, ".")+1:]
		quantity := name == "nominalQuota" || name == "borrowingLimit" || name == "lendingLimit" || name == "weight"
		absent := v.Rule == "schema:required" || (v.Rule == "schema:type" && strings.HasSuffix(v.What, "is null"))
		if kind != "ClusterQueue" || !strings.HasPrefix(v.Rule, "schema:") || !(quantity || absent) {
			return false
		}
	}
	return len(j.Violations) > 0
}
