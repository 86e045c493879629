# SPDX-License-Identifier: Apache-2.0
"""A hostile server for clients to call: a thread for each connection that comes."""
import select
import socket
import threading
import time

from harness import giop

MOST_SECONDS = 60  # of one connection


class Connection:
    """One client's connection."""

    def __init__(self, client):
        self.socket = client
        self._stream = giop.Stream()
        self._messages = []
        self._end = time.monotonic() + MOST_SECONDS
        self.ended = False

    def message(self):
        """The next message, or None when the client has gone."""
        while not self._messages and not self.over():
            if select.select([self.socket], [], [], 0.1)[0]:
                self._receive()
        return self._messages.pop(0) if self._messages else None

    def request(self):
        """The next message's request id, or None when the client has gone."""
        message = self.message()
        return giop.Reader(message).ulong() if message else None

    def send(self, data):
        """False when the client has gone."""
        self.socket.settimeout(5)
        try:
            self.socket.sendall(data)
            return True
        except OSError:
            self.ended = True
            return False

    def over(self):
        """Whether the client has gone, or it has been long enough."""
        return self.ended or time.monotonic() > self._end

    def rest(self, seconds):
        """Lets time pass between bytes. False when the client has gone."""
        if select.select([self.socket], [], [], seconds)[0]:
            self._receive()
        return not self.over()

    def wait_for_end(self):
        """Until the client has gone, saying nothing."""
        while self.rest(1):
            pass

    def _receive(self):
        try:
            data = self.socket.recv(65536)
        except OSError:
            data = b""
        if not data:
            self.ended = True
        self._messages += self._stream.feed(data)


def reply(request_id, status=giop.NO_EXCEPTION, body=b"", version=(1, 2), more=False):
    writer = giop.Writer(version, True).put("I", request_id).put("I", status).put("I", 0)
    if body:
        writer.align(8).raw(bytes(body))
    return writer.message(giop.REPLY, more).raw()


def accepted(listener):
    """Connections as they come, until the listener is closed."""
    while True:
        try:
            client, _ = listener.accept()
        except OSError:
            return
        yield client


class CountingListener:
    """Counts who comes."""

    def __init__(self, family, address):
        self.came = 0
        self.socket = socket.socket(family, socket.SOCK_STREAM)
        self.socket.bind(address)
        self.socket.listen(16)
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        for client in accepted(self.socket):
            self.came += 1
            client.close()


class HostileServer:
    """Accepts for attack.serve(connection). As a context."""

    def __init__(self, attack):
        self._attack = attack
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self._listener.getsockname()[1]
        self.connections = 0
        self._open = []
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self.complaints = []

    def __enter__(self):
        self._threads[0].start()
        return self

    def __exit__(self, *_):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for each in list(self._open):
            each.ended = True
        for thread in list(self._threads):
            thread.join(10)

    def reference(self, key="hostile"):
        return f"corbaloc:iiop:1.2@127.0.0.1:{self.port}/{key}"

    def _accept(self):
        for client in accepted(self._listener):
            self.connections += 1
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection = Connection(client)
            self._open.append(connection)
            thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection):
        try:
            self._attack.serve(connection)
        except giop.Malformed as malformed:
            self.complaints.append(str(malformed))
        finally:
            connection.socket.close()
