# SPDX-License-Identifier: Apache-2.0
"""What a tiny run of platforms has: this machine's column. The others are there where somebody has built them."""
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "sizes"))
import toolchains  # noqa: E402

HERE = toolchains.NATIVE
COUNTED = HERE == "x86-64" and shutil.which("qemu-x86_64")
VALUES = [] if not COUNTED else \
    [(system, f"{HERE}/memory/test_short", "instructions") for system in ("callis-interpreted", "callis-compiled", "callis-dii")] + \
    [(system, f"{HERE}/ladder/BinStruct", "instructions") for system in ("ladder-original", "ladder-sender", "callis-interpreted")] + \
    [("callis-interpreted", f"{HERE}/tcp/test_short{end}", "instructions") for end in ("", "/client", "/server")]
FALSIFIED = ("interpreted-platforms",) if COUNTED else ()
BARS = [("platforms: how far the emulator's count", f"{HERE}, test_short")] if COUNTED and shutil.which("valgrind") else []
