# SPDX-License-Identifier: Apache-2.0
"""Attacks on the services (callis naming, trading, ...): a service of its own with default limits for each attack, and a
good client, a process that goes on calling over the service's Unix-domain socket: as a user of this machine it has a share
of the service's memory that is not the attackers', who come over loopback TCP.

Bars: what the attack promises; all calls of the good client answered; memory at most 256 MB (VmHWM); where the good client
writes beside readers, its longest call at most 50 ms, in the short form, which runs beside other tests, 2 s.
"""
import collections
import multiprocessing
import os
import pathlib
import signal
import tempfile
import time

from attack.attack import Attack, NotHeld
from attack.attacker import BUILD_UP_SECONDS
from attack.cdr import TK_LONG, TK_STRING, Cdr
from attack.hostile import HostileServer, reply
from attack.peer import NoAnswer, Peer, answer, request
from attack.report import Result
from attack.usage import Usage
from attack.victim import SANITIZER, START_SECONDS, attacker_only
from harness import giop
from harness.process import Failure
from harness.reference import Reference

TAG_IIOP, TAG_UIOP = 0, 0x54414f00
NOBODY = bytes(Cdr().string("").ulong(0))  # the nil reference
OTHER_HOST = "127.0.1.1"  # a peer from there counts as one on another machine (docs/guide/calls.md)
MEMORY = "/dev/shm"  # a folder whose files have no disk
ALONE_SECONDS = 0.3
PAUSE_SECONDS = 0.002  # of the good client between calls
_processes = multiprocessing.get_context("fork")


class ServiceAttack(Attack):
    """Against one service. A subclass says in good() what the good client calls, and attacks in lap(), which is made
    once; settle() comes after the good client's last call."""

    models = ("services",)
    service = ""        # callis-SERVICE
    arguments = ()      # before all others: "serve"
    durable = False     # with a store, whose size is the table's column "disk MB"
    quick_disk = False  # the store is where writing to the disk takes no time
    judges_wait = False  # whether the good client writes beside readers
    seconds = 3.0       # that readers go on

    @classmethod
    def start_others(cls, setting):
        """Services that the one under attack needs, by name, and options with which it uses them."""
        del setting
        return {}, []

    def good(self):
        """(place, key, operation, body, words that are good answers) of the good client's call."""
        raise NotImplementedError

    def settle(self):
        """What must hold afterwards. Raises NotHeld."""

    def local(self, key):
        """An object of the service, called as a user of this machine."""
        return Object(self.target.path, key)

    def stranger(self, key, source=0):
        """The same over loopback TCP."""
        return Object(self.target.address, key, source)

    def while_reading(self, readers, work):
        """Has so many processes go on with work(), which returns a function that is called again and again."""
        crowd = [_Reader(work) for _ in range(readers)]
        time.sleep(self.scaled(self.seconds, 1.0))  # nothing is waited for: what happens meanwhile is what is measured
        for each in crowd:
            for word, count in each.end().items():
                self.note(word, count)

    def until_refused(self, call, most, refusals=("NO_RESOURCES",)):
        """call(number) again and again; a refusal must come before so many."""
        for number in range(most):
            word = call(number)
            if word != "ok":
                self.note("ok", number)
                return self.expect(word, *refusals)
        raise NotHeld(f"{most} were taken")


class Object:
    """An object and a connection of its own. place: (host, port), or a socket's path."""

    def __init__(self, place, key, source=0):
        self.place, self.key, self.source = place, key, source
        self._peer = None

    def __getstate__(self):
        return self.place, self.key, self.source

    def peer(self):
        self._peer = self._peer or Peer(self.place, self.source)
        return self._peer

    def call(self, operation, body=b"", seconds=30):
        """(word, reader at the results or None)."""
        for _ in range(5):
            peer = self.peer()
            peer.send(request(self.key, operation, bytes(body)), seconds)
            message = peer.message(seconds)
            word = answer(message)
            if word == "close":
                self.close()
            if word != "forward":
                break
            self.key = object_key(giop.read_reply(message)[2])
        return word, giop.read_reply(message)[2] if word in ("ok", "user") else None

    def must(self, operation, body=b"", seconds=30):
        """The results of a call that must succeed."""
        word, results = self.call(operation, body, seconds)
        if word != "ok":
            raise NotHeld(f"{operation} answered by {word}" + (f" {results.string()}" if word == "user" else ""))
        return results

    def part(self, operation, body=b""):
        """The object that an operation returns."""
        return Object(self.place, object_key(self.must(operation, body)), self.source)

    def many(self, operation, bodies):
        """Calls without waiting for each answer; a count of the answers' words."""
        peer, words = self.peer(), collections.Counter()
        for body in bodies:
            peer.send_request(self.key, operation, body)
            words.update(answer(message) for message in peer.poll())
        while words.total() < len(bodies):
            words[answer(peer.message(30))] += 1
        return words

    def close(self):
        if self._peer:
            self._peer.close()
        self._peer = None


