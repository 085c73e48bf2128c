#!/usr/bin/env bash
# Every way round admission that can be played, by a tenant whom RBAC lets do everything: each is refused by the guard that
# is there for it, in that guard's words, or ends in a state that says so. Then each guard is left out, and the same requests
# must go through: whoever refused them was the guard. In the end no sentence of an emitted guard was left unsaid.
#
# A guard is left out for single requests: while these are tried, each has a match condition more, by which it does not look
# at requests that name it. So the others are all there, and nobody waits for bindings to be forgotten and found again.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../results.sh"
. "$here/../tenant.sh"
rendered=$1 state=$CP_DIR/state
heard=$state/refusals
touch "$heard"
name="morning-ramp, bypass"
without= # the guard that is left out of what these ask for
by() { timeout 60 kubectl ${without:+--as-user-extra=without=$without} --as "$@"; } # by USER ARG...
tenant() { by tenant "$@"; }
play() { tenant apply --server-side --validate=strict -f - > /dev/null; }
dry() { tenant create --dry-run=server --validate=strict -f "$1"; }
patch() { tenant -n "$1" patch "$2" "$3" --dry-run=server --type "${5:-merge}" -p "$4"; }
raw() { tenant create --raw "$1" -f "$2"; }

# try GUARD TITLE MESSAGE CMD...: the guard must refuse CMD, which changes nothing itself (a dry run)
guards=() titles=() messages=() commands=()
try() {
  guards+=("gpol-$1") titles+=("$2") messages+=("$3")
  shift 3
  commands+=("$(printf '%q ' "$@")")
}
refused_by() { # refused_by GUARD MESSAGE COMMAND
  local out
  if out=$(eval "$3" 2>&1); then
    echo "accepted: $out"
    return 1
  fi
  echo "$out"
  echo "$out" >> "$heard"
  grep -qF "ValidatingAdmissionPolicy '$1'" <<< "$out" && grep -qF "denied request: $2" <<< "$out"
}
accepted() { # accepted GUARD COMMAND: without the guard
  local without=$1
  eval "$2"
}
no_guard_refuses() { # no_guard_refuses GUARD COMMAND: without the guard
  local out without=$1
  out=$(eval "$2" 2>&1) || true
  ! grep ValidatingAdmissionPolicy <<< "$out"
}

# --- what the attempts are about
must_queue="a pod that asks for a GPU must be queued"
no_toleration="a pod does not tolerate the taint of GPU nodes by itself"
job_must_queue="a Job that asks for GPUs, or tolerates the taint of GPU nodes, must be queued"
by_scheduler="kube-scheduler chooses the node of a pod"
gpu="containers: [$(container 8)]"
cpu="containers: [{name: c, image: example.invalid/x}]"
on_shared="$(there shared), $(tolerate)"
tenant create namespace playground > /dev/null
within 30 kubectl -n playground get serviceaccount default > /dev/null
job search-prod owner "$(queue search standard)" "$cpu" | play
gate="schedulingGates: [{name: kueue.x-k8s.io/admission}]"
pod playground gated "" "$gpu, $gate" | play
job playground held "" "$gpu" | sed 's/^spec: {/&suspend: true, /' | play
pod search-prod idle "kueue.x-k8s.io/managed: 'true'" "$cpu, $gate" | play
pod search-prod unlabelled "" "$gpu, $gate" | play
held() { sed 's/^spec: {/&suspend: true, /'; } # without a queue it waits for ever
job ml-train squatter "kueue.x-k8s.io/priority-class: batch" "$cpu, $on_shared" | held | play
job ml-train unlabelled "kueue.x-k8s.io/priority-class: batch" "$gpu" | held | play
job ml-train idle "kueue.x-k8s.io/priority-class: batch" "$cpu" | held | play
within 60 running 1 search-prod job-name=owner shared
owner_of() { # of the Job named so: an owner reference to it
  kubectl -n "$1" get job "$2" -o jsonpath='{"{apiVersion: batch/v1, kind: Job, controller: true, name: "}{.metadata.name}{", uid: "}{.metadata.uid}{"}"}'
}
batch_pod=$(pod_of ml-train job-name=sweep)
forged=", ownerReferences: [$(owner_of search-prod owner)]"
pod search-prod homeless "" "$cpu, nodeSelector: {nowhere: at-all}" | play
files=$state/attempts
mkdir -p "$files"
f() { cat > "$files/$1.yaml" && echo "$files/$1.yaml"; }

# --- pods
guard=gpu-pods-queued
try $guard "a GPU pod in a namespace of its own" "$must_queue" dry "$(pod playground x "" "$gpu, $on_shared" | f foreign)"
try $guard "a GPU pod without tolerations" "$must_queue" dry "$(pod playground x "" "$gpu" | f bare)"
try $guard "a pod whose init container asks for a GPU" "$must_queue" dry "$(pod playground x "" "$cpu, initContainers: [$(container 1)]" | f init)"
try $guard "a GPU pod that waits for Kueue and tolerates the taint" "$no_toleration" dry "$(pod playground x "" "$gpu, $gate, $on_shared" | f tolerant-gpu)"
try $guard "the gate taken off a GPU pod by hand" "only Kueue lets a queued pod start" patch playground pod gated \
  '[{"op":"remove","path":"/spec/schedulingGates"}]' json
guard=tenant-pods-queued
try $guard "a pod with a claim of a device" "$must_queue" dry \
  "$(pod search-prod x "" "$cpu, resourceClaims: [{name: gpu, resourceClaimTemplateName: x}]" | f claim)"
