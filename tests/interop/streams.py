# SPDX-License-Identifier: Apache-2.0
"""Audio and video streams of callis controlled by a client of omniORB, and of callis: frames go where it says, and when."""
import pathlib
import time

from harness.process import Failure
from interop.echo import TIMEOUT

# What the client says; "..." where it waits until the devices have done what stands after it.
STEPS = [
    "video_dir: in",
    "place: room 5",
    "change what is the device's: ReadOnlyProperty",
    "delete what is the device's: FixedProperty",
    "bind_devs: not met, 30",
    ("started...", [("viewer format video F", "seen"), ("viewer qos video video_framerate 30", "seen"), ("send one", "sent"),
                    ("viewer video: one", "seen")]),
    "modify_QoS: met, 10",
    "modify_QoS of nothing known: QoSRequestFailed with a reason",
    "stop what is not there: noSuchFlow",
    "get_flow_connection: notSupported",
    "status: video 0 1",
    "get_fep: notSupported",
    "set_format: notSupported",
    "position: 42 2",
    "position in bytes: PostionKeyNotSupported 0",
    "seek before the beginning: InvalidPosition 2",
    ("stopped...", [("camera stop video", "seen"), ("camera qos video video_framerate 10", "seen"), ("send late", "not sent")]),
    "unbind_party again: streamOpFailed with a reason",
    "create_A: met, 20, mine",
    "set_protocol_restriction: true",
    "connect: true",
    "connect again: streamOpFailed with a reason",
    "connect_leaf: notSupported",
    ("end points started...", [("send two", "sent"), ("viewer video: two", "seen")]),
    ("disconnected...", [("camera closed video", "seen"), ("send three", "not sent")]),
    "bind: met",
    ("started by a device...", [("send four", "sent"), ("viewer video: four", "seen")]),
    "start what is destroyed: OBJECT_NOT_EXIST",
]


def add_options(tests):
    parser = tests.add_parser("streams", help=__doc__.splitlines()[0])
    parser.add_argument("--studio", required=True)
    parser.add_argument("--programs", required=True, type=pathlib.Path)
    parser.add_argument("--client", required=True, choices=("callis", "omni"))
    parser.set_defaults(run=run)


def answer(process):
    return process.wait_for(lambda line: True, TIMEOUT)[-1]


def check(said, expected, of):
    if said != expected:
        raise Failure(f"{of}: {said!r}, not {expected!r}")


def run(options, processes):
    studio = processes.start("studio", [options.studio])
    references = [answer(studio) for _ in range(3)]
    client = processes.start("client", [options.programs / f"streams_client_{options.client}", *references])
    for step in STEPS:
        line, orders = (step, []) if isinstance(step, str) else step
        check(answer(client), line, "the client says")
        for order, expected in orders:
            studio.tell(order)
            check(answer(studio), expected, f"the devices, asked to {order!r}, say")
        if orders:
            client.tell("go on")
    check(client.finish(TIMEOUT), 0, "the client's status")
    studio.end_input()
    check(studio.status(time.monotonic() + TIMEOUT), 0, "the devices' status")
