package kustomizations

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
)

// Random kustomizations in the form of tests/support/kustomize_case.h: a base, sometimes a component, and an overlay with
// a few fields and patches, over few names, so that they meet.
type random struct{ *rand.Rand }

func (r random) of(words ...string) string { return words[r.Intn(len(words))] }
func (r random) chance(percent int) bool   { return r.Intn(100) < percent }
func (r random) name() string              { return r.of("a", "b", "c") }

func (r random) maybe(percent int, text string) string {
	if r.chance(percent) {
		return text
	}
	return ""
}

func (r random) list(most int, item func() string) string {
	var items []string
	for i := r.Intn(most + 1); i > 0; i-- {
		items = append(items, item())
	}
	return "[" + strings.Join(items, ", ") + "]"
}

func (r random) fields(texts ...string) string {
	var kept []string
	for _, text := range texts {
		if text != "" {
			kept = append(kept, text)
		}
	}
	return "{" + strings.Join(kept, ", ") + "}"
}

func (r random) scalar() string {
	return r.of("1", "2", "true", "text", `"1"`, "yes", "null", "~", "1.5", "[]", "{}", `""`, "[x, null]", "{k: null}", "0x1f", "'no'")
}

// In a patch, sometimes.
func (r random) directive(patch bool) string {
	if patch {
		return r.maybe(8, "$patch: "+r.of("delete", "replace", "merge", "delete"))
	}
	return ""
}

func (r random) port(key string, patch bool) string {
	return r.fields(key+": "+r.of("80", "81", "82"), r.maybe(40, "protocol: "+r.of("TCP", "UDP")), r.maybe(40, "name: "+r.name()), r.directive(patch))
}

func (r random) container(patch bool) string {
	return r.fields("name: "+r.of("main", "side", "more"), r.maybe(60, "image: "+r.of("img", "img:1", "reg.io/img:2", "img@sha256:ab")),
		r.maybe(40, "args: "+r.list(2, r.scalar)),
		r.maybe(50, "env: "+r.list(3, func() string {
			return r.fields("name: "+r.of("A", "B", "C"), r.maybe(60, "value: "+r.of("x", `"1"`, "null")),
				r.maybe(20, "valueFrom: {configMapKeyRef: {name: "+r.name()+", key: k}}"), r.directive(patch))
		})),
		r.maybe(40, "ports: "+r.list(3, func() string { return r.port("containerPort", patch) })),
		r.maybe(30, "envFrom: "+r.list(2, func() string { return "{" + r.of("configMapRef", "secretRef") + ": {name: " + r.name() + "}}" })),
		r.maybe(30, "resources: "+r.fields(r.maybe(60, "limits: {nvidia.com/gpu: "+r.of("1", "2", "null")+"}"), r.directive(patch))),
		r.directive(patch))
}

func (r random) podSpec(patch bool) string {
	containers := func() string { return r.container(patch) }
	return r.fields(r.maybe(80, "containers: "+r.list(3, containers)), r.maybe(20, "initContainers: "+r.list(2, containers)),
		r.maybe(30, "serviceAccountName: "+r.name()), r.maybe(30, "priorityClassName: "+r.name()),
		r.maybe(30, "tolerations: "+r.list(2, func() string { return "{key: " + r.name() + "}" })),
		r.maybe(30, "imagePullSecrets: "+r.list(2, func() string { return r.fields("name: "+r.name(), r.directive(patch)) })),
		r.maybe(40, "volumes: "+r.list(2, func() string {
			return r.fields("name: "+r.of("v", "w"), r.of("emptyDir: {}", "emptyDir: null", "configMap: {name: "+r.name()+"}", "secret: {secretName: "+r.name()+"}"), r.directive(patch))
		})), r.directive(patch))
}

func (r random) labels() string {
	return r.fields(r.maybe(60, "l: "+r.of("m", "n1", `"5"`)), r.maybe(30, "o: p"))
}

type kind struct{ api, name string }

