# SPDX-License-Identifier: Apache-2.0
"""Attacks on the log service."""
import socket
import time

from attack.attack import NotHeld
from attack.cdr import Cdr
from attack.hostile import CountingListener
from attack.services import NOBODY, OTHER_HOST, ServiceAttack, any_long, any_string, tcp_reference, unix_reference

WRAP = 0  # DsLogAdmin: a full log loses its oldest records
GRAMMAR = "EXTENDED_TCL"


class _Logging(ServiceAttack):
    service = "logging"

    def prepare(self):
        self._good = self.new_log(self.local(b"BasicLogFactory"))

    def new_log(self, factory):
        return factory.part("create", Cdr().put("H", WRAP).put("Q", 0))

    def good(self):
        return self.target.path, self._good.key, "write_records", bytes(any_long(Cdr().ulong(1), 7)), ("ok",)


class BigRecords(_Logging):
    """Records of 1 MB, kept in memory, until they are refused."""

    promised = "NO_RESOURCES; others write"

    def lap(self):
        log = self.new_log(self.stranger(b"BasicLogFactory"))
        record = bytes(any_string(Cdr().ulong(1), "x" * 1000000))
        self.until_refused(lambda number: log.call("write_records", record)[0], 3000)


class BigRecordsKept(BigRecords):
    """The same with a store; after 200 of them the disk has their bytes, and not many times as many."""

    promised = "the disk takes what is written"
    durable = True

    def lap(self):
        log = self.new_log(self.stranger(b"BasicLogFactory"))
        record = bytes(any_string(Cdr().ulong(1), "x" * 1000000))
        number = self.scaled(200, 40)
        for _ in range(number):
            self.expect(log.call("write_records", record)[0], "ok", "NO_RESOURCES")
        if self.target.disk_mb() > 3 * number + 20:
            raise NotHeld(f"{number} MB of records take {self.target.disk_mb():.0f} MB")


class LongQueries(_Logging):
    """Queries that look at each of many records, by four readers; the good client writes."""

    promised = "a writer waits 50 ms at most"
    judges_wait = True

    def prepare(self):
        super().prepare()
        self._log = self.new_log(self.stranger(b"BasicLogFactory"))
        records = Cdr().ulong(1000)
        for _ in range(1000):
            any_string(records, "a" * 500)
        for _ in range(self.scaled(50, 10)):
            self._log.must("write_records", records)

    def good(self):
        return self.target.path, self._log.key, "write_records", bytes(any_long(Cdr().ulong(1), 7)), ("ok",)

    def lap(self):
        def work():
            log = self.stranger(self._log.key)
            return lambda: log.call("match", Cdr().string(GRAMMAR).string(f"'{'a' * 100}b' ~ info"))[0]
        self.while_reading(4, work)


class LongQueriesKept(LongQueries):
    """The same of a log with a store, whose readers and writers have one file. The store is in memory: what a disk takes,
    which may be 70 ms for one fdatasync, is not the service's."""

    durable = True
    quick_disk = True


class StrangersReferences(_Logging):
    """A peer of another machine connects consumers of a log's news at a loopback port and at a Unix-domain socket, and
    suppliers of what is logged."""

    promised = "nobody comes there"

    def lap(self):
        path = str(self.target.folder / "private")
        places = (CountingListener(socket.AF_INET, ("127.0.0.1", 0)), CountingListener(socket.AF_UNIX, path))
        factory = self.stranger(b"EventLogFactory", OTHER_HOST)
        log = factory.part("create", Cdr().put("H", WRAP).put("Q", 0).ulong(0))
        for reference in (tcp_reference(places[0].socket.getsockname()[1]), unix_reference(path)):
            for channel in (log, factory):
                word = channel.part("for_consumers" if channel is log else "obtain_push_supplier")
                proxy = word.part("obtain_push_supplier") if channel is log else word
                self.note(proxy.call("connect_push_consumer", reference)[0])
            self.note(log.part("for_suppliers").part("obtain_pull_consumer").call("connect_pull_supplier", reference)[0])
        supplier = log.part("for_suppliers").part("obtain_push_consumer")
        supplier.must("connect_push_supplier", NOBODY)
        supplier.must("push", any_long(Cdr(), 7))
        time.sleep(self.scaled(3.0, 1.0))  # nothing is waited for: what happens meanwhile is what is looked at
        if came := [place.socket.family.name for place in places if place.came]:
            raise NotHeld(f"logging came to {' and '.join(came)}")