try $guard "a pod without GPUs on GPU nodes" "$no_toleration" dry "$(pod search-prod x "" "$cpu, $on_shared" | f squatter)"
try $guard "a pod that tolerates everything" "$no_toleration" dry "$(pod search-prod x "" "$cpu, tolerations: [{operator: Exists}]" | f tolerant)"
try $guard "a toleration for a pod that is there" "$no_toleration" patch search-prod pod homeless \
  '[{"op":"add","path":"/spec/tolerations/-","value":{"key":"gpol.dev/gpu-pool","operator":"Exists"}}]' json
try $guard "a pod that names its node" "$by_scheduler" dry "$(pod search-prod x "" "$cpu, nodeName: shared-0" | f named)"
try $guard "the gate taken off by hand" "only Kueue lets a queued pod start" patch search-prod pod idle \
  '[{"op":"remove","path":"/spec/schedulingGates"}]' json
try pods-bound-by-scheduler "a pod bound by hand" "$by_scheduler" raw \
  "/api/v1/namespaces/search-prod/pods/homeless/binding?dryRun=All" "$(f binding <<< '{"apiVersion":"v1","kind":"Binding","metadata":{"name":"homeless"},"target":{"kind":"Node","name":"shared-0"}}')"
# As a kubelet does that can resize; the fake one does not say so.
kubectl --as kubelet --as-group system:masters --as-group system:nodes -n search-prod patch pod search-0 --subresource status --type json \
  -p '[{"op":"add","path":"/status/containerStatuses/0/resources","value":{"requests":{"cpu":"4","memory":"32Gi"}}}]' > /dev/null
try gpu-pods-keep-size "a running GPU pod resized" "a pod on GPU nodes keeps the cpu and memory" tenant -n search-prod patch pod search-0 \
  --subresource resize --dry-run=server -p '{"spec":{"containers":[{"name":"c8","resources":{"requests":{"cpu":"100"}}}]}}'
try gpu-pods-keep-owner "a pod taken from its Job" "a pod on GPU nodes keeps its owner" patch ml-train pod "$batch_pod" \
  '[{"op":"remove","path":"/metadata/ownerReferences"}]' json
try gpu-pods-keep-owner "a pod given a second owner" "a pod on GPU nodes keeps its owner" patch ml-train pod "$batch_pod" \
  '[{"op":"add","path":"/metadata/ownerReferences/-","value":{"apiVersion":"v1","kind":"ConfigMap","name":"x","uid":"x"}}]' json
try gpu-pods-keep-owner "a pod taken out of its Job's selector" "a pod on GPU nodes keeps its label" patch ml-train pod "$batch_pod" \
  '{"metadata":{"labels":{"batch.kubernetes.io/controller-uid":null}}}'
try pods-run-as-counted "a pod hidden from Kueue" "a pod keeps its label kueue.x-k8s.io/managed" patch search-prod pod search-0 \
  '{"metadata":{"labels":{"kueue.x-k8s.io/managed":null}}}'
owner_pod=$(pod_of search-prod job-name=owner)
try gpu-pods-keep-owner "a pod without GPUs on GPU nodes taken from its Job" "a pod on GPU nodes keeps its owner" patch search-prod pod "$owner_pod" \
  '[{"op":"remove","path":"/metadata/ownerReferences"}]' json
try statefulsets-keep-size "a StatefulSet scaled up" "a StatefulSet of this namespace is not scaled up" tenant -n search-prod patch statefulset search \
  --subresource scale --dry-run=server --type merge -p '{"spec":{"replicas":3}}'
try statefulsets-keep-status "a StatefulSet labelled by its status" "the status of a StatefulSet is written by its controller" tenant -n search-prod patch \
  statefulset search --subresource status --dry-run=server --type merge -p '{"metadata":{"labels":{"kueue.x-k8s.io/queue-name":"other"}}}'

try devices-by-name "a device by the name of its DeviceClass" "a pod asks for a device as nvidia.com/..." dry \
  "$(pod search-prod x "" "containers: [{name: c, image: example.invalid/x, resources: {limits: {deviceclass.resource.kubernetes.io/gpu: 1}}}]" | f byclass)"
try pods-nominated-by-scheduler "a node kept for a pod that never runs" "kube-scheduler chooses the node that is kept for a pod" tenant -n search-prod \
  patch pod homeless --subresource status --dry-run=server -p '{"status":{"nominatedNodeName":"shared-0"}}'
try pods-repel-no-others "a pod that keeps serving off its nodes" "a pod's required anti-affinity is about pods of its own namespace" dry \
  "$(pod search-prod x "" "$cpu, affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/os, namespaceSelector: {}, labelSelector: {}}]}}" | f repels)"

# --- serving among itself
tenant create priorityclass below --value=-5 > /dev/null
serves="pods of this namespace have priority 0: name no PriorityClass, or gpol-queued"
try pods-of-serving-have-priority "a serving pod above the others" "$serves" dry \
  "$(pod search-prod x "$(queue search standard)" "$gpu, priorityClassName: system-cluster-critical" | f critical)"
try pods-of-serving-have-priority "a serving pod below batch" "$serves" dry "$(pod search-prod x "$(queue search standard)" "$gpu, priorityClassName: below" | f below)"
try serving-above-batch "a serving Job in batch's class" "what serves is in no priority class of batch" dry "$(job search-prod x "$(queue search batch)" "$gpu" | f lowly)"
try serving-above-batch "a serving Job lowered into batch's class" "what serves is in no priority class of batch" patch search-prod job owner \
  '{"metadata":{"labels":{"kueue.x-k8s.io/priority-class":"batch"}}}'
no_ports="a pod that serves asks for no port of its node"
port="name: d, image: example.invalid/x, ports: [{containerPort: 80, hostPort: 80}]"
try serving-takes-no-ports "a serving pod that asks for a port of its node" "$no_ports" dry \
  "$(pod search-prod x "$(queue search standard)" "containers: [$(container 8), {$port}]" | f port)"
