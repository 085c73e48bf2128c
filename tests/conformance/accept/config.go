package main

import (
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	configapi "sigs.k8s.io/kueue/apis/config/v1beta2"
	"sigs.k8s.io/kueue/pkg/config"
	"sigs.k8s.io/yaml"

	// The frameworks that Kueue can manage: its validation knows the names of those that are linked in.
	_ "sigs.k8s.io/kueue/pkg/controller/jobs"
)

// checkConfig does what the manager does with its --config before it starts anything: strict decoding, defaults,
// feature gates, validation.
func checkConfig(file string) error {
	scheme := runtime.NewScheme()
	utilruntime.Must(clientscheme.AddToScheme(scheme))
	utilruntime.Must(configapi.AddToScheme(scheme))
	_, loaded, err := config.Load(scheme, file)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := config.LoadAndValidateFeatureGates("", loaded.FeatureGates).ToAggregate(); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := config.Validate(&loaded, scheme).ToAggregate(); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	fmt.Printf("accepted: Configuration, frameworks %v\n", loaded.Integrations.Frameworks)
	return nil
}

// merge prints the Configuration in `file` with the harness's keys over it: ports and certificates that only a real
// installation has. Whatever else is in `file` stays as it is, and each value that was replaced is named.
func merge(file, harness string) error {
	emitted, over := map[string]any{}, map[string]any{}
	for path, into := range map[string]*map[string]any{file: &emitted, harness: &over} {
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := yaml.UnmarshalStrict(content, into); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	put(emitted, over, "")
	out, err := yaml.Marshal(emitted)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(out)
	return err
}

func put(into, from map[string]any, path string) {
	for _, key := range sortedKeys(from) {
		below, isMap := into[key].(map[string]any)
		if value, ok := from[key].(map[string]any); ok && isMap {
			put(below, value, path+key+".")
			continue
		}
		if old, present := into[key]; present && fmt.Sprint(old) != fmt.Sprint(from[key]) {
			fmt.Fprintf(os.Stderr, "accept: the harness replaces %s%s: %v by %v\n", path, key, old, from[key])
		}
		into[key] = from[key]
	}
}
