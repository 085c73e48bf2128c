// Package preemption (`judge preemption < SCENES`) reads one scene a line (../scenes.cpp) and asks kube-scheduler's own code, the filters and DefaultPreemption: where the
// pod fits beside what is nominated, whether it may preempt, whom it would evict on each node, and which node is chosen.
// Prints every difference.
package preemption

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"sort"
	"time"

	v1 "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	internalcache "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	internalqueue "k8s.io/kubernetes/pkg/scheduler/backend/queue"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultbinder"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeaffinity"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/queuesort"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
	tf "k8s.io/kubernetes/pkg/scheduler/testing/framework"
)

type candidate struct {
	Node       int   `json:"node"`
	Victims    []int `json:"victims"`
	Violations int   `json:"violations"`
}

type scene struct {
	Nodes []struct {
		Labels map[string]string `json:"labels"`
		Taints []v1.Taint        `json:"taints"`
		CPU    int64             `json:"cpu"`
		GPUs   int64             `json:"gpus"`
		Pods   int64             `json:"pods"`
	} `json:"nodes"`
	Pods []struct {
		Gone      bool              `json:"gone"`
		Node      int               `json:"node"`
		CPU       int64             `json:"cpu"`
		GPUs      int64             `json:"gpus"`
		Selector  map[string]string `json:"selector"`
		Tolerates bool              `json:"tolerates"`
		Priority  int32             `json:"priority"`
		Preempts  bool              `json:"preempts"`
		Budget    bool              `json:"budget"`
		Ending    bool              `json:"ending"`
		Evicted   bool              `json:"evicted"`
		Started   int64             `json:"started"`
		Nominated int               `json:"nominated"`
	} `json:"pods"`
	Asks       int         `json:"asks"`
	Feasible   []int       `json:"feasible"`
	Candidates []candidate `json:"candidates"`
	Best       []int       `json:"best"`
	Kind       string      `json:"kind"`
	To         int         `json:"to"`
}

func nodeName(i int) string { return fmt.Sprintf("n%d", i) }

func index(name string) int {
	var i int
	fmt.Sscanf(name[1:], "%d", &i)
	return i
}

func (s *scene) node(i int) *v1.Node {
	from := s.Nodes[i]
	has := v1.ResourceList{
		v1.ResourceCPU:   *resource.NewMilliQuantity(from.CPU, resource.DecimalSI),
		"nvidia.com/gpu": *resource.NewQuantity(from.GPUs, resource.DecimalSI),
		v1.ResourcePods:  *resource.NewQuantity(from.Pods, resource.DecimalSI),
	}
	return &v1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: nodeName(i), Labels: from.Labels},
		Spec:       v1.NodeSpec{Taints: from.Taints},
		Status:     v1.NodeStatus{Capacity: has, Allocatable: has},
	}
}

var begin = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func (s *scene) pod(i int) *v1.Pod {
	from := s.Pods[i]
	asks := v1.ResourceList{}
	if from.CPU > 0 {
		asks[v1.ResourceCPU] = *resource.NewMilliQuantity(from.CPU, resource.DecimalSI)
	}
	if from.GPUs > 0 {
		asks["nvidia.com/gpu"] = *resource.NewQuantity(from.GPUs, resource.DecimalSI)
	}
	name := fmt.Sprintf("p%d", i)
	pod := &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "ns", UID: types.UID(name), Labels: map[string]string{"budget": fmt.Sprint(from.Budget)}},
		Spec: v1.PodSpec{
			Priority:     &from.Priority,
			NodeSelector: from.Selector,
			Containers:   []v1.Container{{Name: "c", Resources: v1.ResourceRequirements{Requests: asks, Limits: asks}}},
		},
	}
	if from.Tolerates {
		pod.Spec.Tolerations = []v1.Toleration{{Key: "apart", Operator: v1.TolerationOpExists}}
	}
	if !from.Preempts {
		never := v1.PreemptNever
		pod.Spec.PreemptionPolicy = &never
	}
	if from.Node >= 0 {
		pod.Spec.NodeName = nodeName(from.Node)
		start := metav1.NewTime(begin.Add(time.Duration(from.Started) * time.Second))
		pod.Status.StartTime = &start
	}
	if from.Ending {
		now := metav1.NewTime(begin.Add(24 * time.Hour))
		pod.DeletionTimestamp = &now
		pod.Finalizers = []string{"kept.for/the-fake-client"}
		if from.Evicted {
			pod.Status.Conditions = []v1.PodCondition{{Type: v1.DisruptionTarget, Status: v1.ConditionTrue, Reason: v1.PodReasonPreemptionByScheduler}}
		}
	}
	if from.Nominated >= 0 {
		pod.Status.NominatedNodeName = nodeName(from.Nominated)
	}
	return pod
}