try serving-takes-no-ports "a serving pod whose init container asks for a port" "$no_ports" dry \
  "$(pod search-prod x "$(queue search standard)" "$gpu, initContainers: [{$port}]" | f init-port)"

# --- Jobs
try gpu-jobs-queued "a GPU Job in a namespace of its own" "$job_must_queue" dry "$(job playground x "" "$gpu" | f foreign-job)"
try gpu-jobs-queued "a GPU Job whose pods name their node" "$by_scheduler" dry "$(job playground x "" "$gpu, nodeName: shared-0" | sed 's/^spec: {/&suspend: true, /' | f named-gpu-job)"
try gpu-jobs-queued "a GPU Job started by hand" "only Kueue starts a queued Job" patch playground job held '{"spec":{"suspend":false}}'
try tenant-jobs-queued "a Job whose pods name their node" "$by_scheduler" dry "$(job ml-train x "$(queue finetune batch)" "$cpu, nodeName: shared-0" | f named-job)"
try tenant-jobs-queued "a Job started by hand" "only Kueue starts a queued Job" patch ml-train job squatter '{"spec":{"suspend":false}}'
try tenant-jobs-queued "more pods for a running Job" "a running Job keeps the number of pods" patch ml-train job sweep '{"spec":{"parallelism":9}}'
try jobs-keep-pods "a Job below another managed Job" "a queued Job keeps its owner" patch ml-train job train \
  "{\"metadata\":{\"ownerReferences\":[$(kubectl -n ml-train get job sweep -o jsonpath='{"{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\",\"controller\":true,\"name\":\"sweep\",\"uid\":\""}{.metadata.uid}{"\"}"}')]}}"
try jobs-keep-pods "a Job that stays when it is deleted" "a queued Job carries no finalizer" patch ml-train job train '{"metadata":{"finalizers":["example.com/keep"]}}'
try jobs-keep-pods "a Job with a selector of its own" "a queued Job finds its pods by the selector" dry \
  "$(job ml-train x "$(queue finetune batch)" "$gpu" | sed 's/^spec: {/&manualSelector: true, selector: {matchLabels: {a: b}}, /; s/template: {/&metadata: {labels: {a: b}}, /' | f selector)"
try jobs-keep-pods "a waiting Job without GPUs below another one" "a queued Job keeps its owner" patch ml-train job idle \
  "{\"metadata\":{\"ownerReferences\":[$(kubectl -n ml-train get job sweep -o jsonpath='{"{\"apiVersion\":\"batch/v1\",\"kind\":\"Job\",\"controller\":true,\"name\":\"sweep\",\"uid\":\""}{.metadata.uid}{"\"}"}')]}}"
play <<< '{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: orphan, namespace: ml-train}, spec: {replicas: 0, selector: {matchLabels: {app: orphan}}, template: {metadata: {labels: {app: orphan}}, spec: {containers: [{name: c, image: example.invalid/x}]}}}}'
try jobs-keep-pods "a Job below a ReplicaSet that a Deployment may adopt" "a queued Job has no controller but a CronJob" dry \
  "$(job ml-train x "$(queue finetune batch)" "$gpu" ", ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, controller: true, name: orphan, uid: $(kubectl -n ml-train get replicaset orphan -o jsonpath='{.metadata.uid}')}]" | f below-replicaset)"
prebuilt=kueue.x-k8s.io/prebuilt-workload-name
try jobs-run-as-counted "more pods beside each other than a Job has to complete" "a queued Job runs no more pods beside each other than it has to complete" dry \
  "$(job ml-train x "$(queue finetune batch)" "$gpu" | sed 's/parallelism: 1/parallelism: 3/; s/completions: 1/completions: 2/' | f beside)"
try jobs-run-as-counted "a waiting Job given the Workload of another name" "$prebuilt is written by Kueue alone" patch ml-train job idle \
  "{\"metadata\":{\"labels\":{\"$prebuilt\":\"other\"}}}"
try jobs-run-as-counted "a waiting Job given the Workload of another name, by annotation" "$prebuilt is written by Kueue alone" patch ml-train job idle \
  "{\"metadata\":{\"annotations\":{\"$prebuilt\":\"other\"}}}"
try pods-run-as-counted "a pod given the Workload of another name" "$prebuilt is written by Kueue alone" patch search-prod pod unlabelled \
  "{\"metadata\":{\"annotations\":{\"$prebuilt\":\"other\"}}}"
try pods-run-as-counted "a pod without GPUs hidden from Kueue" "a pod keeps its label kueue.x-k8s.io/managed" patch search-prod pod idle \
  '{"metadata":{"labels":{"kueue.x-k8s.io/managed":null}}}'
few_notes="a queued Job has 32 annotations at most, of 1024 characters each"
annotated() { patch ml-train job idle "{\"metadata\":{\"annotations\":{$1}}}"; }
kueues_notes="a pod keeps the annotations kueue.x-k8s.io/... that it has"
try pods-run-as-counted "a group that is said to be of fewer pods" "$kueues_notes" patch search-prod pod search-0 \
  '{"metadata":{"annotations":{"kueue.x-k8s.io/pod-group-total-count":"7"}}}'
try pods-run-as-counted "a group that is said to serve no longer" "$kueues_notes" patch search-prod pod search-0 \
  '{"metadata":{"annotations":{"kueue.x-k8s.io/pod-group-serving":null}}}'
