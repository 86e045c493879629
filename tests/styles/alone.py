# SPDX-License-Identifier: Apache-2.0
"""IDL files with one construct each: generated headers include what they use, and no more of the ORB than that.

    alone.py CALLIS_IDL SOURCE_ROOT [CXX [FLAG...]]

Each x.cpp, and each x_skel.cpp, includes its header first: compiling it, with both styles of stubs, checks that header. Without
a compiler only what the headers include is looked at.
"""
import pathlib
import subprocess
import sys
import tempfile

# IDL, and the headers of the runtime that may be included beside classic.h.
CASES = {
    "enumeration": ("enum E { a, b };", []),
    "constant": ("const long N = 3; const string S = \"x\"; const double D = 0.5;", []),
    "fixed_struct": ("struct S { long a; octet b[4]; };", []),
    "variable_struct": ("struct S { string a; sequence<long> b; sequence<string> c; };", []),
    "nested": ("struct S { struct T { long b; } member; enum E { x, y } kind; };", []),
    "recursive": ("struct S { sequence<S> below; };", []),
    "wide": ("struct S { wchar c; wstring text; };", []),
    "typedefs": ("typedef long L; typedef sequence<L> Ls; typedef string T; typedef L A[2]; typedef Ls B;", []),
    "union": ("union U switch (long) { case 1: string s; default: long n; };", ["classic/union.h"]),
    "fixed": ("typedef fixed<5, 2> F; const fixed C = 1.5d;", ["classic/fixed.h"]),
    "exception": ("exception X { string why; };", ["orb/base/stub.h"]),
    "reference": ("struct S { Object o; };", ["orb/base/object.h"]),
    "interface": ("interface I { attribute long a; };", ["orb/base/object.h", "orb/base/stub.h"]),
    "announced": ("interface I; struct S { sequence<I> many; }; interface I {};", ["orb/base/object.h", "orb/base/stub.h"]),
    "valuetype": ("valuetype V { public long a; };", ["orb/base/object.h", "orb/base/stub.h", "value/value.h"]),
    "any_operation": ("interface I { any f(in any a); attribute any b; };", ["orb/base/object.h", "orb/base/stub.h", "typecode/any.h"]),
    "any": ("struct S { any a; CORBA::TypeCode t; };", ["typecode/any.h"]),
    "boxed": ("valuetype B string;", ["orb/base/object.h", "orb/base/stub.h", "value/box.h", "value/value.h"]),
    "local": ("local interface L { void f(); attribute Object o; };", ["orb/base/object.h", "orb/base/stub.h"]),
    "abstract": ("abstract interface A { void f(); };", ["orb/base/abstract.h", "orb/base/object.h", "orb/base/stub.h"]),
}


def headers_of(text):
    prefix = "#include <callis/"
    lines = [line[len(prefix):-1] for line in text.splitlines() if line.startswith(prefix)]
    return sorted(h for h in lines if h != "classic/classic.h")


def main():
    compiler, root, *command = sys.argv[1:]
    faults = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        sources = []
        for name, (idl, allowed) in CASES.items():
            (folder / f"{name}.idl").write_text(idl + "\n", encoding="ascii")
            subprocess.run([compiler, "--no-any", "-o", scratch, str(folder / f"{name}.idl")], check=True)
            subprocess.run([compiler, "--no-any", "--stubs=compiled", "-o", str(folder / "compiled"), str(folder / f"{name}.idl")],
                           check=True)
            included = headers_of((folder / f"{name}.h").read_text(encoding="ascii"))
            if included != allowed:
                faults.append(f"{name}.h includes {included}, not {allowed}")
            for place in (folder, folder / "compiled"):
                sources += [str(place / f"{name}.cpp"), str(place / f"{name}_skel.cpp")]
        for start in range(0, len(sources) if command else 0, 8):  # few at a time: they are independent
            done = subprocess.run([*command, "-fsyntax-only", "-I", root, "-I", scratch, *sources[start:start + 8]],
                                  capture_output=True, text=True, check=False)
            if done.returncode != 0:
                faults.append(done.stderr[:4000])
    print("\n".join(faults) or f"{len(CASES)} files")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
