#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs in TAO's idiom (tests/compat/tao), built with callis's component compat_tao and run.

    run_tao.py --callis-idl PROGRAM --callis PROGRAM --include DIR... --shim DIR... --idl DIR... --library FILE... [--few | --page from-tao.md]

Each is built twice: with the small shim of ACE, whose folders are --shim, and with Debian's ACE if that is installed (libace-dev).
A table says of each program whether it was compiled and ran. --few: some programs, with the shim. --only NAME: one program.

Exit status 0: all build without a warning, and run as their comments say.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from harness import ports  # noqa: E402
from harness.process import Failure, Processes  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCES = pathlib.Path(__file__).resolve().parent / "tao"
TIMEOUT = 60
FEW = ("hello", "options", "ace_log")
# What tao_idl is given: options of TAO's makefiles.
IDL_WORDS = ["-GT", "-GA", "-in", "-Sci", "-Wb,export_macro=TEST_Export", "-Wb,export_include=test_export.h", "-Wb,pre_include=ace/pre.h", "-Wb,post_include=ace/post.h"]


def here(text):
    """The lines, for one `in` each."""
    return [line.strip() for line in text.strip().splitlines()]


class Program:
    """words: its arguments. expect: parts of lines of its output, in any order. without: none of these may be there. idl: the units of
    stubs. bank: whether it has the servant. real: with Debian's ACE alone."""

    def __init__(self, words=(), expect=(), without=(), idl=("Test",), bank=True, real=False, before=None, libraries=()):
        self.words, self.expect, self.without, self.idl, self.bank = list(words), list(expect), list(without), idl, bank
        self.real, self.before, self.libraries = real, before, libraries


ACE = {"idl": (), "bank": False}
PORT = "{port}"


def write_svc_conf(folder):
    (folder / "svc.conf").write_text(
        '# a comment\n'
        'static Resource_Factory "-ORBConnectionCacheMax 50 -ORBReactorType tp -ORBProtocolFactory IIOP_Factory"\n'
        'dynamic Advanced_Resource_Factory Service_Object * TAO_Strategies:_make_TAO_Advanced_Resource_Factory() \\\n'
        '  "-ORBProtocolFactory SHMIOP_Factory"\n'
        'static Server_Strategy_Factory "-ORBConcurrency thread-per-connection -ORBPOALock thread -ORBUnheardOf 3"\n'
        'static Client_Strategy_Factory "-ORBTransportMuxStrategy EXCLUSIVE -ORBProfileLock null"\n'
        'dynamic Bank Service_Object * Bank:_make_Bank() "-x"\n'
        'dynamic SSLIOP_Factory Service_Object * TAO_SSLIOP:_make_TAO_SSLIOP_Protocol_Factory() "-SSLAuthenticate SERVER"\n')
    (folder / "more.xml").write_text(
        '<?xml version="1.0"?>\n<ACE_Svc_Conf>\n <!-- <static id="Commented" params="-x"/> -->\n'
        ' <static id="Server_Strategy_Factory" params="-ORBConcurrency reactive"/>\n</ACE_Svc_Conf>\n')