try jobs-run-as-counted "a Job with many annotations" "$few_notes" annotated "$(seq -s, -f '"a%g":"x"' 40)"
try jobs-run-as-counted "a Job with a long annotation" "$few_notes" annotated "\"a\":\"$(printf '%1025s' | tr ' ' x)\""
try jobs-run-as-counted "a Job with a manifest that is too long" "$few_notes" annotated \
  "\"kubectl.kubernetes.io/last-applied-configuration\":\"$(printf '%24577s' | tr ' ' x)\""
try jobs-run-as-counted "a Job of another controller" "a queued Job is managed by the Job controller" dry \
  "$(job ml-train x "$(queue finetune batch)" "$gpu" | sed 's/^spec: {/&managedBy: example.com\/mine, /' | f managed-by)"
try jobs-keep-status "the status of a waiting Job without GPUs written by hand" "the status of a queued Job is written by its controller" \
  tenant -n ml-train patch job idle --subresource status --dry-run=server --type merge -p '{"status":{"terminating":1}}'
try jobs-keep-pods "a waiting Job without GPUs that stays when it is deleted" "a queued Job carries no finalizer" \
  patch ml-train job idle '{"metadata":{"finalizers":["example.com/keep"]}}'
try jobs-take-pods-along "a Job deleted without its pods" "a queued Job is deleted with its pods" \
  tenant -n ml-train delete job sweep --cascade=orphan --wait=false --dry-run=server
try jobs-take-pods-along "a Job deleted without its pods, the old way" "a queued Job is deleted with its pods" \
  tenant delete --raw "/apis/batch/v1/namespaces/ml-train/jobs/sweep?orphanDependents=true&dryRun=All"
try jobs-take-pods-along "a Job without GPUs deleted without its pods on GPU nodes" "a queued Job is deleted with its pods" \
  tenant -n search-prod delete job owner --cascade=orphan --wait=false --dry-run=server
try jobs-keep-pods "a Job without GPUs on GPU nodes that stays when it is deleted" "a queued Job carries no finalizer" \
  patch search-prod job owner '{"metadata":{"finalizers":["example.com/keep"]}}'
try jobs-keep-status "a Job's status written by hand" "the status of a queued Job is written by its controller" \
  tenant -n ml-train patch job sweep --subresource status --dry-run=server --type merge -p '{"status":{"terminating":1}}'
try jobs-take-pods-along "a Job deleted without a word of its pods" "a queued Job is deleted with its pods" \
  tenant delete --raw "/apis/batch/v1/namespaces/ml-train/jobs/sweep?dryRun=All"
try gpu-pods-keep-phase "a running pod that is said to have ended" "whether a pod on GPU nodes has ended is written by its kubelet" \
  tenant -n ml-train patch pod "$batch_pod" --subresource status --dry-run=server --type merge -p '{"status":{"phase":"Failed"}}'
try gpu-pods-keep-phase "a pod that is said to hold a whole node" "what a pod on GPU nodes holds is written by its kubelet" \
  tenant -n ml-train patch pod "$batch_pod" --subresource status --dry-run=server --type json \
  -p '[{"op":"add","path":"/status/containerStatuses/0/resources","value":{"requests":{"cpu":"184"}}}]'
try pods-form-no-groups "a pod of a group by annotation" "only Kueue makes pods a group" dry \
  "$(pod search-prod x "$(queue search standard)" "$gpu" ", annotations: {kueue.x-k8s.io/pod-group-name: g, kueue.x-k8s.io/pod-group-total-count: \"2\", kueue.x-k8s.io/role-hash: same}" | f group-annotation)"
try pods-form-no-groups "a pod that is there made one of a group" "only Kueue makes pods a group" patch search-prod pod unlabelled \
  '{"metadata":{"annotations":{"kueue.x-k8s.io/pod-group-name":"late","kueue.x-k8s.io/pod-group-total-count":"1"}}}'
try pods-form-no-groups "a pod that Kueue takes for one of a StatefulSet" "the annotation kueue.x-k8s.io/pod-suspending-parent is written by Kueue alone" dry \
  "$(pod search-prod x "$(queue search standard)" "$gpu" ", annotations: {kueue.x-k8s.io/pod-suspending-parent: statefulset}" | f parent)"
try pods-form-no-groups "a pod of a group" "only Kueue makes pods a group" dry \
  "$(pod search-prod x "$(queue search standard), kueue.x-k8s.io/pod-group-name: g" "$gpu" ", annotations: {kueue.x-k8s.io/pod-group-total-count: \"2\", kueue.x-k8s.io/role-hash: same}" | f group)"
writer() { by "$PIPELINE" --as-group system:masters "$@"; } # one who may by RBAC, too
try limit-ranges-have-writers "default requests, which Kueue counts in the stead of limits" "a LimitRange of this namespace sets no defaults" \
  writer create --dry-run=server -f "$(f default-request <<< '{apiVersion: v1, kind: LimitRange, metadata: {name: x, namespace: ml-train}, spec: {limits: [{type: Container, min: {nvidia.com/gpu: "1"}}]}}')"
try limit-ranges-have-writers "defaults for what a Job's next pods ask for" "the LimitRanges of this namespace are written by the policy's pipeline alone" dry \
  "$(f limitrange <<< '{apiVersion: v1, kind: LimitRange, metadata: {name: x, namespace: ml-train}, spec: {limits: [{type: Container, default: {nvidia.com/gpu: "8"}}]}}')"

