"""What stands behind the gateway: a service that counts what it has open, and holds it for as long as it is told."""
import asyncio, contextlib, time


async def read_head(reader):
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {}
    for name, _, value in (x.partition(":") for x in lines[1:] if x):
        headers.setdefault(name.strip().lower(), []).append(value.strip())
    return lines[0], {name: ", ".join(values) for name, values in headers.items()}


class Upstream:
    """Holds a request for the milliseconds of its header x-hold-ms, or until the gate is opened."""

    def __init__(self):
        self.open, self.port, self.connections = asyncio.Event(), 0, set()
        self.reset()

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", self.port, backlog=4096)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self.server.close()
        for connection in self.connections:
            connection.transport.abort()

    def reset(self):
        self.in_flight, self.most, self.arrivals = 0, 0, []
        self.open.clear()

    async def serve(self, reader, writer):
        self.connections.add(writer)
        with contextlib.suppress(asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            while True:
                _, headers = await read_head(reader)
                self.seen = headers
                self.arrivals.append(time.monotonic())
                self.in_flight += 1
                self.most = max(self.most, self.in_flight)
                if held := int(headers.get("x-hold-ms", "0")):
                    with contextlib.suppress(asyncio.TimeoutError):
                        await asyncio.wait_for(self.open.wait(), held / 1000)
                writer.write(f"HTTP/1.1 {headers.get('x-status', '200')} Said\r\ncontent-length: 8\r\n\r\nupstream".encode())
                self.in_flight -= 1  # not after drain: the proxy may send the next request meanwhile
                await writer.drain()
        self.connections.discard(writer)
        writer.close()

    def most_in_a_second(self):
        most = first = 0
        for last, at in enumerate(self.arrivals):
            while self.arrivals[first] <= at - 1:
                first += 1
            most = max(most, last - first + 1)
        return most