def object_key(reader):
    """The key in a reference of results."""
    reader.string()
    found = b""
    for _ in range(reader.ulong()):
        tag, data = reader.ulong(), reader.octets()
        if not found and tag in (TAG_IIOP, TAG_UIOP):
            profile = giop.Reader(giop.Message((1, 2), data[0], giop.REPLY, data))
            profile.at += 3
            profile.string()
            if tag == TAG_IIOP:
                profile.ushort()
            found = profile.octets()
    return found


def tcp_reference(port, type_id="", key=b"elsewhere"):
    profile = Cdr().raw(b"\1\1\2").string("127.0.0.1").put("H", port).octets(key).ulong(0)
    return bytes(Cdr().string(type_id).ulong(1, TAG_IIOP).octets(bytes(profile)))


def unix_reference(path, type_id=""):
    profile = Cdr().raw(b"\1\1\2").string(path).octets(b"elsewhere").ulong(0)
    return bytes(Cdr().string(type_id).ulong(1, TAG_UIOP).octets(bytes(profile)))


def put_reference(cdr, data):
    return cdr.align(4).raw(data)


def any_string(cdr, text):
    return cdr.ulong(TK_STRING, 0).string(text)


def any_long(cdr, number):
    return cdr.ulong(TK_LONG, number)


class FakeServer(HostileServer):
    """A server of a stranger that answers by bytes for each operation, and hangs in those without. As a context."""

    def __init__(self, **answers):
        super().__init__(self)
        self.answers = {"_is_a": b"\1", "_non_existent": b"\0", **answers}
        self.operations = collections.Counter()

    def serve(self, connection):
        while (message := connection.message()) is not None:
            if message.kind == giop.LOCATE_REQUEST:
                connection.send(giop.Writer((1, 2), True).put("I", giop.Reader(message).ulong()).put("I", 1)
                                .message(giop.LOCATE_REPLY).raw())
            elif message.kind == giop.REQUEST:
                header = giop.read_request(message)
                self.operations[header.operation] += 1
                body = self.answers.get(header.operation)
                if body is not None:
                    connection.send(reply(header.request_id, body=body))


class Service:
    """The service under attack, at 127.0.0.1 and at a Unix-domain socket."""

    def __init__(self, setting, service, arguments=(), options=(), durable=False, quick_disk=False):
        """durable: with a store. quick_disk: in memory, where the system has a folder for that."""
        self._folder = tempfile.TemporaryDirectory(prefix="attack.", dir=MEMORY if quick_disk and os.path.isdir(MEMORY) else None)
        self.folder = pathlib.Path(self._folder.name)
        self.path = str(self.folder / "socket")
        self._store = self.folder / "store.db"
        store = ["--store", self._store] if durable else []
        self._start = lambda: setting.processes.start(service, [
            setting.programs / f"callis-{service}", *arguments, *store, *options, "-ORBEndpoint", "tcp:127.0.0.1:0",
            "-ORBEndpoint", f"unix:{self.path}"], SANITIZER)
        self.start()

    def start(self):
        """Again, once it has ended."""
        self.process = self._start()
        lines = self.process.wait_for(lambda line: "IOR:" in line, START_SECONDS)
        self.ior = next(word for word in lines[-1].split() if word.startswith("IOR:"))
        parsed = Reference(self.ior)
        self.address, self.key = (parsed.host, parsed.port), parsed.object_key
        self.usage = Usage(self.process.pid)

    def reference(self):
        """Its own, for a body."""
        data = bytes.fromhex(self.ior[4:])
        reader = giop.Reader(giop.Message((1, 2), data[0], giop.REPLY, data))
        reader.at += 1
        cdr = Cdr().string(reader.string())
        profiles = [(reader.ulong(), reader.octets()) for _ in range(reader.ulong())]
        cdr.ulong(len(profiles))
        for tag, profile in profiles:
            cdr.ulong(tag).octets(profile)
        return bytes(cdr)

    def disk_mb(self):
        return sum(each.stat().st_size for each in self.folder.glob("store.db*")) / 1e6

    def end(self):
        """What was wrong, or ''. Its store goes."""
        try:
            return self.stop()
        finally:
            self._folder.cleanup()

    def stop(self):
        try:
            if not self.process.running():
                return f"ended with status {self.process.finish(1)}: {' | '.join(self.process.output[-2:])}"
            self.process.signal(signal.SIGTERM)
            status = self.process.finish(START_SECONDS)
            wrong = next((line for line in self.process.output if "Sanitizer" in line or "terminate called" in line), "")
            return wrong or (f"ended with status {status}" if status else "")
        except Failure as failure:
            self.process.kill()
            return f"does not end: {failure}"


