#!/usr/bin/env bash
# A real Kubernetes control plane with the real Kueue, without containers, on 127.0.0.1.
#
#   controlplane.sh judge              compile what judges without a server (../judge) into PARTS/bin
#   controlplane.sh quota-judges V...  the same for the quotas of older versions of Kueue (../differential/older.sh);
#                                      without V those that GPOL_SEED chooses
#   controlplane.sh build              compile the judge and the pinned programs (../go.mod); the first time takes minutes
#   controlplane.sh run CMD [ARG...]   start everything in a new temporary directory, run CMD with KUBECONFIG, PATH and
#                                      CP_DIR set, stop everything, exit as CMD did
#
# Environment: PARTS         build directory (default: build/parts of the repository)
#              KUEUE_CONFIG  the Configuration that Kueue runs with; only ports, certificates, leader election and the
#                            visibility server are replaced (default: upstream's defaults with the frameworks below)
#              WITH=nodes    start kube-controller-manager, kube-scheduler and kwok as well: Jobs, Deployments and
#                            StatefulSets get pods, pods get nodes, and every Node is taken for a fake one whose pods run
#              GRACE=full    with nodes: a pod that is deleted ends when its grace is over (default: at once)
#              LIMIT         seconds that CMD may take (default 1800)
#              KEEP=1        keep the temporary directory (logs: *.log)
# The kubectl user is an administrator who may act as anybody (--as). Kueue has the user name and the rights that its own
# manifests give it, and the controllers have their own service accounts: admission policies tell them from tenants.
# Needs: Go >= 1.26, bash, perl, openssl, flock.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
module=$(dirname "$here")
. "$module/common.sh"
mkdir -p "$PARTS/bin"
PARTS=$(cd "$PARTS" && pwd)
[ -z "${KUEUE_CONFIG:-}" ] || KUEUE_CONFIG=$(realpath "$KUEUE_CONFIG")
export PATH="$PARTS/bin:$PATH" GOTOOLCHAIN=local

say() { echo "controlplane: $*" >&2; }

lock() { # a second build waits, then finds everything done
  exec 9> "$PARTS/lock"
  flock 9
  cd "$module"
}

judge() {
  lock
  go_build -ldflags '-s -w' -o "$PARTS/bin/" ./judge
  ln -sfn judge "$PARTS/bin/accept" # `judge accept`
  flock -u 9
}

