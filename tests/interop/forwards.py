# SPDX-License-Identifier: Apache-2.0
"""Objects that have moved to other processes: LOCATION_FORWARD, also for good, and OBJECT_FORWARD.

CORBA 3.3 part 2, 9.4.3, 9.4.6, 9.6.

A server forwards by its servant managers' ForwardRequest, or because a key names an object that is elsewhere. Clients must find
the object, come back to the first address when nobody is at the second any more, and get out of circles.
"""
import pathlib
import shutil
import tempfile

from harness import giop
from harness.census import Census
from harness.ports import fixed_port
from harness.process import Failure
from harness.recorder import SERVER, Recorder
from harness.reference import Reference
from interop import java, whereabouts
from interop.whereabouts import TIMEOUT, Client, Server

OBJECT_FORWARD = 2  # in LocateReply
ADAPTERS = {"incarnated": "lasting/inner", "located": "located"}


def add_options(tests):
    parser = tests.add_parser("forwards", help=__doc__.splitlines()[0])
    whereabouts.add_options(parser)
    parser.add_argument("--target", choices=whereabouts.PEERS, help="where the objects are; without: the server's ORB")
    parser.add_argument("--case", required=True, choices=CASES)
    parser.set_defaults(run=run)


def run(options, processes):
    CASES[options.case](options, processes)


class Answers:
    """What servers said over recorded connections."""

    def __init__(self, recorder):
        replies = Census(recorder.connections).messages[SERVER]
        self.replies = [giop.read_reply(m)[1] for m in replies if m.kind == giop.REPLY]
        self.located = [locate_status(m) for m in replies if m.kind == giop.LOCATE_REPLY]

    def expect(self, kind, seen, wanted, times=1):
        if seen.count(wanted) < times:
            raise Failure(f"the server sent no {kind} of status {wanted}: {seen}")


def locate_status(message):
    body = giop.Reader(message)
    body.ulong()  # the request's id
    return body.ulong()


def recorded(reference):
    read = Reference(reference)
    return Recorder(read.host, read.port), read


# ---- servant managers that raise ForwardRequest ----

def two_servers(options, processes):
    """One, another one, and a recorder before the first."""
    server = Server(options, processes, "server")
    target = Server(options, processes, "target", peer=options.target)
    return server, target, recorded(server.reference("located", "any"))[0]


def moved(options, processes):
    server, target, recorder = two_servers(options, processes)
    with recorder:
        client = Client(options, processes)
        for name, adapter in ADAPTERS.items():
            reference = server.reference(adapter, name)
            server.tell(f"forward {name} {target.reference(adapter, 'new.' + name)}")
            client.refer(**{name: Reference(reference).with_port(recorder.port)})
            client.expect(f"gone {name}", "said false")
            client.expect(f"who {name}", f"said target:new.{name}")
            client.expect(f"locate {name}", "ok")
        target.end()
        for name in ADAPTERS:
            server.tell(f"settle {name}")
        for name in ADAPTERS:  # the first address serves again
            came_back(client, name)
            client.expect(f"who {name}", f"said server:{name}")
        client.end()
    answers = Answers(recorder)
    answers.expect("Reply", answers.replies, giop.LOCATION_FORWARD, times=2)
    server.end()


def asked(options, processes):
    """LocateRequests for what servant managers forward: 9.4.6.3."""
    server, target, recorder = two_servers(options, processes)
    with recorder:
        client = Client(options, processes)
        for name, adapter in ADAPTERS.items():
            server.tell(f"forward {name} {target.reference(adapter, 'new.' + name)}")
            client.refer(**{name: Reference(server.reference(adapter, name)).with_port(recorder.port)})
            if client.peer != "omni":  # which does so before its first call
                client.expect(f"locate {name}", "ok")
            client.expect(f"who {name}", f"said target:new.{name}")
        client.end()
    answers = Answers(recorder)
    answers.expect("LocateReply", answers.located, OBJECT_FORWARD, times=2)
    if answers.replies:
        raise Failure(f"the first address was called: {answers.replies}")
    for running in (server, target):
        running.end()


def came_back(client, name):
    """The call that finds the target gone; omniORB sends it before it looks."""
    answer = client.ask(f"who {name}")
    if not (client.peer == "omni" and answer.startswith("raised COMM_FAILURE")):
        whereabouts.check(f"who {name}", answer, f"said server:{name}")


