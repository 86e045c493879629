#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What build.py says of peers that cannot be built: the reason is written down, with the packages that could not be
installed, no program is left, and the next peer is built all the same; and a second run builds nothing."""
import pathlib
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(__file__).resolve().parent / "build.py"


def build(out, *peers, compiler=None):
    prefix = ["env", f"CXX={compiler}"] if compiler else []
    return subprocess.run([*prefix, sys.executable, BUILD, "--out", out, *peers], capture_output=True, text=True,
                          check=True).stdout


def main():
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch)
        (out / "raw").mkdir()
        (out / "raw" / "packages").write_text("no package g++\n", encoding="utf-8")
        said = build(out, "raw", compiler="/no/such/compiler")
        missing = (out / "raw" / "missing").read_text(encoding="utf-8")
        assert said.startswith("raw: missing: ") and "/no/such/compiler" in missing, (said, missing)
        assert "no package g++" in missing and not (out / "raw" / "client").exists(), missing
        assert build(out, "raw") == "raw: ok\n" and not (out / "raw" / "missing").exists()
        before = (out / "raw" / "client").stat().st_mtime_ns
        assert build(out, "raw") == "raw: ok\n"
        assert (out / "raw" / "client").stat().st_mtime_ns == before, "built again without need"
        unknown = subprocess.run([sys.executable, BUILD, "--out", out, "nobody"], capture_output=True, text=True,
                                 check=False)
        assert unknown.returncode == 2 and "nobody" in unknown.stderr, unknown


if __name__ == "__main__":
    main()
