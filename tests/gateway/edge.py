#!/usr/bin/env python3
"""What gpol writes for Envoy Gateway, judged by Envoy Gateway's own translator and by two real Envoys under load.

usage: edge.py --parts DIRECTORY --envoy ENVOY [--workers N] OUTPUT CLUSTER.yaml...

DIRECTORY has egctl, ratelimit and ratelimit-config, which run.sh builds; redis-server is installed.

OUTPUT is a directory that `gpol build` wrote (or one file), CLUSTER.yaml what the cluster has besides: class, gateway,
routes, services. egctl must accept all of it, with every condition as it should be. Then for each BackendTrafficPolicy:
  - other hosts and paths than the route's get 404, and a header that the route sets is the only one of its name;
  - a proxy lets the requests of one second pass at once and refuses the next;
  - a proxy holds maxParallelRequests open and refuses the next at once, so that two proxies hold twice as many;
  - what the upstream itself answers reaches the client as it is, and the upstream is asked once;
  - when the upstream is gone the client gets 503, whatever the policy makes of the 503 of a full proxy;
  - under a load of twice the rate, the upstream sees neither more at once nor more in a second;
  - where the rate is `global`, both ask a real rate-limit service: together they let in that many in each window of the
    clock, twice as many across a border; without the service all is let in, or nothing where Envoy Gateway is told so.
Only 127.0.0.1 is used. Exit 0: all passed; 1: not. The last line counts.
"""
import argparse, asyncio, collections, contextlib, json, math, os, pathlib, socket, subprocess, sys, tempfile, time, urllib.request

from configuration import Configuration, Refused, check, counts, judge, translate
from upstream import Upstream, read_head

PROXIES = 2
LARGEST = 200  # requests a second, and in flight at a proxy: more than this script can do and still measure
HELD = 10  # seconds in which a proxy must be full: Envoy Gateway ends requests after 15
turned = {"503": False}  # into a 429, by the policy that is played
Answer = collections.namedtuple("Answer", "status headers body seconds")


# --- client ---

