# SPDX-License-Identifier: Apache-2.0
"""Takes the first whole program, a block of C++ with a main(), out of a page of the guide.

    program.py PAGE FILE
"""
import pathlib
import re
import sys


def main():
    page = pathlib.Path(sys.argv[1])
    blocks = re.findall(r"^```cpp\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
    programs = [block for block in blocks if "int main(" in block]
    if not programs:
        sys.exit(f"{page}: no block of C++ has a main()")
    pathlib.Path(sys.argv[2]).write_text(programs[0], encoding="utf-8")


if __name__ == "__main__":
    main()