class _Child:
    """A process that goes on with a function until it is asked what it has seen."""

    def __init__(self, run):
        self._pipe, inner = _processes.Pipe()
        self._process = _processes.Process(target=run, args=(inner,), daemon=True)
        self._process.start()

    def ask(self, end=True):
        self._pipe.send(end)
        if not self._pipe.poll(BUILD_UP_SECONDS):
            raise NotHeld("a client has not come to its end")
        said = self._pipe.recv()
        if end:
            self._process.join(10)
        return said

    def kill(self):
        self._process.kill()
        self._process.join(10)


class _Reader(_Child):
    def __init__(self, work):
        super().__init__(lambda pipe: self._run(pipe, work))

    def end(self):
        return self.ask()

    @staticmethod
    def _run(pipe, work):
        attacker_only()
        words = collections.Counter()
        try:
            call = work()
            while not pipe.poll(0):
                words[call()] += 1
        except NoAnswer:
            words["no answer"] += 1
        pipe.recv()
        pipe.send(words)


class _GoodClient(_Child):
    """Calls again and again; take() tells (milliseconds of each call, words of those that failed) since the last."""

    def __init__(self, place, key, operation, body, good_words):
        super().__init__(lambda pipe: self._run(pipe, Object(place, key), operation, body, good_words))

    def take(self, end=False):
        return self.ask(end)

    @staticmethod
    def _run(pipe, called, operation, body, good_words):
        times, failed = [], collections.Counter()
        while True:
            begin = time.monotonic()
            try:
                word, _ = called.call(operation, body, 20)
            except (NoAnswer, OSError, giop.Malformed) as failure:
                word = type(failure).__name__
                called.close()
            times.append((time.monotonic() - begin) * 1000)
            if word not in good_words:
                failed[word] += 1
            if pipe.poll(PAUSE_SECONDS):
                end = pipe.recv()
                pipe.send((times, failed))
                times, failed = [], collections.Counter()
                if end:
                    return


def attack_service(setting, kind):
    for _ in range(1 if setting.short else setting.times):
        begin = time.monotonic()
        result = _once(setting, kind)
        result.seconds = time.monotonic() - begin
        if not result.only_slow:
            break
    return result


def _once(setting, kind):
    result = Result(kind, setting.preset, "services")
    service, good, others = None, None, {}
    try:
        others, options = kind.start_others(setting)
        service = Service(setting, kind.service, kind.arguments, [*kind.options, *options], kind.durable, kind.quick_disk)
        attack = kind(service, setting.short)
        attack.others = others
        attack.prepare()
        good = _GoodClient(*attack.good())
        time.sleep(ALONE_SECONDS)  # nothing is waited for: what happens meanwhile is what is measured
        result.service_alone(*good.take())
        result.baseline_mb = service.usage.resident_mb()
        try:
            attack.lap()
        finally:
            result.seen = attack.seen
            result.service_under(*good.take(end=True))
        attack.settle()
        attack.finish()
    except (NotHeld, NoAnswer, Failure, OSError) as failure:
        result.complain(str(failure) or type(failure).__name__)
    finally:
        if good:
            good.kill()
        if service:
            if service.process.running():
                result.peak_mb, result.disk_mb = service.usage.peak_mb(), service.disk_mb()
            result.complain(service.end())
        for other in others.values():
            other.end()
    result.judge(setting.short)
    return result