async def ask(port, route, **headers):
    begun = time.monotonic()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = [f"GET {route['path']} HTTP/1.1", f"host: {route['host']}", "connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    first, headers = await read_head(reader)
    # Not until the end of the connection, which a proxy that refused leaves open for a second.
    body = await reader.readexactly(int(headers["content-length"]))
    writer.close()
    return Answer(int(first.split()[1]), headers, body.decode(), time.monotonic() - begun)


def refused(answer, what):
    """As the policy says it to a client: 429, when to come again, and a JSON object. Beyond maxParallelRequests Envoy says
    503 by itself, and a policy that turns that into a 429 needs a ClientTrafficPolicy beside it."""
    if answer.status == 503 and "reset reason: overflow" in answer.body:
        return check(answer.seconds < 1 and not turned["503"], f"{what}: {answer}")
    try:
        json_object = isinstance(json.loads(answer.body), dict)
    except ValueError:
        json_object = False
    check(answer.status == 429 and answer.headers.get("retry-after", "").isdigit() and json_object and
          answer.headers.get("content-type") == "application/json" and answer.seconds < 1, f"{what}: {answer}")


async def until(true, seconds):
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        await asyncio.sleep(0.01)
    return true()


# --- the scenes; each begins when the buckets are full again ---

async def in_turn(ports, route, count, few):
    """So many requests, few at a time: the cap on requests in flight is another scene."""
    answers, todo = [], iter([ports[number % len(ports)] for number in range(count)])

    async def client():
        for port in todo:
            answers.append(await ask(port, route))
    await asyncio.gather(*(client() for _ in range(few)))
    return answers


async def routed(ports, route, limit, upstream):
    await ask(ports[0], route, **{name: f"urgent\r\n{name}: urgent" for name in route["sets"]})
    for name, value in route["sets"].items():
        check(upstream.seen.get(name) == value, f"{name} is {upstream.seen.get(name)}, the route says {value}")
    for other in ({"host": "other.example.com"}, {"path": route["path"] + "0"})[:1 if route["path"] == "/" else 2]:
        answer = await ask(ports[0], route | other)
        check(answer.status == 404, f"{other}: {answer}")


async def rate(ports, route, limit, upstream):
    for port in ports:
        upstream.reset()
        await asyncio.sleep(1.1)
        begun, few = time.monotonic(), min(4, limit["parallel"])
        answers = await in_turn([port], route, 2 * limit["rate"], few)
        took, passed = time.monotonic() - begun, sum(a.status == 200 for a in answers)
        check(all(a.status == 200 for a in answers[:limit["rate"] - few]), f"one of the first is refused: {answers[0]}")
        # Tokens come back one after another, not all at the end of the second.
        check(limit["rate"] <= passed <= limit["rate"] * (1 + took) + 1, f"{passed} passed in {took:.2f} s, {limit}")
        check(passed == len(upstream.arrivals) < len(answers), f"{passed} of {len(answers)} passed, {len(upstream.arrivals)} arrived")
        for answer in answers:
            if answer.status != 200:
                refused(answer, "over the rate")
        print(f"gateway:   rate: {passed} of {len(answers)} passed in {took:.2f} s")


async def windows(ports, route, limit, upstream):
    for _ in range(5):
        upstream.reset()
        border, passed, late = math.ceil(time.time()) + 1, [], False
        for begin in (border - 0.5, border):
            await asyncio.sleep(begin + 0.02 - time.time())
            answers = await in_turn(ports, route, 2 * limit["rate"], min(8, limit["parallel"]))
            late |= time.time() > begin + 0.5
            passed.append(sum(a.status == 200 for a in answers))
            for answer in answers:
                if answer.status != 200:
                    refused(answer, "over the rate of all")
        if not late:
            break
    check(not late, "this machine is too slow: the requests took more than half a second")
    check(passed == [limit["rate"]] * 2, f"{passed} of {len(answers)} each passed in two windows, {limit['rate']} each may")
    check(upstream.most_in_a_second() == 2 * limit["rate"], f"{upstream.most_in_a_second()} arrived in a second around the border")
    print(f"gateway:   windows: {passed} of {len(answers)} each passed, {upstream.most_in_a_second()} of them in a second")


async def away(ports, route, limit, stop):
    stop()
    for port, status in zip(ports, (200, 500)):
        answers = await asyncio.gather(*(ask(port, route) for _ in range(limit["parallel"])))
        check(all(a.status == status for a in answers), f"without the rate-limit service: {answers[0]}, not {status}")
        print(f"gateway:   without the rate-limit service: {len(answers)} times {status}")


async def asked(ports, route, limit, count, **headers):
    """So many requests to each port, as fast as the rate lets them in."""
    requests = []
    each = limit["rate"] // (len(ports) if "shared" in limit else 1)
    for left in range(count, 0, -each):
        await asyncio.sleep(1.1)
        requests += [asyncio.create_task(ask(p, route, **headers)) for p in ports for _ in range(min(left, each))]
    return requests


async def parallel(ports, route, limit, upstream):
    upstream.reset()
    held = await asked(ports, route, limit, limit["parallel"], x_hold_ms=60000)
    full = len(ports) * limit["parallel"]
    check(await until(lambda: upstream.in_flight >= full, 3), f"{upstream.in_flight} are in flight, {full} could be")
    await asyncio.sleep(1.1)
    for port in ports:
        with contextlib.suppress(asyncio.TimeoutError):
            refused(answer := await asyncio.wait_for(ask(port, route), 3), "one more than maxParallelRequests")
            print(f"gateway:   parallel: one more: {answer.status} after {answer.seconds:.3f} s")
            continue
        check(False, "one more than maxParallelRequests waits")
    check(upstream.in_flight == upstream.most == full, f"{upstream.most} were in flight, {full} may be")
    upstream.open.set()
    for answer in [*await asyncio.gather(*held), *[await ask(port, route) for port in ports]]:
        check(answer.status == 200, f"a held request, or the next when all are done: {answer}")
    print(f"gateway:   parallel: {upstream.most} in flight at once")


async def waits(ports, route, limit, upstream):
    """As `parallel`, with a queue: so many more wait until a stream is free, and the next is refused at once."""
    upstream.reset()
    held = await asked(ports, route, limit, limit["parallel"], x_hold_ms=60000)
    full = len(ports) * limit["parallel"]
    check(await until(lambda: upstream.in_flight >= full, 3), f"{upstream.in_flight} are in flight, {full} could be")
    queued = await asked(ports, route, limit, limit["queue"])
    await asyncio.sleep(1.1)
    check(not any(each.done() for each in queued), f"{sum(each.done() for each in queued)} of {len(queued)} did not wait")
    for port in ports:
        refused(answer := await asyncio.wait_for(ask(port, route), 3), "one more than the queue holds")
        print(f"gateway:   queue: one more: {answer.status} after {answer.seconds:.3f} s")
    check(upstream.in_flight == upstream.most == full, f"{upstream.most} were in flight, {full} may be")
    upstream.open.set()
    for answer in await asyncio.gather(*held, *queued):
        check(answer.status == 200, f"a held request, or one that waited: {answer}")
    print(f"gateway:   queue: {full} in flight, {len(queued)} waited and were answered")


async def load(ports, route, limit, upstream, hold):
    upstream.reset()
    await asyncio.sleep(1.1)
    asked, sent, lag, begun = [], 0, 0.0, time.monotonic()
    while (now := time.monotonic()) < begun + hold + 1.5:
        while sent < math.ceil((now - begun) * 2 * limit["rate"]) + min(limit["rate"], limit["parallel"]):
            asked += [asyncio.create_task(ask(port, route, x_hold_ms=math.ceil(hold * 1000))) for port in ports]
            sent += 1
        await asyncio.sleep(0.005)
        lag = max(lag, time.monotonic() - now - 0.005)
    answers = await asyncio.gather(*asked)
    passed, most = sum(a.status == 200 for a in answers), upstream.most_in_a_second()
    # In a second: the bucket, and what fills it; or two windows.
    at_once, in_second = len(ports) * limit["parallel"], (1 if "shared" in limit else len(ports)) * limit["rate"] * 2
    check(upstream.most <= at_once, f"{upstream.most} were in flight, {at_once} may be")
    # What waited while this script was busy arrives in a heap: the second is longer by that.
    check(most <= in_second + math.ceil(lag * in_second / 2), f"{most} arrived in a second, {in_second} may (lag {lag:.3f} s)")
    check(upstream.most == at_once or most > in_second / 2, "the load was none")
    check(passed == len(upstream.arrivals) < len(answers), f"{passed} of {len(answers)} passed, {len(upstream.arrivals)} arrived")
    for answer in answers:
        if answer.status != 200:
            refused(answer, "under load")
    print(f"gateway:   load, held {hold:.1f} s: {passed} of {len(answers)} passed; at most {upstream.most} (of {at_once}) at once, "
          f"{most} (of {in_second}) in a second; lag {lag:.3f} s")


async def own(ports, route, limit, upstream):
    for status in (429, 503):
        upstream.reset()
        await asyncio.sleep(1.1)
        answer = await ask(ports[0], route, x_status=status)
        check((answer.status, answer.body) == (status, "upstream"), f"the upstream's own {status} became {answer}")
        check(len(upstream.arrivals) == 1, f"the upstream was asked {len(upstream.arrivals)} times")


async def gone(ports, route, limit, upstream):
    await upstream.__aexit__()
    await asyncio.sleep(1.1)
    for port in ports:
        answer = await ask(port, route)
        check(answer.status == 503 and "connection failure" in answer.body, f"an upstream that is gone became {answer}")
    await upstream.__aenter__()


# --- the proxies ---

def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def ready(url):
    with contextlib.suppress(OSError):
        return urllib.request.urlopen(f"http://127.0.0.1:{url}", timeout=1).status == 200


def start(stack, command, log, **options):
    process = subprocess.Popen(command, stdout=log.open("w"), stderr=subprocess.STDOUT, **options)
    stack.callback(lambda: (process.kill(), process.wait()))
    return process


async def serves(process, url, log):
    await until(lambda: process.poll() is not None or ready(url), 30)
    if process.poll() is not None or not ready(url):
        raise Refused(f"{log.stem}: {' '.join(log.read_text().split())}")


@contextlib.asynccontextmanager
async def counter(options, text, directory):
    """The service that counts for all proxies, with a Redis: its port, and what stops it, if any policy counts `global`."""
    if "global:" not in text:
        yield 1, None
        return
    known = json.dumps(translate(options.parts / "egctl", "ir", text, directory))
    config = subprocess.run([options.parts / "ratelimit-config"], input=known, capture_output=True, text=True, check=True).stdout
    (directory / "ratelimit/config").mkdir(parents=True)
    (directory / "ratelimit/config/config.yaml").write_text(config)
    redis, grpc, http, debug = free_ports(4)
    log, redis_log = directory / "ratelimit.log", directory / "redis.log"
    variables = {"RUNTIME_ROOT": directory, "RUNTIME_SUBDIRECTORY": "ratelimit", "RUNTIME_WATCH_ROOT": "false", "DISABLE_STATS": "true",
                 "REDIS_SOCKET_TYPE": "tcp", "REDIS_URL": f"127.0.0.1:{redis}", "HOST": "127.0.0.1", "GRPC_HOST": "127.0.0.1",
                 "DEBUG_HOST": "127.0.0.1", "PORT": http, "GRPC_PORT": grpc, "DEBUG_PORT": debug}
    with contextlib.ExitStack() as stack:
        start(stack, ["redis-server", "--port", str(redis), "--bind", "127.0.0.1", "--save", "", "--dir", directory], redis_log)
        await until(lambda: "Ready to accept" in redis_log.read_text(), 30)
        process = start(stack, [options.parts / "ratelimit"], log, env=os.environ | {k: str(v) for k, v in variables.items()})
        await serves(process, f"{http}/healthcheck", log)
        yield grpc, process.kill


@contextlib.asynccontextmanager
async def proxies(options, configuration, directory, upstream_port, counter_port):
    ports, running = free_ports(2 * PROXIES), []
    with contextlib.ExitStack() as stack:
        for number in range(PROXIES):
            config, log = directory / f"envoy{number}.json", directory / f"Envoy{number}.log"
            closed = number > 0  # failClosed, of the second alone
            config.write_text(json.dumps(configuration.bootstrap(ports[number], upstream_port, ports[PROXIES + number], counter_port, closed)))
            command = [options.envoy, "-c", config, "--disable-hot-restart", "--concurrency", str(options.workers), "-l", "error"]
            running.append((start(stack, command, log), f"{ports[PROXIES + number]}/ready", log))
        for each in running:
            await serves(*each)
        yield ports[:PROXIES]


def limits(policy):
    [(scope, rate)] = policy["spec"]["rateLimit"].items()
    rules = [r["limit"] for r in rate["rules"] if not r.get("clientSelectors")]
    if [r["unit"] for r in rules] != ["Second"]:
        raise Refused(f"one rule in seconds is expected, not {rules}")
    limit = {"rate": rules[0]["requests"], "parallel": policy["spec"]["circuitBreaker"]["maxParallelRequests"]}
    if scope == "global":
        limit["shared"] = True
    if policy["spec"]["circuitBreaker"].get("maxConnections", 1024) == limit["parallel"]:
        limit["queue"] = policy["spec"]["circuitBreaker"]["maxPendingRequests"]
    if not 1 <= min(limit.values()) <= max(limit.values()) <= LARGEST or limit["parallel"] > limit["rate"] * HELD:
        raise Refused(f"{limit}: at most {LARGEST} can be tried, and at most {HELD} times as many in flight as in a second")
    return limit


async def main(options):
    files = [options.output] if options.output.is_file() else sorted(options.output.rglob("*.yaml"))
    # Else what is written for others is not known to egctl.
    files = [*options.cluster, *(f for f in files if "apiVersion: gateway." in f.read_text())]
    text = "\n---\n".join(f.read_text() for f in files)
    with tempfile.TemporaryDirectory() as directory:
        directory, egctl = pathlib.Path(directory), options.parts / "egctl"
        resources = translate(egctl, "gateway-api", text, directory).values()
        objects = [o for value in resources for o in (value if isinstance(value, list) else [value]) if "kind" in o]
        judge(objects)
        configuration = Configuration(translate(egctl, "xds", text, directory)["xds"])
        routes = {(o["metadata"]["namespace"], o["metadata"]["name"]): o["spec"] for o in objects if o["kind"] == "HTTPRoute"}
        policies = [o for o in objects if o["kind"] == "BackendTrafficPolicy"]
        check(policies, f"no BackendTrafficPolicy in {options.output}")
        async with Upstream() as upstream, counter(options, text, directory) as (counter_port, stop), \
                proxies(options, configuration, directory, upstream.port, counter_port) as ports:
            for policy in policies:
                turned["503"] = any(code.get("value") == 503 for override in policy["spec"].get("responseOverride", [])
                                    for code in override["match"].get("statusCodes", []))
                name, limit, target = policy["metadata"]["name"], limits(policy), policy["spec"]["targetRefs"][0]
                spec = routes[policy["metadata"]["namespace"], target["name"]]
                places = configuration.places(name)
                check(places == (1, 1), f"{name}: a proxy counts in {places[0]} buckets and {places[1]} circuit breakers")
                print(f"gateway: {name}: {limit}")
                path = (spec["rules"][0].get("matches") or [{}])[0].get("path", {}).get("value", "/")
                changes = [f["requestHeaderModifier"] for f in spec["rules"][0].get("filters", []) if "requestHeaderModifier" in f]
                route = {"host": spec.get("hostnames", ["localhost"])[0].replace("*", "any"), "path": path,
                         "sets": {h["name"]: h["value"] for c in changes for h in [*c.get("set", []), *c.get("add", [])]}}
                long = 1.5 * limit["parallel"] / limit["rate"] + 0.3  # so long that the cap is reached at the permitted rate
                if "shared" in limit:
                    long *= PROXIES
                for scene in (routed, windows if "shared" in limit else rate, waits if "queue" in limit else parallel, own, gone,
                              lambda *a: load(*a, hold=0), lambda *a: load(*a, hold=min(long, HELD))):
                    await scene(ports, route, limit, upstream)
                    if counts["failed"]:
                        raise Refused(f"{name} does not do what it says")
            if stop:
                await away(ports, route, limit, stop)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--parts", required=True, type=pathlib.Path)
    parser.add_argument("--envoy", required=True)
    parser.add_argument("--workers", type=int, default=2, help="threads of each proxy")
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("cluster", type=pathlib.Path, nargs="+")
    begun = time.monotonic()
    try:
        asyncio.run(main(parser.parse_args()))
    except Refused as reason:
        check(False, reason)
    print(f"gateway: took {time.monotonic() - begun:.0f} s")
    print(f"gateway: {counts['passed']} passed, {counts['failed']} failed")
    sys.exit(1 if counts["failed"] else 0)