PROGRAMS = {
    "exceptions": Program(expect=here("""
        EXCEPTION, a user exception
        user exception, ID 'IDL:Test/Overdrawn:1.0'
        system exception, ID 'IDL:omg.org/CORBA/TRANSIENT:1.0'""")),
    "file_references": Program(["-ORBInitRef", "Bank=file://bank.ior"]),
    "timed_run": Program(["-ORBServerThreads", "single"]),
    "options": Program(
        ["-ORBSvcConf", "/dev/null", "-a", "one", "-ORBDottedDecimalAddresses", "1", "-ORBNegotiateCodesets", "0", "-b", "-ORBObjRefStyle",
         "URL", "-ORBDebugLevel", "1", "-ORBCollocation", "no", "rest", "-ORBMaxMessageSize", "1024", "-ORBDaemon",
         "-ORBEnforcePreferredInterfaces", "1", "-ORBSndSock", "65536", "-ORBNameServicePort", "10013"],
        expect=["-ORBObjRefStyle URL is ignored: ", "-ORBDaemon is ignored: ", "weakens what the option was for", "-ORBSndSock 65536 is ignored",
                "-ORBNameServicePort 10013 is ignored: nobody is asked by multicast; use -ORBInitRef", "unknown option -ORBNonsense"],
        without=["-ORBDottedDecimalAddresses 1 is", "-ORBMaxMessageSize 1024 is", "-ORBCollocation no is"]),
    "svc_conf": Program(
        ["-ORBSvcConfDirective", "static Resource_Factory \"-ORBNativeCharCodeset UTF-8\""], before=write_svc_conf,
        expect=["svc.conf:2: -ORBReactorType tp is ignored", "svc.conf:3: -ORBProtocolFactory SHMIOP_Factory is ignored",
                "svc.conf:5: -ORBUnheardOf 3 is ignored: callis has no such option", "svc.conf:7: Bank is ignored",
                "svc.conf:8: SSLIOP_Factory -SSLAuthenticate SERVER is ignored: it encrypts nothing here"],
        without=["-ORBConcurrency", "-ORBProfileLock", "svc.conf:1:"]),
    "endpoints": Program(["-ORBListenEndpoints", f"iiop://127.0.0.1:{PORT}/portspan=3&reuse_addr=1;shmiop://10002",
                          f"iiop://127.0.0.1:{PORT}/portspan=3&hostname_in_ior=localhost", "-ORBLogFile", "log.txt"],
                         expect=["IOR:"]),
    "orb_manager": Program(),
    "ior_table": Program(["-ORBListenEndpoints", f"iiop://127.0.0.1:{PORT}", f"corbaloc:iiop:127.0.0.1:{PORT}/TheBank"],
                         expect=["user exception, ID 'IDL:IORTable/NotFound:1.0'"]),
    "naming_client": Program(["-ORBInitRef", f"NameService=corbaloc::127.0.0.1:{PORT}/NameService"]),
    "safe_pointers": Program(),
    "ties": Program(),
    "dynamic_any": Program(),
    "dii_dsi": Program(),
    "messaging": Program(),
    "interceptors": Program(expect=["context of"]),
    "real_time": Program(libraries=("rt",)),
    "values": Program(idl=("Test", "Value")),
    "services": Program(idl=("Test", "Services")),
    "threads": Program(),
    "callbacks": Program(),
    "bidirectional": Program(),
    "servant_managers": Program(),
    "habits": Program(),
    "reactor": Program(real=True),
    "ace_log": Program(**ACE, expect=here("""
        s text narrow      right|l    |
        d -1 2     3|4    |00005 6 10 ff FF c%
        f 1.500000 2.25    3.125 4.500000e+00 0.25
        q -5 5 6 -6
        M LM_WARNING
        ace_log.cpp:
        W wide
        called
        m Permission denied
        fails: No such file or directory
        result 7, status 7"""), without=["not printed"]),
    "ace_arguments": Program(**ACE),
    "ace_options": Program(**ACE),
    "ace_os": Program(**ACE),
    "ace_sync": Program(**ACE),
}
# Pairs: a server, a client, what the client prints.
PAIRS = {"hello": (["string returned <Hello, TAO>", "overdrawn: 3.0, not enough", "1 account, owner ann, count 2", "client done"],
                   ["server is ready", "remembers 0: one", "noted <a note>", "event loop finished"])}


class Kind:
    """One of the two ways to have ACE."""

    def __init__(self, options, name, folder):
        self.options, self.name, self.folder = options, name, folder
        self.folder.mkdir()
        shim = options.shim if name == "shim" else []
        self.flags = ["-std=c++20", "-O0", "-Wall", "-Wextra", "-Werror", *(f"-I{d}" for d in [folder.parent / "gen", SOURCES, *shim, *options.include])]
        folders = {pathlib.Path(library).parent for library in options.library}
        self.libraries = [*options.library, *(f"-Wl,-rpath,{f}" for f in folders), *([] if shim else ["-lACE"])]

    def run(self, *words):
        done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            raise Failure(f"{' '.join(map(str, words))}\n{done.stdout[-4000:]}")

    def object(self, source):
        out = self.folder / f"{source.stem}.o"
        self.run(self.options.compiler, *self.flags, "-c", source, "-o", out)
        return out

    def link(self, name, objects, libraries=()):
        # Libraries that a program names itself stand in front: those above the ORB first.
        own = [lib for lib in self.libraries if any(f"libcallis_{n}." in str(lib) for n in ("rt",))]
        given = [lib for lib in self.libraries if lib not in own or "rt" in libraries]
        self.run(self.options.compiler, *objects, "-o", self.folder / name, *given)
        return self.folder / name


