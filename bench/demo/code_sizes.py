# SPDX-License-Identifier: Apache-2.0
"""The demo's table of code sizes: what operations of Param_Test add to a program, by the method of the suite sizes
(docs/design/measurement.md#sizes-of-stubs-and-skeletons), for this machine's GCC at -O2: object files, and the heap of plans."""
import concurrent.futures
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "sizes"))
import generated  # noqa: E402
import interfaces  # noqa: E402
import objects  # noqa: E402
import operations  # noqa: E402
import plans  # noqa: E402
import toolchains  # noqa: E402

CHOSEN = ("test_short", "test_strseq", interfaces.ALL)  # few: each is compiled four times
SECONDS = 25  # that measure() takes
HEAD = ["operation", "stub interp.", "of it writable", "plans in RAM", "compiled", "ratio", "with plans", "skeleton interp.", "compiled",
        "ratio"]


def measure(build):
    """{operation: {(style, part): bytes}}, and "plan" for each. Throws OSError or Failure."""
    scratch = tempfile.mkdtemp(prefix="callis-demo-")
    try:
        styles = [generated.Callis(build, style) for style in ("interpreted", "compiled")]
        home = next(t for t in toolchains.every() if t.name == f"{toolchains.NATIVE}/gcc")
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = operations.start(pool, generated.Shop(home, "-O2", scratch), styles, CHOSEN)()
    finally:
        shutil.rmtree(scratch)
    sizes = {o: {"plan": plans.of_all(build) if o == interfaces.ALL else plans.of_operation(build, o)} for o in CHOSEN}
    for (operation, system, part), sums in found.items():
        style = system.removeprefix("callis-")
        sizes[operation][style, part] = objects.footprint(sums)
        if (style, part) == ("interpreted", "stub"):
            sizes[operation]["writable"] = sums["data"] + sums["bss"]
    return sizes


def rows(sizes):
    """The table's rows of text."""
    def cells(operation, of):
        stub, compiled = of["interpreted", "stub"], of["compiled", "stub"]
        skeleton, other = of["interpreted", "skeleton"], of["compiled", "skeleton"]
        name = "all seven" if operation == interfaces.ALL else operation
        return [name, f"{stub:,}", f"{of['writable']:,}", f"{of['plan']:,}", f"{compiled:,}", f"{stub / compiled:.2f}",
                f"{(stub + of['plan']) / compiled:.2f}", f"{skeleton:,}", f"{other:,}", f"{skeleton / other:.2f}"]
    return [cells(operation, of) for operation, of in sizes.items()]