only_pipeline_counts="the ResourceQuota gpol-jobs is written by the policy's pipeline alone"
try job-quotas-have-writers "more Jobs than the policy lets a namespace hold" "$only_pipeline_counts" patch ml-train resourcequota gpol-jobs '{"spec":{"hard":{"count/jobs.batch":"9000"}}}'
try job-quotas-have-writers "the quota of Jobs deleted" "$only_pipeline_counts" tenant -n ml-train delete resourcequota gpol-jobs --dry-run=server
try job-quotas-have-writers "Jobs that are not counted" "what the ResourceQuota gpol-jobs counts is written by the control plane alone" tenant -n ml-train patch resourcequota gpol-jobs \
  --subresource status --dry-run=server --type merge -p '{"status":{"used":{"count/jobs.batch":"0"}}}'

# --- Kueue's objects
train_workload=$(kubectl -n ml-train get workloads -o jsonpath='{.items[?(@.metadata.ownerReferences[0].name=="train")].metadata.name}')
workload_yaml() {
  echo "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: x, namespace: ml-train}, spec: {queueName: finetune, podSets: [{name: main, count: 1, template: {spec: {restartPolicy: Never, $gpu}}}]}}"
}
try workloads-are-kueues "a Workload made by hand" "only Kueue writes Workloads" dry "$(workload_yaml | f workload)"
try workloads-are-kueues "a Workload deleted by hand" "only Kueue writes Workloads" tenant -n ml-train delete workload "$train_workload" --wait=false --dry-run=server
try workloads-are-kueues "a Workload lifted by hand" "only Kueue writes Workloads" patch ml-train workload "$train_workload" '{"metadata":{"labels":{"a":"b"}}}'
try workloads-are-kueues "a Workload admitted by hand" "only Kueue writes Workloads" tenant -n ml-train patch workload "$train_workload" --subresource status \
  --dry-run=server --type merge -p '{"status":{"requeueState":{"count":1}}}'
try workloads-are-kueues "a Workload kept by what says that it belongs to it" "a Workload is deleted without waiting for what says that it belongs to it" \
  by system:serviceaccount:kube-system:generic-garbage-collector -n ml-train delete workload "$train_workload" --cascade=foreground --wait=false --dry-run=server
try workloads-are-kueues "a Workload of another kind of job" "what queues in this namespace is a Job, a pod or a StatefulSet" \
  by system:serviceaccount:kueue-system:kueue-controller-manager create --dry-run=server --validate=strict -f \
  "$(workload_yaml | sed 's/metadata: {/&ownerReferences: [{apiVersion: jobset.x-k8s.io\/v1alpha2, kind: JobSet, name: x, uid: x, controller: true}], /' | f workload-of-jobset)"
only_pipeline="the queues, cohorts, flavors and priority classes of this policy are written by its pipeline alone"
try queues-have-writers "a LocalQueue onto serving's ClusterQueue" "$only_pipeline" dry \
  "$(f localqueue <<< '{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: mine, namespace: ml-train}, spec: {clusterQueue: search}}')"
try queues-have-writers "a ClusterQueue with other limits" "$only_pipeline" patch ml-train clusterqueue search '{"spec":{"queueingStrategy":"StrictFIFO"}}'
try queues-have-writers "a Cohort below this one" "$only_pipeline" dry \
  "$(f cohort <<< '{apiVersion: kueue.x-k8s.io/v1beta2, kind: Cohort, metadata: {name: mine}, spec: {parentName: eu-west}}')"
try queues-have-writers "a ClusterQueue that joins the cohort" "$only_pipeline" dry \
  "$(f joins <<< '{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: mine}, spec: {cohortName: eu-west, namespaceSelector: {}}}')"
try queues-have-writers "a ClusterQueue that joins the cohort, in an older version" "$only_pipeline" dry \
  "$(f joins-old <<< '{apiVersion: kueue.x-k8s.io/v1beta1, kind: ClusterQueue, metadata: {name: mine}, spec: {cohort: eu-west, namespaceSelector: {}}}')"
try queues-have-writers "a ClusterQueue on the same flavor" "$only_pipeline" dry \
  "$(f shares <<< '{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: mine}, spec: {namespaceSelector: {}, resourceGroups: [{coveredResources: [nvidia.com/gpu], flavors: [{name: shared, resources: [{name: nvidia.com/gpu, nominalQuota: 8}]}]}]}}')"
try queues-have-writers "a flavor of the same nodes" "$only_pipeline" dry \
  "$(f same-nodes <<< '{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: mine}, spec: {nodeLabels: {gpol.dev/gpu-pool: shared}}}')"
try queues-have-writers "a flavor that tolerates the taint of these nodes" "$only_pipeline" dry \
  "$(f same-taint <<< '{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: mine}, spec: {tolerations: [{key: gpol.dev/gpu-pool, operator: Exists}]}}')"
try queues-have-writers "a flavor on other nodes" "$only_pipeline" patch ml-train resourceflavor burst '{"metadata":{"labels":{"a":"b"}}}'
try queues-have-writers "a priority class of another value" "$only_pipeline" patch ml-train workloadpriorityclass batch '{"metadata":{"labels":{"a":"b"}}}'
try queues-have-writers "a queue deleted" "$only_pipeline" tenant -n search-prod delete localqueue search --dry-run=server

# --- batch leaves when told, and ranks below
try batch-leaves "a plain pod where only Jobs run" "pods of this namespace are made by Jobs" dry "$(pod ml-train x "$(queue finetune batch)" "$gpu" | f plain)"
try batch-leaves "a finalizer for a running pod" "pods of this namespace carry no finalizer" patch ml-train pod "$batch_pod" \
  '[{"op":"add","path":"/metadata/finalizers/-","value":"example.com/keep"}]' json
try batch-leaves "a pod deleted with a long grace" "a pod is deleted with 60 s of grace here at most" \
  tenant -n ml-train delete pod "$batch_pod" --grace-period=100000 --wait=false --dry-run=server
