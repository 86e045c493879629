#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""omniORB's example programs, unchanged, built with callis's component compat_omniorb and run, also against omniORB's own binaries.

    run.py --callis-idl PROGRAM --callis PROGRAM --include DIR... --library FILE... [--few | --styles | --options | --page docs/guide/from-omniorb.md]

The sources are those of Debian's package omniorb-doc, which also has most of the programs that omniORB's makefiles have built; the
others are built here, with omniORB's headers and libraries. --few: three programs. A table says of each program whether it was
compiled and ran, and what the others wait for.

Exit status 0: all that are known to build do, and all that build run. 77: there are no examples.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from harness import ports  # noqa: E402
from harness.process import Failure, Processes  # noqa: E402

EXAMPLES = pathlib.Path("/usr/lib/omniorb/examples")
SHARED_IDL = pathlib.Path("/usr/share/idl/omniORB")
OWN_IDL = pathlib.Path(__file__).resolve().parent.parent / "interop"
TIMEOUT = 60
REPLIED = 'replied, "Hello!"'

# Folder: the IDL file, and what omniORB's makefiles give omniidl.
FOLDERS = {
    "echo": ("echo", "-Wbtp"), "dsi": ("echo", ""), "dii": ("", ""), "anyExample": ("anyExample", "-Wba"),
    "call_back": ("echo_callback", ""), "bidir": ("echo_callback", ""), "valuetype/simple": ("value", "-Wbdebug"),
    "poa/implicit_activation": ("echo", ""), "poa/persistent_objref": ("echo", ""), "poa/servant_manager": ("echo", ""),
    "poa/shortcut": ("shortcut", "-Wbshortcut"), "poa/threading": ("echo", ""), "thread": ("", ""),
    "ami": ("echo_ami", "-Wbami"), "boa": ("becho", "-WbBOA"), "ziop": ("echo", ""), "ssl_echo": ("echo", ""),
}
# Those that the package has as sources alone, and what omniORB's makefiles link them with.
THEIR_LIBRARIES = {"ssl_echo": ["-lomnisslTP4", "-lssl", "-lcrypto"], "ziop": ["-lomniZIOP4", "-lz"]}
# What callis has not got.
WAITS_FOR = {"ami": "asynchronous calls by stubs"}
FEW = ("echo/eg2_clt", "echo/eg2_impl", "thread/thrspecdata")


def sources():
    return sorted(str(p.relative_to(EXAMPLES).with_suffix("")) for p in EXAMPLES.rglob("*.cc"))


def list_of(options):
    return [name for name in (FEW if options.few else sources()) if name.startswith(options.only)]


class Builder:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.flags = ["-std=c++20", "-O0", *(f"-I{d}" for d in options.include)]
        folders = {pathlib.Path(library).parent for library in options.library if ".so" in library}
        self.libraries = [*options.library, *(f"-Wl,-rpath,{folder}" for folder in folders)]

    def run(self, *words):
        done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            raise Failure(f"{' '.join(map(str, words))}\n{done.stdout[-4000:]}")

    def idl(self, name):
        """The object of the folder's IDL, or nothing."""
        stem, words = FOLDERS[name]
        if not stem:
            return []
        out = self.folder / name
        out.mkdir(parents=True, exist_ok=True)
        found = [d / f"{stem}.idl" for d in (EXAMPLES / name, SHARED_IDL, OWN_IDL) if (d / f"{stem}.idl").exists()]
        self.run(self.options.callis_idl, "-bcxx", *words.split(), f"-C{out}", found[0])
        self.run(self.options.compiler, *self.flags, f"-I{out}", "-c", out / f"{stem}SK.cc", "-o", out / "stubs.o")
        return [out / "stubs.o"]

    def program(self, name, stubs):
        source = EXAMPLES / f"{name}.cc"
        out = self.folder / pathlib.Path(name).parent
        out.mkdir(parents=True, exist_ok=True)
        tls = self.options.tls_library if name.startswith("ssl_echo/") else []
        self.run(self.options.compiler, *self.flags, "-w", f"-I{out}", f"-I{source.parent}", source, *stubs, "-o", self.folder / name,
                 *tls, *self.libraries)
        return self.folder / name


    def theirs(self, name, out):
        """The program as omniORB's makefiles build it, which the package does not have."""
        folder = pathlib.Path(name).parent
        made = out / folder
        made.mkdir(parents=True, exist_ok=True)
        stem, words = FOLDERS[str(folder)]
        found = [d / f"{stem}.idl" for d in (EXAMPLES / folder, SHARED_IDL) if (d / f"{stem}.idl").exists()]
        self.run("omniidl", "-bcxx", *words.split(), f"-C{made}", found[0])
        self.run(self.options.compiler, "-std=c++11", "-w", "-D__x86_64__", "-D__linux__", "-D__OSVERSION__=2", f"-I{made}",
                 EXAMPLES / f"{name}.cc", made / f"{stem}SK.cc", "-o", out / name, *THEIR_LIBRARIES[str(folder)], "-lomniORB4",
                 "-lomnithread", "-lpthread")