var kinds = []kind{{"apps/v1", "Deployment"}, {"apps/v1", "Deployment"}, {"apps/v1", "StatefulSet"}, {"batch/v1", "Job"}, {"v1", "Pod"}, {"v1", "Service"},
	{"v1", "ConfigMap"}, {"v1", "Secret"}, {"v1", "ServiceAccount"}, {"scheduling.k8s.io/v1", "PriorityClass"},
	{"kueue.x-k8s.io/v1beta1", "ClusterQueue"}, {"kueue.x-k8s.io/v1beta1", "LocalQueue"}, {"v1", "Namespace"},
	{"rbac.authorization.k8s.io/v1", "RoleBinding"}, {"rbac.authorization.k8s.io/v1", "ClusterRoleBinding"},
	{"rbac.authorization.k8s.io/v1", "Role"}, {"rbac.authorization.k8s.io/v1", "ClusterRole"}, {"example.com/v1", "Deployment"},
	{"autoscaling/v2", "HorizontalPodAutoscaler"}}

func (r random) body(k kind, patch bool) string {
	switch k.name {
	case "Deployment", "StatefulSet", "Job":
		template := "template: " + r.fields(r.maybe(40, "metadata: {labels: "+r.labels()+"}"), "spec: "+r.podSpec(patch))
		return "spec: " + r.fields(r.maybe(40, "replicas: "+r.of("1", "2", "null")), r.maybe(30, "selector: {matchLabels: "+r.labels()+"}"), template, r.directive(patch))
	case "Pod":
		return "spec: " + r.podSpec(patch)
	case "Service":
		return "spec: " + r.fields(r.maybe(90, "ports: "+r.list(3, func() string { return r.port("port", patch) })), r.maybe(30, "selector: "+r.labels()))
	case "ConfigMap", "Secret":
		return "data: " + r.fields(r.maybe(60, "k: "+r.of("v", `"1"`, "null")), r.maybe(40, "m: w"))
	case "ClusterQueue":
		return "spec: " + r.fields(r.maybe(50, "cohort: "+r.name()), r.maybe(60, "resourceGroups: "+r.list(2, func() string {
			return "{coveredResources: [cpu], flavors: " + r.list(2, func() string { return "{name: " + r.name() + ", resources: " + r.list(2, r.scalar) + "}" }) + "}"
		})), r.maybe(40, "preemption: "+r.fields("x: "+r.scalar(), r.directive(patch))), r.maybe(40, "other: "+r.scalar()), r.directive(patch))
	case "LocalQueue":
		return "spec: {clusterQueue: " + r.name() + "}"
	case "RoleBinding", "ClusterRoleBinding":
		return "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: " + r.of("Role", "ClusterRole") + ", name: " + r.name() + "}\nsubjects: " +
			r.list(2, func() string {
				return r.fields("kind: "+r.of("ServiceAccount", "User"), "name: "+r.of("a", "b", "default"), r.maybe(50, "namespace: "+r.of("ns", "other", "default")))
			})
	case "Role", "ClusterRole":
		return "rules: [{resources: [secrets], resourceNames: " + r.list(3, r.name) + "}]"
	case "HorizontalPodAutoscaler":
		return "spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: " + r.name() + "}}"
	}
	return "x: " + r.scalar()
}

func (r random) object(k kind, name string, patch bool) string {
	metadata := r.fields("name: "+name, r.maybe(25, "namespace: "+r.of("ns", "other", "default")), r.maybe(30, "labels: "+r.labels()),
		r.maybe(20, "annotations: {q: "+r.of("s", "5", "null", "true")+"}"), r.maybe(15, "finalizers: "+r.list(3, r.name)))
	top := ""
	if patch {
		top = r.maybe(4, "$patch: "+r.of("delete", "replace")+"\n")
	}
	return fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: %s\n%s%s\n", k.api, k.name, metadata, top, r.body(k, patch))
}

func (r random) target(k kind, name string) string {
	return r.fields(r.maybe(80, "kind: "+r.of(k.name, k.name, `"`+k.name[:3]+`.*"`, "(Deployment|Pod)")), r.maybe(60, "name: "+r.of(name, `"[ab]"`, `".*`+name+`"`, `"\\w+"`)),
		r.maybe(20, "namespace: "+r.of("ns", "default", "ns|other")), r.maybe(15, "labelSelector: "+r.of("l", "l=m", `"!l"`, "'l in (m, 5), o'", "l!=m")))
}

func (r random) operation() string {
	path := r.of("/metadata/labels", "/metadata/labels/new", "/metadata/name", "/spec/replicas", "/spec", "/new", "/data", "/metadata/finalizers")
	value := r.of("{a: b}", "text", "1", "null", "[1, x]", "yes")
	if strings.HasSuffix(path, "labels") {
		value = r.labels()
	}
	if strings.HasSuffix(path, "name") {
		value = r.name()
	}
	return fmt.Sprintf("{op: %s, path: %s, from: %s, value: %s}", r.of("add", "add", "add", "add", "add", "add", "replace", "replace", "remove", "test", "copy", "move"), path, r.of("/metadata/name", "/kind", "/metadata/labels"), value)
}

