# SPDX-License-Identifier: Apache-2.0
"""Attacks on the event service."""
import socket
import time

from attack.attack import NotHeld
from attack.cdr import Cdr
from attack.hostile import CountingListener
from attack.services import (NOBODY, OTHER_HOST, FakeServer, Object, Service, ServiceAttack, any_long, any_string, object_key,
                             tcp_reference, unix_reference)
from attack.themes.imr import REPOSITORY, server

ADMINISTRATIVE = "IDL:CallisImr/Repository:1.0"
# What a stranger says the interface is: typed channels call operations without results.
INTERFACE = b"module CallisImr { interface Repository { void start(in string name); }; };"


class _Events(ServiceAttack):
    service = "events"

    def prepare(self):
        self._good = self.supplier(self.local(b"EventChannel"))

    def good(self):
        return self.target.path, self._good.key, "push", bytes(any_long(Cdr(), 7)), ("ok",)

    def supplier(self, channel):
        consumer = channel.part("for_suppliers").part("obtain_push_consumer")
        consumer.must("connect_push_supplier", NOBODY)
        return consumer


class FullQueues(_Events):
    """Channels with a consumer each that never pulls, and events of 1 MB."""

    promised = "memory is bounded; others push"

    def lap(self):
        factory = self.stranger(b"omniEvents")
        event = bytes(any_string(Cdr(), "x" * 1000000))
        for number in range(self.scaled(40, 20)):
            word, results = factory.call("create_channel", Cdr().string(f"c{number}"))
            self.expect(word, "ok", "NO_RESOURCES")
            if word != "ok":
                break
            channel = Object(self.target.address, object_key(results))
            channel.part("for_consumers").part("obtain_pull_supplier").must("connect_pull_consumer", NOBODY)
            consumer = self.supplier(channel)
            for _ in range(17):  # one more than a queue takes
                self.expect(consumer.call("push", event)[0], "ok", "NO_RESOURCES")


class StrangersReferences(_Events):
    """A peer of another machine connects consumers and suppliers at a loopback port and at a Unix-domain socket."""

    promised = "nobody comes there"

    def lap(self):
        path = str(self.target.folder / "private")
        places = (CountingListener(socket.AF_INET, ("127.0.0.1", 0)), CountingListener(socket.AF_UNIX, path))
        channel = self.stranger(b"EventChannel", OTHER_HOST)
        for reference in (tcp_reference(places[0].socket.getsockname()[1]), unix_reference(path)):
            self.note(channel.part("for_consumers").part("obtain_push_supplier").call("connect_push_consumer", reference)[0])
            self.note(channel.part("for_suppliers").part("obtain_pull_consumer").call("connect_pull_supplier", reference)[0])
        self.supplier(channel).must("push", any_long(Cdr(), 7))
        time.sleep(self.scaled(3.0, 1.0))  # nothing is waited for: what happens meanwhile is what is looked at
        if came := [place.socket.family.name for place in places if place.came]:
            raise NotHeld(f"the event service came to {' and '.join(came)}")


class _TypedToAdministration(_Events):
    """A consumer of a typed channel, whose typed object is an Implementation Repository at a loopback address; a supplier
    calls that to start a server."""

    source = 0
    options = ("--channel", "EventChannel", "--typed", "plant")

    @classmethod
    def start_others(cls, setting):
        types, servers = Service(setting, "ifr", ("serve",)), Service(setting, "imr", ("serve",))
        return {"types": types, "servers": servers}, ["--repository", types.ior]

    def lap(self):
        types, servers = self.others["types"], self.others["servers"]
        touched = servers.folder / "touched"
        Object(types.path, types.key).must("feed", Cdr().string("stranger.idl").octets(INTERFACE))
        Object(servers.path, REPOSITORY).must("add", server("victim", ["/usr/bin/touch", str(touched)]))
        channel = self.stranger(b"plant/typed", self.source)
        with FakeServer(get_typed_consumer=servers.reference(), push=b"") as consumer:
            proxy = channel.part("for_consumers").part("obtain_typed_push_supplier", Cdr().string(ADMINISTRATIVE))
            word, _ = proxy.call("connect_push_consumer", tcp_reference(consumer.port))
            self.note(f"connect: {word}")
            typed = channel.part("for_suppliers").part("obtain_typed_push_consumer", Cdr().string(ADMINISTRATIVE))
            typed.must("connect_push_supplier", NOBODY)
            self.note(f"start: {typed.part('get_typed_consumer').call('start', Cdr().string('victim'))[0]}")
            time.sleep(self.scaled(2.0, 1.0))  # nothing is waited for: what happens meanwhile is what is looked at
            self.note("asked for its object", consumer.operations["get_typed_consumer"])
            if self.source and consumer.connections:
                raise NotHeld("the event service came to the stranger's loopback port")
        state = Object(servers.path, REPOSITORY).must("find", Cdr().string("victim")).rest()
        if touched.exists() or b"stopped" not in state:
            raise NotHeld("the repository has started the server")
        if word == "ok":
            raise NotHeld("the consumer is connected")


class TypedToAdministrationHere(_TypedToAdministration):
    __doc__ = _TypedToAdministration.__doc__ + " The stranger is at 127.0.0.1."

    promised = "nothing administrative is called"


class TypedToAdministrationElsewhere(_TypedToAdministration):
    __doc__ = _TypedToAdministration.__doc__ + " The stranger is at another machine."

    source = OTHER_HOST
    promised = "the same; nobody comes there"
