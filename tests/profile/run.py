# SPDX-License-Identifier: Apache-2.0
"""Profiles from end to end: a server and a client count, callis-idl compiles what they counted.

    run.py counts|choice|unwritable --program profiled --compiler callis-idl --idl profiled.idl
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

# Calls, and bytes of the bodies of request and reply: what profiled.cpp's client sends, by the rules of CDR. Three
# Points are a count, padding to 8 and 48 bytes: 56; none are 4. The exception's long is aligned behind an id.
OPERATIONS = {
    "reverse": (10, 10 * (56 + 56)),
    "sum": (6, 5 * (56 + 8) + 4 + 6),
    "note": (10, 10 * 8),
    "keep": (1, 44),
    "twice": (2, 2 * 8),
    "_get_level": (1, 4),
    "_set_level": (1, 4),
    "ping": (1, 0),
    "stop": (1, 0),
}
# Of the operations that are not compiled.
TYPES = {
    "sequence<struct{double,double}>": (10, 1120),
    "string": (10, 80),
    "struct{union<short>{wchar,string},wstring<5>,fixed<5,2>,any,TypeCode,Object,sequence<^0>}": (1, 44),
    "long": (2, 16),
}
SERVICE, BASE = "IDL:Service:1.0", "IDL:Base:1.0"


def run_pair(program, folder, server_profile=None, client_profile=None):
    """The server's standard error after a client's visit."""

    def environment(path):
        kept = {k: v for k, v in os.environ.items() if k != "CALLIS_PROFILE"}
        return {**kept, "CALLIS_PROFILE": path} if path else kept

    with open(os.path.join(folder, "errors"), "w+") as errors:
        server = subprocess.Popen([program, "server", "-ORBEndpoint", "tcp:127.0.0.1:0"], stdout=subprocess.PIPE,
                                  stderr=errors, text=True, env=environment(server_profile))
        try:
            reference = server.stdout.readline().strip()
            assert reference.startswith("IOR:"), "the server gave no reference"
            subprocess.run([program, "client", reference], check=True, timeout=60, env=environment(client_profile))
            assert server.wait(timeout=60) == 0, "the server failed"
        finally:
            server.kill()
            server.wait()
            server.stdout.close()
        errors.seek(0)
        return errors.read()


def read(path):
    """({operation: (calls, bytes, ids)}, {type: (calls, bytes)})"""
    with open(path) as f:
        lines = f.read().splitlines()
    assert lines[0] == "callis-profile 1", lines[0]
    operations, types = {}, {}
    for line in lines[1:]:
        kind, calls, count, name, *rest = line.split(" ")
        assert kind in ("op", "type"), line
        if kind == "op":
            operations[name] = (int(calls), int(count), rest)
        else:
            types[name] = (int(calls), int(count))
    sizes = [int(line.split(" ")[2]) for line in lines[1:] if line.startswith("op ")]
    assert sizes == sorted(sizes, reverse=True), "not sorted by bytes"
    return operations, types


def expect(found, wanted, what):
    assert found == wanted, f"{what}:\n  found    {found}\n  expected {wanted}"


def counts(a, folder):
    server, client = os.path.join(folder, "server.%p"), os.path.join(folder, "client")
    run_pair(a.program, folder, server, client)
    written = [f for f in os.listdir(folder) if re.fullmatch(r"server\.\d+", f)]
    assert len(written) == 1 and not [f for f in os.listdir(folder) if ".new" in f], os.listdir(folder)

    operations, types = read(os.path.join(folder, written[0]))
    expect({n: o[:2] for n, o in operations.items()}, OPERATIONS, "the server's operations")
    for name, operation in operations.items():
        expect(operation[2], [SERVICE, BASE], f"the ids of {name}")
    expect(types, TYPES, "the server's types")

    operations, types = read(client)
    expect({n: o[:2] for n, o in operations.items()}, OPERATIONS, "the client's operations")
    for name, operation in operations.items():
        expect(operation[2], [SERVICE], f"the ids of {name} at the client")
    expect(types, TYPES, "the client's types")


def choice(a, folder):
    """What is compiled is what the rule of docs/guide/stubs.md says: 80 % of bytes + 32 a call."""
    profile = os.path.join(folder, "profile")
    run_pair(a.program, folder, profile)
    weights = {n: size + 32 * calls for n, (calls, size) in OPERATIONS.items()}
    ranked = sorted(weights, key=lambda n: (-weights[n], n))
    wanted, taken = set(), 0
    for name in ranked:
        if taken * 100 >= 80 * sum(weights.values()):
            break
        wanted.add(name)
        taken += weights[name]
    assert wanted == {"reverse", "sum", "note"}, wanted  # the rule has something to choose

    plain = os.path.join(folder, "profiled.idl")
    with open(a.idl) as f, open(plain, "w") as to:
        to.write(re.sub(r"@callis::stubs\(\w+\) ", "", f.read()))
    subprocess.run([a.compiler, "--stubs=hybrid", f"--profile={profile}", "-o", folder, plain], check=True)
    for file, begin in (("profiled.cpp", "void encode_Service_"), ("profiled_skel.cpp", "void serve_Service_")):
        with open(os.path.join(folder, file)) as f:
            found = set(re.findall(f"^{begin}(\\w+)\\(", f.read(), re.M))
        expect(found, wanted, f"compiled in {file}")


def unwritable(a, folder):
    nowhere = os.path.join(folder, "nowhere", "profile")
    errors = run_pair(a.program, folder, nowhere)
    assert f"cannot write the profile '{nowhere}'" in errors, errors


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("test", choices=["counts", "choice", "unwritable"])
    parser.add_argument("--program", required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--idl", required=True)
    a = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="callis-profile-") as folder:
        {"counts": counts, "choice": choice, "unwritable": unwritable}[a.test](a, folder)
    print(f"{a.test}: good, {time.monotonic() - began:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
