#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Links between two network namespaces are as long, as slow and as lossy as told: link_test.py --build FOLDER

Where the machine allows no namespaces, only the words about that are tested.
"""
import argparse
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import namespaces  # noqa: E402
from namespaces import HOSTS  # noqa: E402
from processes import Failure  # noqa: E402
from wires import Wire  # noqa: E402

BRIDGE = ""
# Echoes datagrams. The client sends some, one after the other, waits for each so long, and prints the fastest answer in ms and how many
# came; with "flood" it sends so many bytes by TCP and prints Mbit/s.
ECHO = """
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(("%s", 7000)); print("ready", flush=True)
while True:
    data, who = s.recvfrom(2000); s.sendto(data, who)
""" % HOSTS[0]
PING = """
import socket, sys, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(float(sys.argv[2]))
best, came = 1e9, 0
for i in range(int(sys.argv[1])):
    start = time.monotonic(); s.sendto(b"x" * 100, ("%s", 7000))
    try:
        s.recvfrom(2000); came += 1; best = min(best, time.monotonic() - start)
    except TimeoutError:
        pass
print(1000 * best, came)
""" % HOSTS[0]
SINK = """
import socket
s = socket.create_server(("%s", 7001)); print("ready", flush=True); c, _ = s.accept()
while c.recv(1 << 20): pass
c.close()
""" % HOSTS[0]
FLOOD = """
import socket, sys, time
c = socket.create_connection(("%s", 7001)); n = int(sys.argv[1]); start = time.monotonic()
c.sendall(b"x" * n); c.shutdown(socket.SHUT_WR); c.recv(1); print(8e-6 * n / (time.monotonic() - start))
""" % HOSTS[0]


def answers(wire, server_text, client_text, *words):
    """The numbers that a client at one end prints."""
    with namespaces.link(wire, BRIDGE) as (server, client):
        with subprocess.Popen([*server.prefix, sys.executable, "-c", server_text], stdout=subprocess.PIPE, text=True) as process:
            try:
                process.stdout.readline()
                return [float(word) for word in client.run(sys.executable, "-c", client_text, *words).split()]
            finally:
                process.kill()


@unittest.skipIf(namespaces.lacking(), f"missing: {namespaces.lacking()}")
class Links(unittest.TestCase):
    def test_take_as_long_as_told(self):
        for each_way in (0.5, 10):
            milliseconds, came = answers(Wire("far", mbit=100, delay_ms=each_way), ECHO, PING, 5, 5)
            self.assertEqual(came, 5)
            self.assertGreaterEqual(milliseconds, 2 * each_way)
            self.assertLess(milliseconds, 2 * each_way + 20)  # the machine has other work

    def test_are_no_faster_than_told(self):
        for wire in (Wire("near", mbit=20), Wire("far", mbit=20, delay_ms=1), Wire("atm", mbit=20, mtu=9180)):
            mbit, = answers(wire, SINK, FLOOD, 1_000_000)
            self.assertLess(mbit, 21.5, wire)
            self.assertGreater(mbit, 4, wire)

    def test_lose_packets_when_told(self):
        _, came = answers(Wire("lossy", mbit=100, delay_ms=0.05, lost=0.3), ECHO, PING, 40, 0.15)
        self.assertTrue(0 < came < 36, came)

    def test_leave_nothing_behind(self):
        with namespaces.link(Wire("near", mbit=20)) as ends:
            spaces = [f"/proc/{end.pid}" for end in ends]
        self.assertFalse(any(map(os.path.exists, spaces)))


class Words(unittest.TestCase):
    def test_say_what_a_link_is_like(self):
        self.assertEqual(Wire("x", mbit=155, mtu=9180).words, "155 Mbit/s, MTU 9,180")
        self.assertEqual(Wire("x", mbit=1000, delay_ms=10, lost=0.001).words, "1 Gbit/s, MTU 1,500, 10 ms each way, 0.1 % lost")

    @unittest.skipIf(namespaces.lacking() or namespaces.has_netem(), "the kernel has netem")
    def test_a_long_link_without_its_program_is_refused(self):
        with self.assertRaisesRegex(Failure, "has not been built"), namespaces.link(Wire("far", delay_ms=1), "/nowhere"):
            pass


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    arguments, rest = parser.parse_known_args()
    BRIDGE = os.path.join(os.path.abspath(arguments.build), "bin", "bench_network_link")
    unittest.main(argv=[sys.argv[0], *rest])
