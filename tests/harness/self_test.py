#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The harness itself: that it sees what is there, and that each of its checks can fail.

    self_test.py TSHARK
"""
import contextlib
import io
import os
import pathlib
import signal
import socket
import struct
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from harness import giop, sockets  # noqa: E402
from harness.capture import Dissection, write_pcap  # noqa: E402
from harness.census import Census  # noqa: E402
from harness.process import Failure, Processes  # noqa: E402
from harness.recorder import CLIENT, SERVER, Connection, Recorder, Segment  # noqa: E402
from harness.reference import Reference  # noqa: E402
from interop import together  # noqa: E402

TSHARK = ""
KEY = b"a key"


def call(version=(1, 2), number=7, operation="ping", expected=True):
    return giop.request(version, True, number, KEY, operation, lambda w: w.put("i", 1).string("text"), expected).raw()


def answer(version=(1, 2), number=7):
    writer = giop.Writer(version, True)
    if version < (1, 2):
        writer.put("I", 0).put("I", number).put("I", 0)
    else:
        writer.put("I", number).put("I", 0).put("I", 0).align(8)
    return writer.put("I", 42).message(giop.REPLY).raw()


def connection(*segments):
    """segments: (sender, bytes)."""
    result = Connection(40000)
    result.segments = [Segment(1000.0 + i / 1000, sender, data) for i, (sender, data) in enumerate(segments)]
    return result


class CensusTest(unittest.TestCase):
    def test_counts_requests_replies_and_oneways(self):
        census = Census([connection((CLIENT, call()), (CLIENT, call(number=8, operation="note", expected=False)),
                                    (SERVER, answer()))])
        self.assertEqual(census.operations, {"ping": 1, "note": 1})
        self.assertEqual((census.oneways, census.count(giop.REPLY), census.versions()), (1, 1, {(1, 2)}))

    def test_reads_every_version(self):
        for version in giop.VERSIONS:
            census = Census([connection((CLIENT, call(version)), (SERVER, answer(version)))])
            self.assertEqual(census.versions(), {version})
            self.assertEqual(census.operations["ping"], 1)

    def test_joins_fragments_even_within_the_header(self):
        (whole,) = giop.Stream().feed(call())
        number, parts = whole.body[:4], [whole.body[i:i + 8] for i in range(0, len(whole.body), 8)]
        pieces = [giop.Message((1, 2), 3, giop.REQUEST, parts[0])]
        pieces += [giop.Message((1, 2), 3, giop.FRAGMENT, number + part) for part in parts[1:-1]]
        pieces.append(giop.Message((1, 2), 1, giop.FRAGMENT, number + parts[-1]))
        census = Census([connection(*((CLIENT, piece.raw()) for piece in pieces), (SERVER, answer()))])
        self.assertEqual(census.operations, {"ping": 1})
        self.assertEqual(census.count(giop.FRAGMENT, CLIENT), len(parts) - 1)
        self.refuses(*((CLIENT, piece.raw()) for piece in pieces[:-1]), (SERVER, answer()))
        self.refuses(*((CLIENT, piece.raw()) for piece in pieces[1:]), (SERVER, answer()))

    def refuses(self, *segments):
        with self.assertRaises((Failure, giop.Malformed)):
            Census([connection(*segments)])

    def test_refuses_a_missing_reply(self):
        self.refuses((CLIENT, call()))

    def test_refuses_a_second_reply(self):
        self.refuses((CLIENT, call()), (SERVER, answer()), (SERVER, answer()))

    def test_refuses_a_reply_to_a_oneway(self):
        self.refuses((CLIENT, call(expected=False)), (SERVER, answer()))

    def test_refuses_a_message_error(self):
        self.refuses((CLIENT, call()), (SERVER, answer()), (SERVER, giop.Message((1, 2), 1, giop.ERROR, b"").raw()))

    def test_refuses_half_a_message(self):
        self.refuses((CLIENT, call()), (SERVER, answer()[:-1]))

    def test_refuses_what_is_no_giop(self):
        self.refuses((CLIENT, call()), (SERVER, b"HTTP/1.1 200 OK\r\n"))


class DissectionTest(unittest.TestCase):
    def dissect(self, *segments):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory) / "a.pcap"
            write_pcap(path, [connection(*segments)], 50000)
            return Dissection(TSHARK, path, 50000)

    def test_sees_good_messages_of_every_version(self):
        for version in giop.VERSIONS:
            seen = self.dissect((CLIENT, call(version)), (SERVER, answer(version)), (CLIENT, b""), (SERVER, b""))
            self.assertEqual((seen.faulty, seen.versions), ([], {version}))
            self.assertEqual((seen.count(giop.REQUEST), seen.count(giop.REPLY)), (1, 1))

    def test_sees_messages_that_share_a_segment_or_span_several(self):
        both = call(number=1) + call(number=2)
        seen = self.dissect((CLIENT, both[:30]), (CLIENT, both[30:]), (SERVER, answer(number=1) + answer(number=2)))
        self.assertEqual((seen.faulty, seen.count(giop.REQUEST), seen.count(giop.REPLY)), ([], 2, 2))

    def test_finds_a_damaged_message(self):
        damaged = bytearray(call())
        struct.pack_into("<I", damaged, 24, 0x00ffffff)  # the length of the object key
        self.assertNotEqual(self.dissect((CLIENT, bytes(damaged)), (SERVER, answer())).faulty, [])

    def test_an_empty_capture_has_no_messages(self):
        self.assertEqual(self.dissect().types, [])


class RecorderTest(unittest.TestCase):
    def test_passes_and_remembers_both_directions(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            def echo():
                peer, _ = listener.accept()
                with peer:
                    while data := peer.recv(65536):
                        peer.sendall(data)
            thread = threading.Thread(target=echo)
            thread.start()
            payload = bytes(range(256)) * 4000
            with Recorder(*listener.getsockname()) as recorder:
                with socket.create_connection(("127.0.0.1", recorder.port), timeout=10) as client:
                    writer = threading.Thread(target=lambda: (client.sendall(payload),
                                                              client.shutdown(socket.SHUT_WR)))
                    writer.start()
                    back = bytearray()
                    while data := client.recv(65536):
                        back += data
                    writer.join()
                thread.join()
        self.assertEqual(bytes(back), payload)
        (only,) = recorder.connections
        self.assertEqual(only.bytes_from(CLIENT), payload)
        self.assertEqual(only.bytes_from(SERVER), payload)


class SocketsTest(unittest.TestCase):
    def test_sees_a_connection_that_only_the_peer_has_closed(self):
        for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
            with self.subTest(address):
                self.check_address(family, address)

    def check_address(self, family, address):
        try:
            listener = socket.create_server((address, 0), family=family)
        except OSError as error:
            self.skipTest(error)
        with listener, socket.create_connection(listener.getsockname()[:2]) as client:
            peer = listener.accept()[0]
            self.assertEqual(sockets.peers_have_closed(os.getpid()), 0)
            peer.close()
            self.assertEqual(client.recv(1), b"")  # it has arrived
            self.assertEqual(sockets.peers_have_closed(os.getpid()), 1)
            client.close()
            self.assertEqual(sockets.peers_have_closed(os.getpid()), 0)


class ReferenceTest(unittest.TestCase):
    # Two byte orders of one reference, written out by hand.
    LITTLE = ("IOR:01000000" "05000000" "49443a5800" "000000" "01000000" "00000000" "18000000"
              "01010000" "02000000" "6800" "3412" "02000000" "6b79" "0000" "00000000")
    BIG = ("IOR:00000000" "00000005" "49443a5800" "000000" "00000001" "00000000" "00000018"
           "00010000" "00000002" "6800" "1234" "00000002" "6b79" "0000" "00000000")

    def test_reads_both_byte_orders(self):
        for text in (self.LITTLE, self.BIG):
            reference = Reference(text)
            self.assertEqual((reference.type_id, reference.host, reference.port, reference.object_key),
                             ("ID:X", "h", 0x1234, b"ky"))

    def test_changes_the_port_only(self):
        for text in (self.LITTLE, self.BIG):
            other = Reference(Reference(text).with_port(4321))
            self.assertEqual((other.port, other.type_id, other.object_key), (4321, "ID:X", b"ky"))

    def test_refuses_a_cut_one(self):
        for text in ("IOR:", self.LITTLE[:-2], self.LITTLE + "00", "http://x"):
            with self.assertRaises((ValueError, IndexError, struct.error)):
                Reference(text)


class ProcessTest(unittest.TestCase):
    def test_waits_for_a_line_and_the_end(self):
        with Processes() as processes:
            cat = processes.start("sh", ["sh", "-c", "echo one; echo two; cat; exit 3"])
            self.assertEqual(cat.wait_for(lambda line: line == "two", 10), ["one", "two"])
            cat.end_input()
            self.assertEqual(cat.finish(10), 3)

    def test_fails_when_the_line_never_comes(self):
        with Processes() as processes, self.assertRaises(Failure):
            processes.start("sh", ["sh", "-c", "echo one"]).wait_for(lambda line: line == "two", 10)

    def test_fails_when_it_takes_too_long(self):
        with Processes() as processes, self.assertRaises(Failure):
            processes.start("cat", ["cat"]).finish(0.1)

    def test_kills_what_is_left(self):
        with Processes() as processes:
            cat = processes.start("cat", ["cat"])
        self.assertFalse(cat.running())

    def test_what_is_killed_must_have_been_healthy(self):
        with Processes() as processes:
            cat = processes.start("sh", ["sh", "-c", "echo WARNING: nothing; exec cat"])
            cat.wait_for(lambda line: True, 10)
            cat.kill_healthy(10)
            self.assertFalse(cat.running())

    def test_fails_when_what_is_killed_has_a_sanitizers_report(self):
        for report in ("==1==ERROR: AddressSanitizer: heap-use-after-free", "WARNING: ThreadSanitizer: data race (pid=1)",
                       "a.cpp:1:2: runtime error: signed integer overflow"):
            with Processes() as processes, self.assertRaises(Failure):
                cat = processes.start("sh", ["sh", "-c", 'echo ready; echo "$0"; exec cat', report])
                cat.wait_for(lambda line: line == report, 10)
                cat.kill_healthy(10)

    def test_fails_when_what_is_killed_had_ended(self):
        with Processes() as processes, self.assertRaises(Failure):
            ended = processes.start("sh", ["sh", "-c", "echo ready; exit 0"])
            while ended.running():
                ended.wait_for(lambda line: True, 10)
            ended.kill_healthy(10)

    def test_a_missing_program_is_a_failure(self):
        with Processes() as processes, self.assertRaises(Failure):
            processes.start("nothing", ["/no/such/program"])


class TestsTogether(unittest.TestCase):
    """What together.run() makes of tests that end in each way. The "arguments" of a test are its end."""

    def status_of(self, *ends):
        self.said = io.StringIO()
        with tempfile.NamedTemporaryFile("w", suffix=".tests") as file, contextlib.redirect_stdout(self.said):
            file.writelines(f"test.{end}\t{end}\n" for end in ends)
            file.flush()
            return together.run(file.name, self.ends)

    @staticmethod
    def ends(arguments):
        if arguments == ["ends"]:
            sys.exit()
        if arguments == ["raises"]:
            sys.stderr = open(os.devnull, "w", encoding="utf-8")  # pylint: disable=consider-using-with
            raise KeyError("missing")
        if arguments == ["dies"]:
            os.kill(os.getpid(), 9)
        if arguments == ["hangs"]:
            signal.alarm(1)
            signal.pause()
        return {"passes": 0, "fails": 1, "skips": together.SKIPPED}[arguments[0]]

    def test_pass_when_all_pass_or_some_are_skipped(self):
        self.assertEqual(self.status_of("passes", "ends"), 0)
        self.assertEqual(self.status_of("skips", "passes"), 0)

    def test_are_skipped_when_all_are(self):
        self.assertEqual(self.status_of("skips", "skips"), together.SKIPPED)

    def test_fail_when_one_fails_in_any_way_and_the_others_run(self):
        for end in ("fails", "raises", "dies", "hangs"):
            self.assertEqual(self.status_of("passes", end, "passes"), 1)
            self.assertEqual(self.said.getvalue().count("test.passes: passed"), 2)
            self.assertIn(f"test.{end}: FAILED", self.said.getvalue())

    def test_that_are_none_fail(self):
        self.assertEqual(self.status_of(), 1)


if __name__ == "__main__":
    TSHARK = sys.argv.pop(1)
    unittest.main()
