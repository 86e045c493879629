# SPDX-License-Identifier: Apache-2.0
"""`callis describe` with Interface Repositories that lie: each is a scripted server with one lie. The program must end soon, with words
that can be printed and a status that it documents."""
import itertools
import subprocess

from harness import giop
from harness.listener import Listener
from harness.process import Failure
from interop.scripted import Encapsulation

TIMEOUT = 60
ASKED_FOR = "IDL:Evil:1.0"
INTERFACE, MODULE = 5, 6  # of DefinitionKind
# A description in the repository's words: name, container's id, ids of bases, kind. Made of the id that is asked for, and of ids that
# nobody has asked for yet.
LIES = {
    "none": (lambda id, fresh: ("Evil", "", [], INTERFACE), 0, "interface Evil {"),
    "a name with control characters": (lambda id, fresh: ("a\x1b[2J", "", [], INTERFACE), 1, "a name that is none of IDL"),
    "a name that is more than a name": (lambda id, fresh: ("a{}; interface b", "", [], INTERFACE), 1, "a name that is none of IDL"),
    "no name": (lambda id, fresh: ("", "", [], INTERFACE), 1, "a name that is none of IDL"),
    "a name of a megabyte": (lambda id, fresh: ("N" * 1_000_000, "", [], INTERFACE), 1, "a name that is none of IDL"),
    "its own base": (lambda id, fresh: ("Evil", "", [id], INTERFACE), 1, "cannot inherit from itself"),
    "a base that has a base, and so on": (lambda id, fresh: (plain(id), "", [fresh()], INTERFACE), 1, "deeper than can be read"),
    "two bases that have two, and so on": (lambda id, fresh: (plain(id), "", [fresh(), fresh()], INTERFACE), 1,
                                           "deeper than can be read"),
    "a base twice": (lambda id, fresh: (plain(id), "", ["IDL:B:1.0"] * 2 if id == ASKED_FOR else [], INTERFACE), 1,
                     "already inherits from"),
    "a base without an id": (lambda id, fresh: ("Evil", "", [""], INTERFACE), 1, "a repository id that is none"),
    "its own container": (lambda id, fresh: ("Evil", id, [], INTERFACE), 1, "in containers without end"),
    "a container in a container, and so on": (lambda id, fresh: (plain(id), fresh(), [], INTERFACE if id == ASKED_FOR else MODULE), 1,
                                              "without end"),
    "a module": (lambda id, fresh: ("Evil", "", [], MODULE), 1, "is a module, where"),
    "a kind that there is not": (lambda id, fresh: ("Evil", "", [], 77), 4, "asking the Interface Repository: CORBA::MARSHAL"),
}


def add_options(tests):
    parser = tests.add_parser("liars", help=__doc__.splitlines()[0])
    parser.add_argument("--callis", required=True)
    parser.set_defaults(run=run)


def plain(id):
    return id.removeprefix("IDL:").removesuffix(":1.0")


def string_type(writer):
    writer.put("I", 18).put("I", 0)


def strings_type(writer):
    content = Encapsulation(True)
    string_type(content)
    writer.put("I", 19).octets(content.put("I", 0).content())


def struct_type(writer, name, members):
    content = Encapsulation(True)
    content.string(f"IDL:omg.org/CORBA/{name}:1.0").string(name).put("I", len(members))
    for member, type_of_it in members.items():
        type_of_it(content.string(member))
    writer.put("I", 15).octets(content.content())


class Repository(Listener):
    """Finds everything: an object's key is the id that it was found by."""

    def __init__(self, lie):
        super().__init__(self._converse)
        self._lie, self._numbers = lie, itertools.count(1)

    def reference(self):
        writer = Encapsulation(True)
        self._put_reference(writer, "IDL:omg.org/CORBA/Repository:1.0", b"repository")
        return "IOR:" + writer.content().hex()

    def _put_reference(self, writer, type_id, key):
        profile = Encapsulation(True)
        profile.put("B", 1).put("B", 0).string("127.0.0.1").put("H", self.port).octets(key)
        writer.string(type_id).put("I", 1).put("I", 0).octets(profile.content())

    def _converse(self, peer):
        stream = giop.Stream()
        while data := peer.recv(65536):
            for message in stream.feed(data):
                if message.kind == giop.REQUEST:
                    peer.sendall(self._answer(giop.Reader(message)))

    def _answer(self, request):
        request.service_contexts()
        number, _, key = request.ulong(), request.octet(), request.octets().decode()
        operation = request.string()
        request.octets()  # no principal
        writer = giop.Writer((1, 0), True).put("I", 0).put("I", number).put("I", giop.NO_EXCEPTION)
        if operation == "lookup_id":
            self._put_reference(writer, "", request.string().encode())
        elif operation == "_get_id":
            writer.string(key)
        elif operation == "describe":
            self._describe(writer, key)
        else:
            writer.put("I", 0)  # nothing inside
        return writer.message(giop.REPLY).raw()

    def _describe(self, writer, id):
        name, container, bases, kind = self._lie(id, lambda: f"IDL:T{next(self._numbers)}:1.0")
        members = dict.fromkeys(("name", "id", "defined_in", "version"), string_type)
        if kind != MODULE:
            members["base_interfaces"] = strings_type
        struct_type(writer.put("I", kind), "ModuleDescription" if kind == MODULE else "InterfaceDescription", members)
        writer.string(name).string(id).string(container).string("1.0")
        if kind != MODULE:
            writer.put("I", len(bases))
            for base in bases:
                writer.string(base)


def run(options, _):
    for name, (lie, status, words) in LIES.items():
        with Repository(lie) as repository:
            command = [options.callis, "describe", "corbaloc::127.0.0.1:1/x", "--interface", ASKED_FOR, "--ifr", repository.reference()]
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT, check=False)
        said = done.stdout.decode()
        if done.returncode != status or words not in said:
            raise Failure(f"{name}: status {done.returncode}, expected {status} and '{words}': {said[:500]}")
        if any(c < 0x20 and c != 0x0a or c > 0x7e for c in done.stdout):
            raise Failure(f"{name}: what is said cannot be printed: {done.stdout[:500]!r}")
    print(f"{len(LIES)} repositories")