quota_judges() {
  local version versions
  if [ $# = 0 ]; then mapfile -t versions < <(older_versions "${GPOL_SEED:-1}") && set -- "${versions[@]}"; fi
  lock
  for version in "$@"; do
    go_build -ldflags '-s -w' -tags quotas -modfile="differential/kueue-$version.mod" -o "$PARTS/bin/quota-judge-$version" ./differential/quotas
  done
  flock -u 9
}

build() {
  judge
  lock
  local k8s kueue version=k8s.io/component-base/version flags package start=$SECONDS
  k8s=$(module_version k8s.io/kubernetes)
  kueue=$(module_version sigs.k8s.io/kueue)
  # without these the API server calls itself v0.0.0
  flags="-s -w -X $version.gitVersion=$k8s -X $version.gitMajor=1 -X $version.gitMinor=$(cut -d. -f2 <<< "$k8s")"
  flags="$flags -X sigs.k8s.io/kueue/pkg/version.GitVersion=$kueue"
  # Together, so that one compiles while another is linked; then those whose packages have other names.
  go_build -ldflags "$flags" -o "$PARTS/bin/" k8s.io/kubernetes/cmd/kube-apiserver sigs.k8s.io/kueue/cmd/kueue \
    k8s.io/kubernetes/cmd/kubectl k8s.io/kubernetes/cmd/kube-controller-manager k8s.io/kubernetes/cmd/kube-scheduler \
    sigs.k8s.io/kwok/cmd/kwok
  for package in etcd=go.etcd.io/etcd/server/v3 kubectl-client=./kubectl/client kubectl-server=./kubectl/server; do
    go_build -ldflags "$flags" -o "$PARTS/bin/${package%%=*}" "${package#*=}"
  done
  say "built in $((SECONDS - start)) s"
}

declare -A PID=()
DIR=
cleanup() {
  local name
  if [ -n "${PID[command]:-}" ]; then
    kill "${PID[command]}" 2> /dev/null || true
    wait "${PID[command]}" 2> /dev/null || true
    unset 'PID[command]'
  fi
  # KILL, not TERM: an API server whose etcd is gone hangs for minutes in its graceful shutdown. Data is temporary.
  for name in "${!PID[@]}"; do kill -KILL "${PID[$name]}" 2> /dev/null || true; done
  for name in "${!PID[@]}"; do wait "${PID[$name]}" 2> /dev/null || true; done
  if [ -n "$DIR" ] && [ -z "${KEEP:-}" ]; then rm -rf "$DIR"; elif [ -n "$DIR" ]; then say "kept $DIR"; fi
}
start() {
  local name=$1
  shift
  "$@" > "$DIR/$name.log" 2>&1 &
  PID[$name]=$!
}
await() { # await NAME SECONDS CMD...: until CMD succeeds; ends everything when NAME dies or the time is over
  local name=$1 end=$((SECONDS + $2)) begin=$SECONDS
  shift 2
  until "$@" > /dev/null 2>&1; do
    if ! kill -0 "${PID[$name]}" 2> /dev/null || [ $SECONDS -ge $end ]; then
      say "$name did not come up:"
      tail -20 "$DIR/$name.log" >&2
      exit 1
    fi
    sleep 0.2
  done
  say "$name ready after $((SECONDS - begin)) s"
}
http_ok() { # http_ok PORT PATH
  local line
  exec 3<> "/dev/tcp/127.0.0.1/$1" || return 1
  printf 'GET %s HTTP/1.0\r\n\r\n' "$2" >&3
  read -r line <&3
  exec 3>&-
  [[ "$line" == *" 200 "* ]]
}

certificates() {
  # One CA and one server certificate. Kueue accepts its Secret only if the CA names itself kueue-ca, the server
  # certificate names the webhook service, both last 90 days more, and the CA's key is PKCS#1.
  cd "$DIR/pki"
  openssl req -x509 -newkey rsa:2048 -nodes -days 365 -keyout ca.key -out ca.crt -subj /CN=kueue-ca \
    -addext subjectAltName=DNS:kueue-ca 2> /dev/null
  openssl rsa -traditional -in ca.key -out ca.key 2> /dev/null
  openssl req -newkey rsa:2048 -nodes -keyout tls.key -out tls.csr -subj /CN=kueue-webhook 2> /dev/null
  openssl x509 -req -in tls.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 365 -out tls.crt 2> /dev/null \
    -extfile <(echo "subjectAltName=DNS:kueue-webhook-service.kueue-system.svc,DNS:localhost,IP:127.0.0.1")
  openssl genrsa -out sa.key 2048 2> /dev/null
  cd "$DIR"
}

kubeconfig() { # kubeconfig PORT FILE USER GROUPS: who has FILE is USER in GROUPS
  local token
  token=$(openssl rand -hex 16)
  echo "$token,$3,$3,\"$4\"" >> tokens.csv
  cat > "$2" << END
{"apiVersion":"v1","kind":"Config","current-context":"c","contexts":[{"name":"c","context":{"cluster":"c","user":"u"}}],
"clusters":[{"name":"c","cluster":{"server":"https://127.0.0.1:$1","certificate-authority":"$DIR/pki/ca.crt"}}],
"users":[{"name":"u","user":{"token":"$token"}}]}
END
}

# From here on `kubectl` is ../kubectl/client, for what is run as well.
start_kubectl() {
  export KUBECTL_SOCKET="$DIR/kubectl.socket" KUBECTL_PROGRAM="$PARTS/bin/kubectl"
  start kubectl kubectl-server "$KUBECTL_SOCKET"
  await kubectl 30 [ -S "$KUBECTL_SOCKET" ]
  mkdir "$DIR/bin"
  ln -s "$PARTS/bin/kubectl-client" "$DIR/bin/kubectl"
  PATH="$DIR/bin:$PATH"
}

start_apiserver() { # start_apiserver ETCD-PORT PEER-PORT PORT
  local off=
  kubeconfig "$3" "$KUBECONFIG" admin system:masters
  kubeconfig "$3" "$DIR/kueue.kubeconfig" system:serviceaccount:kueue-system:kueue-controller-manager \
    system:serviceaccounts,system:serviceaccounts:kueue-system
  kubeconfig "$3" "$DIR/scheduler.kubeconfig" system:kube-scheduler system:authenticated
  kubeconfig "$3" "$DIR/kwok.kubeconfig" kwok system:masters,system:nodes # what it writes kubelets write
  start_kubectl
  start etcd etcd --data-dir "$DIR/etcd" --unsafe-no-fsync --log-level warn \
    --listen-client-urls "http://127.0.0.1:$1" --advertise-client-urls "http://127.0.0.1:$1" \
    --listen-peer-urls "http://127.0.0.1:$2" --initial-advertise-peer-urls "http://127.0.0.1:$2" \
    --initial-cluster "default=http://127.0.0.1:$2"
  # Without the controller manager nobody creates service accounts, and their admission plugin would refuse every pod.
  [ "${WITH:-}" = nodes ] || off=--disable-admission-plugins=ServiceAccount
  start apiserver kube-apiserver --etcd-servers "http://127.0.0.1:$1" --bind-address 127.0.0.1 \
    --advertise-address 127.0.0.1 --secure-port "$3" --tls-cert-file pki/tls.crt --tls-private-key-file pki/tls.key \
    --token-auth-file tokens.csv --authorization-mode RBAC --allow-privileged=true $off \
    --service-account-issuer https://kubernetes.default.svc --service-account-key-file pki/sa.key \
    --service-account-signing-key-file pki/sa.key --service-cluster-ip-range 10.0.0.0/24 \
    --endpoint-reconciler-type none --profiling=false
  await apiserver 180 kubectl get --raw /readyz
}

start_kueue() { # start_kueue WEBHOOK-PORT HEALTH-PORT
  # Kueue's own install manifests, less what needs a kubelet; webhooks and CRD conversion go to 127.0.0.1
  kubectl kustomize "$(module_dir sigs.k8s.io/kueue)/config/default" > kueue-all.yaml
  perl -0777 -ne '
    s{service:\n\s+name: kueue-webhook-service\n\s+namespace: kueue-system\n(?:\s+port: \d+\n)?\s+path: (\S+)}{url: https://127.0.0.1:'"$1"'$1}g;
    for (split /^---\n/m) { print "---\n$_" unless /^kind: (Deployment|Service|APIService|Secret)$/m }' kueue-all.yaml > kueue.yaml
  kubectl apply --server-side -f kueue.yaml > apply.log
  kubectl -n kueue-system create secret generic kueue-webhook-server-cert \
    --from-file=pki/ca.crt --from-file=pki/ca.key --from-file=pki/tls.crt --from-file=pki/tls.key > /dev/null
  if [ -n "${KUEUE_CONFIG:-}" ]; then
    cp "$KUEUE_CONFIG" kueue-given.yaml
    # Lines to be merged into the shipped Configuration, whose frameworks these are among.
    grep -q '^integrations:' kueue-given.yaml ||
      echo 'integrations: {frameworks: [batch/job, pod, deployment, statefulset]}' >> kueue-given.yaml
  else
    cat > kueue-given.yaml << END
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
namespace: kueue-system
integrations: {frameworks: [batch/job, pod, deployment, statefulset]}
END
  fi
  cat > kueue-harness.yaml << END
health: {healthProbeBindAddress: "127.0.0.1:$2"}
metrics: {bindAddress: "0"}
webhook: {host: 127.0.0.1, port: $1, certDir: $DIR/pki}
leaderElection: {leaderElect: false}
featureGates: {VisibilityOnDemand: false}
END
  accept merge kueue-given.yaml kueue-harness.yaml > kueue-config.yaml
  start kueue kueue --config kueue-config.yaml --kubeconfig "$DIR/kueue.kubeconfig" --zap-log-level=2
  await kueue 180 http_ok "$2" /readyz
}

start_controllers() { # start_controllers PORT PORT
  start controllers kube-controller-manager --kubeconfig "$KUBECONFIG" --bind-address 127.0.0.1 --secure-port "$1" \
    --leader-elect=false --use-service-account-credentials=true --service-account-private-key-file pki/sa.key \
    --root-ca-file pki/ca.crt
  start scheduler kube-scheduler --kubeconfig "$DIR/scheduler.kubeconfig" --bind-address 127.0.0.1 --secure-port "$2" --leader-elect=false
}

start_kwok() {
  # kwok ends without stages; with pod-complete the pods of a Job would be done at once
  kubectl kustomize "$(module_dir sigs.k8s.io/kwok)/kustomize/stage/fast" |
    GRACE=${GRACE:-} perl -0777 -ne 'for (split /^---\n/m) {
      next if /^  name: pod-complete$/m;
      s/^spec:\n/spec:\n  delay: {durationFrom: {expressionFrom: .metadata.deletionTimestamp}}\n/m
        if $ENV{GRACE} eq "full" && /^  name: pod-delete$/m;
      print "---\n$_" }' > stages.yaml
  start kwok kwok --kubeconfig "$DIR/kwok.kubeconfig" --config stages.yaml --manage-all-nodes=true --node-lease-duration-seconds 40
}

run() {
  local ports begin=$SECONDS status=0 name
  read -ra ports <<< "$(accept ports 7)"
  DIR=$(mktemp -d)
  trap cleanup EXIT
  trap 'exit 130' INT TERM
  mkdir "$DIR/pki"
  export KUBECONFIG="$DIR/kubeconfig" CP_DIR="$DIR"
  certificates
  start_apiserver "${ports[0]}" "${ports[1]}" "${ports[2]}"
  [ "${WITH:-}" != nodes ] || start_controllers "${ports[5]}" "${ports[6]}"
  start_kueue "${ports[3]}" "${ports[4]}"
  [ "${WITH:-}" != nodes ] || start_kwok
  say "up after $((SECONDS - begin)) s in all"
  cd "$caller"
  # In the background, so that a signal ends everything at once; timeout takes the children along.
  timeout --kill-after=10 "${LIMIT:-1800}" "$@" &
  PID[command]=$!
  wait "${PID[command]}" || status=$?
  [ "$status" != 124 ] || say "the command took longer than ${LIMIT:-1800} s"
  for name in "${!PID[@]}"; do
    [ "$name" != command ] || continue
    [ ! -r "/proc/${PID[$name]}/status" ] ||
      say "$name: $(awk '/VmHWM/ {printf "%d MiB at the most", $2 / 1024}' "/proc/${PID[$name]}/status")"
  done
  exit $status
}

caller=$PWD
case "${1:-}" in
  build) build ;;
  judge) judge ;;
  quota-judges)
    shift
    quota_judges "$@"
    ;;
  run)
    shift
    [ $# -gt 0 ] || { echo "usage: $0 run CMD [ARG...]" >&2; exit 2; }
    run "$@"
    ;;
  *) sed -n '2,11p' "$0" >&2; exit 2 ;;
esac