type said struct {
	Feasible   []int
	Candidates []candidate
	Kind       string
	To         int // chosen, of Best
}

func real(s *scene) (said, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var nodes []*v1.Node
	for i := range s.Nodes {
		nodes = append(nodes, s.node(i))
	}
	var standing, waiting []*v1.Pod
	var objects []runtime.Object
	var asks *v1.Pod
	for i := range s.Pods {
		if s.Pods[i].Gone {
			continue
		}
		pod := s.pod(i)
		objects = append(objects, pod)
		if pod.Spec.NodeName != "" {
			standing = append(standing, pod)
		} else {
			waiting = append(waiting, pod)
		}
		if i == s.Asks {
			asks = pod
		}
	}
	factory := informers.NewSharedInformerFactory(fake.NewClientset(objects...), 0)
	store := factory.Core().V1().Pods().Informer().GetStore()
	for _, object := range objects {
		if err := store.Add(object); err != nil {
			return said{}, err
		}
	}
	less := func(a, b fwk.QueuedPodInfo) bool { return (&queuesort.PrioritySort{}).Less(a, b) }
	queue := internalqueue.NewTestQueueWithInformerFactory(ctx, less, factory)
	for _, pod := range waiting {
		queue.Add(ctx, pod)
	}
	snapshot := internalcache.NewSnapshot(standing, nodes)
	handle, err := tf.NewFramework(ctx, []tf.RegisterPluginFunc{
		tf.RegisterQueueSortPlugin(queuesort.Name, queuesort.New),
		tf.RegisterBindPlugin(defaultbinder.Name, defaultbinder.New),
		tf.RegisterPluginAsExtensions(noderesources.Name, frameworkruntime.FactoryAdapter(feature.Features{}, noderesources.NewFit), "Filter", "PreFilter"),
		tf.RegisterPluginAsExtensions(nodeaffinity.Name, frameworkruntime.FactoryAdapter(feature.Features{}, nodeaffinity.New), "Filter", "PreFilter"),
		tf.RegisterPluginAsExtensions(tainttoleration.Name, frameworkruntime.FactoryAdapter(feature.Features{}, tainttoleration.New), "Filter"),
	}, "", frameworkruntime.WithPodNominator(queue), frameworkruntime.WithSnapshotSharedLister(snapshot),
		frameworkruntime.WithInformerFactory(factory), frameworkruntime.WithLogger(klog.Background()))
	if err != nil {
		return said{}, err
	}
	state := framework.NewCycleState()
	if _, status, _ := handle.RunPreFilterPlugins(ctx, state, asks); !status.IsSuccess() {
		return said{}, status.AsError()
	}
	infos, err := handle.SnapshotSharedLister().NodeInfos().List()
	if err != nil {
		return said{}, err
	}
	out := said{Feasible: []int{}, Candidates: []candidate{}}
	var may []fwk.NodeInfo
	statuses := map[string]*fwk.Status{}
	for _, info := range infos {
		status := handle.RunFilterPluginsWithNominatedPods(ctx, state, asks, info)
		statuses[info.Node().Name] = status
		if status.IsSuccess() {
			out.Feasible = append(out.Feasible, index(info.Node().Name))
		} else if status.Code() == fwk.Unschedulable {
			may = append(may, info)
		}
	}
	sort.Ints(out.Feasible)
	plugin, err := defaultpreemption.New(ctx, &config.DefaultPreemptionArgs{MinCandidateNodesPercentage: 10, MinCandidateNodesAbsolute: 100}, handle, feature.Features{})
	if err != nil {
		return said{}, err
	}
	all := intstr.FromInt32(0)
	budgets := []*policy.PodDisruptionBudget{{
		ObjectMeta: metav1.ObjectMeta{Name: "spent", Namespace: "ns"},
		Spec:       policy.PodDisruptionBudgetSpec{MaxUnavailable: &all, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"budget": "true"}}},
	}}
	if len(out.Feasible) > 0 {
		out.Kind, out.To = "bound", out.Feasible[0]
		if at := s.Pods[s.Asks].Nominated; at >= 0 && slices.Contains(out.Feasible, at) {
			out.To = at
		}
	}
	found, _, err := plugin.Evaluator.DryRunPreemption(ctx, state, asks, may, budgets, 0, int32(len(may)+1))
	if err != nil {
		return said{}, err
	}
	for _, c := range found {
		one := candidate{Node: index(c.Name()), Victims: []int{}, Violations: int(c.Victims().NumPDBViolations)}
		for _, victim := range c.Victims().Pods {
			one.Victims = append(one.Victims, index(victim.Name))
		}
		out.Candidates = append(out.Candidates, one)
	}
	sort.Slice(out.Candidates, func(i, j int) bool { return out.Candidates[i].Node < out.Candidates[j].Node })
	if out.Kind != "" {
		return out, nil
	}
	if ok, _ := plugin.PodEligibleToPreemptOthers(ctx, asks, statuses[asks.Status.NominatedNodeName]); !ok {
		out.Kind = "waits"
	} else if len(found) == 0 {
		out.Kind = "hopeless"
	} else {
		out.Kind, out.To = "nominated", index(plugin.Evaluator.SelectCandidate(ctx, found).Name())
	}
	return out, nil
}

