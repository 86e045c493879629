# SPDX-License-Identifier: Apache-2.0
"""Bytes of callis's libraries, all objects whether used or not, and of the minimal program."""
import os
import sys

import objects

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "footprint"))
import footprint  # noqa: E402  pylint: disable=wrong-import-position

COMPONENTS = ("base", "cdr", "marshal", "classic", "ior", "giop", "transport", "orb", "poa")


def library(build, component):
    """{object: {kind: bytes}}; OSError when it has not been built."""
    return objects.members(os.path.join(build, "lib", f"libcallis_{component}.a"))


def total(members):
    return {kind: sum(m[kind] for m in members.values()) for kind in objects.KINDS}


# Programs of the micro profile, and the most that each is to have of callis, text and read-only data.
MICRO = {"micro": ("client and server", 100_000), "micro_client": ("client alone", 60_000), "micro_server": ("server alone", 75_000)}


def micro_program(build, name):
    """Text and read-only data of callis in one of them."""
    return footprint.counted(footprint.by_library(os.path.join(build, "bin", f"footprint_{name}.map")))


def program(build):
    """{library: {"code", "rodata", "eh", "data": bytes}}: what the minimal client and server, linked statically with
    sections collected, has of each; footprint.SYSTEM is libc, libstdc++ and libgcc."""
    path = os.path.join(build, "bin", "footprint_minimal.map")
    return {name: dict(zip(("code", "rodata", "eh", "data"), sums)) for name, sums in footprint.by_library(path).items()}
