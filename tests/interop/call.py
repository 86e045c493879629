# SPDX-License-Identifier: Apache-2.0
"""`callis call` and `callis describe` against programs of omniORB, with nothing but the IDL that Debian ships with them."""
import json
import pathlib
import signal
import subprocess
import tempfile

from harness.process import Failure
from interop import jacorb, java, peers
from interop.addresses import start_omni_names
from interop.echo import TIMEOUT, start_echo_server

IDL = "/usr/share/idl/omniORB"


def add_options(tests):
    echo = tests.add_parser("call-echo", help="callis call against an echo server")
    echo.add_argument("--callis", required=True)
    echo.add_argument("--server", required=True)
    echo.set_defaults(run=run_echo, server_options="-ORBendPoint giop:tcp:127.0.0.1:")
    anys = tests.add_parser("call-anys", help="callis call against omniORB's example of anys")
    anys.add_argument("--callis", required=True)
    anys.add_argument("--server", required=True)
    anys.add_argument("--idl", required=True)
    anys.set_defaults(run=run_anys, server_options="-ORBendPoint giop:tcp:127.0.0.1:")
    values = tests.add_parser("call-values", help="callis call with valuetypes, by DynAny, against the server of programs/values/")
    values.add_argument("--callis", required=True)
    values.add_argument("--programs", required=True)
    values.add_argument("--server", required=True, choices=peers.PEERS)
    values.add_argument("--idl", required=True)
    values.set_defaults(run=run_values)
    of_java = tests.add_parser("call-java", help="callis call, by DII and DynAny, against the server of mixed.idl in Java")
    of_java.add_argument("--callis", required=True)
    of_java.add_argument("--jacorb", required=True, type=pathlib.Path)
    of_java.add_argument("--orb", required=True, choices=("jacorb", *java.ORBS))
    of_java.add_argument("--idl", required=True)
    of_java.set_defaults(run=run_java)
    names = tests.add_parser("call-names", help="callis call against omniNames")
    names.add_argument("--callis", required=True)
    names.set_defaults(run=run_names)


class Shell:
    def __init__(self, callis, reference, *options):
        self.callis, self.reference, self.options = callis, reference, options

    def run(self, command, *words):
        return subprocess.run([self.callis, command, self.reference, *words, *self.options], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=TIMEOUT, check=False)

    def call(self, operation, *arguments, status=0):
        done = self.run("call", operation, *(json.dumps(a) for a in arguments))
        if done.returncode != status:
            raise Failure(f"{operation} ended with status {done.returncode}: {done.stdout}{done.stderr}")
        return json.loads(done.stdout)


def expect(found, expected):
    if found != expected:
        raise Failure(f"expected {expected!r}, found {found!r}")


def run_echo(options, processes):
    server, reference = start_echo_server(options.server, options.server_options, processes)
    shell = Shell(options.callis, reference, "--idl", f"{IDL}/echo.idl")
    expect(shell.call("echoString", "Hello!"), "Hello!")
    expect(shell.call("echoString", "a \"b\" \\ \n"), "a \"b\" \\ \n")
    expect(shell.run("describe").stdout, "// Echo  IDL:Echo:1.0\ninterface Echo {\n  string echoString(in string mesg);\n};\n")
    wrong = shell.run("call", "echoString", "5")
    expect((wrong.returncode, wrong.stderr.splitlines()),
           (2, ["callis call: arguments.mesg: expected a string, found the number 5", "  string echoString(in string mesg);"]))
    server.signal(signal.SIGTERM)
    server.finish(TIMEOUT)


def run_anys(options, processes):
    server, reference = start_echo_server(options.server, options.server_options, processes)
    shell = Shell(options.callis, reference, "--idl", options.idl)
    said = {"Long: -5": {"type": "long", "value": -5}, "Double: 0.5": {"type": "double", "value": 0.5},
            "String: text": {"type": "string", "value": "text"}, "testStruct: l: 7": {"type": "testStruct", "value": {"l": 7, "s": 8}},
            "Unknown value.": {"type": "boolean", "value": True}}
    for value in said.values():
        expect(shell.call("testOp", value), {"type": "unsigned long", "value": 314})
    server.signal(signal.SIGTERM)
    server.finish(TIMEOUT)
    expect([line for line in said if line not in map(str.strip, server.output)], [])


def node(number, after=None):
    return {"members": {"number": number, "next": after}}


