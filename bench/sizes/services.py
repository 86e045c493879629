# SPDX-License-Identifier: Apache-2.0
"""The IDL of the OMG's object services, as Debian's omniorb-idl has it: the large case, as the papers' Table XVIII argues.
Whole files are measured: all stubs, all skeletons."""
import glob
import os
import re
import tempfile

FOLDER = "/usr/share/idl/omniORB"
INCLUDES = (FOLDER, os.path.join(FOLDER, "COS"))


def files():
    """{service: file}"""
    return {os.path.basename(f).removesuffix(".idl"): f for f in sorted(glob.glob(os.path.join(FOLDER, "COS", "*.idl")))}


def with_included(file):
    """The files that it includes, all that these include, and itself."""
    with open(file, encoding="utf-8", errors="replace") as f:
        names = re.findall(r'^\s*#\s*include\s*[<"](.*?)[>"]', f.read(), re.M)
    found = []
    for name in names:
        path = next((p for p in (os.path.join(i, name) for i in INCLUDES) if os.path.exists(p)), None)
        if path:
            found += with_included(path)
    return list(dict.fromkeys([*found, file]))


def refusal(system, file):
    """What the IDL compiler has against a file, or we have; None: it can be measured."""
    with tempfile.TemporaryDirectory() as scratch:
        try:
            system.generate(file, scratch, INCLUDES)
        except OSError as e:
            return reason(e)
    with open(file, encoding="utf-8", errors="replace") as f:
        if not re.search(r"^\s*(abstract\s+|local\s+)?interface\s+\w+[^;{]*\{", f.read(), re.M):
            return "compiles, but it has no interface"
    return None


def reason(failure):
    """The line of a tool's complaint that says most; without the folders of files."""
    lines = str(failure).splitlines()
    said = next((line for line in lines if "error" in line), lines[-1])
    return re.sub(r"\S*/(\S+?\.\w+:)", r"\1", said)


def sizes(shop, system, service, file):
    """{part: {kind: bytes}} of a service."""
    folder = os.path.join(shop.folder, f"{system.name}-{service}")
    os.makedirs(folder)
    for each in with_included(file):
        system.generate(each, folder, INCLUDES)
    return system.parts(shop, service, folder)
