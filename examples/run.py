#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the examples and checks what they print.

    run.py --programs FOLDER [EXAMPLE...]    all examples, unless some are named
    run.py --self-test                       does it notice what goes wrong?
    --bridge PROGRAM                         callis-bridge, where it does not stand in FOLDER

FOLDER has the programs of callis' own tree (build/dev/bin), or those of examples that were built against an installed
callis: then they stand in FOLDER/01-hello and so on.

Servers listen on the loopback interface only, at ports that the kernel chooses. A server has started when it prints its first
line, and is ended by SIGTERM, alternately SIGINT; then it must end by itself, with status 0.
"""
import argparse
import contextlib
import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field

SECONDS = 30  # until a program has printed its line or has ended
LOOPBACK = ["-ORBEndpoint", "tcp:127.0.0.1:0"]


class Failure(Exception):
    pass


@dataclass
class Example:
    """What an example has to print. In arguments {IOR} is the first line that the first server printed, {folder} a new
    folder, {names} the reference of the naming service, {BRIDGE} that of `callis bridge`, which stands before the server. A line that depends
    on the machine is a compiled regular expression."""
    folder: str
    clients: list                  # (arguments, lines that the client prints)
    served: list = field(default_factory=list)  # lines that the server prints after its first one
    server_arguments: list = field(default_factory=lambda: LOOPBACK)
    restarts: bool = False         # a new server for each client
    first: str = "IOR:"            # how the server's first line begins
    naming: bool = False           # needs a naming service
    bridged: str = ""              # the IDL file of `callis bridge`
    script: str = ""               # starts the programs itself, and prints `served`
    optional: bool = False         # passed over where it has not been built

    @property
    def name(self):
        """That of its programs."""
        return self.folder.split("-")[-1]


CLIENT = ["{IOR}"]
# What the ORB says at its start where the process may not have priorities.
MAY_BE_WARNED = "callis: warning: real time: "
NAMES = ["-ORBInitRef", "NameService={names}"]
EXAMPLES = [
    Example("01-hello", [(CLIENT, ['I said, "Hello!". The object replied, "Hello!".']),
                         ([*CLIENT, "Again"], ['I said, "Again". The object replied, "Again".'])]),
    Example("02-factory", [(CLIENT, ["in the cart: tea", "in the cart: bread", "carts in use: 1", "carts in use: 0",
                                     "the cart does not exist any more"])],
            served=["a cart has been freed"]),
    Example("03-callback", [([*CLIENT, *LOOPBACK], ["Ada has read: Rain tomorrow", "Bob has read: Rain tomorrow"])],
            served=["forgetting a listener: OBJECT_NOT_EXIST"]),
    Example("04-exceptions", [(CLIENT, ["5 of tea: taken, 15 left", "5 of bread: TooFew, 5 wanted and 3 there",
                                        "1 of coal: UnknownItem, coal",
                                        "0 of tea: BAD_PARAM, minor code 7, not executed"])]),
    Example("05-any", [(CLIENT, ["volume: 11", "title: callis", "background: red 120, green 180, blue 255",
                                 "foreground is not set"])],
            served=["volume is a long", "title is a string", "background is a struct"]),
    Example("06-valuetypes", [(CLIENT, ["Berlin - Leipzig - Munich (3 stops)", "Munich - Leipzig - Berlin (3 stops)",
                                        "a round trip: no", "a round trip: yes"])]),
    # At a socket in the file system, which is there again for the second server.
    Example("07-locator", [([*CLIENT, "buy milk"], ["the note says: ", "now it says: buy milk"]),
                           (CLIENT, ["the note says: buy milk"])],
            server_arguments=["{folder}", "-ORBEndpoint", "unix:{folder}/socket"], restarts=True),
    Example("08-oneway-deadlines", [(CLIENT, ["SYNC_WITH_TRANSPORT: sent; nobody says what became of it",
                                              "SYNC_WITH_TARGET: BAD_PARAM", "lines: 2", "work of 600 ms: done",
                                              "work of 600 ms: TIMEOUT"])]),
    Example("09-interceptors", [(CLIENT, ["-> add (order 17)", "<- add (order 17)", "2 + 3 = 5"]),
                                ([*CLIENT, "order 18"], ["-> add (order 18)", "<- add (order 18)", "2 + 3 = 5"])],
            served=["add belongs to order 17", "add belongs to order 18"]),
    Example("10-naming", [(NAMES, ["Good day, Ada", "NotFound: gardener"]), ([*NAMES, "Bob"], ["Good day, Bob",
                                                                                           "NotFound: gardener"])],
            server_arguments=[*LOOPBACK, *NAMES], first="ready", naming=True),
    Example("11-dynamic", [(CLIENT, ["42", '{x = 1, label = "one"}',
                                     '[{x = 1, label = "one"}, {x = 2, label = "two"}]', "lift: BAD_OPERATION"])]),
    Example("12-bridge", [(["{BRIDGE}", "{IOR}", *LOOPBACK],
                           ["a vase is sold through the bridge", "5 is too low: 10 is offered", "Ada bids 20", "Bob bids 30",
                            "Ada has been outbid: 30"])], bridged="auction.idl"),
    Example("14-federation", [], script="show.sh",
            served=["What Berlin has:", "munich/", "greeter", "A client in Berlin asks:", "greeter: Good day from berlin, Ada",
                    "munich/greeter: Good day from munich, Ada", "munich/berlin/greeter: Good day from berlin, Ada",
                    "munich/gardener: NotFound, from gardener on", "Munich's naming service is gone:",
                    "greeter: Good day from berlin, Ada",
                    "munich/greeter: CannotProceed, greeter has to be asked for elsewhere"]),
    Example("15-on-demand", [], script="show.sh",
            served=["Registered, and not running:", re.compile("greeter +stopped +- +on-demand"), "The first call starts it:",
                    "Good day, Ada. This is call 1 of this process.", "Good day, Bob. This is call 2 of this process.",
                    "Its process is killed, and the next call starts another:", "Good day, Ada. This is call 1 of this process.",
                    "A process for each client:", "Good day, Ada. This is call 1 of this process.",
                    "Good day, Ada. This is call 2 of this process.", "Good day, Bob. This is call 1 of this process.",
                    re.compile(r"greeter +running +- +per-client \([12]\)")]),
    Example("17-video", [], script="show.sh", optional=True,
            served=["A player of files:", "bound 2 flows", "a second of media has come", "stopped and started",
                    "sought 6000 ms: there", "sought an hour: InvalidPosition", "changed to 5 pictures a second: met",
                    re.compile(r"video: \d+ packets, 0 lost, jitter \d+\.\d ms, [1-9]\d* reports"),
                    re.compile(r"audio: \d+ packets, 0 lost, jitter \d+\.\d ms, [1-9]\d* reports"),
                    "ffmpeg decodes what has come", "A camera:", "bound 1 flow", "a second of media has come",
                    re.compile(r"video: \d+ packets, 0 lost, jitter \d+\.\d ms, [1-9]\d* reports"),
                    "ffmpeg decodes what has come"]),
    Example("19-events-realtime", [], script="show.sh",
            served=["ready", "the first pair: 2.5 bar, 21 degrees", re.compile("late: (temperature|pressure|both sensors)"),
                    re.compile(r"pairs: [1-9]\d*"), re.compile("deadlines that passed: [1-9]\\d*")]),
    Example("16-trader", [], script="show.sh",
            served=["What the trader has:", "Printer", "  interface IDL:Office/Printer:1.0", "  Cost:long:mandatory",
                    "  Inks:sequence<string>", "  Name:string:readonly", "IDL:Office/Printer:1.0", "  Name='studio'", "  Cost=9",
                    "IDL:Office/Printer:1.0", "  Name='attic'", "  Cost=5", "IDL:Office/Printer:1.0", "  Name='cellar'", "  Cost=2",
                    "Clients ask:", "cellar prints: hello", "attic prints: hello", "studio prints: hello",
                    "IllegalConstraint: Cost < 'cheap'", "1:1: a number is compared with a text", "The studio closes:",
                    "there is no such printer"]),
    Example("18-moving-account", [], script="show.sh", optional=True,
            served=["Four clients pay while the account moves to and fro:",
                    "berlin: 2000 payments, balance 2000, moved 20 times; each counted once: yes",
                    "Its server is killed, and begins again:",
                    "berlin: 2000 payments, balance 2000, moved 20 times; each counted once: yes"]),
    # For one second. How many deadlines are missed depends on what else the machine does.
    Example("13-avionics", [([*CLIENT, "1"], ["sensor     rate  priority  calls  missed   longest",
                                              *(re.compile(rf"{name} +{hertz} Hz +{priority} +{hertz} +\d+ +\d+\.\d ms")
                                                for name, hertz, priority in (("attitude", 40, 89), ("air data", 20, 66),
                                                                              ("gps", 10, 44), ("fuel", 5, 22))),
                                              re.compile("lines logged meanwhile: [1-9][0-9]*")])]),
]


class Program:
    """A running program. Its lines are read as they come, those for errors too."""

    def __init__(self, command):
        self.command = command
        self.lines = []
        self._queue = queue.Queue()
        try:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        except OSError as e:
            raise Failure(f"{command[0]} cannot be started: {e}") from None
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self._reader.join()
        self.process.stdout.close()

    def _read(self):
        for line in self.process.stdout:
            self._queue.put(line.rstrip("\n"))
        self._queue.put(None)

    def _next(self, deadline):
        try:
            line = self._queue.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise Failure(f"{self.describe()}\nprinted nothing more, and did not end, for {SECONDS} s") from None
        if line is not None:
            self.lines.append(line)
        return line

    def wait_for(self, accept):
        """The first line that accept() takes."""
        deadline = time.monotonic() + SECONDS
        while (line := self._next(deadline)) is not None:
            if accept(line):
                return line
        raise Failure(f"{self.describe()}\nended before it was ready")

    def finish(self, number=None):
        """Sends a signal, if one is given; the program must end with status 0."""
        if number is not None:
            self.process.send_signal(number)
        deadline = time.monotonic() + SECONDS
        while self._next(deadline) is not None:
            pass
        status = self.process.wait(SECONDS)
        if status != 0:
            raise Failure(f"{self.describe()}\nended with status {status}")

    def describe(self):
        return "\n    ".join([" ".join(map(str, self.command)), *self.lines])


def find(programs, example, side):
    name = f"{example.name}_{side}"
    for path in (programs / name, programs / example.folder / name):
        if path.exists():
            return path
    raise Failure(f"{programs} has no {name}, and no {example.folder}/{name}")


def is_built(programs, example):
    try:
        find(programs, example, "server")
    except Failure:
        return False
    return True


def is_as(line, expected):
    return bool(expected.fullmatch(line)) if isinstance(expected, re.Pattern) else line == expected


def check(program, lines, expected):
    lines = [line for line in lines if not line.startswith(MAY_BE_WARNED)]
    if len(lines) != len(expected) or not all(map(is_as, lines, expected)):
        wanted = [e.pattern if isinstance(e, re.Pattern) else e for e in expected]
        raise Failure("\n    ".join([f"{program.describe()}\nought to have printed", *wanted]))


def start_naming(folder):
    """omniNames, on a port that the kernel chooses, and the reference of its root context."""
    where = shutil.which("omniNames")
    if not where:
        raise Failure("omniNames is not installed: it is in Debian's omniorb-nameserver")
    return Program([where, "-start", "-ignoreport", "-logdir", folder, "-ORBendPoint", "giop:tcp:127.0.0.1:"])


def run_script(example, programs, bridge):
    """`callis` and its programs stand in FOLDER, or where callis-bridge does."""
    script = pathlib.Path(__file__).resolve().parent / example.folder / example.script
    found = find(programs, example, "server").parent
    beside = [str(bridge.parent)] if bridge else []
    with Program(["env", "PATH=" + ":".join([*beside, os.environ["PATH"]]), "sh", script, found]) as program:
        program.finish()
        check(program, program.lines, example.served)


def run(example, programs, bridge=None):
    if example.script:
        return run_script(example, programs, bridge)
    with tempfile.TemporaryDirectory(prefix="callis-example-") as folder:
        told = {"folder": folder}
        if not example.naming:
            return serve(example, programs, told, bridge)
        with start_naming(folder) as names:
            line = names.wait_for(lambda text: "Root context is IOR:" in text)
            told["names"] = line.split()[-1]
            return serve(example, programs, told)


@contextlib.contextmanager
def start_bridge(example, reference, program):
    """callis bridge before the server, where the example has one: its reference."""
    if not example.bridged:
        yield None
        return
    idl = pathlib.Path(__file__).resolve().parent / example.folder / example.bridged
    with Program([program, reference, "--idl", idl, *LOOPBACK]) as bridge:
        yield bridge.wait_for(lambda text: text.startswith("IOR:"))
        bridge.finish(signal.SIGTERM)


def serve(example, programs, told, bridge=None):
    signals = (signal.SIGTERM, signal.SIGINT)
    runs = [[client] for client in example.clients] if example.restarts else [example.clients]
    for number, clients in enumerate(runs):
        command = [find(programs, example, "server"), *(a.format(**told) for a in example.server_arguments)]
        with Program(command) as server:
            line = server.wait_for(lambda text: text.startswith(example.first))
            told.setdefault("IOR", line)
            with start_bridge(example, line, bridge or programs / "callis-bridge") as told["BRIDGE"]:
                for arguments, expected in clients:
                    with Program([find(programs, example, "client"), *(a.format(**told) for a in arguments)]) as client:
                        client.finish()
                        check(client, client.lines, expected)
            server.finish(signals[(number + EXAMPLES.index(example)) % 2 if example in EXAMPLES else 0])
            check(server, [text for text in server.lines if text != line], example.served)


SELF_TEST_SERVER = """import signal, sys
print("IOR:00", flush=True)
signal.sigwait([signal.SIGTERM])
print("served", flush=True)
sys.exit({status})
"""


def self_test():
    """(what, should it pass, the server's text, the client's text)"""
    expected = ["got IOR:00", re.compile(r"in \d+ ms")]
    good_server, client = SELF_TEST_SERVER.format(status=0), "import sys\nprint('got', sys.argv[1])\nprint('in 7 ms')\n"
    cases = [("all is well", True, good_server, client),
             ("the server ends badly", False, SELF_TEST_SERVER.format(status=1), client),
             ("the server ends too soon", False, "print('no reference')\n", client),
             ("the server prints something else", False, good_server.replace("served", "bored"), client),
             ("the client prints something else", False, good_server, client.replace("got", "lost")),
             ("the client prints what is not as the pattern", False, good_server, client.replace("7 ms", "7 ms or so")),
             ("both are warned", True, f"print('{MAY_BE_WARNED}no')\n{good_server}", f"print('{MAY_BE_WARNED}no')\n{client}"),
             ("the client prints too much", False, good_server, client + "print('more')\n"),
             ("the client ends badly", False, good_server, client + "sys.exit(1)\n"),
             ("there is no client", False, good_server, None)]
    faults = []
    for what, good, server, client in cases:
        with tempfile.TemporaryDirectory() as folder:
            for side, text in (("server", server), ("client", client)):
                if text is not None:
                    path = pathlib.Path(folder) / f"self_{side}"
                    path.write_text(f"#!{sys.executable}\n{text}", encoding="utf-8")
                    path.chmod(0o755)
            # The signal is blocked before the server starts: it must not come before sigwait() does.
            try:
                signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
                run(Example("00-self", [(CLIENT, expected)], served=["served"], server_arguments=[]),
                    pathlib.Path(folder))
                passed = True
            except Failure:
                passed = False
            finally:
                signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
        if passed != good:
            faults.append(f"{what}: {'passed' if passed else 'failed'}")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path)
    parser.add_argument("--bridge", type=pathlib.Path)
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("examples", nargs="*", choices=[[], *(e.folder for e in EXAMPLES)], metavar="EXAMPLE")
    arguments = parser.parse_args()
    if arguments.self_test:
        faults = self_test()
        sys.exit("\n".join(faults) if faults else 0)
    if not arguments.programs:
        parser.error("--programs FOLDER is needed")
    failed = False
    for example in EXAMPLES:
        if arguments.examples and example.folder not in arguments.examples:
            continue
        if example.optional and not arguments.examples and not is_built(arguments.programs.resolve(), example):
            print(f"{example.folder}: left out, since it has not been built", flush=True)
            continue
        try:
            run(example, arguments.programs.resolve(), arguments.bridge)
            print(f"{example.folder}: good", flush=True)
        except Failure as e:
            print(f"{example.folder}: FAILED\n{e}", flush=True)
            failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main()