try batch-leaves "a pod deleted at once" "a pod is deleted with some grace here" \
  tenant -n ml-train delete pod "$batch_pod" --grace-period=0 --force --wait=false --dry-run=server
try batch-evictions "a pod evicted at once" "a pod is evicted with 1 to 60 s of grace here" raw "/api/v1/namespaces/ml-train/pods/$batch_pod/eviction?dryRun=All" \
  "$(f eviction0 <<< "{\"apiVersion\":\"policy/v1\",\"kind\":\"Eviction\",\"metadata\":{\"name\":\"$batch_pod\",\"namespace\":\"ml-train\"},\"deleteOptions\":{\"gracePeriodSeconds\":0,\"dryRun\":[\"All\"]}}")"
try batch-leaves "a pod deleted with a long grace, said in the query" "a pod is deleted with 60 s of grace here at most" \
  tenant delete --raw "/api/v1/namespaces/ml-train/pods/$batch_pod?gracePeriodSeconds=100000&dryRun=All"
try batch-leaves "all pods deleted with a long grace" "a pod is deleted with 60 s of grace here at most" \
  tenant delete --raw "/api/v1/namespaces/ml-train/pods?gracePeriodSeconds=100000&dryRun=All"
try batch-evictions "a pod evicted with a long grace" "a pod is evicted with 1 to 60 s of grace here" raw "/api/v1/namespaces/ml-train/pods/$batch_pod/eviction?dryRun=All" \
  "$(f eviction <<< "{\"apiVersion\":\"policy/v1\",\"kind\":\"Eviction\",\"metadata\":{\"name\":\"$batch_pod\",\"namespace\":\"ml-train\"},\"deleteOptions\":{\"gracePeriodSeconds\":100000,\"dryRun\":[\"All\"]}}")"
try batch-job-priority "a Job in serving's class" "label it kueue.x-k8s.io/priority-class: batch" dry "$(job ml-train x "$(queue finetune realtime)" "$gpu" | f realtime)"
try batch-job-priority "a Job in no class" "label it kueue.x-k8s.io/priority-class: batch" dry "$(job ml-train x "kueue.x-k8s.io/queue-name: finetune" "$gpu" | f classless)"
try batch-job-priority "a Job lifted into serving's class" "label it kueue.x-k8s.io/priority-class: batch" patch ml-train job unlabelled \
  '{"metadata":{"labels":{"kueue.x-k8s.io/priority-class":"realtime"}}}'
try batch-pod-priority "a pod in serving's class" "a pod keeps its priority class" patch ml-train pod "$batch_pod" \
  '{"metadata":{"labels":{"kueue.x-k8s.io/priority-class":"realtime"}}}'

try batch-runs-no-statefulsets "a StatefulSet whose pods nobody may make" "a StatefulSet of this namespace has 0 replicas" dry \
  "$(workload StatefulSet ml-train x "$(queue finetune batch)" 1 "$gpu" | f ghost)"
by_status() { tenant -n ml-train patch pod "$batch_pod" --subresource status --dry-run=server --type json -p "$1"; }
try pods-status-changes-nothing-else "a pod taken out of its Job's selector, by its status" \
  "what a pod is found and counted by is not written with its status" \
  by_status '[{"op":"replace","path":"/metadata/labels/batch.kubernetes.io~1controller-uid","value":"x"}]'
try pods-status-changes-nothing-else "a pod that Kueue's webhook lets nobody write to, by its status" \
  "what a pod is found and counted by is not written with its status" \
  by_status '[{"op":"add","path":"/metadata/annotations","value":{"kueue.x-k8s.io/pod-group-total-count":"1"}}]'
try pods-status-changes-nothing-else "a finalizer for a running pod, by its status" "no finalizer is written with a pod's status" \
  by_status '[{"op":"add","path":"/metadata/finalizers/-","value":"example.com/keep"}]'

kubectl -n ml-train get pod "$batch_pod" -o json |
  kubectl patch --local -f - --type json -o json -p '[{"op":"add","path":"/spec/ephemeralContainers","value":[{"name":"e","image":"x","securityContext":{"privileged":true}}]}]' > "$files/ephemeral.json"
try batch-keeps-to-its-containers "a privileged container for a running pod" "containers of this namespace are not privileged" \
  tenant replace --raw "/api/v1/namespaces/ml-train/pods/$batch_pod/ephemeralcontainers?dryRun=All" -f "$files/ephemeral.json"

# A Job of batch is not written to at all: what the other guards say of its updates is heard while this one is away.
still=gpol-batch-jobs-stay-as-made
unbind() { pipeline delete validatingadmissionpolicybinding "$1" > /dev/null; }
note_job="patch ml-train job train '{\"metadata\":{\"annotations\":{\"a\":\"b\"}}}'"
expect "$name: a Job written to: refused by $still" within 15 refused_by "$still" "a Job of this namespace stays as it was made" "$note_job"
unbind "$still"
unbound() { eval "$1"; }
expect "$name: without $still: a Job written to: accepted" within 15 unbound "$note_job"

# together CHECK INDEX...: CHECK INDEX for each, several at a time
together() {
  local check=$1 i running=0
  shift
  for i in "$@"; do
    [ $running -lt 6 ] || { wait -n; running=$((running - 1)); }
    { "$check" "$i" || fail "$name: $check $i ended early"; } &
    running=$((running + 1))
  done
  wait
}
first=() # of each guard's attempts
for i in "${!guards[@]}"; do
  [[ " ${guards[*]:0:i} " = *" ${guards[i]} "* ]] || first+=("$i")