func indented(text string, by string) string {
	return by + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+by) + "\n"
}

func (r random) patch(objects []kind, names []string, form string) string {
	i := r.Intn(len(objects))
	if r.chance(25) || form == "patchesJson6902" {
		target := r.target(objects[i], names[i])
		if form == "patchesJson6902" {
			target = "{kind: " + objects[i].name + ", name: " + names[i] + "}"
		}
		text := "- " + r.operation() + "\n" + r.maybe(30, "- "+r.operation()+"\n")
		return "- target: " + target + "\n  patch: |-\n" + indented(text, "    ")
	}
	text := r.object(objects[i], names[i], true)
	if r.chance(80) && !strings.Contains(text, "namespace: ") {
		text = r.object(objects[i], names[i], true)
	}
	if r.chance(35) {
		return "- target: " + r.target(objects[i], names[i]) + "\n  patch: |-\n" + indented(text, "    ")
	}
	return "- patch: |-\n" + indented(text, "    ")
}

// Fields that every kustomization may have.
func (r random) changes() string {
	text := r.maybe(30, "namePrefix: "+r.of("p-", "q-")+"\n") + r.maybe(20, "nameSuffix: -s\n") + r.maybe(30, "namespace: "+r.of("ns", "other", "default")+"\n")
	text += r.maybe(20, "commonLabels: {l: all}\n") + r.maybe(20, "commonAnnotations: {q: all}\n")
	text += r.maybe(20, "labels: [{pairs: {new: l}, include"+r.of("Selectors", "Templates")+": "+r.of("true", "false")+"}]\n")
	text += r.maybe(20, "images: [{name: "+r.of("img", "reg.io/img")+", "+r.of("newTag: v9", "newName: other", "digest: 'sha256:cd'", "tagSuffix: -x")+"}]\n")
	return text + r.maybe(8, "replicas: [{name: "+r.name()+", count: 7}]\n") + r.maybe(10, "sortOptions: {order: fifo}\n")
}

func (r random) generators(behavior string) string {
	if !r.chance(30) {
		return ""
	}
	return r.of("configMapGenerator", "secretGenerator") + ": [{name: " + r.of("g", "a") + ", literals: [k=" + r.of("1", "x", "'q'") + "]" +
		r.maybe(40, behavior) + r.maybe(30, ", options: {disableNameSuffixHash: true}") + "}]\n"
}

func (r random) text() string {
	var objects []kind
	var names, all []string
	met := map[string]bool{}
	for i := 2 + r.Intn(5); i > 0; i-- {
		one, name := kinds[r.Intn(len(kinds))], r.name()
		if met[one.api+one.name+name] && r.chance(95) {
			continue
		}
		met[one.api+one.name+name] = true
		objects, names = append(objects, one), append(names, name)
		all = append(all, r.object(objects[len(objects)-1], names[len(names)-1], false))
	}
	base := "resources: [all.yaml]\n" + r.changes() + r.generators("")
	over := "resources: [../base]\n" + r.changes() + r.generators(", behavior: "+r.of("merge", "replace"))
	for _, form := range []string{"patches", "patches", "patchesJson6902"} {
		if text := ""; r.chance(50) && !strings.Contains(over, "\n"+form+":") {
			for i := 1 + r.Intn(2); i > 0; i-- {
				text += r.patch(objects, names, form)
			}
			over += form + ":\n" + text
		}
	}
	files := ">>> base/all.yaml\n" + strings.Join(all, "---\n")
	if r.chance(15) {
		over += "components: [../part]\n"
		files += ">>> part/kustomization.yaml\nkind: Component\n" + r.changes() + "patches:\n" + r.patch(objects, names, "patches")
	}
	return "entry over\nexpect any\n>>> base/kustomization.yaml\n" + base + ">>> over/kustomization.yaml\n" + over + files
}

func writeRandom(seed int64, count int, directory string) error {
	for i := 0; i < count; i++ {
		r := random{rand.New(rand.NewSource(seed + int64(i)))}
		name := filepath.Join(directory, fmt.Sprintf("random-%d.txt", seed+int64(i)))
		if err := os.WriteFile(name, []byte(r.text()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
