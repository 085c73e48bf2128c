"""What Envoy Gateway makes of objects: its verdict (egctl), and the configuration that its proxies would be served."""
import collections, copy, json, subprocess

counts = collections.Counter(passed=0, failed=0)


def check(good, what):
    counts["passed" if good else "failed"] += 1
    if not good and counts["failed"] <= 20:
        print(f"gateway: FAILED: {what}")
    return good


class Refused(Exception):
    """What makes the scenes that follow meaningless."""


# --- Envoy Gateway's verdict ---

def translate(egctl, to, text, directory):
    (directory / "in.yaml").write_text(text)
    run = subprocess.run([egctl, "x", "translate", "--from", "gateway-api", "--to", to, "-o", "json", "-f", directory / "in.yaml"],
                         capture_output=True, text=True, timeout=120)
    if run.returncode:
        raise Refused(f"egctl: {run.stderr.strip().splitlines()[0]}")
    return json.loads(run.stdout)


def conditions(item):
    """Of the object itself, of a gateway's listeners, of a route's parents, of a policy's ancestors."""
    status = item.get("status") or {}
    for part in [status, *(p for key in ("listeners", "parents", "ancestors") for p in status.get(key) or [])]:
        yield from part.get("conditions") or []


def judge(objects):
    for item in objects:
        name = f"{item['kind']} {item['metadata'].get('namespace', '')}/{item['metadata']['name']}"
        if item["kind"] in ("GatewayClass", "Gateway", "HTTPRoute", "BackendTrafficPolicy", "ClientTrafficPolicy"):
            # A policy whose target is not there gets no condition at all, and egctl's exit code is 0.
            check(any(c["type"] == "Accepted" for c in conditions(item)), f"{name}: nothing took it up")
        for c in conditions(item):
            # All others are there only when something is wrong: Overridden, PartiallyInvalid, Conflicted.
            wanted = "True" if c["type"] in ("Accepted", "ResolvedRefs", "Programmed") else "False"
            check(c["status"] == wanted, f"{name}: {c['type']}={c['status']}({c['reason']}): {c['message']}")
    if counts["failed"]:
        raise Refused("Envoy Gateway does not serve this")


# --- a static configuration of what Envoy Gateway would serve its proxies ---

class Configuration:
    """What is tested are filters, limits and circuit breakers, not the control plane: routes are put into the listener,
    endpoints become one address of this machine."""

    def __init__(self, xds):
        if len(xds) != 1:
            raise Refused(f"one gateway is expected, not {list(xds)}")
        def of(section, part):
            return [item for config in next(iter(xds.values()))["configs"] for item in config.get(section, []) if part in json.dumps(item)]
        # The other listener says whether the proxy is ready.
        self.listeners = [x["activeState"]["listener"] for x in of("dynamicListeners", '"rds"')]
        self.routes = {x["routeConfig"]["name"]: x["routeConfig"] for x in of("dynamicRouteConfigs", "")}
        self.clusters = [x["cluster"] for x in of("dynamicActiveClusters", "")]
        self.endpoints = {x["endpointConfig"]["clusterName"]: x["endpointConfig"] for x in of("dynamicEndpointConfigs", "")}
        for resource in [*self.listeners, *self.routes.values(), *self.clusters, *self.endpoints.values()]:
            resource.pop("@type", None)
        if len(self.listeners) != 1:
            raise Refused(f"one listener is expected, not {[x['name'] for x in self.listeners]}")

    def bootstrap(self, listener_port, upstream_port, admin_port, counter_port, closed):
        own = copy.deepcopy(self)
        here = {"address": "127.0.0.1", "portValue": listener_port}
        own.listeners[0]["address"]["socketAddress"].update(here)
        chains = [*own.listeners[0].get("filterChains", []), own.listeners[0].get("defaultFilterChain", {"filters": []})]
        for config in (f["typedConfig"] for chain in chains for f in chain["filters"]):
            if "rds" in config:
                config["routeConfig"] = own.routes[config.pop("rds")["routeConfigName"]]
            for counter in (f["typedConfig"] for f in config.get("httpFilters", []) if f["name"].startswith("envoy.filters.http.ratelimit")):
                # As EnvoyGateway's rateLimit.timeout. Envoy's own 20 ms are over when this machine is busy, and then all is let in.
                counter.update(timeout="5s", failureModeDeny=closed)  # and its failClosed
        for cluster in own.clusters:
            if "edsClusterConfig" in cluster:
                load = own.endpoints[cluster.pop("edsClusterConfig").get("serviceName", cluster["name"])]
                for endpoint in (e for locality in load["endpoints"] for e in locality["lbEndpoints"]):
                    endpoint["endpoint"]["address"]["socketAddress"].update(here, portValue=upstream_port)
                cluster.update(type="STATIC", loadAssignment=load)
        # egctl leaves it out, since it has no certificates of Envoy Gateway's: without TLS.
        own.clusters.append({"name": "ratelimit_cluster", "type": "STATIC", "typedExtensionProtocolOptions": {
            "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": {
                "@type": "type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions",
                "explicitHttpConfig": {"http2ProtocolOptions": {}}}},
            "loadAssignment": {"clusterName": "ratelimit_cluster", "endpoints": [{"lbEndpoints": [
                {"endpoint": {"address": {"socketAddress": {**here, "portValue": counter_port}}}}]}]}})
        return {"admin": {"address": {"socketAddress": {**here, "portValue": admin_port}}},
                "staticResources": {"listeners": own.listeners, "clusters": own.clusters}}

    def places(self, policy):
        """How many buckets and circuit breakers a policy became: each has the policy's full numbers."""
        routes = [r for c in self.routes.values() for h in c.get("virtualHosts", []) for r in h["routes"]
                  if f'"name": "{policy}"' in json.dumps(r.get("metadata", {}))]
        return len(routes), len({r["route"]["cluster"] for r in routes if "cluster" in r.get("route", {})})