done
is_refused() { expect "$name: ${titles[$1]}: refused by ${guards[$1]}" within 15 refused_by "${guards[$1]}" "${messages[$1]}" "${commands[$1]}"; }
is_accepted() {
  if [ "${titles[$1]}" = "a pod in serving's class" ]; then # the PriorityClass below is this guard's control
    expect "$name: without ${guards[$1]}: ${titles[$1]}: no guard refuses it" within 15 no_guard_refuses "${guards[$1]}" "${commands[$1]}"
    refuses "$name: without ${guards[$1]}: ${titles[$1]}: refused by Kueue" 'admission webhook "vpod.kb.io" denied' accepted "${guards[$1]}" "${commands[$1]}"
  else
    expect "$name: without ${guards[$1]}: ${titles[$1]}: accepted" within 15 accepted "${guards[$1]}" "${commands[$1]}"
  fi
}
is_refused_again() { expect "$name: with ${guards[$1]} again: ${titles[$1]}: refused" within 15 refused_by "${guards[$1]}" "${messages[$1]}" "${commands[$1]}"; }
together is_refused "${!guards[@]}"

# --- without its guard each of them goes through
# A request names a guard as an impersonator may, or its object by a label: pods of Jobs are asked for by a controller.
perl -e '$/ = "\n---\n"; while (<>) {
  if (/^kind: ValidatingAdmissionPolicy$/m && /^  name: (\S+)$/m) {
    my $name = $1;
    s/^spec:\n/spec:
  matchConditions:
    - name: not-left-out
      expression: "!(has(request.userInfo.extra) && \x27without\x27 in request.userInfo.extra && \x27$name\x27 in request.userInfo.extra[\x27without\x27]) && ![object, oldObject].exists(o, o != null && has(o.metadata) && has(o.metadata.labels) && \x27without\x27 in o.metadata.labels && o.metadata.labels[\x27without\x27] == \x27$name\x27)"
/m or die;
    $count++;
  }
  print } END { die unless $count }' "$rendered/night.yaml" > "$state/left-out.yaml"
leave_out() { apply "$state/left-out.yaml" && unbind "$still"; }
expect "$name: guards can be left out" leave_out
together is_accepted "${!guards[@]}"
together is_refused_again "${first[@]}"

# What is left without the guard of the queues: Kueue's own namespaceSelector.
guard=gpol-queues-have-writers
without=$guard tenant create -f "$files/localqueue.yaml" > /dev/null
job ml-train mine "$(queue mine batch)" "$gpu" | play
mismatch() { kubectl -n ml-train get workloads -o jsonpath='{.items[?(@.spec.queueName=="mine")].status.conditions[*].message}' | grep -q "namespace doesn't match ClusterQueue selector"; }
expect "$name: a LocalQueue of one's own onto serving's ClusterQueue: its workloads stay pending" within 20 mismatch
tenant -n ml-train delete job/mine --wait=false > /dev/null
without=$guard tenant -n ml-train delete localqueue/mine --wait=false > /dev/null

# --- what no guard refuses, and how it ends
refuses "$name: a pod with the forged owner of no Job: refused by Kueue" 'admission webhook "mpod.kb.io" denied' dry \
  "$(pod search-prod x "" "$gpu" ", ownerReferences: [{apiVersion: batch/v1, kind: Job, controller: true, name: none, uid: none}]" | f forged-none)"
refuses "$name: a StatefulSet written larger: refused by Kueue" 'admission webhook "vstatefulset.kb.io" denied' patch search-prod statefulset search '{"spec":{"replicas":2}}'
refuses "$name: a pod with the forged owner of a managed Job" "$must_queue" dry "$(pod search-prod x "" "$gpu" "$forged" | f forged)"
refuses "$name: a GPU pod of a tenant without a queue" "$must_queue" dry "$(pod search-prod x "" "$gpu" | f queueless)"
refuses "$name: a GPU Job of a tenant without a queue" "$job_must_queue" dry "$(job ml-train x "kueue.x-k8s.io/priority-class: batch" "$gpu" | f queueless-job)"
expect "$name: a pod of a tenant that asks for no GPU needs no queue" dry "$(pod search-prod x "" "$cpu" | f queueless-cpu)"
# what its controller was told when it asked for pods
told() { # told NAMESPACE KIND NAME-PREFIX MESSAGE
  local out
  out=$(kubectl -n "$1" get events --field-selector "reason=FailedCreate,involvedObject.kind=$2" \
    -o jsonpath='{range .items[*]}{.involvedObject.name}{" "}{.message}{"\n"}{end}' | grep "^$3" | tail -5)
  echo "$out"
  echo "$out" >> "$heard"
  grep -qF "$4" <<< "$out"
}
workload Deployment playground rogue "" 1 "$gpu" | play
expect "$name: a Deployment elsewhere: accepted, its pods are refused" within 30 told playground ReplicaSet rogue "$must_queue"
workload StatefulSet playground rogue "" 1 "$gpu" | play
expect "$name: a StatefulSet elsewhere: accepted, its pods are refused" within 30 told playground StatefulSet rogue "$must_queue"
workload Deployment ml-train rogue "$(queue finetune batch)" 1 "$gpu" | play
expect "$name: a Deployment where only Jobs run: accepted, its pods are refused" within 30 told ml-train ReplicaSet rogue "pods of this namespace are made by Jobs"
tenant create priorityclass above --value 1000 > /dev/null
tenant -n ml-train delete deployment/rogue job/train job/unlabelled job/idle job/squatter --wait=false > /dev/null # what it borrowed is free for others
free() { [ -z "$(kubectl -n ml-train get pods -l job-name=train -o name)" ]; }
within 30 free

