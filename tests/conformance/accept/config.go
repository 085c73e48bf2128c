package accept

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	configapiv1beta1 "sigs.k8s.io/kueue/apis/config/v1beta1"
	configapi "sigs.k8s.io/kueue/apis/config/v1beta2"
	"sigs.k8s.io/kueue/pkg/config"
	"sigs.k8s.io/kueue/pkg/controller/jobframework"
	"sigs.k8s.io/yaml"

	// The frameworks that Kueue can manage: its validation knows the names of those that are linked in.
	_ "sigs.k8s.io/kueue/pkg/controller/jobs"
)

// managerScheme knows what the manager's own does, as far as a Configuration can ask (cmd/kueue/main.go).
func managerScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	utilruntime.Must(clientscheme.AddToScheme(scheme))
	utilruntime.Must(configapiv1beta1.AddToScheme(scheme))
	utilruntime.Must(configapi.AddToScheme(scheme))
	utilruntime.Must(jobframework.ForEachIntegration(func(_ string, cb jobframework.IntegrationCallbacks) error {
		if cb.AddToScheme != nil {
			return cb.AddToScheme(scheme)
		}
		return nil
	}))
	return scheme
}

// loadConfig does what the manager does with its --config before it starts anything: strict decoding, defaults,
// feature gates, validation. `passedOver`: errors that do not count; may be nil.
func loadConfig(scheme *runtime.Scheme, file string, passedOver func(*field.Error) bool) (*configapi.Configuration, error) {
	_, loaded, err := config.Load(scheme, file)
	if err != nil {
		return nil, err
	}
	if err := config.LoadAndValidateFeatureGates("", loaded.FeatureGates).ToAggregate(); err != nil {
		return nil, err
	}
	errs := config.Validate(&loaded, scheme)
	if passedOver != nil {
		errs = slices.DeleteFunc(errs, passedOver)
	}
	if err := errs.ToAggregate(); err != nil {
		return nil, err
	}
	return &loaded, nil
}

func checkConfig(file string) error {
	loaded, err := loadConfig(managerScheme(), file, nil)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	fmt.Printf("accepted: Configuration, frameworks %v\n", loaded.Integrations.Frameworks)
	return nil
}

// notLookedAt are the fields of whose values gpol asks nothing (checker/observe/schema/configuration.h): nothing that it
// proves rests on them, or their presence alone leaves everything undecided.
var notLookedAt = []string{
	"admissionFairSharing", "internalCertManagement", "metrics", "multiKueue", "objectRetentionPolicies",
	"resources.deviceClassMappings", "tls", "visibilityServer",
}

func isNotLookedAt(err *field.Error) bool {
	return slices.ContainsFunc(notLookedAt, func(path string) bool {
		return err.Field == path || strings.HasPrefix(err.Field, path+".") || strings.HasPrefix(err.Field, path+"[")
	})
}

// agreeConfigurations demands that gpol refuses exactly those Configurations with which Kueue does not start, but for
// what Kueue's validation says of fields at which gpol does not look.
func agreeConfigurations(in io.Reader) error {
	scheme := managerScheme()
	file, err := os.CreateTemp("", "configuration-*.yaml")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_ = file.Close()
	fresh := utilfeature.DefaultMutableFeatureGate.DeepCopy()
	return compare(in, func(j judged) ([]string, string, error) {
		// What the one before switched stays so otherwise.
		gates := fresh.DeepCopy()
		utilfeature.DefaultMutableFeatureGate, utilfeature.DefaultFeatureGate = gates, gates
		if err := os.WriteFile(file.Name(), []byte(j.Text), 0o600); err != nil {
			return nil, "", err
		}
		if _, err := loadConfig(scheme, file.Name(), isNotLookedAt); err != nil {
			return []string{"start: " + err.Error()}, "Configuration", nil
		}
		return nil, "Configuration", nil
	})
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
