#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""callis in processes of others. A server of guest.idl runs beside each case.

    run.py CASE --program GUEST_PROGRAM --plugin LIBRARY --other LIBRARY --library LIBCALLIS.SO

CASE: python     this process loads the library by ctypes, and calls
      cycles     a process loads the library, calls and closes it, a thousand times: its memory does not grow
      unloaded   what an exception says behind the end of the library that threw one first
      java       a Java program loads the library by JNI, and calls on threads of its own
      closed     a client whose descriptors 0 to 2 are closed, and that prints
      threads    libcallis.so takes little of the memory that each thread has from its start: the loader has little for late ones
      daemon     a server that becomes a daemon before ORB_init or behind it serves; behind its first reference it says what is wrong
"""
import argparse
import ctypes
import os
import pathlib
import signal
import shutil
import subprocess
import sys
import tempfile
import time
from _ctypes import dlclose

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 60
CYCLES, WARM = 1000, 100
MOST_GROWTH_KIB = 1024
MOST_OF_A_THREAD = 512
ROOM = 4096


def wait_for(path, *others, process=None):
    """The words of a file that somebody is about to write, or of one of the others."""
    ends = time.monotonic() + SECONDS
    while time.monotonic() < ends:
        for p in (path, *others):
            if p.exists():
                return p, p.read_text(encoding="utf-8")
        if process and process.poll() is not None and not path.exists():
            sys.exit(f"the program ended with status {process.returncode} and wrote no {path.name}")
        time.sleep(0.01)
    sys.exit(f"{path.name} has not come within {SECONDS} s")


class Server:
    def __init__(self, program, folder):
        self.file = folder / "server"
        self.process = subprocess.Popen([program, "serve", self.file, "-ORBEndpoint", "tcp:127.0.0.1:0"])
        self.ior = wait_for(self.file, process=self.process)[1].split()[0]

    def end(self):
        self.process.terminate()
        if self.process.wait(SECONDS) != 0:
            sys.exit(f"the server ended with status {self.process.returncode}")


class Plugin:
    def __init__(self, path):
        self.library = ctypes.CDLL(str(path))

    def echo(self, ior, text):
        out = ctypes.create_string_buffer(ROOM)
        self.library.guest_echo(ior.encode(), text.encode(), out, ctypes.c_size_t(ROOM))
        return out.value.decode()

    def refuse(self, ior, number):
        out = ctypes.create_string_buffer(ROOM)
        self.library.guest_refuse(ior.encode(), number, out, ctypes.c_size_t(ROOM))
        return out.value.decode()

    def close(self):
        dlclose(self.library._handle)  # pylint: disable=protected-access


def expect(found, wanted):
    if found != wanted:
        sys.exit(f"found {found!r}, wanted {wanted!r}")


def python(options, server, _):
    plugin = Plugin(options.plugin)
    expect(plugin.echo(server.ior, "from Python"), "from Python")
    expect(plugin.refuse(server.ior, 7), 'IDL:guest/Refused:1.0 {7, "as asked"}')


def memory_kib():
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def cycles(options, server, _):
    before = 0
    for i in range(CYCLES):
        plugin = Plugin(options.plugin)
        expect(plugin.echo(server.ior, str(i)), str(i))
        expect(plugin.refuse(server.ior, i), f'IDL:guest/Refused:1.0 {{{i}, "as asked"}}')
        plugin.close()
        if i == WARM:
            before = memory_kib()
    grown = memory_kib() - before
    print(f"{CYCLES - WARM} cycles: {grown} KiB more")
    if grown > MOST_GROWTH_KIB:
        sys.exit(f"the process has grown by {grown} KiB, and at most {MOST_GROWTH_KIB} are allowed")


def unloaded(options, server, _):
    first = Plugin(options.other)
    expect(first.refuse(server.ior, 1), 'IDL:guest/Refused:1.0 {1, "as asked"}')
    first.close()
    second = Plugin(options.plugin)
    for i in range(10):
        expect(second.refuse(server.ior, i), f'IDL:guest/Refused:1.0 {{{i}, "as asked"}}')
    second.close()


def java(options, server, folder):
    if not shutil.which("javac"):
        sys.exit("there is no javac")
    subprocess.run(["javac", "-d", folder, HERE / "Guest.java"], check=True)
    done = subprocess.run(["java", "-Xcheck:jni", "-cp", folder, "Guest", options.plugin, server.ior], capture_output=True, text=True,
                          timeout=SECONDS, check=False)
    if done.stdout != "OK\n":
        sys.exit(f"status {done.returncode}: {done.stdout}{done.stderr}")


def closed(options, server, folder):
    log = folder / "log"
    subprocess.run(["sh", "-c", 'exec "$0" call "$1" "$2" <&- >&- 2>&-', options.program, server.file, log], timeout=SECONDS, check=True)
    expect(log.read_text(encoding="utf-8"), "x\n" * 20)


def threads(options, *_):
    headers = subprocess.run(["readelf", "-lW", options.library], capture_output=True, text=True, check=True).stdout
    sizes = [int(line.split()[5], 16) for line in headers.splitlines() if line.split()[:1] == ["TLS"]]
    print(f"{options.library.name}: {sizes} bytes a thread")
    if len(sizes) != 1 or sizes[0] > MOST_OF_A_THREAD:
        sys.exit(f"at most {MOST_OF_A_THREAD} bytes are allowed")


def daemon(options, server, folder):
    for where in ("first", "orb", "late"):
        file = folder / where
        subprocess.run([options.program, "daemon", file, where, "-ORBEndpoint", "tcp:127.0.0.1:0"], timeout=SECONDS, check=True)
        path, words = wait_for(folder / f"{where}.error" if where == "late" else file, folder / f"{where}.error")
        if where == "late":
            if "behind fork() or daemon()" not in words:
                sys.exit(f"the daemon says: {words}")
            continue
        if path != file:
            sys.exit(f"a daemon that begins {where}: {words}")
        ior, number = words.split()
        try:
            expect(Plugin(options.plugin).echo(ior, where), where)
        finally:
            os.kill(int(number), signal.SIGTERM)
    expect(Plugin(options.plugin).echo(server.ior, "still there"), "still there")


def main():
    cases = {f.__name__: f for f in (python, cycles, unloaded, java, closed, threads, daemon)}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", choices=cases)
    for name in ("program", "plugin", "other", "library"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(options.program, pathlib.Path(folder))
        try:
            cases[options.case](options, server, pathlib.Path(folder))
        finally:
            server.end()
    print("OK")


if __name__ == "__main__":
    main()