def build(options, folder, kinds, wanted):
    """(kind, program): None, or why it was not built."""
    results = {}
    tao_idl = folder / "tao_idl"
    tao_idl.symlink_to(pathlib.Path(options.callis_idl).resolve())
    (folder / "gen").mkdir()
    idl = subprocess.run([tao_idl, *IDL_WORDS, "-o", folder / "gen", "-I", SOURCES, *(f"-I{d}" for d in options.idl), *sorted(SOURCES.glob("*.idl"))],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if idl.returncode != 0 or idl.stdout:
        raise Failure(f"tao_idl: status {idl.returncode}\n{idl.stdout}")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        units = sorted({unit for name in wanted for unit in (PROGRAMS[name].idl if name in PROGRAMS else ("Test",))})
        stubs, bank, tasks = {}, {}, {}
        for kind in kinds:
            for unit in units:
                stubs[kind, unit] = [pool.submit(kind.object, folder / "gen" / f"{unit}{side}.cpp") for side in "CS"]
            if units:
                bank[kind] = pool.submit(kind.object, SOURCES / "Bank_i.cpp")

        def one(kind, name):
            if name in PAIRS:
                test = [f.result() for f in stubs[kind, "Test"]]
                kind.link(f"{name}_server", [kind.object(SOURCES / f"{name}_server.cpp"), bank[kind].result(), *test])
                kind.link(f"{name}_client", [kind.object(SOURCES / f"{name}_client.cpp"), test[0]])
                return
            program = PROGRAMS[name]
            objects = [kind.object(SOURCES / f"{name}.cpp")]
            for unit in program.idl:
                objects += [f.result() for f in stubs[kind, unit]]
            if program.bank:
                objects.append(bank[kind].result())
            kind.link(name, objects, program.libraries)
        shared = [f for fs in stubs.values() for f in fs] + list(bank.values())
        concurrent.futures.wait(shared)
        for kind in kinds:
            for name in wanted:
                if name in PROGRAMS and PROGRAMS[name].real and kind.name == "shim":
                    continue
                tasks[kind.name, name] = pool.submit(one, kind, name)
        for key, task in tasks.items():
            try:
                task.result()
                results[key] = None
            except Failure as why:
                results[key] = str(why)
    return results


def header_names(forwarders, below):
    """The headers that a list of forwarders names: (those to include, those that are an #error)."""
    good, refused, to = [], [], None
    for line in forwarders.read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            to.extend(os.path.normpath(f"{below}/{name}.h") for name in line.split())
        elif line and not line.startswith("#"):
            to = refused if line.startswith("!") else good
    return good, refused


def check_headers(kind):
    """All of TAO's names in one source; and sources that must be refused, each with a sentence."""
    compat = ROOT / "callis/compat"
    good, refused = header_names(compat / "tao/forwarders.txt", "tao")
    if kind.name == "shim":
        ace, not_there = header_names(compat / "ace/forwarders.txt", "ace")
        good, refused = [*good, *ace], [*refused, *not_there]
    source = kind.folder / "headers.cpp"
    source.write_text("".join(f'#include "{name}"\n' for name in [*good, "tao/IORTable/IORTable.h", "orbsvcs/CosNamingS.h",
                                                                  "orbsvcs/Naming/Naming_Client.h"]) + "int main () {}\n")
    kind.object(source)
    wrong = [(f'#include "{name}"', "callis/compat: ") for name in refused]
    wrong.append(("#define TAO_ORB_CONFIG_H\n#include <tao/ORB.h>", "callis/compat and TAO's own headers in one program"))
    if kind.name == "shim":
        wrong.append(("#define ACE_CONFIG_LITE_H\n#include <ace/OS.h>", "callis/compat/ace and ACE's own headers in one program"))
    for text, sentence in wrong:
        source.write_text(text + "\n")
        try:
            kind.object(source)
        except Failure as why:
            if sentence not in str(why):
                raise
        else:
            raise Failure(f"{text} is taken")


def look(program, expect, without=()):
    lines = program.output
    missing = [text for text in expect if not any(text in line for line in lines)]
    there = [text for text in without if any(text in line for line in lines)]
    if missing or there:
        raise Failure(f"not printed: {missing}; printed: {there}\n{program.describe()}")


def run_program(options, kind, name):
    program = PROGRAMS[name]
    place = kind.folder / f"{name}.dir"
    place.mkdir()
    if program.before:
        program.before(place)
    port = str(ports.fixed_port())
    with Processes() as processes:
        if name == "naming_client":
            processes.start("naming", [options.callis, "naming", "--allow", "admin=any", "-ORBEndpoint", f"tcp:127.0.0.1:{port}"]) \
                .wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)
        command = [kind.folder / name, *(word.replace(PORT, port) for word in program.words)]
        running = processes.start(name, ["sh", "-c", 'cd "$1"; shift; exec "$@" 2>&1', "sh", place, *command])
        status = running.finish(TIMEOUT)
        log = place / "log.txt"
        if status != 0:
            raise Failure(f"status {status}\n{running.describe()}\n{log.read_text() if log.exists() else ''}")
        if log.exists():  # -ORBLogFile
            if "OK\n" not in log.read_text() or "shmiop://10002 is ignored" not in log.read_text():
                raise Failure(f"the file of -ORBLogFile has\n{log.read_text()}")
            look(running, program.expect, program.without)
        else:
            look(running, ["OK", *program.expect], program.without)


