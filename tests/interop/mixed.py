# SPDX-License-Identifier: Apache-2.0
"""One group of cases of mixed.idl between a client and a server of any two ORBs, each with a native code set of its own."""
import pathlib
import re
import shutil
import signal
import subprocess

from harness.process import Failure
from interop import jacorb, peers

TIMEOUT = 100
MIXED_PEERS = (*peers.PEERS, "jacorb", "jacorb-dynamic", "combat")  # dynamic: by DII and DynAny, by DSI
COMBAT = pathlib.Path(__file__).resolve().parent / "combat"
CHAR_SETS = {"latin1": ("ISO-8859-1", "ISO8859_1"), "utf8": ("UTF-8", "UTF8")}  # as C++ ORBs spell it, as JacORB does


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


def command(options, role, peer, chars, arguments):
    if peer.startswith("jacorb"):
        told = [f"jacorb.giop_minor_version={options.version[2]}", f"jacorb.native_char_codeset={CHAR_SETS[chars][1]}"]
        name = f"mixed.{'Dynamic' if peer == 'jacorb-dynamic' else ''}{role.capitalize()}"
        return jacorb.command(options.jacorb, name, [*arguments, *told])
    if peer == "combat":
        if not shutil.which("tclsh"):
            raise Failure("tclsh is not installed (tcl-combat)")
        return ["tclsh", COMBAT / f"{role}.tcl", *arguments, "-ORBHostName", "127.0.0.1", "-ORBNativeCodeSet", "65537"]
    told = peers.options(peer, options.version, options.fragment_bytes)
    name = "-ORBNativeCharCodeSet" if peers.is_callis(peer) else "-ORBnativeCharCodeSet"
    program = pathlib.Path(options.programs) / f"mixed_{role}_{peer.replace('-', '_')}"
    return [program, *arguments, *told, name, CHAR_SETS[chars][0]]


def has_wide(options):
    # omniORB has wide characters in 1.2 only.
    return options.version == "1.2" or (options.version == "1.1" and "omni" not in (options.client, options.server))


def start_bridge(options, reference, processes):
    told, types = peers.options("callis", options.version, options.fragment_bytes), ["--idl", options.idl]
    if options.callis:
        repository = processes.start("ifr", [options.callis, "ifr", "--allow", "admin=any", "-ORBEndpoint", "tcp:127.0.0.1:0"])
        types = ["--ifr", repository.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1]]
        subprocess.run([options.callis, "ifr", "feed", types[1], options.idl], check=True, timeout=TIMEOUT)
    return processes.start("bridge", [options.bridge, reference, *types, *told])


def run(options, processes):
    groups = [options.group] if options.group in ("interceptors", "deadlines") else []
    server = processes.start("server", command(options, "server", options.server, options.server_chars, groups))
    reference = server.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1]
    bridge = options.bridge and start_bridge(options, reference, processes)
    if bridge:
        reference = bridge.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1]
    facts = [f"server={options.server_chars}", f"wide={'yes' if has_wide(options) else 'no'}",
             f"marks={'no' if options.server in ('jacorb', 'jacorb-dynamic', 'combat') else 'yes'}",
             f"throws={'unknown' if options.server == 'combat' else 'any'}",
             f"texts={'no' if bridge or options.server in ('omni', 'combat') else 'yes'}",
             f"component={'yes' if not bridge and options.server in ('callis', 'jacorb') else 'no'}"]
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
