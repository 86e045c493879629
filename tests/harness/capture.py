# SPDX-License-Identifier: Apache-2.0
"""Recorded connections as a pcap file, and what tshark's GIOP dissector says of it.

The packets are synthetic: Ethernet, IPv4 and TCP headers with right lengths, checksums of IP, sequence and
acknowledgement numbers, a handshake and an end, so that the dissector reassembles the streams as from a wire.
"""
import struct
import subprocess

from harness.process import Failure
from harness.recorder import CLIENT, SERVER

_SYN, _FIN, _PSH, _ACK = 2, 1, 8, 16
_SEGMENT_BYTES = 32 * 1024
_ADDRESS = {CLIENT: bytes((127, 0, 0, 1)), SERVER: bytes((127, 0, 0, 2))}


def write_pcap(path, connections, server_port):
    packets = []
    for connection in connections:
        packets += _packets(connection, server_port)
    packets.sort(key=lambda packet: packet[0])
    with open(path, "wb") as out:
        out.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 262144, 1))
        for moment, data in packets:
            out.write(struct.pack("<IIII", int(moment), int(moment % 1 * 1e6), len(data), len(data)))
            out.write(data)


def _packets(connection, server_port):
    """(time, frame) of one connection; equal times keep their order."""
    ports = {CLIENT: connection.client_port, SERVER: server_port}
    next_byte = {CLIENT: 1, SERVER: 1}
    segments = list(connection.segments)
    start = segments[0].time if segments else 0.0

    def frame(moment, sender, flags, data=b""):
        sequence = next_byte[sender] - (1 if flags & _SYN else 0)
        acknowledged = next_byte[1 - sender] if flags & _ACK else 0
        return moment, _frame(sender, ports, sequence, acknowledged, flags, data)

    packets = [frame(start, CLIENT, _SYN), frame(start, SERVER, _SYN | _ACK), frame(start, CLIENT, _ACK)]
    for segment in segments:
        if not segment.data:
            packets.append(frame(segment.time, segment.sender, _FIN | _ACK))
            next_byte[segment.sender] += 1
        for at in range(0, len(segment.data), _SEGMENT_BYTES):
            piece = segment.data[at:at + _SEGMENT_BYTES]
            packets.append(frame(segment.time, segment.sender, _PSH | _ACK, piece))
            next_byte[segment.sender] += len(piece)
    return packets


def _frame(sender, ports, sequence, acknowledged, flags, data):
    tcp = struct.pack(">HHIIBBHHH", ports[sender], ports[1 - sender], sequence & 0xffffffff,
                      acknowledged & 0xffffffff, 5 << 4, flags, 65535, 0, 0)
    ip = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(tcp) + len(data), 0, 0x4000, 64, 6, 0)
    ip += _ADDRESS[sender] + _ADDRESS[1 - sender]
    words = sum(struct.unpack(">10H", ip))
    words = (words & 0xffff) + (words >> 16)
    words = (words & 0xffff) + (words >> 16)
    ip = ip[:10] + struct.pack(">H", ~words & 0xffff) + ip[12:]
    return bytes(12) + b"\x08\x00" + ip + tcp + data


class Dissection:
    """tshark's view of a capture: numbers of GIOP message types, and the messages it finds fault with.

    It puts no fragments of GIOP 1.1 together (they name no request) and calls their first message malformed
    for ending too early; those are not counted as faults.
    """

    _FIELDS = ("giop.type", "giop.major_version", "giop.minor_version", "giop.flags.fragment", "_ws.malformed", "_ws.expert.severity")
    _ERROR = 0x00800000  # of Wireshark's severities

    def __init__(self, tshark, path, server_port):
        self.types = []
        self.versions = set()
        self.faulty = []
        # One run of tshark finds all, since its start takes longer than the capture.
        fields = [word for field in self._FIELDS for word in ("-e", field)]
        for line in self._run(tshark, "-n", "-r", str(path), "-d", f"tcp.port=={server_port},giop",
                              "-o", "tcp.desegment_tcp_streams:TRUE", "-o", "giop.desegment_giop_messages:TRUE",
                              "-Y", "giop", "-T", "fields", *fields):
            types, majors, minors, fragments, malformed, severities = ([v for v in column.split(",") if v] for column in line.split("\t"))
            types = [int(kind, 0) for kind in types]
            self.types += types
            self.versions |= set(zip(map(int, majors), map(int, minors)))
            fragment_1_1 = "1" in minors and (7 in types or any(f in ("1", "True") for f in fragments))
            if not fragment_1_1 and (malformed or any(int(severity, 0) >= self._ERROR for severity in severities)):
                self.faulty.append(line)

    def count(self, kind):
        return self.types.count(kind)

    @staticmethod
    def _run(*command):
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        if done.returncode != 0:
            raise Failure(f"tshark failed: {done.stderr}")
        return [line for line in done.stdout.splitlines() if line.strip()]
