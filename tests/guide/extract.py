# SPDX-License-Identifier: Apache-2.0
"""Makes a program of docs/guide/mapping.md, so that what the page says is compiled and run.

    extract.py PAGE CALLIS_IDL DIRECTORY

Blocks of the page, by the word after the fence:
    idl              goes into guide.idl
    cpp              statements of one function for each section
    wire TYPE NAME   what NAME, a variable of the blocks above it, is on the wire: hexadecimal digits, big-endian, blanks
                     and everything behind a `#` ignored; as an argument or, if TYPE is an exception, as a reply
Blocks with another word after these (`idl unchecked`) are for the reader alone.

Writes guide.idl, what callis-idl makes of it, and guide_test.cpp.
"""
import pathlib
import re
import subprocess
import sys

HEAD = """#include "guide_skel.h"
#include "wire.h"
#include <callis/corba.h>
#include <cstring>
#include <string>
#undef NDEBUG
#include <cassert>
"""
MAIN = """
int main(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
%s  orb->destroy();
  return guide::failures() == 0 ? 0 : 1;
}
"""


def blocks(page):
    """(section, line, words behind the fence, text) for each block."""
    section, found, lines = 0, [], page.splitlines()
    start = None
    for number, line in enumerate(lines, 1):
        if start is None and line.startswith("## "):
            section += 1
        if line.startswith("```"):
            if start is None:
                start = (number, line[3:].split())
            else:
                found.append((section, start[0], start[1], "\n".join(lines[start[0]:number - 1])))
                start = None
    return found


def octets(text):
    digits = "".join(re.sub(r"#.*", "", line) for line in text.splitlines())
    return bytes.fromhex("".join(digits.split()))


def operations(generated):
    """Index of the only operation of each Wire_N, from the stubs."""
    pattern = r"void Wire_(\d+)::put\(.*?invoke\(this, (\w+)::unit, (\d+)u"
    return {int(n): (unit, int(op)) for n, unit, op in re.findall(pattern, generated, re.DOTALL)}


def main():
    page_path, compiler, out = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    found = blocks(page_path.read_text(encoding="utf-8"))
    idl = [f"// From line {line} of {page_path.name}.\n{text}" for _, line, words, text in found if words == ["idl"]]
    wires = [(s, line, words, text) for s, line, words, text in found if words[:1] == ["wire"]]
    exceptions = re.findall(r"^exception (\w+)", "\n".join(idl), re.M)
    for n, (_, _, words, _) in enumerate(wires):
        signature = f"() raises ({words[1]})" if words[1] in exceptions else f"(in {words[1]} v)"
        idl.append(f"interface Wire_{n} {{ void put{signature}; }};")
    (out / "guide.idl").write_text("\n".join(idl) + "\n", encoding="utf-8")
    subprocess.run([compiler, "-o", str(out), str(out / "guide.idl")], check=True)
    known = operations((out / "guide.cpp").read_text(encoding="utf-8"))

    functions, calls, wire = [], [], 0
    units = sorted({unit for unit, _ in known.values()})
    for section in sorted({s for s, _, _, _ in found}):
        body = []
        for s, line, words, text in found:
            if s != section:
                continue
            if words == ["cpp"]:
                body.append(f'#line {line + 1} "{page_path.name}"\n{text}')
            elif words[:1] == ["wire"]:
                unit, op = known[wire]
                wire += 1
                expected = ", ".join(f"0x{b:02x}" for b in octets(text))
                body.append(f'#line {line} "{page_path.name}"\n'
                            f"guide::expect_wire({words[2]}, {unit}::unit, {op}u, {line}, {{{expected}}});")
        if body:
            functions.append(f"static void section_{section}() {{\n" + "\n".join(body) + "\n}\n")
            calls.append(f"  section_{section}();\n")
    declarations = "".join(f"namespace {u} {{ extern const callis::marshal::Unit unit; }}\n" for u in units)
    (out / "guide_test.cpp").write_text(HEAD + declarations + "\n".join(functions) + MAIN % "".join(calls), encoding="utf-8")


if __name__ == "__main__":
    main()
