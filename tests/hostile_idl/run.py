# SPDX-License-Identifier: Apache-2.0
"""callis-idl ends soon whatever a file holds: within 5 s of processor time and 1 GB of memory, with status 0, or 1 and
errors that name a place. For files of every kind that grows (files.py), and everything that it can be asked to make of them.

    run.py CALLIS_IDL [--long] [--slow] [--table] [--only NAME...]     --slow: built with a sanitizer, which counts neither

Without --long files are smaller, each is compiled in one style of stubs, in turn, and what --syntax-only refuses is not compiled.
"""
import argparse
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import files

SECONDS = 5.0
MEGABYTES = 1024
STYLES = ("interpreted", "compiled", "hybrid")
MODES = {"check": ["--syntax-only"], "preprocessed": ["-E"], "json": ["--emit", "json"], "interpreted": [], "compiled": ["--stubs=compiled"],
         "hybrid": ["--stubs=hybrid"]}
PLACE = re.compile(r"^[^\n:]+:\d+:\d+: error: \S", re.MULTILINE)


def run(command, slow):
    """Exit status, processor seconds, megabytes, what it said."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_STACK, (8 << 20, resource.RLIM_INFINITY))
        if not slow:  # far beyond what is allowed, so that a failure costs the machine nothing
            resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=limit)
    said = []
    reader = threading.Thread(target=lambda: said.append(process.stderr.read()))
    reader.start()
    _, status, usage = os.wait4(process.pid, 0)
    reader.join()
    process.stderr.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, said[0].decode("latin-1")


def fault_of(status, seconds, megabytes, said, expected, slow):
    if status not in (0, 1):
        return f"ended with status {status}"
    if "bad_alloc" in said or "std::" in said:
        return "says: " + said[:200]
    if status == 1 and not PLACE.search(said):
        return "an error without a place: " + said[:200]
    if expected == "good" and status != 0:
        return "refused: " + said[:300]
    if expected not in ("good", "any") and (status == 0 or expected not in said):
        return f"should say '{expected}', but: " + said[:300]
    if len(said) > 1 << 20:
        return "says too much"
    if not slow and seconds > SECONDS:
        return f"{seconds:.1f} s"
    if not slow and megabytes > MEGABYTES:
        return f"{megabytes:.0f} MB"
    return None


def odd_inputs(folder):
    """What is no file of text: name, command's input, what is said."""
    itself = folder / "directory.idl"
    itself.mkdir()
    yield "a directory", str(itself), "cannot read"
    yield "/dev/zero", "/dev/zero", "cannot read"
    yield "nothing", str(folder / "missing.idl"), "cannot read"
    including = folder / "includes_zero.idl"
    including.write_text("#include \"/dev/zero\"\n", encoding="ascii")
    yield "an #include of /dev/zero", str(including), "cannot find"
    including = folder / "includes_directory.idl"
    including.write_text("#include \"directory.idl\"\n", encoding="ascii")
    yield "an #include of a directory", str(including), "cannot find"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("callis_idl")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--slow", action="store_true")
    parser.add_argument("--table", action="store_true", help="print what each takes")
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--modes", nargs="+", default=list(MODES))
    parser.add_argument("--size", type=int)
    options = parser.parse_args()
    bad, runs, slowest, largest = [], 0, (0, ""), (0, "")
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for turn, case in enumerate(files.CASES):
            if options.only and case.name not in options.only:
                continue
            size = options.size or case.sizes[options.long]
            path = folder / f"{case.name}.idl"
            path.write_bytes(case.text(size).encode("latin-1"))
            row, refused = [], False
            for mode in options.modes:
                if not options.long and (refused and mode != "preprocessed" or mode in STYLES and mode != STYLES[turn % len(STYLES)]):
                    continue
                command = [options.callis_idl, *MODES[mode]]
                if mode in STYLES:
                    command += ["-o", str(folder / "out")]
                status, seconds, megabytes, said = run([*command, str(path)], options.slow)
                expected = case.expected
                if mode == "preprocessed" and expected not in ("more than", "NUL", "comment", "#error", "include each other"):
                    expected = "any"
                fault = fault_of(status, seconds, megabytes, said, expected, options.slow)
                what = f"{case.name} ({size:,}), {mode}"
                if fault:
                    bad.append(f"{what}: {fault}")
                    if options.table:
                        print("BAD", bad[-1].replace("\n", " ")[:200], flush=True)
                runs += 1
                slowest, largest = max(slowest, (seconds, what)), max(largest, (megabytes, what))
                row.append(f"{status} {seconds:6.2f} s {megabytes:5.0f} MB")
                refused = refused or mode == "check" and status == 1
            if options.table:
                print(f"{case.name:24} {size:10,}", " | ".join(row), flush=True)
            path.unlink()
        for what, path, expected in odd_inputs(folder) if not options.only else ():
            status, seconds, megabytes, said = run([options.callis_idl, "--syntax-only", path], options.slow)
            runs += 1
            if status != 1 or expected not in said or (not options.slow and (seconds > SECONDS or megabytes > MEGABYTES)):
                bad.append(f"{what}: status {status}, {seconds:.1f} s, {megabytes:.0f} MB: {said[:200]}")
    print("\n".join(bad))
    print(f"{runs} runs, {len(bad)} of them bad; the longest {slowest[0]:.2f} s of processor time ({slowest[1]}), "
          f"the largest {largest[0]:.0f} MB ({largest[1]})")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
