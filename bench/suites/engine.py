# SPDX-License-Identifier: Apache-2.0
"""The marshaling engine: calls over memory by all kinds of stubs, elements and primitives without an ORB."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "engine"))
import calls  # noqa: E402
import elements  # noqa: E402

TITLE = "engine: interpreted against compiled stubs, elements, primitives against memcpy"
NEEDS = ("programs",)


def estimate(context):
    return context.pick(3, 35, 120)


def run(context):
    if context.wants(calls.JUDGED):
        calls.measure(context)
        elements.measure(context)


def bars(results):
    return [] if not results.cases("engine") else calls.rows(results) + elements.rows(results)
