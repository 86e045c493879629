# SPDX-License-Identifier: Apache-2.0
"""Addresses: Unix-domain sockets, corbaloc and corbaname URLs, several addresses in one reference."""
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import urllib.parse

from harness.process import Failure
from harness.reference import Reference
from interop import peers
from interop.echo import start_echo_server

TIMEOUT = 20
NAMES = ("corbaname", "corbaname_rir", "default_init_ref", "init_ref", "escapes")
ADDRESSES = ("one", "second", "versions", "escaped")


def add_options(tests):
    sockets = tests.add_parser("sockets", help="a group of cases over a Unix-domain socket, the server's only endpoint")
    sockets.add_argument("--programs", required=True)
    sockets.add_argument("--client", required=True, choices=peers.PEERS)
    sockets.add_argument("--server", required=True, choices=peers.PEERS)
    sockets.add_argument("--group", required=True)
    sockets.set_defaults(run=run_sockets)
    echo = tests.add_parser("socket-echo", help="the same with an echo client and an echo server")
    add_echo_options(echo)
    echo.add_argument("--endpoint", required=True, help="the option that takes an endpoint, and what stands before the path")
    echo.set_defaults(run=run_socket_echo)
    corbaloc = tests.add_parser("corbaloc", help="an echo client calls an echo server by a corbaloc URL")
    add_echo_options(corbaloc)
    corbaloc.add_argument("--address", required=True, choices=ADDRESSES)
    corbaloc.set_defaults(run=run_corbaloc)
    naming = tests.add_parser("naming", help="an echo client finds an echo server in omniNames")
    add_echo_options(naming)
    naming.add_argument("--name", required=True, choices=NAMES)
    naming.set_defaults(run=run_naming)


def add_echo_options(parser):
    parser.add_argument("--client", required=True)
    parser.add_argument("--server", required=True)
    parser.add_argument("--server-options", default="")
    parser.add_argument("--expect", required=True, help="what the client must print")


# ---- Unix-domain sockets ----

def told(peer, path):
    """A server's options, its endpoint a socket instead of a port."""
    options = peers.options(peer)
    at = options.index("-ORBEndpoint" if peers.is_callis(peer) else "-ORBendPoint")
    options[at + 1] = f"unix:{path}" if peers.is_callis(peer) else f"giop:unix:{path}"
    return options


def facts(options):
    names = {side: "callis" if peers.is_callis(peer) else "omni"
             for side, peer in (("client", options.client), ("server", options.server))}
    return [f"{name}={value}" for name, value in {"version": "1.2", "scope": "transport", **names}.items()]


def run_sockets(options, processes):
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "server"
        server = processes.start("server", [peers.program(options.programs, "server", options.server),
                                            *told(options.server, path)])
        lines = server.wait_for(lambda line: line == "ready", TIMEOUT)
        references = [line.replace(" ", "=", 1) for line in lines if " IOR:" in line]
        if any(Reference(text.split("=", 1)[1]).port != 0 for text in references):
            raise Failure("the server has a port: it was to be reached by its socket only")
        client = processes.start("client", [peers.program(options.programs, "client", options.client), options.group,
                                            *references, *facts(options), *peers.options(options.client)])
        if client.finish(2 * TIMEOUT) != 0:
            raise Failure("the client ended badly")
        server.end_input()
        if server.finish(TIMEOUT) != 0:
            raise Failure("the server ended badly")
        if path.exists():
            raise Failure("the server left its socket behind")


def run_socket_echo(options, processes):
    with tempfile.TemporaryDirectory() as directory:
        at = f"{options.endpoint}{directory}/server"
        server, reference = start_echo_server(options.server, at, processes)
        if Reference(reference).port != 0:
            raise Failure("the server has a port: it was to be reached by its socket only")
        echoed(options, processes, [reference], options.expect)
        server.signal(signal.SIGTERM)
        server.finish(TIMEOUT)


# ---- URLs ----

def echoed(options, processes, arguments, expect):
    client = processes.start("client", [options.client, *arguments])
    status = client.finish(TIMEOUT)
    if status != 0 or not any(expect in line for line in client.output):
        raise Failure(f"the client ended with status {status}")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as s:
        return s.getsockname()[1]


def escaped(key):
    return urllib.parse.quote_from_bytes(key, safe="")


def run_corbaloc(options, processes):
    server, text = start_echo_server(options.server, options.server_options, processes)
    reference = Reference(text)
    key, good = escaped(reference.object_key), f"{reference.host}:{reference.port}"
    urls = {
        "one": [f"corbaloc:iiop:1.2@{good}/{key}"],
        "second": [f"corbaloc:iiop:1.2@127.0.0.1:1,iiop:1.2@{good}/{key}"],
        "versions": [f"corbaloc::{version}{good}/{key}" for version in ("", "1.0@", "1.1@", "1.2@")],
        "escaped": ["corbaloc::" + good + "/" + "".join(f"%{byte:02X}" for byte in reference.object_key)],
    }[options.address]
    for url in urls:
        echoed(options, processes, [url], options.expect)
    server.signal(signal.SIGTERM)
    server.finish(TIMEOUT)


def start_omni_names(processes, directory):
    port = free_port()
    names = processes.start("omniNames", ["omniNames", "-start", port, "-logdir", directory])
    names.wait_for(lambda line: "Root context is" in line or "Checkpointing Phase 2: Complete" in line, TIMEOUT)
    return port


def bind(port, name, reference):
    arguments = ["nameclt", "-ORBInitRef", f"NameService=corbaloc::127.0.0.1:{port}/NameService"]
    subprocess.run([*arguments, "bind_new_context", "shop.dir"], check=True, timeout=TIMEOUT, stdout=subprocess.DEVNULL)
    subprocess.run([*arguments, "bind", name, reference], check=True, timeout=TIMEOUT, stdout=subprocess.DEVNULL)


def run_naming(options, processes):
    for program in ("omniNames", "nameclt"):
        if not shutil.which(program):
            raise Failure(f"{program} (Debian's omniorb-nameserver, omniorb) is not installed")
    server, reference = start_echo_server(options.server, options.server_options, processes)
    with tempfile.TemporaryDirectory() as directory:
        port = start_omni_names(processes, directory)
        name = "shop.dir/a b\\.c.d\\/e" if options.name == "escapes" else "shop.dir/echo"
        bind(port, name, reference)
        at, initial = f"127.0.0.1:{port}", ["-ORBInitRef", f"NameService=corbaname::127.0.0.1:{port}"]
        arguments = {
            "corbaname": [f"corbaname::{at}#shop.dir/echo"],
            "corbaname_rir": [*initial, "corbaname:rir:#shop.dir/echo"],
            "default_init_ref": ["-ORBDefaultInitRef", f"corbaname::{at}#shop.dir", "corbaloc:rir:/echo"],
            "init_ref": ["-ORBInitRef", f"Echo=corbaname::{at}#shop.dir/echo", "corbaloc:rir:/Echo"],
            "escapes": [f"corbaname::1.2@{at}/NameService#" + urllib.parse.quote(name, safe="/.")],
        }[options.name]
        echoed(options, processes, arguments, options.expect)
    server.signal(signal.SIGTERM)
    server.finish(TIMEOUT)
