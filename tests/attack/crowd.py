# SPDX-License-Identifier: Apache-2.0
"""Many hostile connections at once, driven by one thread."""
import resource
import select
import time

from attack.peer import Peer

AT_ONCE = 1 << 18  # bytes offered to one connection in a round, and taken from it
SMALL_WINDOW = 4096  # of who reads nothing: what the kernel keeps for him does not burden the victim


def many_descriptors():
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


class Member:
    """A connection with bytes to send again and again."""

    def __init__(self, peer, data, times, most_read):
        self.peer = peer
        self.most_read = most_read  # bytes at once; 0: none
        self.begun = time.monotonic()
        self.sent = self.received = 0
        self.closed_after = None  # seconds
        self._data = memoryview(data)
        self._left = times * len(data)
        self._at = 0

    @property
    def sending(self):
        return self._left > 0 and self.closed_after is None

    def add(self, data):
        """Other bytes, once the first are gone."""
        self._data, self._left, self._at = memoryview(data), len(data), 0

    def write(self):
        most = min(AT_ONCE, self._left, len(self._data) - self._at)
        sent = self.peer.send_some(self._data[self._at:self._at + most])
        if sent is None:
            self.end()
            return
        self.sent += sent
        self._left -= sent
        self._at = (self._at + sent) % len(self._data)

    def read(self):
        """What came is counted, and forgotten."""
        try:
            data = self.peer.socket.recv(self.most_read)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self.received += len(data)
        if not data:
            self.end()

    def end(self):
        if self.closed_after is None:
            self.closed_after = time.monotonic() - self.begun
            self.peer.close()


class Crowd:
    def __init__(self, address, per_source=200, first_source=1):
        many_descriptors()
        self._address, self._per_source, self._first = address, per_source, first_source
        self._poll = select.poll()
        self._by_descriptor = {}
        self._made = 0
        self.members = []
        self.refused = 0

    def join(self, data, times=1, most_read=AT_ONCE):
        """A further connection, or None when the victim takes none. most_read: of what comes, at once."""
        source = self._first + self._made // self._per_source
        self._made += 1
        try:
            peer = Peer(self._address, source, 0 if most_read else SMALL_WINDOW)
        except OSError:
            self.refused += 1
            return None
        peer.socket.setblocking(False)
        member = Member(peer, data, times, most_read)
        self.members.append(member)
        self._by_descriptor[peer.socket.fileno()] = member
        self._poll.register(peer.socket.fileno(), 0)
        return member

    def drive(self, seconds):
        """Sends what can be sent, and takes in what comes of those who read, for so long."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            waiting = 0
            for descriptor, member in list(self._by_descriptor.items()):
                if member.closed_after is not None:
                    self._poll.unregister(descriptor)
                    del self._by_descriptor[descriptor]
                    continue
                events = (select.POLLOUT if member.sending else 0) | (select.POLLIN if member.most_read else select.POLLRDHUP)
                self._poll.modify(descriptor, events)
                waiting += 1
            if not waiting:
                return
            for descriptor, events in self._poll.poll(max(1, left * 1000)):
                member = self._by_descriptor[descriptor]
                if events & select.POLLOUT:
                    member.write()
                if member.most_read and events & (select.POLLIN | select.POLLHUP | select.POLLERR):
                    member.read()
                elif events & (select.POLLRDHUP | select.POLLHUP | select.POLLERR):
                    member.end()

    @property
    def open(self):
        return sum(member.closed_after is None for member in self.members)

    @property
    def closed(self):
        return len(self.members) - self.open

    def close(self):
        for member in self.members:
            member.peer.close()