# odd TITLE GUARD MESSAGE POOL SPEC [METADATA OF THE PODS]: a queued Job whose pods the guard refuses; without it they run
odd_titles=() odd_guards=() odd_messages=() odd_pools=() odd_jobs=()
odd() { odd_titles+=("$1") odd_guards+=("gpol-$2") odd_messages+=("$3") odd_pools+=("$4") odd_jobs+=("$(job ml-train "odd-${#odd_titles[@]}" "$(queue finetune batch)" "$5, $(there "$4")" | sed "s/template: {/&${6:-}/")"); }
two="containers: [$(container 2)]"
odd "a long grace" batch-leaves "terminationGracePeriodSeconds is 1 to 60 here" burst "$two, terminationGracePeriodSeconds: 100000"
odd "a finalizer in the pod template" batch-leaves "pods of this namespace carry no finalizer" burst "$two" "metadata: {finalizers: [example.com\/keep]}, "
contained="containers of this namespace are not privileged, and add no capabilities but usual ones"
secure() { container 2 | sed "s/image:/securityContext: {$1}, image:/"; }
odd "a path of its node" batch-keeps-to-its-containers "pods of this namespace mount no path of their node" burst "$two, volumes: [{name: v, hostPath: {path: /}}]"
odd "the processes of its node" batch-keeps-to-its-containers "pods of this namespace are not hostPID" burst "$two, hostPID: true"
odd "the memory that processes of its node share" batch-keeps-to-its-containers "pods of this namespace are not hostIPC" burst "$two, hostIPC: true"
odd "a privileged container" batch-keeps-to-its-containers "$contained" burst "containers: [$(secure "privileged: true")]"
odd "a container with rights over its node" batch-keeps-to-its-containers "$contained" burst "containers: [$(secure "capabilities: {add: [SYS_ADMIN]}")]"
odd "a PriorityClass above serving's" batch-pod-priority "pods of this namespace have priority 0" burst "$two, priorityClassName: above"
odd "small pods on shared" shape-shared-8 "a pod on shared asks for exactly 8 GPUs, in one container" shared "$two"
odd "eight GPUs in two containers on shared" shape-shared-8 "a pod on shared asks for exactly 8 GPUs, in one container" shared "containers: [$(container 4), {name: d, image: x, resources: {limits: {cpu: 1, memory: 1Gi, nvidia.com/gpu: 4}}}]"
odd "an init container with a GPU on shared" shape-shared-8 "an init container asks for no GPU" shared "containers: [$(container 8)], initContainers: [$(container 4)]"
gone() { [ -z "$(kubectl -n ml-train get pods,job -l "$1" -o name)" ]; }
drop() { # a Job, and its pods at once, finalizers or not
  tenant -n ml-train delete job "$1" --wait=false > /dev/null
  for p in $(kubectl -n ml-train get pods -l "job-name=$1" -o name); do
    kubectl -n ml-train patch "$p" --type merge -p '{"metadata":{"finalizers":null}}' > /dev/null 2>&1 || true
  done
  within 30 gone "job-name=$1"
}
# odd_of INDEX: its Job's name; a guard that is named here looks away from its pods
odd_of() { echo "odd-$(($1 + 1))"; }
odd_refused() {
  expect "$name: ${odd_titles[$1]}: the Job's pods are refused by ${odd_guards[$1]}" within 40 told ml-train Job "$(odd_of "$1") " "${odd_messages[$1]}"
  expect "$name: ${odd_titles[$1]}: none of them runs" running 0 ml-train "job-name=$(odd_of "$1")" "${odd_pools[$1]}"
  drop "$(odd_of "$1")"
}
odd_runs() {
  expect "$name: without ${odd_guards[$1]}: ${odd_titles[$1]}: the pod runs" within 60 running 1 ml-train "job-name=$(odd_of "$1")" "${odd_pools[$1]}"
  drop "$(odd_of "$1")"
}
left_out() { # left_out INDEX: its Job, whose pods name the guard
  local label="labels: {without: ${odd_guards[$1]}}"
  if grep -q 'template: {metadata: {' <<< "${odd_jobs[$1]}"; then
    sed "s/template: {metadata: {/&$label, /" <<< "${odd_jobs[$1]}"
  else
    sed "s/template: {/&metadata: {$label}, /" <<< "${odd_jobs[$1]}"
  fi
}
# All at once that ask for GPUs of burst; it may borrow no more of shared than one of the others asks for.
for round in 0 1 2; do
  some=() n=0
  for i in "${!odd_jobs[@]}"; do
    case "${odd_pools[i]}" in
      shared) [ $((n++)) != $round ] || some+=("$i") ;;
      *) [ $round != 0 ] || some+=("$i") ;;
    esac
  done
  for i in "${some[@]}"; do echo "${odd_jobs[i]}"; echo ---; done | play
  together odd_refused "${some[@]}"
  for i in "${some[@]}"; do left_out "$i"; echo ---; done | play
  together odd_runs "${some[@]}"
done

expect "$name: the guards as they were" apply "$rendered/night.yaml"
expect "$name: with $still again: a Job written to: refused" within 15 refused_by "$still" "a Job of this namespace stays as it was made" \
  "patch ml-train job sweep '{\"metadata\":{\"annotations\":{\"a\":\"b\"}}}'"
expect "$name: no guard is left out any more" within 15 refused_by gpol-gpu-pods-queued "$must_queue" "without=gpol-gpu-pods-queued dry $files/bare.yaml"

unsaid() { # every sentence of every guard was heard
  local line left=0
  while IFS= read -r line; do
    grep -qF "denied request: $line" "$heard" || { echo "never said: $line"; left=1; }
  done < <(kubectl get validatingadmissionpolicies -o jsonpath='{range .items[*].spec.validations[*]}{.message}{"\n"}{end}')
  return $left
}
expect "$name: every sentence of every guard was met" unsaid