def run_pair(kind, name):
    of_client, of_server = PAIRS[name]
    place = kind.folder / f"{name}.dir"
    place.mkdir()
    with Processes() as processes:
        def start(who, *words):
            return processes.start(who, ["sh", "-c", 'cd "$1"; shift; exec "$@" 2>&1', "sh", place, kind.folder / who, *words])
        server = start(f"{name}_server", "-o", "server.ior", "-ORBListenEndpoints", "iiop://127.0.0.1:", "-ORBDottedDecimalAddresses", "1")
        server.wait_for(lambda line: "server is ready" in line, TIMEOUT)
        client = start(f"{name}_client", "-k", "file://server.ior", "-ORBNodelay", "1")
        if client.finish(TIMEOUT) != 0 or server.finish(TIMEOUT) != 0:
            raise Failure(client.describe() + server.describe())
        look(client, of_client)
        look(server, of_server)


def type_page(options, folder):
    """Types the commands of the guide's page as a user does, with the hello pair as the program."""
    page = pathlib.Path(options.page).read_text(encoding="utf-8")
    commands = re.search(r"first ten minutes\n.*?```\n(.*?)```", page, re.DOTALL).group(1)
    kind = Kind(options, "shim", folder / "shim")
    (folder / "bin").mkdir()
    (folder / "bin/callis-idl").symlink_to(pathlib.Path(options.callis_idl).resolve())
    flags = " ".join(f"-I{d}" for d in options.include)
    ace = " ".join(f"-I{d}" for d in options.shim)
    libraries = " ".join(str(lib) for lib in kind.libraries)
    (folder / "bin/pkg-config").write_text(f"#!/bin/sh\ncase \"$*\" in\n"
                                           f"'--cflags callis-compat-ace callis-compat-tao') echo '{ace} {flags}' ;;\n"
                                           f"'--libs callis-compat-tao') echo '{libraries}' ;;\n*) exit 1 ;;\nesac\n")
    (folder / "bin/pkg-config").chmod(0o755)
    for name in ("Test.idl", "Bank_i.h", "Bank_i.cpp"):
        shutil.copy(SOURCES / name, folder)
    shutil.copy(SOURCES / "hello_server.cpp", folder / "server.cpp")
    shutil.copy(SOURCES / "hello_client.cpp", folder / "client.cpp")
    done = subprocess.run(["sh", "-exc", commands], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          env={**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"})
    if done.returncode != 0:
        raise Failure(done.stdout)
    for who in ("server", "client"):
        (folder / who).rename(kind.folder / f"hello_{who}")
    run_pair(kind, "hello")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--callis-idl", required=True)
    parser.add_argument("--callis", required=True)
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--shim", action="append", default=[])
    parser.add_argument("--library", action="append", default=[])
    parser.add_argument("--idl", action="append", default=[], help="where IDL files that are included lie")
    parser.add_argument("--few", action="store_true")
    parser.add_argument("--page", help="types the commands of this page of the guide, in place of the rest")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    wrong = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        try:
            if options.page:
                type_page(options, folder)
                return 0
            names = ["shim", *(["real"] if not options.few and pathlib.Path("/usr/include/ace/Log_Msg.h").exists() else [])]
            kinds = [Kind(options, name, folder / name) for name in names]
            wanted = [n for n in [*PAIRS, *PROGRAMS] if (not options.few or n in FEW) and (not options.only or n == options.only)]
            results = build(options, folder, kinds, wanted)
        except Failure as why:
            print(why)
            return 1
        ran = 0
        for kind in kinds:
            if not options.few and not options.only:
                try:
                    check_headers(kind)
                except Failure as why:
                    wrong.append(f"headers with {kind.name}:\n{why}")
            for name in wanted:
                if (kind.name, name) not in results:
                    continue
                why = results[kind.name, name]
                compiled = why is None
                if compiled:
                    try:
                        if name in PAIRS:
                            run_pair(kind, name)
                        else:
                            run_program(options, kind, name)
                        ran += 1
                    except Failure as failure:
                        why = str(failure)
                print(f"{name:20} {kind.name:6} {'compiled' if compiled else 'not compiled':14} {'ran' if why is None else 'did not run'}", flush=True)
                if why is not None:
                    wrong.append(f"{name} with {kind.name}:\n{why}")
        print(f"{ran} of {len(results)} programs ran")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
