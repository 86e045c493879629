# SPDX-License-Identifier: Apache-2.0
"""A TCP proxy on the loopback interface that remembers everything that passes.

It needs no privileges, loses nothing and knows where a connection begins, which capturing on an interface
in a container does not promise. Connections go to (host, port); what passed is kept as segments in the order
of arrival, for capture.py to write.
"""
import socket
import threading
import time
from dataclasses import dataclass, field

CLIENT, SERVER = 0, 1  # who sent


@dataclass
class Segment:
    time: float
    sender: int
    data: bytes  # empty: that side will send no more


@dataclass
class Connection:
    client_port: int
    segments: list = field(default_factory=list)

    def bytes_from(self, sender):
        return b"".join(segment.data for segment in self.segments if segment.sender == sender)


class Recorder:
    """Accepts connections between enter and exit: two threads for each, one a direction."""

    def __init__(self, host, port):
        self._target = (host, port)
        self.connections = []
        self._sockets = []
        self._threads = []
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]

    def __enter__(self):
        self._start(self._accept)
        return self

    def __exit__(self, *_):
        with self._lock:
            sockets = [self._listener, *self._sockets]
        for each in sockets:
            self._shut(each, socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for each in sockets:
            each.close()

    def _start(self, run, *arguments):
        thread = threading.Thread(target=run, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self):
        while True:
            try:
                client, address = self._listener.accept()
            except OSError:
                return  # shut down
            try:
                server = socket.create_connection(self._target, timeout=5)
                server.settimeout(None)
            except OSError:
                client.close()
                continue
            connection = Connection(address[1])
            for each in (client, server):
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._lock:
                self._sockets += [client, server]
                self.connections.append(connection)
            self._start(self._pump, connection, CLIENT, client, server)
            self._start(self._pump, connection, SERVER, server, client)

    def _pump(self, connection, sender, source, sink):
        while True:
            try:
                data = source.recv(65536)
            except OSError:
                data = b""
            connection.segments.append(Segment(time.time(), sender, data))
            if not data:
                self._shut(sink, socket.SHUT_WR)
                return
            try:
                sink.sendall(data)
            except OSError:
                self._shut(source, socket.SHUT_RD)

    @staticmethod
    def _shut(each, how):
        try:
            each.shutdown(how)
        except OSError:
            pass