def run_values(options, processes):
    program = pathlib.Path(options.programs) / f"values_server_{options.server.replace('-', '_')}"
    server = processes.start("server", [program, *peers.options(options.server, None, None)])
    reference = server.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1]
    shell = Shell(options.callis, reference, "--idl", options.idl)
    expect(shell.call("echo_node", node(1, node(2))), node(1, node(2)))
    ring = {"id": 1, "members": {"number": 1, "next": node(2, {"same": 1})}}
    expect(shell.call("echo_node", ring), ring)
    twice = [dict(node(1), id=1), {"same": 1}, None, node(3)]
    expect(shell.call("echo_nodes", twice)["result"], twice)
    for case in ({"discriminator": 1, "value": node(5)}, {"discriminator": 2, "value": 6}):
        expect(shell.call("echo_choice", case), case)
    # Of a type derived from the parameter's, which the server knows.
    dog = {"type": "IDL:Obv/Dog:1.0", "members": {"name": "Rex", "age": 7, "breed": "mutt", "tail": node(1), "weight": 12.5}}
    expect(shell.call("echo_animal", dog), dog)
    # Of one that it does not know.
    puppy = {"type": "IDL:Obv/Puppy:1.0", "members": dict(dog["members"], weeks=5, mother=dog, toys=[])}
    expect(shell.call("echo_animal", puppy), dog)
    # Of a type that only the IDL file says.
    expect(shell.call("stray")["type"], "IDL:Obv/Stray:1.0")
    expect(shell.call("echo_label", {"boxed": "a"}, {"boxed": [1, 2]})["result"], {"boxed": "a"})
    # Behind an abstract interface: values, and references.
    mine = {"type": "IDL:Obv/Described:1.0", "members": {"text": "mine"}}
    expect(shell.call("describe", mine, 5), "value mine 5")
    expect(shell.call("echo_describable", mine), mine)
    expect(shell.call("echo_describable", None), None)
    thing, value, nil = shell.call("things")
    expect((value, nil), ({"type": "IDL:Obv/Described:1.0", "members": {"text": "of the server"}}, None))
    expect(shell.call("describe", thing, 7), "thing 7")
    for value in (node(1, node(2)), ring, None):
        any_ = {"type": "IDL:Obv/Node:1.0", "value": value}
        expect(shell.call("echo_any", any_, None), any_)
    # omniORB's server cannot send values in chunks as members of exceptions.
    who = dog if peers.is_callis(options.server) else {"members": {"name": "Rex", "age": 7}}
    refused = shell.call("refuse", who, status=3)
    expect(refused["exception"], "IDL:Obv/Refused:1.0")
    expect(refused["members"]["who"], who)
    server.end_input()
    if server.finish(TIMEOUT) != 0:
        raise Failure("the server did not end well")


def run_java(options, processes):
    if options.orb == "jacorb":
        command = jacorb.command(options.jacorb, "mixed.Server", ["OAIAddr=127.0.0.1"])
    else:
        command = java.program(options.jacorb, options.orb, "mixed.Server", java.ORBS[options.orb].at_loopback)
    server = processes.start("server", command)
    reference = server.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1]
    shell = Shell(options.callis, reference, "--idl", options.idl)
    point = {"x": 1, "y": -2, "z": 0.5}
    item = {"name": "n", "title": "t\u00ef\u20ac", "at": point, "tint": "green", "letter": "l", "flag": True, "raw": 255,
            "big": 2 ** 62, "ratio": 0.5, "bytes": "AQI="}
    expect(shell.call("echo_item", item, [item]), {"result": item, "out": {"more": [item, item], "names": ["n", "n"]}})
    choices = [{"discriminator": "red", "value": 5}, {"discriminator": "green", "value": "x"},
               {"discriminator": "blue", "value": point}]
    expect(shell.call("echo_choices", choices), choices)
    expect(shell.call("refuse", "why", 7, status=3), {"exception": "IDL:Mixed/Refused:1.0", "members": {"why": "why", "code": 7}})

    def member(number, name, after):
        return {"number": number, "name": name, "next": after}

    grown = shell.call("grow", {"members": member(1, "one", None)})
    expect(grown, {"id": 1, "members": member(2, "front", {"members": member(1, "one", {"same": 1})})})
    ring = {"id": 1, "members": member(7, "a", {"same": 1})}
    for value in ({"members": member(7, "a", {"members": member(8, "b", None)})}, ring):
        expect(shell.call("number_of", {"type": "IDL:Mixed/Node:1.0", "value": value}), 7)
    # JacORB cannot write values in anys on a Java without RMI-IIOP.
    values = [] if options.orb == "jacorb" else [
        {"type": "IDL:Mixed/Node:1.0", "value": value} for value in (ring, {"members": member(7, "a", {"members": member(8, "b", None)})})]
    for any_ in (None, {"type": "long", "value": 5}, {"type": "IDL:Mixed/Item:1.0", "value": item}, *values):
        expect(shell.call("echo_any", any_), any_)
    server.end_input()
    if server.finish(TIMEOUT) != 0:
        raise Failure("the server did not end well")


def run_names(options, processes):
    with tempfile.TemporaryDirectory() as directory:
        port = start_omni_names(processes, directory)
        # omniNames' URL says no type: the object is asked.
        shell = Shell(options.callis, f"corbaloc::127.0.0.1:{port}/NameService", "--idl", f"{IDL}/COS/CosNaming.idl")
        shop, echo = [{"id": "shop", "kind": "dir"}], [{"id": "shop", "kind": "dir"}, {"id": "echo", "kind": ""}]
        inner = shell.call("bind_new_context", shop)
        if not inner.startswith("IOR:"):
            raise Failure(f"no reference: {inner}")
        expect(shell.call("bind", echo, inner), None)
        expect(shell.call("resolve", echo), inner)
        expect(shell.call("list", 10), {"out": {"bl": [{"binding_name": shop, "binding_type": "ncontext"}], "bi": None}})
        expect(shell.call("resolve_str", "shop.dir/echo"), inner)
        expect(shell.call("to_string", echo), "shop.dir/echo")
        missing = [{"id": "none", "kind": ""}]
        expect(shell.call("resolve", missing, status=3),
               {"exception": "IDL:omg.org/CosNaming/NamingContext/NotFound:1.0",
                "members": {"why": "missing_node", "rest_of_name": missing}})
        expect(shell.call("bind", echo, inner, status=3),
               {"exception": "IDL:omg.org/CosNaming/NamingContext/AlreadyBound:1.0", "members": {}})
        described = shell.run("describe").stdout
        for part in ("interface NamingContextExt {", "  // of CosNaming::NamingContext\n", "  Object resolve_str("):
            if part not in described:
                raise Failure(f"callis describe does not print {part!r}: {described}")
        by_name = Shell(options.callis, f"corbaname::127.0.0.1:{port}#shop.dir", "--idl", f"{IDL}/COS/CosNaming.idl")
        expect(by_name.call("list", 1)["out"]["bl"], [{"binding_name": [{"id": "echo", "kind": ""}], "binding_type": "nobject"}])
