# SPDX-License-Identifier: Apache-2.0
"""Two network namespaces of this machine and a link between them: the server's side is 10.77.0.1, the client's 10.77.0.2.

A link without a delay is a veth pair, whose rate the kernel's token buckets limit on both sides. A link with a delay or with
losses has netem behind them if the kernel has it; if not, packets go through bench/network/link.cpp and two TUN devices.
A namespace lives as long as a process in it, which ends when this one does; nothing is left behind.
"""
import contextlib
import functools
import os
import shutil
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "common")]
from processes import Failure  # noqa: E402
from wires import Wire  # noqa: E402

HOSTS = ("10.77.0.1", "10.77.0.2")
TOOLS = ("unshare", "nsenter", "ip", "tc")
LEFT_WAITING_MS = 50  # how long a packet may wait for its turn, at most: a switch's queue


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"{' '.join(command)}: {(done.stdout.strip().splitlines() or ['no word'])[-1]}")
    return done.stdout


class Namespace:
    """A network namespace, kept by a process that waits in it for the end of its input."""

    def __enter__(self):
        self.keeper = subprocess.Popen(["unshare", "--net", "sh", "-c", "echo here; exec cat"], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if self.keeper.stdout.readline() != "here\n":
            why = self.keeper.stderr.read().strip()
            self.__exit__()
            raise Failure(why or "unshare said nothing")
        return self

    def __exit__(self, *_):
        self.keeper.stdin.close()
        self.keeper.wait()
        self.keeper.stdout.close()
        self.keeper.stderr.close()

    @property
    def pid(self):
        return self.keeper.pid

    @property
    def prefix(self):
        """What goes before a command that runs here."""
        return ["nsenter", f"--net=/proc/{self.pid}/ns/net", "--"]

    def run(self, *command):
        return run([*self.prefix, *map(str, command)])


@functools.cache
def lacking():
    """Why this machine allows no such links; None if it does."""
    absent = [tool for tool in TOOLS if not shutil.which(tool)]
    if absent:
        return f"{', '.join(absent)} not installed (Debian: iproute2, util-linux)"
    try:
        with link(Wire("trial", mbit=1000)):
            return None
    except (Failure, OSError) as e:
        return f"no network namespaces here: {e}"


@functools.cache
def has_netem():
    try:
        with Namespace() as space:
            space.run("tc", "qdisc", "add", "dev", "lo", "root", "netem", "delay", "1ms")
            return True
    except Failure:
        return False


@contextlib.contextmanager
def link(wire, bridge=None):
    """(the server's Namespace, the client's), connected. bridge: the program of link.cpp."""
    with Namespace() as server, Namespace() as client, contextlib.ExitStack() as stack:
        ends = (server, client)
        if wire.far and not has_netem():
            device = stack.enter_context(_bridged(wire, bridge, ends))
        else:
            device = _veth(wire, ends)
        for space, host in zip(ends, HOSTS):
            space.run("ip", "addr", "add", f"{host}/24", "dev", device)
            space.run("ip", "link", "set", device, "mtu", wire.mtu, "up")
            space.run("ip", "link", "set", "lo", "up")
            if wire.far:  # what was learned of one connection is not to help the next
                space.run("sh", "-c", "echo 1 > /proc/sys/net/ipv4/tcp_no_metrics_save")
        yield ends


def _veth(wire, ends):
    server, client = ends
    server.run("ip", "link", "add", "name", "wire0", "type", "veth", "peer", "name", "wire1")
    server.run("ip", "link", "set", "wire1", "netns", client.pid, "name", "wire0")
    for space in ends:
        if not wire.offload:
            space.run("ip", "link", "set", "wire0", "gso_max_segs", 1)
        if wire.far:
            words = ["delay", f"{wire.delay_ms}ms"] + (["loss", f"{100 * wire.lost}%"] if wire.lost else [])
            words += ["rate", f"{wire.mbit}mbit"] if wire.mbit else []
            space.run("tc", "qdisc", "add", "dev", "wire0", "root", "netem", "limit", 100000, *words)
        elif wire.mbit:
            burst = max(2 * wire.mtu, 65536 if wire.offload else 0, int(wire.mbit * 1e6 / 8 * 0.0005))
            space.run("tc", "qdisc", "add", "dev", "wire0", "root", "tbf", "rate", f"{wire.mbit}mbit", "burst", burst, "latency",
                      f"{LEFT_WAITING_MS}ms")
    return "wire0"


@contextlib.contextmanager
def _bridged(wire, bridge, ends):
    if not bridge or not os.path.exists(bridge):
        raise Failure("the kernel has no netem, and bench_network_link has not been built")
    kbit = int(wire.mbit * 1000)
    command = [bridge, "--one", ends[0].pid, "--other", ends[1].pid, "--name", "wire0", "--delay-us", int(1000 * wire.delay_ms),
               "--kbit", kbit, "--lost", round(1e6 * wire.lost), "--queue-bytes", max(100_000, kbit * LEFT_WAITING_MS // 8)]
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        if process.stdout.readline() != "ready\n":
            raise Failure((process.stderr.read().strip().splitlines() or ["the link said nothing"])[-1])
        yield "wire0"
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
        process.stdout.close()
        process.stderr.close()
