# SPDX-License-Identifier: Apache-2.0
"""One group of cases of mixed.idl between a client and a server of any two ORBs, each with a native code set of its own."""
import pathlib
import re
import shutil
import signal
import subprocess

from harness.process import Failure
from interop import jacorb, java, peers

TIMEOUT = 100
JAVA_PEERS = [name + way for name in ("jacorb", *java.ORBS) for way in ("", "-dynamic")]  # dynamic: by DII and DynAny, by DSI
MIXED_PEERS = (*peers.PEERS, *JAVA_PEERS, "combat", "micro")
COMBAT = pathlib.Path(__file__).resolve().parent / "combat"
# As ORBs spell it: those in C++, JacORB, the JDK's (its native one, then others), Yoko.
CHAR_SETS = {"latin1": ("ISO-8859-1", "ISO8859_1", "0x00010001,0x05010001,0x00010020", "ISO 8859-1:1987"),
             "utf8": ("UTF-8", "UTF8", "0x05010001,0x00010001,0x00010020", "UTF-8")}
INITIALIZER = "org.omg.PortableInterceptor.ORBInitializerClass.mixed."


def add_options(tests):
    parser = tests.add_parser("mixed", help=__doc__.splitlines()[0])
    parser.add_argument("--programs", required=True, help="directory of the programs")
    parser.add_argument("--jacorb", required=True, type=pathlib.Path, help="what jacorb.py has made")
    parser.add_argument("--client", required=True, choices=MIXED_PEERS)
    parser.add_argument("--server", required=True, choices=MIXED_PEERS)
    parser.add_argument("--version", required=True, choices=("1.0", "1.1", "1.2"))
    parser.add_argument("--group", required=True)
    parser.add_argument("--client-chars", default="latin1", choices=CHAR_SETS)
    parser.add_argument("--server-chars", default="latin1", choices=CHAR_SETS)
    parser.add_argument("--fragment-bytes", type=int, help="callis sends messages above this in fragments")
    parser.add_argument("--bridge", help="callis-bridge, which stands between them")
    parser.add_argument("--idl", help="mixed.idl, for the bridge")
    parser.add_argument("--callis", help="the bridge has its types from a `callis ifr` that is fed with mixed.idl")
    parser.set_defaults(run=run)


def java_command(options, role, peer, chars, arguments):
    orb, _, dynamic = peer.partition("-")
    # What JacORB alone has; its client is a program of its own.
    deadlines = options.group == "deadlines"
    name = "mixed.Deadlines" if deadlines and role == "client" else f"mixed.{dynamic.capitalize()}{role.capitalize()}"
    told = [f"chars={chars}", *told_in_java(options, orb, chars)]
    if options.group in ("interceptors", "deadlines"):
        told.append(f"{INITIALIZER}{options.group.capitalize()}=")
    if orb == "jacorb":
        return jacorb.command(options.jacorb, name, [*arguments, *told])
    return java.program(options.jacorb, orb, name, [*arguments, *told])


def told_in_java(options, orb, chars):
    if orb == "jacorb":
        return ["OAIAddr=127.0.0.1", f"jacorb.giop_minor_version={options.version[2]}",
                f"jacorb.native_char_codeset={CHAR_SETS[chars][1]}"]
    at_loopback = java.ORBS[orb].at_loopback
    if orb == "openjdk":
        # It sends messages above that in fragments: 1,024 bytes by itself, and the least that it takes, which cuts what is small, too.
        fragment_bytes = 1024 if options.group in ("large", "calls") else 32
        giop = {"ORBGIOPVersion": options.version, "ORBFragmentSize": fragment_bytes, "ORBBufferSize": fragment_bytes}
        return [*at_loopback, *(f"com.sun.CORBA.giop.{name}={value}" for name, value in giop.items()),
                f"com.sun.CORBA.codeset.charsets={CHAR_SETS[chars][2]}"]
    return [*at_loopback, f"yoko.orb.oa.version={options.version}", f"yoko.orb.native_cs={CHAR_SETS[chars][3]}"]


def command(options, role, peer, chars, arguments):
    if peer in JAVA_PEERS:
        return java_command(options, role, peer, chars, arguments)
    if peer == "combat":
        if not shutil.which("tclsh"):
            raise Failure("tclsh is not installed (tcl-combat)")
        return ["tclsh", COMBAT / f"{role}.tcl", *arguments, "-ORBHostName", "127.0.0.1", "-ORBNativeCodeSet", "65537"]
    told = peers.options(peer, options.version, options.fragment_bytes)
    program = pathlib.Path(options.programs) / f"mixed_{role}_{peer.replace('-', '_')}"
    if peer == "micro":  # it has no code sets
        return [program, *arguments, *told]
    name = "-ORBNativeCharCodeSet" if peers.is_callis(peer) else "-ORBnativeCharCodeSet"
    return [program, *arguments, *told, name, CHAR_SETS[chars][0]]


def has_wide(options):
    if "micro" in (options.client, options.server):
        return False
    if options.version != "1.1":
        return options.version == "1.2"
    # omniORB has wide characters in 1.2 only. In 1.1 Yoko takes them for big-endian always, and servers of the JDK's ORB take a mark for none.
    return not ({"omni", "yoko"} & {options.client, options.server} or options.server == "openjdk")


def start_bridge(options, reference, processes):
    told, types = peers.options("callis", options.version, options.fragment_bytes), ["--idl", options.idl]
    if options.callis:
        repository = processes.start("ifr", [options.callis, "ifr", "--allow", "admin=any", "-ORBEndpoint", "tcp:127.0.0.1:0"])
        types = ["--ifr", repository.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1]]
        subprocess.run([options.callis, "ifr", "feed", types[1], options.idl], check=True, timeout=TIMEOUT)
    return processes.start("bridge", [options.bridge, reference, *types, *told])


def run(options, processes):
    groups = [options.group] if options.group in ("interceptors", "deadlines") and options.server not in JAVA_PEERS else []
    server = processes.start("server", command(options, "server", options.server, options.server_chars, groups))
    reference = server.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1]
    bridge = options.bridge and start_bridge(options, reference, processes)
    if bridge:
        reference = bridge.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1]
    yoko, of_server = "yoko" in options.client + options.server, options.server.partition("-")[0]
    facts = [f"server={options.server_chars}", f"wide={'yes' if has_wide(options) else 'no'}",
             f"marks={'no' if options.server in (*JAVA_PEERS, 'combat') else 'yes'}",
             f"throws={'unknown' if options.server == 'combat' else 'any'}",
             f"high={'no' if yoko else 'yes'}",
             f"texts={'no' if bridge or yoko or options.server in ('omni', 'combat', 'micro') or options.client == 'micro' else 'yes'}",
             f"component={'yes' if not bridge and options.client == 'jacorb' and of_server in ('callis', 'jacorb') else 'no'}"]
    client = processes.start("client", command(options, "client", options.client, options.client_chars,
                                               [reference, options.group, *facts]))
    status = client.finish(TIMEOUT)
    found = re.search(r"^checks (\d+)$", "\n".join(client.output), re.MULTILINE)
    if status != 0 or not found or int(found.group(1)) == 0:
        raise Failure(f"the client ended with status {status}")
    print(found.group(0))
    if bridge:
        bridge.signal(signal.SIGTERM)
        if bridge.finish(TIMEOUT) != 0:
            raise Failure("the bridge did not end well")
    server.end_input()
    status = server.finish(TIMEOUT)
    if status != 0:
        raise Failure(f"the server ended with status {status}")