def several_times(options, processes):
    """From one process to the next; the target that moves on is in the way of the call, not in its result."""
    server = Server(options, processes, "server")
    between = Server(options, processes, "between", peer="callis")
    target = Server(options, processes, "target", peer=options.target)
    for to in (between, target):
        (server if to is between else between).tell(f"forward located {to.reference('located', 'located')}")
    client = Client(options, processes)
    client.refer(located=server.reference("located", "located"))
    client.expect("who located", "said target:located")
    between.tell("settle located")
    client.expect("who located", "said target:located")  # remembered
    target.end()
    answer = client.ask("who located")
    if answer != "said between:located" and client.peer == "callis":  # by way of the first
        raise Failure(f"with the target gone: {answer}")
    client.end()


def circle(options, processes):
    one = Server(options, processes, "one")
    two = Server(options, processes, "two", peer=options.target)
    there, back = (server.reference("located", "located") for server in (one, two))
    recorder, read = recorded(there)
    with recorder:
        there = read.with_port(recorder.port)
        one.tell(f"forward located {back}")
        two.tell(f"forward located {there}")
        client = Client(options, processes, ["-ORBMaxForwards", 6])
        client.refer(located=there)
        for call in ("who located", "gone located"):
            client.expect(call, "raised TRANSIENT 0x43414080 NO")
        two.tell("settle located")
        client.expect("who located", "said two:located")
        client.end()
    replies = Answers(recorder).replies
    if not 6 <= len(replies) <= 9:  # three or four of the seven requests of a call came here
        raise Failure(f"not as many as -ORBMaxForwards says: {len(replies)} replies")


# ---- for good: what an omniORB server can say ----

def for_good(options, processes):
    server = Server(options, processes, "server")
    target = Server(options, processes, "target", peer=options.target)
    recorder, read = recorded(server.reference("lasting/inner", "object"))
    with recorder:
        server.tell(f"forward object {target.reference('located', 'new')} for_good")
        client = Client(options, processes)
        client.refer(object=read.with_port(recorder.port))
        client.expect("who object", "said target:new")
        server.tell("settle object")
        client.expect("who object", "said target:new")
        target.end()
        permanent = options.version == "1.2"
        client.expect("who object", "raised TRANSIENT" if permanent else "said server:object", "NO")
        client.end()
    answers = Answers(recorder)
    answers.expect("Reply", answers.replies, giop.LOCATION_FORWARD_PERM if permanent else giop.LOCATION_FORWARD)


# ---- keys that name objects elsewhere: corbaloc ----

def named(options, processes):
    port = fixed_port()
    server = Server(options, processes, "server", port=port)
    target = Server(options, processes, "target", peer=options.target)
    server.tell(f"name Shop {target.reference('located', 'shop')}")
    call_by_key(options, processes, port)


def mapper(options, processes):
    """The same with omniORB's omniMapper for a server; asked where the object is, that says: here."""
    if not shutil.which("omniMapper"):
        raise Failure("omniMapper (Debian's omniorb) is not installed")
    target = Server(options, processes, "target", peer=options.target)
    port = fixed_port()
    with tempfile.TemporaryDirectory() as directory:
        file = pathlib.Path(directory) / "mapper.cfg"
        file.write_text(f"Shop {target.reference('located', 'shop')}\n")
        process = processes.start("omniMapper", ["omniMapper", "-port", port, "-config", file, "-v"])
        process.wait_for(lambda line: "Shop" in line, TIMEOUT)
        call_by_key(options, processes, port, says_where=False)


def call_by_key(options, processes, port, says_where=True):
    with Recorder("127.0.0.1", port) as recorder:
        client = Client(options, processes)
        url = f"corbaloc::{options.version}@127.0.0.1:{recorder.port}"
        client.refer(asked=f"{url}/Shop", called=f"{url}/Shop", wrong=f"{url}/Nowhere")
        client.expect("locate asked", "ok")
        for name in ("asked", "called"):
            client.expect(f"who {name}", "said target:shop")
        client.expect("who wrong", "raised OBJECT_NOT_EXIST", "NO")
        client.end()
    answers = Answers(recorder)
    if says_where and options.client not in ("jacorb", *java.ORBS):  # which ask nobody where objects are
        answers.expect("LocateReply", answers.located, OBJECT_FORWARD)
    else:
        answers.expect("Reply", answers.replies, giop.LOCATION_FORWARD)


CASES = {"moved": moved, "asked": asked, "several_times": several_times, "circle": circle, "for_good": for_good, "named": named,
         "mapper": mapper}
