// Package guards (`judge guards < CASES`) reads one case a line (../guards.cpp) and asks the API server's own code: whether it takes each expression into a
// policy, what an expression is worth, whether a set of policies admits a request. Prints every difference.
package guards

import (
	"bufio"
	"context"
	"fmt"
	"os"
	_ "unsafe"

	v1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/client-go/kubernetes/fake"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

//go:linkname compilePolicy k8s.io/apiserver/pkg/admission/plugin/policy/validating.compilePolicy
func compilePolicy(policy *v1.ValidatingAdmissionPolicy) validating.Validator

type request struct {
	Operation   string                      `json:"operation"`
	Kind        metav1.GroupVersionKind     `json:"kind"`
	Resource    metav1.GroupVersionResource `json:"resource"`
	SubResource string                      `json:"subResource"`
	Name        string                      `json:"name"`
	Namespace   string                      `json:"namespace"`
	User        struct {
		Username string   `json:"username"`
		Groups   []string `json:"groups"`
	} `json:"userInfo"`
	Object          map[string]any    `json:"object"`
	OldObject       map[string]any    `json:"oldObject"`
	NamespaceObject *corev1.Namespace `json:"namespaceObject"`
}

type line struct {
	Request  request                                `json:"request"`
	Policies []*v1.ValidatingAdmissionPolicy        `json:"policies"`
	Bindings []*v1.ValidatingAdmissionPolicyBinding `json:"bindings"`
	Exists   []string                               `json:"exists"`  // per policy: yes, no, maybe
	Results  []string                               `json:"results"` // per validation of the first policy: true, false, error, unknown
	Verdict  string                                 `json:"verdict"` // admitted, denied, unknown
}

func object(of map[string]any) runtime.Object {
	if of == nil {
		return nil
	}
	return &unstructured.Unstructured{Object: of}
}

func attributes(r request) admission.Attributes {
	return admission.NewAttributesRecord(object(r.Object), object(r.OldObject), schema.GroupVersionKind(r.Kind), r.Namespace, r.Name,
		schema.GroupVersionResource(r.Resource), r.SubResource, admission.Operation(r.Operation), nil, false,
		&user.DefaultInfo{Name: r.User.Username, Groups: r.User.Groups})
}

// Main makes them: other judges are in the same program.
var base *environment.EnvSet
var plain cel.Compiler

// As apis/admissionregistration/validation does for a new policy: conditions know no variables.
func takes(policy *v1.ValidatingAdmissionPolicy) (bool, string) {
	options := cel.OptionalVariableDeclarations{HasAuthorizer: true}
	for i := range policy.Spec.MatchConditions {
		result := plain.CompileCELExpression((*matchconditions.MatchCondition)(&policy.Spec.MatchConditions[i]), options, environment.NewExpressions)
		if result.Error != nil {
			return false, result.Error.Error()
		}
	}
	compiler, err := cel.NewCompositedCompiler(base)
	if err != nil {
		panic(err)
	}
	for i := range policy.Spec.Variables {
		variable := &validating.Variable{Name: policy.Spec.Variables[i].Name, Expression: policy.Spec.Variables[i].Expression}
		if result := compiler.CompileAndStoreVariable(variable, options, environment.NewExpressions); result.Error != nil {
			return false, result.Error.Error()
		}
	}
	for _, validation := range policy.Spec.Validations {
		condition := &validating.ValidationCondition{Expression: validation.Expression}
		if result := compiler.CompileCELExpression(condition, options, environment.NewExpressions); result.Error != nil {
			return false, result.Error.Error()
		}
	}
	return true, ""
}

// What each validation of a policy is worth.
func worth(policy *v1.ValidatingAdmissionPolicy, r request) []string {
	options := cel.OptionalVariableDeclarations{HasAuthorizer: true}
	compiler, err := cel.NewCompositedCompiler(base)
	if err != nil {
		panic(err)
	}
	for _, one := range policy.Spec.Variables {
		compiler.CompileAndStoreVariable(&validating.Variable{Name: one.Name, Expression: one.Expression}, options, environment.StoredExpressions)
	}
	var accessors []cel.ExpressionAccessor
	for _, validation := range policy.Spec.Validations {
		accessors = append(accessors, &validating.ValidationCondition{Expression: validation.Expression})
	}
	attrs := attributes(r)
	versioned := &admission.VersionedAttributes{Attributes: attrs, VersionedObject: attrs.GetObject(), VersionedOldObject: attrs.GetOldObject(), VersionedKind: attrs.GetKind()}
	asked := cel.CreateAdmissionRequest(attrs, metav1.GroupVersionResource(attrs.GetResource()), metav1.GroupVersionKind(attrs.GetKind()))
	results, _, err := compiler.CompileCondition(accessors, options, environment.StoredExpressions).ForInput(context.Background(), versioned, asked,
		cel.OptionalVariableBindings{}, cel.CreateNamespaceObject(r.NamespaceObject), celconfig.RuntimeCELCostBudget)
	var out []string
	for _, result := range results {
		switch {
		case result.Error != nil:
			out = append(out, "error")
		default:
			out = append(out, fmt.Sprint(result.EvalResult.Value()))
		}
	}
	if err != nil {
		out = append(out, "failed: "+err.Error())
	}
	return out
}

// Main judges standard input and returns the exit code.
func Main([]string) int {
	base = environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	plain = cel.NewCompiler(base)
	interfaces := admission.NewObjectInterfacesFromScheme(runtime.NewScheme())
	client := fake.NewClientset()
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<24)
	count := map[string]int{}
	cases, bad := 0, 0
	for in.Scan() {
		var c line
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			fmt.Println("guards: a line that is no case:", err)
			return 1
		}
		cases++
		differ := func(what, ours, theirs string) {
			bad++
			if bad <= 20 {
				fmt.Printf("guards: DIFFERENT: %s: ours %s, the API server's %s: %s\n", what, ours, theirs, in.Text())
			}
		}
		var hooks []validating.PolicyHook
		whole := true
		for i, policy := range c.Policies {
			taken, why := takes(policy)
			count["policies "+c.Exists[i]]++
			if c.Exists[i] != "maybe" && taken != (c.Exists[i] == "yes") {
				differ("policy "+policy.Name, c.Exists[i], why)
			}
			whole = whole && c.Exists[i] != "maybe"
			if !taken {
				continue
			}
			hook := validating.PolicyHook{Policy: policy, Evaluator: compilePolicy(policy)}
			for _, binding := range c.Bindings {
				if binding.Spec.PolicyName == policy.Name {
					hook.Bindings = append(hook.Bindings, binding)
				}
			}
			hooks = append(hooks, hook)
			if i == 0 {
				for j, theirs := range worth(policy, c.Request) {
					count["results "+c.Results[j]]++
					if c.Results[j] != "unknown" && c.Results[j] != theirs {
						differ(policy.Spec.Validations[j].Expression, c.Results[j], theirs)
					}
				}
			}
		}
		indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
		if c.Request.NamespaceObject != nil {
			if err := indexer.Add(c.Request.NamespaceObject); err != nil {
				panic(err)
			}
		}
		matcher := generic.NewPolicyMatcher(matching.NewMatcher(listers.NewNamespaceLister(indexer), client))
		dispatcher := validating.NewDispatcher(nil, matcher)
		theirs := "admitted"
		err := dispatcher.Dispatch(context.Background(), attributes(c.Request), interfaces, hooks)
		if err != nil {
			theirs = "denied"
		}
		count["verdicts "+c.Verdict]++
		if whole && c.Verdict != "unknown" && c.Verdict != theirs {
			differ("verdict", c.Verdict, fmt.Sprint(theirs, " ", err))
		}
	}
	fmt.Printf("guards: %d cases, %d differences", cases, bad)
	for _, key := range []string{"policies yes", "policies no", "policies maybe", "results true", "results false", "results error", "results unknown",
		"verdicts admitted", "verdicts denied", "verdicts unknown"} {
		fmt.Printf(", %s %d", key, count[key])
	}
	fmt.Println()
	if bad > 0 || cases == 0 {
		return 1
	}
	return 0
}
