# SPDX-License-Identifier: Apache-2.0
"""Event channels: suppliers and consumers of one ORB with the channel of another, and omniEvents' programs with callis events."""
import json
import pathlib
import shutil
import signal
import subprocess
import tempfile

from harness import ports
from harness.process import Failure
from interop.echo import TIMEOUT

COUNT = 50
COMBINATIONS = ("push_push", "push_pull", "pull_push", "pull_pull")
CASES = (*COMBINATIONS, "factory", "recorded", "federated", "clients", "stopped")


def add_options(tests):
    parser = tests.add_parser("events", help=__doc__.splitlines()[0])
    parser.add_argument("--callis", required=True)
    parser.add_argument("--programs", required=True, type=pathlib.Path)
    parser.add_argument("--case", required=True, choices=CASES)
    parser.add_argument("--peer", choices=("callis", "omni"))
    parser.add_argument("--channel", choices=("callis", "omni"))
    parser.set_defaults(run=lambda options, processes: Case(options, processes).run())


def want(found, expected, what):
    if found != expected:
        raise Failure(f"{what}: {found!r}, not {expected!r}")


class Case:
    def __init__(self, options, processes):
        self.options, self.processes = options, processes
        self.port = ports.fixed_port()
        self.folder = None

    def run(self):
        for program in ("omniEvents", "eventc", "events"):
            if not shutil.which(program):
                raise Failure(f"{program} is not installed (Debian's omnievents)")
        with tempfile.TemporaryDirectory() as folder:
            self.folder = pathlib.Path(folder)
            if self.options.case in COMBINATIONS:
                self.combination(*self.options.case.split("_"))
            else:
                getattr(self, f"case_{self.options.case}")()

    # ---- programs ----

    def at(self, name, port=None):
        return f"corbaloc::127.0.0.1:{port or self.port}/{name}"

    def serve(self, *options):
        server = self.processes.start("callis events", [self.options.callis, "events", "--allow", "admin=any", "--channel", "one", *options, "-ORBEndpoint",
                                                        f"tcp:127.0.0.1:{self.port}"])
        server.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)
        return server

    def end(self, server):
        server.signal(signal.SIGTERM)
        want(server.finish(TIMEOUT), 0, "status of callis events")

    def omni_events(self, port):
        """omniEvents with a channel "one" that passes events on at once."""
        (self.folder / "omni").mkdir()
        self.processes.start("omniEvents", ["omniEvents", "-f", "-p", str(port), "-l", self.folder / "omni", "-t",
                                            self.folder / "omni.log"])
        self.wait_for(port)
        self.shell("eventc", "-i", "one", "-c", "1000000", "-R", "10", self.at("omniEvents", port))

    def wait_for(self, port):
        self.retried(lambda: self.shell(self.options.callis, "ior", "--ping", self.at("omniEvents", port)))

    @staticmethod
    def retried(call):
        """Until a server is there: each try takes the time of a process."""
        for _ in range(200):
            try:
                return call()
            except Failure as failure:
                last = failure
        raise last

    def shell(self, *words, status=0, text=None):
        done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, input=text, text=True,
                              timeout=TIMEOUT, check=False)
        if status is not None and done.returncode != status:
            raise Failure(f"{' '.join(map(str, words))} ended with {done.returncode}: {done.stdout}")
        return done.stdout

    def callis(self, *words, status=0, text=None):
        return self.shell(self.options.callis, "events", *words, status=status, text=text)

    def client(self, *words):
        process = self.processes.start("client", [self.options.callis, "events", *map(str, words)])
        process.wait_for(lambda line: line == "callis events: connected", TIMEOUT)
        return process

    def peer(self, kind, channel, orb=None):
        program = self.options.programs / f"events_peer_{orb or self.options.peer}"
        return self.processes.start(kind, [program, kind, channel, str(COUNT)])

    def finished(self, process, expected, what):
        if process.finish(TIMEOUT) != 0:
            raise Failure(f"{what} failed: {process.output[-5:]}")
        want([line for line in process.output if line.startswith("got") or line == "done"], expected, what)

    # ---- the four combinations ----

    def combination(self, supplier, consumer):
        if self.options.channel == "callis":
            server = self.serve()
        else:
            self.omni_events(self.port)
        channel = self.at("one")
        taking = self.peer(f"{consumer}cons", channel)
        taking.wait_for(lambda line: line == "connected", TIMEOUT)
        giving = self.peer(f"{supplier}supp", channel)
        self.finished(taking, [f"got {n}" for n in range(COUNT)] + ["done"], "consumer")
        self.finished(giving, ["done"], "supplier")
        if self.options.channel == "callis":
            self.end(server)

    # ---- omniEvents' programs ----

    def case_factory(self):
        server = self.serve()
        made = self.shell("eventc", "-v", "-i", "mine", "-q", "20", "-p", "20", "-R", "100", "-c", "1000", self.at("omniEvents"))
        if "IOR:" not in made:
            raise Failure(f"eventc made no channel: {made}")
        channels = {c["name"] for c in json.loads(self.callis("ls", "--json", self.at("omniEvents")))["channels"]}
        want(channels, {"one", "mine"}, "channels")
        self.shell("rmeventc", self.at("mine"))
        channels = {c["name"] for c in json.loads(self.callis("ls", "--json", self.at("EventService")))["channels"]}
        want(channels, {"one"}, "channels after rmeventc")
        self.callis("push", self.at("mine"), "x", status=4)
        self.end(server)

    def case_recorded(self):
        """omniEvents' recorder on callis's channel: what it records is what it plays."""
        server = self.serve()
        with open(self.folder / "events", "wb") as out, subprocess.Popen(["events", self.at("one")], stdout=out) as recorder:
            try:
                self.retried(lambda: want(self.state("push_suppliers"), 1, "recorders"))
                self.callis("push", self.at("one"), "one", "two")  # it cannot play what does not end at four bytes
                self.retried(lambda: want((self.state("received"), (self.folder / "events").stat().st_size >= 48),
                                          (2, True), "recorded"))
            finally:
                recorder.terminate()
        watching = self.client("watch", "--count", "2", self.at("one"))
        with open(self.folder / "events", "rb") as recorded, subprocess.Popen(["events", "-s", self.at("one")], stdin=recorded) as player:
            try:
                want(watching.finish(TIMEOUT), 0, "watch")
            finally:
                player.kill()  # it does not end by itself
        want([line for line in watching.output if line.startswith('"')], ['"one"', '"two"'], "played")
        self.end(server)

    def state(self, what, name="one"):
        channels = json.loads(self.callis("ls", "--json", self.at("EventService")))["channels"]
        return next(c[what] for c in channels if c["name"] == name)

    def case_federated(self):
        """A channel of omniEvents behind one of callis, and the other way round."""
        other = ports.fixed_port()
        server = self.serve("--channel", "back")
        self.omni_events(other)
        self.shell("eventf", self.at("one"), self.at("one", other))
        self.shell("eventf", self.at("one", other), self.at("back"))
        watching = self.client("watch", "--count", "2", self.at("back"))
        self.callis("push", self.at("one"), "there", "and back")
        want(watching.finish(TIMEOUT), 0, "watch")
        want([line for line in watching.output if line.startswith('"')], ['"there"', '"and back"'], "through both")
        self.end(server)

    def case_clients(self):
        """callis events' clients with a channel of omniEvents."""
        self.omni_events(self.port)
        watching = self.client("watch", "--count", "2", "--types", self.at("one"))
        pulling = self.client("pull", "--count", "2", self.at("one"))
        self.callis("push", "--json", self.at("one"), text='{"type": "long", "value": 5}\n{"type": "string", "value": "x"}\n')
        for process, expected in ((watching, ['{"type":"long","value":5}', '{"type":"string","value":"x"}']), (pulling, ["5", '"x"'])):
            want(process.finish(TIMEOUT), 0, "client")
            want([line for line in process.output if "connected" not in line], expected, "events")

    def case_stopped(self):
        """A consumer that is stopped (SIGSTOP) delays nobody, and is dropped."""
        server = self.serve("--deadline", "200", "--failures", "2")
        stopped = self.client("watch", self.at("one"))
        stopped.signal(signal.SIGSTOP)
        taking = self.peer("pushcons", self.at("one"), "omni")
        taking.wait_for(lambda line: line == "connected", TIMEOUT)
        giving = self.peer("pushsupp", self.at("one"), "omni")
        self.finished(taking, [f"got {n}" for n in range(COUNT)] + ["done"], "the other consumer")
        self.finished(giving, ["done"], "supplier")
        server.wait_for(lambda line: "a consumer is dropped: 2 calls failed" in line, TIMEOUT)
        stopped.signal(signal.SIGCONT)
        want(self.state("push_suppliers"), 0, "consumers that are left")
        self.end(server)
