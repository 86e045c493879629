# SPDX-License-Identifier: Apache-2.0
"""Services: what the OMG's IDL files cost, and how fast callis's own services are.

Each part is a module of bench/services with estimate(context), run(context) and bars(results), as a suite has them.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "services"))
import durable_store  # noqa: E402
import events  # noqa: E402
import events_realtime  # noqa: E402
import idl_files  # noqa: E402
import imr  # noqa: E402
import log_service  # noqa: E402
import naming  # noqa: E402
import properties  # noqa: E402
import streams  # noqa: E402
import trading  # noqa: E402

TITLE = ("services: large IDL files in bytes and compile time; durable changes; names; servers started by calls; events; properties; "
         "flows of media; offers; records of logs")
NEEDS = ("programs", "sizes", "jacorb")
PARTS = (idl_files, durable_store, naming, imr, events, events_realtime, properties, streams, trading, log_service)


def estimate(context):
    return sum(part.estimate(context) for part in PARTS)


def run(context):
    for part in PARTS:
        part.run(context)


def bars(results):
    return [row for part in PARTS for row in part.bars(results)]