func differs(s *scene, r said) string {
	if !reflect.DeepEqual(s.Feasible, r.Feasible) {
		return fmt.Sprintf("feasible %v, the model says %v", r.Feasible, s.Feasible)
	}
	if s.Kind != r.Kind {
		return fmt.Sprintf("%s, the model says %s", r.Kind, s.Kind)
	}
	if r.Kind == "bound" && s.Pods[s.Asks].Nominated >= 0 && r.To != s.To && slices.Contains(r.Feasible, s.Pods[s.Asks].Nominated) {
		return fmt.Sprintf("bound to %d, the model says %d", r.To, s.To)
	}
	if r.Kind == "bound" {
		return ""
	}
	if !reflect.DeepEqual(s.Candidates, r.Candidates) {
		return fmt.Sprintf("candidates %v, the model says %v", r.Candidates, s.Candidates)
	}
	if r.Kind == "nominated" && !slices.Contains(s.Best, r.To) {
		return fmt.Sprintf("chooses %d, the model says one of %v", r.To, s.Best)
	}
	return ""
}

// Main judges standard input and returns the exit code.
func Main([]string) int {
	metrics.Register()
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<24)
	kinds := map[string]int{}
	scenes, different := 0, 0
	for in.Scan() {
		var s scene
		if err := json.Unmarshal(in.Bytes(), &s); err != nil {
			fmt.Println(err)
			return 1
		}
		r, err := real(&s)
		why := ""
		if err != nil {
			why = err.Error()
		} else {
			why = differs(&s, r)
		}
		if why != "" {
			different++
			fmt.Printf("preemption: %s\n  %s\n", why, in.Text())
		}
		kinds[s.Kind]++
		scenes++
	}
	fmt.Printf("preemption: %d scenes (%v), %d differences\n", scenes, kinds, different)
	for _, kind := range []string{"bound", "nominated", "waits", "hopeless"} {
		if scenes >= 500 && kinds[kind]*50 < scenes {
			fmt.Printf("preemption: too few are %s\n", kind)
			return 1
		}
	}
	if different > 0 || scenes == 0 {
		return 1
	}
	return 0
}
