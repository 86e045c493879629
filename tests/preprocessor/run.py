# SPDX-License-Identifier: Apache-2.0
"""The preprocessor of callis-idl against GCC's: random programs (programs.py) through both, whose tokens are compared.

    run.py CALLIS_IDL GXX [--seed N] [--programs N] [--keep FOLDER]

Many programs make one file. Those that GCC reports an error of are left out: it is for them to be refused, or not, by rules of
our own. A program whose tokens differ is printed, with both results."""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import programs

IN_ONE_FILE = 25  # a macro whose arguments are not closed takes in the programs behind it
TOKEN = re.compile(r'''"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\.?[0-9](?:[eE][+-]|[\w.])*|\w+|\.\.\.|<<=|>>=|->\*|::|<<|>>|##|&&|\|\||[=!<>+*/%&|^-]=|\+\+|--|->|\.\*|\S''')
KINDS = {"macros": (programs.macros, []), "conditions": (programs.conditions, ["-pedantic-errors", "-Wno-long-long"])}
TOO_MUCH = ("more than", "without end")


def run(command, path):
    done = subprocess.run([*command, str(path)], capture_output=True, text=True, encoding="latin-1")
    return done.returncode, done.stdout, done.stderr


def file_of(texts):
    return "".join(f"program_{number}_begins\n{text}\nprogram_{number}_ends\n" for number, text in texts.items())


def tokens_of(output):
    """Of each program, by its number."""
    found = {}
    lines = (line for line in output.splitlines() if not line.startswith("#line "))
    for number, tokens in re.findall(r"program_(\d+)_begins\b(.*?)\bprogram_\1_ends\b", "\n".join(lines), re.S):
        # Literals without blanks: what macros have put side by side is, as a literal, left to the compiler.
        found[int(number)] = [token.replace(" ", "") for token in TOKEN.findall(tokens)]
    return found


def faulty(texts, said, path):
    """The programs that messages name lines of."""
    numbers, owners = list(texts), []
    for number in numbers:
        owners += [number] * (texts[number].count("\n") + 3)
    lines = re.findall(rf"^{re.escape(str(path))}:(\d+):\d+: error", said, re.M)
    return {owners[int(line) - 1] for line in lines}


def difference(expected, got):
    """The first, with some tokens before it."""
    same = 0
    while same < min(len(expected), len(got)) and expected[same] == got[same]:
        same += 1
    begin = max(same - 10, 0)
    return f"\n--- expected: {' '.join(expected[begin:same + 3])}\n--- but:      {' '.join(got[begin:same + 3])}\n"


class Comparison:
    def __init__(self, ours, theirs, path):
        self.ours, self.theirs, self.path = ours, theirs, path
        self.compared = self.left_out = 0
        self.tokens = 0
        self.differences = []

    def accepted(self, texts):
        """Those that GCC reports no error of, and its output."""
        while texts:
            self.path.write_text(file_of(texts), encoding="latin-1")
            status, output, said = run(self.theirs, self.path)
            if status == 0:
                return texts, output
            bad = faulty(texts, said, self.path) or set(list(texts)[:1])
            self.left_out += len(bad)
            texts = {number: text for number, text in texts.items() if number not in bad}
        return {}, ""

    def compare(self, texts):
        texts, output = self.accepted(texts)
        if not texts:
            return
        expected = tokens_of(output)
        status, output, said = run(self.ours, self.path)
        if status != 0 and len(texts) > 1:
            for number, text in texts.items():
                self.compare({number: text})
            return
        if status != 0 and any(words in said for words in TOO_MUCH):
            self.left_out += 1
            return
        got = tokens_of(output)
        for number, text in texts.items():
            self.compared += 1
            self.tokens += len(expected.get(number, []))
            if status != 0 or got.get(number) != expected.get(number):
                self.differences.append(text + difference(expected.get(number, []), got.get(number, [])) + said * (status != 0))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("callis_idl")
    parser.add_argument("gxx")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=1000)
    options = parser.parse_args()
    source = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as scratch:
        bad = False
        for kind, (make, flags) in KINDS.items():
            theirs = [options.gxx, "-x", "c++", "-std=gnu++98", "-E", "-P", *flags]
            comparison = Comparison([options.callis_idl, "-E"], theirs, pathlib.Path(scratch) / f"{kind}.idl")
            for first in range(0, options.programs, IN_ONE_FILE):
                comparison.compare({n: make(source, n) for n in range(first, min(first + IN_ONE_FILE, options.programs))})
            print("\n".join(comparison.differences[:5]), end="")
            print(f"{kind}: {comparison.compared} programs compared, {comparison.tokens} tokens, {comparison.left_out} left out, "
                  f"{len(comparison.differences)} differ")
            bad = bad or bool(comparison.differences) or comparison.compared < options.programs // 2
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
