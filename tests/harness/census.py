# SPDX-License-Identifier: Apache-2.0
"""What recorded connections must satisfy, whoever spoke: each direction is a row of whole GIOP messages, every
request that expects a reply has one, no reply comes unasked.
"""
from collections import Counter

from harness import giop
from harness.process import Failure
from harness.recorder import CLIENT, SERVER


class Census:
    def __init__(self, connections):
        self.messages = {CLIENT: [], SERVER: []}
        self.operations = Counter()  # requests that were not answered by OBJECT_NOT_EXIST
        self.oneways = 0
        for connection in connections:
            self._count(connection)

    def _count(self, connection):
        sent = {}
        for sender in (CLIENT, SERVER):
            stream = giop.Stream()
            sent[sender] = list(stream.feed(connection.bytes_from(sender)))
            if stream.rest():
                raise Failure(f"{stream.rest()} bytes of an unfinished message")
            self.messages[sender] += sent[sender]
        self._match(giop.join_fragments(sent[CLIENT]), giop.join_fragments(sent[SERVER]))

    def _match(self, from_client, from_server):
        waiting = {}
        for message in from_client:
            if message.kind == giop.REQUEST:
                header = giop.read_request(message)
                self.operations[header.operation] += 1
                if header.response_expected:
                    waiting[header.request_id] = header.operation
                else:
                    self.oneways += 1
            elif message.kind == giop.LOCATE_REQUEST:
                waiting[giop.Reader(message).ulong()] = None
            elif message.kind not in (giop.CLOSE, giop.CANCEL):
                raise Failure(f"the client sent a {message}")
        for message in from_server:
            if message.kind == giop.LOCATE_REPLY:
                self._answered(waiting, giop.Reader(message).ulong(), message)
            elif message.kind == giop.REPLY:
                request_id, status, body = giop.read_reply(message)
                operation = self._answered(waiting, request_id, message)
                if status == giop.SYSTEM_EXCEPTION and "OBJECT_NOT_EXIST" in body.string():
                    self.operations[operation] -= 1
            elif message.kind != giop.CLOSE:
                raise Failure(f"the server sent a {message}")
        if waiting:
            raise Failure(f"requests without replies: {sorted(waiting)[:10]}")

    @staticmethod
    def _answered(waiting, request_id, message):
        if request_id not in waiting:
            raise Failure(f"a {message} to request {request_id}, which nobody made")
        return waiting.pop(request_id)

    def count(self, kind, sender=None):
        senders = (CLIENT, SERVER) if sender is None else (sender,)
        return sum(message.kind == kind for each in senders for message in self.messages[each])

    def versions(self):
        return {message.version for sender in self.messages.values() for message in sender}

    def largest_message(self, sender):
        return max((len(message.body) for message in self.messages[sender]), default=0)

    def __str__(self):
        parts = []
        for name, sender in (("client", CLIENT), ("server", SERVER)):
            counts = Counter(giop.TYPE_NAMES[message.kind] for message in self.messages[sender])
            parts.append(f"{name}: " + ", ".join(f"{n} {kind}" for kind, n in sorted(counts.items())))
        return "; ".join(parts)