def build_theirs(options, folder):
    """Programs of omniORB's own, where its compiler and its headers are installed."""
    builder = Builder(options, folder)
    if not shutil.which("omniidl") or not pathlib.Path("/usr/include/omniORB4/CORBA.h").exists():
        return
    names = [name for name in list_of(options) if str(pathlib.Path(name).parent) in THEIR_LIBRARIES]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda name: builder.theirs(name, folder / "theirs"), names))


def make_certificates(folder):
    """The files that the programs of ssl_echo read, with the same names and passphrase; the package's own run out in 2027."""
    def run(*words):
        done = subprocess.run(["openssl", *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            raise Failure(f"openssl {' '.join(words)}\n{done.stdout}")
    run("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "root.pem", "-days", "9", "-subj", "/CN=authority")
    for name in ("client", "server"):
        run("req", "-newkey", "rsa:2048", "-passout", "pass:password", "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj",
            f"/CN={name}.examples.omniorb.net")
        run("x509", "-req", "-in", f"{name}.csr", "-CA", "root.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "9", "-out",
            f"{name}.crt")
        (folder / f"{name}.pem").write_text((folder / f"{name}.key").read_text() + (folder / f"{name}.crt").read_text())
        (folder / f"{name}.pem").chmod(0o600)


def build(options, folder):
    """The names of the programs that were built, and why the others were not."""
    builder = Builder(options, folder)
    wanted = list_of(options)
    folders = sorted({str(pathlib.Path(name).parent) for name in wanted})
    failed, built = {}, []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        stubs = {f: pool.submit(builder.idl, f) for f in folders}
        concurrent.futures.wait(stubs.values())

        def one(name):
            return builder.program(name, stubs[str(pathlib.Path(name).parent)].result())
        for name, result in [(name, pool.submit(one, name)) for name in wanted]:
            try:
                result.result()
                built.append(name)
            except Failure as why:
                failed[name] = str(why)
    return built, failed


class Runs:
    """Runs programs; `here` are those that callis has built, `theirs` omniORB's."""

    def __init__(self, options, folder, built):
        self.options, self.folder, self.built = options, folder, built

    def program(self, side, name):
        if side == "callis":
            return self.folder / name
        return EXAMPLES / name if (EXAMPLES / name).exists() else self.folder / "theirs" / name

    def pairs(self, client, server):
        """Both sides by callis; and each side by callis, the other by omniORB."""
        for sides in (("callis", "callis"), ("callis", "omniORB"), ("omniORB", "callis")):
            if all(side != "callis" or name in self.built for side, name in zip(sides, (client, server))):
                if all(self.program(side, name).exists() for side, name in zip(sides, (client, server))):
                    yield sides

    def pair(self, client, server, expect, client_words=(), server_words=(), endpoint=True, ends=None, names=False, own_words=(),
             folder=None):
        """own_words: of a client that callis has built. folder: where both run."""
        started = ["env", "-C", folder] if folder else []
        for client_side, server_side in self.pairs(client, server):
            with Processes() as processes:
                naming = []
                if names:
                    port = ports.fixed_port()
                    processes.start("naming", [self.options.callis, "naming", "--allow", "admin=any", "-ORBEndpoint",
                                               f"tcp:127.0.0.1:{port}"]).wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)
                    naming = ["-ORBInitRef", f"NameService=corbaloc::127.0.0.1:{port}/NameService"]
                words = [*naming, *server_words, *(["-ORBendPoint", "giop:tcp:127.0.0.1:"] if endpoint else [])]
                running = processes.start(f"server of {server_side}", [*started, self.program(server_side, server), *words])
                reference = "" if names else running.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1]
                command = [*started, self.program(client_side, client), *naming, *client_words, *(own_words if client_side == "callis" else []),
                           *([reference] if reference else [])]
                deadline = time.monotonic() + TIMEOUT
                while True:  # a server that is known by its name does not tell when it has bound the name
                    asking = processes.start(f"client of {client_side}", command)
                    status = asking.finish(TIMEOUT)
                    if not names or any(expect in line for line in asking.output) or time.monotonic() > deadline:
                        break
                if status != 0 or not any(expect in line for line in asking.output):
                    raise Failure(f"{client} of {client_side} to {server} of {server_side}: status {status}\n{asking.describe()}"
                                  f"{running.describe()}")
                if self.options.verbose:
                    print(f"{client} of {client_side} to {server} of {server_side}: good", flush=True)
                if ends:
                    end = processes.start("shutdown", [self.program(client_side, ends), reference])
                    if end.finish(TIMEOUT) != 0 or running.finish(TIMEOUT) != 0:
                        raise Failure(f"{ends} of {client_side}: {server} of {server_side} did not end\n{running.describe()}")
                else:
                    running.signal(signal.SIGTERM)

    def alone(self, name, expect, words=(), times=1):
        """A program that ends by itself."""
        with Processes() as processes:
            program = processes.start(name, [self.folder / name, *words])
            status = program.finish(TIMEOUT)
            if status != 0 or sum(expect in line for line in program.output) < times:
                raise Failure(f"{name}: status {status}\n{program.describe()}")

    def until(self, name, expect, words=()):
        """A program without end."""
        with Processes() as processes:
            processes.start(name, [self.folder / name, *words]).wait_for(lambda line: expect in line, TIMEOUT)


def cases(runs):
    """(the programs that it runs, what it does)"""
    bidir = ["-ORBofferBiDirectionalGIOP", "1", "-ORBacceptBiDirectionalGIOP", "1"]
    rules = ["-ORBclientTransportRule", "* unix,tcp,bidir", "-ORBserverTransportRule", "* unix,tcp,bidir"]
    yield ["echo/eg2_clt", "echo/eg2_impl"], lambda: runs.pair("echo/eg2_clt", "echo/eg2_impl", REPLIED)
    yield ["thread/thrspecdata"], lambda: runs.until("thread/thrspecdata", "")
    yield ["echo/eg1"], lambda: runs.alone("echo/eg1", 'replied, "Hello', times=1)
    yield ["echo/eg3_clt", "echo/eg3_impl"], lambda: runs.pair("echo/eg3_clt", "echo/eg3_impl", "replied", names=True)
    yield ["echo/eg3_tieimpl"], lambda: runs.pair("echo/eg3_clt", "echo/eg3_tieimpl", "replied", names=True)
    yield ["dsi/echo_dsiimpl"], lambda: runs.pair("echo/eg2_clt", "dsi/echo_dsiimpl", REPLIED)
    yield ["dii/echo_diiclt"], lambda: runs.pair("dii/echo_diiclt", "echo/eg2_impl", 'replied, "Hello')
    yield ["anyExample/anyExample_clt", "anyExample/anyExample_impl"], \
        lambda: runs.pair("anyExample/anyExample_clt", "anyExample/anyExample_impl", "ULong: 314")
    yield ["call_back/cb_client", "call_back/cb_server", "call_back/cb_shutdown"], \
        lambda: runs.pair("call_back/cb_client", "call_back/cb_server", 'call_back("Hello!")', ends="call_back/cb_shutdown")
    yield ["bidir/bd_client", "bidir/bd_server", "bidir/bd_shutdown"], \
        lambda: runs.pair("bidir/bd_client", "bidir/bd_server", 'call_back("Hello!")', [*bidir, *rules], [*bidir, *rules],
                          ends="bidir/bd_shutdown")
    yield ["valuetype/simple/vclient", "valuetype/simple/vserver"], \
        lambda: runs.pair("valuetype/simple/vclient", "valuetype/simple/vserver", "String: ")
    yield ["valuetype/simple/vcoloc"], lambda: runs.alone("valuetype/simple/vcoloc", "String: ")
    yield ["poa/implicit_activation/eg1"], lambda: runs.alone("poa/implicit_activation/eg1", 'replied, "Hello')
    port = ports.fixed_port()
    yield ["poa/persistent_objref/eg2_impl"], \
        lambda: runs.pair("echo/eg2_clt", "poa/persistent_objref/eg2_impl", REPLIED, endpoint=False,
                          server_words=["-ORBendPoint", f"giop:tcp:127.0.0.1:{port}"])
    for manager in ("servant_activator", "servant_locator"):
        yield [f"poa/servant_manager/{manager}"], \
            lambda manager=manager: runs.pair("echo/eg2_clt", f"poa/servant_manager/{manager}", REPLIED)
    yield ["poa/threading/mainthread"], lambda: runs.pair("echo/eg2_clt", "poa/threading/mainthread", REPLIED)
    yield ["poa/shortcut/shortcut"], lambda: runs.alone("poa/shortcut/shortcut", "Direct call")
    yield ["boa/eg2_impl"], lambda: runs.pair("echo/eg2_clt", "boa/eg2_impl", REPLIED)
    if "ssl_echo/eg2_impl" in runs.built:
        site = runs.folder / "certificates"
        site.mkdir(exist_ok=True)

        def with_tls():
            make_certificates(site)
            # callis compares the name in the certificate with that in the reference, and omniORB does not.
            runs.pair("ssl_echo/eg2_clt", "ssl_echo/eg2_impl", REPLIED, endpoint=False, folder=site,
                      own_words=["-ORBTlsExpect", "server.examples.omniorb.net"])
        yield ["ssl_echo/eg2_clt", "ssl_echo/eg2_impl"], with_tls
    # The client sends its own source.
    size = (EXAMPLES / "ziop/ziop_clt.cc").stat().st_size
    yield ["ziop/ziop_clt", "ziop/ziop_impl"], \
        lambda: runs.pair("ziop/ziop_clt", "ziop/ziop_impl", f"I sent {size} characters, and received {size}.",
                          ["-ORBclientTransportRule", "* unix,ssl,tcp,ziop"], ["-ORBserverTransportRule", "* unix,ssl,tcp,ziop"])
    yield ["thread/diner"], lambda: runs.until("thread/diner", "is eating spaghetti")
    yield ["thread/prio"], lambda: runs.until("thread/prio", "left compute-bound loop", ["1000"])
    yield ["thread/prodcons"], lambda: runs.until("thread/prodcons", "got message")


def type_page(options, folder):
    """Types the commands of the guide's page as a user does, with omniORB's echo server as the program."""
    page = pathlib.Path(options.page).read_text(encoding="utf-8")
    commands = re.search(r"first ten minutes\n.*?```\n(.*?)```", page, re.DOTALL).group(1)
    builder = Builder(options, folder)
    (folder / "bin").mkdir()
    (folder / "bin/callis-idl").symlink_to(pathlib.Path(options.callis_idl).resolve())
    (folder / "bin/pkg-config").write_text(f'#!/bin/sh\ntest "$2" = callis-compat-omniorb || exit 1\ncase "$1" in\n'
                                           f"--cflags) echo '{' '.join(builder.flags)}' ;;\n--libs) echo '{' '.join(builder.libraries)}' ;;\nesac\n")
    (folder / "bin/pkg-config").chmod(0o755)
    shutil.copy(SHARED_IDL / "echo.idl", folder)
    shutil.copy(EXAMPLES / "echo/eg2_impl.cc", folder / "server.cc")
    done = subprocess.run(["sh", "-exc", commands], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          env={**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"})
    if done.returncode != 0:
        raise Failure(done.stdout)
    with Processes() as processes:
        server = processes.start("server", [folder / "server", "-ORBendPoint", "giop:tcp:127.0.0.1:"])
        reference = server.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1]
        client = processes.start("client", [EXAMPLES / "echo/eg2_clt", reference])
        if client.finish(TIMEOUT) != 0 or not any(REPLIED in line for line in client.output):
            raise Failure(client.describe() + server.describe())
        server.signal(signal.SIGTERM)


# One source with both headers, one with the plain one.
TWO_STYLES = {"both.cc": """#include <echo.hh>
#include <echo.h>
#include <echo_skel.h>
struct Servant : POA_Echo { char* echoString(const char* text) override { return CORBA::string_dup(text); } };
Echo_ptr same(Echo_ptr object);
int main() { Servant servant; return CORBA::is_nil(same(Echo::_nil())) ? 0 : 1; }
""", "plain.cc": """#include <echo.h>
Echo_ptr same(Echo_ptr object) { return Echo::_duplicate(object); }
"""}


def try_styles(options, folder):
    """Files of two styles of one IDL file in one program: they work with the sources of one, and the linker refuses those of both."""
    builder = Builder(options, folder)
    builder.run(options.callis_idl, "-bcxx", f"-C{folder}", SHARED_IDL / "echo.idl")
    builder.run(options.callis_idl, f"-o{folder}", SHARED_IDL / "echo.idl")
    for name, text in TWO_STYLES.items():
        (folder / name).write_text(text)
    objects = {}
    for name in (*TWO_STYLES, "echoSK.cc", "echo.cpp", "echo_skel.cpp"):
        objects[name] = folder / f"{name}.o"
        builder.run(options.compiler, *builder.flags, "-Wall", "-Wextra", "-Werror", f"-I{folder}", "-c", folder / name, "-o", objects[name])
    own, omni, plain = [objects[n] for n in TWO_STYLES], [objects["echoSK.cc"]], [objects["echo.cpp"], objects["echo_skel.cpp"]]
    for sources in (omni, plain):
        builder.run(options.compiler, *own, *sources, "-o", folder / "program", *builder.libraries)
        builder.run(folder / "program")
    try:
        builder.run(options.compiler, *own, *omni, *plain, "-o", folder / "program", *builder.libraries)
    except Failure as why:
        if "multiple definition" in str(why):
            return
        raise
    raise Failure("the linker takes the sources of both styles")


def their_options():
    """{name: default} of omniORB's options, as a program of its own tells them."""
    with Processes() as processes:
        program = processes.start("omniORB's", [EXAMPLES / "echo/eg2_impl", "-ORBdumpConfiguration", "1"])
        lines = program.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)
    found = [re.match(r"omniORB:   (\w+)(?: \(\w+\))? = *(.*)$", line) for line in lines]
    return {m.group(1): m.group(2) for m in found if m}


# Options whose default says nothing, or nothing that a command line could say.
SAID = {"DefaultInitRef": "corbaloc::127.0.0.1:1/", "defaultCharCodeSet": "UTF-8", "defaultWCharCodeSet": "UTF-16", "traceFile": "/dev/null",
        "principal": "someone", "bootstrapAgentHostname": "127.0.0.1", "configFile": None, "traceLocking": "0", "id": "omniORB4",
        "unixTransportDirectory": "/tmp/nowhere", "unixTransportPermission": "0700", "endPoint": "giop:tcp:127.0.0.1:"}


def try_options(options, folder):
    """Each option of omniORB's is taken by a program, and nothing that it means is lost without a word."""
    builder = Builder(options, folder)
    program = builder.program("echo/eg2_impl", builder.idl("echo"))
    names = their_options()
    if len(names) < 50:
        raise Failure(f"omniORB tells no more options than {sorted(names)}")
    wrong = []
    for name, default in names.items():
        value = SAID.get(name, default)
        if value is None:
            continue
        with Processes() as processes:
            words = [f"-ORB{name}", value, *([] if name == "endPoint" else ["-ORBEndpoint", "tcp:127.0.0.1:0"])]
            running = processes.start(name, [program, *words])
            try:
                running.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)
            except Failure:
                wrong.append(f"-ORB{name} {value}: {running.output}")
                continue
            told = [line for line in running.output if line.startswith("callis:")]
            if options.verbose:
                print(name, value, told)
            if any("is ignored" in line and f"-ORB{name}" not in line for line in told) or len(told) > 1:
                wrong.append(f"-ORB{name} {value}: {told}")
    if wrong:
        raise Failure("\n".join(wrong))
    print(f"{len(names)} options")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--callis-idl", required=True)
    parser.add_argument("--callis", required=True)
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--library", action="append", default=[])
    parser.add_argument("--tls-library", action="append", default=[], help="of programs that include omniORB4/sslContext.h")
    parser.add_argument("--few", action="store_true")
    parser.add_argument("--page", help="types the commands of this page of the guide, in place of the rest")
    parser.add_argument("--styles", action="store_true", help="files of two styles of names in one program, in place of the rest")
    parser.add_argument("--options", action="store_true", help="each of omniORB's options, in place of the rest")
    parser.add_argument("--only", default="", help="of the programs, those whose names begin so")
    parser.add_argument("--verbose", action="store_true", help="names the pairs")
    options = parser.parse_args()
    if not (EXAMPLES / "echo/eg2_clt.cc").exists():
        print("omniORB's examples (Debian: omniorb-doc) are not here")
        return 77
    if options.page or options.styles or options.options:
        with tempfile.TemporaryDirectory() as folder:
            try:
                (type_page if options.page else try_styles if options.styles else try_options)(options, pathlib.Path(folder))
            except Failure as why:
                print(why)
                return 1
        return 0
    with tempfile.TemporaryDirectory() as folder:
        built, failed = build(options, pathlib.Path(folder))
        build_theirs(options, pathlib.Path(folder))
        runs = Runs(options, pathlib.Path(folder), built)
        ran, wrong = set(), []
        for names, run in cases(runs):
            if not set(names) <= set(built):
                continue
            try:
                run()
                ran |= set(names)
            except Failure as why:
                wrong.append(str(why))
    for name in list_of(options):
        waits = WAITS_FOR.get(name.split("/")[0], "")
        print(f"{name:36} {'compiled' if name in built else 'not compiled':14} {'ran' if name in ran else 'did not run':12} {waits}")
        if name in failed and not waits:
            wrong.append(f"{name} is not compiled:\n{failed[name]}")
        elif name in built and name not in ran:
            wrong.append(f"{name} is compiled and did not run")
    corba = [n for n in built if not n.startswith("thread/")]
    print(f"{len(built)} programs compiled, {len(corba)} of them CORBA's; {len(ran)} ran")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
