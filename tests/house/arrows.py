#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on an `#include` against the arrows between the libraries.

    arrows.py ROOT        checks callis/ and idl/ and what stands on them
    arrows.py --self-test

A folder may include itself and what the table lists; nobody includes another folder's internal/.
"""
import pathlib
import re
import sys
import tempfile

_CDR = ["callis/base", "callis/cdr"]
_MARSHAL = [*_CDR, "callis/marshal"]
_BELOW_ORB = [*_MARSHAL, "callis/classic", "callis/value", "callis/typecode", "callis/ior", "callis/giop", "callis/transport"]
_ORB = [*_BELOW_ORB, "callis/orb"]


def _rooms(library, below, arrows):
    """The rooms of a library's folder: each with those that it may include."""
    return {f"{library}/{room}": [*below, *(f"{library}/{other}" for other in others.split())] for room, others in arrows.items()}


_ORB_ROOMS = _rooms("callis/orb", _BELOW_ORB, {
    "base": "",
    "options": "base",
    "diagnostics": "",
    "context": "base options",
    "endpoint": "base options diagnostics",
    "client": "base options diagnostics context endpoint",
    "server": "base options diagnostics context",
    "core": "base options context endpoint client server",
})

_POA_ADAPTER = "servant object adapter"
_POA_ROOMS = _rooms("callis/poa", _ORB, {
    "servant": "",
    "object": "servant",
    "adapter": "servant object",
    "dispatch": _POA_ADAPTER,
    "api": _POA_ADAPTER + " dispatch",
})

_RT_BELOW = [*_ORB, "callis/poa", "callis/messaging", "callis/interceptors", "callis/idl"]
_RT_CORE = "base priorities protocols policies core"
_RT_ROOMS = _rooms("callis/rt", _RT_BELOW, {
    "base": "",
    "priorities": "base",
    "protocols": "base priorities",
    "policies": "base priorities protocols",
    "core": "base priorities protocols policies",
    "lanes": _RT_CORE,
    "adapters": _RT_CORE + " lanes",
    "calls": _RT_CORE + " lanes",
    "api": _RT_CORE + " lanes adapters calls",
})

# Folder: the folders (or files) that it may include, besides itself. The first match counts.
ARROWS = {
    # JSON as values, for all that reads it. What all programs share.
    "services/json": ["callis/base"],
    "services/programs": ["callis"],
    # The frame of services, and those that stand on it with their programs.
    "services/common": ["callis", "services/programs", "services/logging/sink"],
    "services/constraints": ["callis"],
    "services/trading": ["callis", "services/common", "services/constraints"],
    "services/naming": ["callis", "services/common"],
    # Typed channels ask an Interface Repository for types.
    "services/events/typed": ["callis", "services/common", "services/events", "services/ifr"],
    "services/events": ["callis", "services/common", "services/scheduling", "services/naming/CosNaming.h"],
    "services/properties": ["callis", "services/common"],
    # What any program links to send its own lines; then the service, and its programs.
    "services/logging/sink": ["callis"],
    "services/logging": ["callis", "services/logging/sink", "services/common", "services/constraints", "services/properties", "services/events"],
    "tools/logging": ["callis", "services/common", "services/logging"],
    "tools/log": ["callis", "services/common/testing/folder.h", "services/json", "services/logging", "services/programs", "tools/ior", "tools/call"],
    "tools/properties": ["callis", "services/common", "services/properties", "services/programs", "tools/ior"],
    "services/lifecycle": ["callis", "services/common", "services/naming", "services/constraints", "services/trading", "services/properties"],
    "tools/lifecycle": ["callis", "services/common", "services/lifecycle", "services/naming", "services/programs", "tools/ior"],
    "services/imr": ["callis", "services/common"],
    # Flows beside the ORB know no ORB; the objects that control them do.
    "services/streams/flows": ["callis/base"],
    "services/streams/payload": ["callis/base", "services/streams/flows"],
    "services/streams": ["callis", "services/common", "services/properties", "services/streams/flows"],
    "tools/ior": ["callis", "services/programs"],
    "tools/callis": ["callis", "services/programs"],
    "tools/config": ["callis", "services/programs"],
    "tools/tls": ["callis", "services/programs"],
    "tools/naming": ["callis", "services/common", "services/naming", "services/programs", "tools/ior"],
    "tools/ns": ["callis", "services/common", "services/json", "services/naming", "services/programs", "tools/ior"],
    "tools/events": ["callis", "services/common", "services/json", "services/events", "services/scheduling", "services/programs", "tools/ior", "tools/call"],
    "tools/trading": ["callis", "services/common", "services/trading"],
    "tools/trade": ["callis", "services/constraints", "services/trading", "services/programs", "tools/ior"],
    "tools/imr": ["callis", "services/common", "services/imr", "services/programs", "tools/ior"],
    # What reads IDL at run time: the compiler's front end without its back ends.
    "tools/call": ["callis", "services/programs", "tools/ior", "services/ifr", "services/json", "idl/source", "idl/ast", "idl/driver"],
    "services/ifr": ["callis", "services/common", "idl/source", "idl/ast", "idl/driver"],
    "tools/ifr": ["callis", "services/programs", "tools/ior", "services/common", "services/ifr", "idl/source", "idl/driver"],
    # The model, the analysis and their texts need nothing of the ORB; what reads IDL and what serves do.
    "services/scheduling": ["callis", "services/json", "idl/source", "idl/ast", "idl/driver"],
    "tools/schedule": ["callis", "services/programs", "tools/ior", "services/common", "services/scheduling", "idl/source", "idl/driver"],
    "tools/bridge": ["callis", "tools/call", "services/programs", "tools/ior", "idl/ast"],
    "tools/browse": ["callis", "tools/call", "services/programs", "tools/ior", "idl/ast"],
    "bench/services": ["callis", "services/common"],
    "examples/17-video": ["callis", "services/streams"],
    "callis/base": [],
    "callis/cdr": ["callis/base"],
    "callis/marshal": _CDR,
    "callis/typecode": [*_MARSHAL, "callis/classic", "callis/value"],
    "callis/classic": _MARSHAL,
    "callis/ior": _CDR,
    "callis/giop": [*_CDR, "callis/ior"],
    "callis/transport": ["callis/base"],
    "callis/value": [*_MARSHAL, "callis/classic"],
    **_ORB_ROOMS,
    **_POA_ROOMS,
    # callis/idl: made of the IDL in these folders.
    "callis/messaging": [*_ORB, *(f"callis/idl/{name}.h" for name in ("BiDirPolicy", "Callis", "Messaging", "TimeBase"))],
    "callis/interceptors": [*_ORB, "callis/poa", "callis/messaging", "callis/idl"],
    "callis/imr": [*_ORB, "callis/poa", "callis/messaging", "callis/interceptors", "callis/idl"],
    "callis/tls": [*_ORB, "callis/poa"],
    "callis/micro": [*_ORB, "callis/poa"],
    "callis/rt/scheduling": [*_RT_BELOW, "callis/rt"],
    **_RT_ROOMS,
    "callis/dynamic": [*_ORB, "callis/poa", "callis/idl/DynamicAny.h"],
    # For programs of other ORBs, above the runtime.
    "callis/compat": ["callis"],
    "idl/source": [],
    "idl/ast": ["idl/source"],
    "idl/parse": ["idl/source", "idl/ast"],
    "idl/sema": ["idl/source", "idl/ast", "idl/parse"],
    "idl/backends": ["idl/source", "idl/ast", "callis/base/generated_form.h", "callis/base/perfect_hash.h",
                     "callis/base/perfect_hash_builder.h", "callis/marshal/descriptor.h", "callis/marshal/made_plans.h"],
    "idl/driver": ["idl", "callis/base/json_text.h", "callis/base/utf8.h"],
    "tests/fuzz/idl_front.cpp": ["idl", "tests/fuzz"],
    "tests/fuzz/flows.cpp": ["callis", "services/streams", "tests/fuzz"],
    "tests/fuzz/constraint.cpp": ["callis/base", "services/constraints", "tests/fuzz"],
    # Services with each other.
    "tests/lifecycle": ["callis", "services/common", "services/naming", "services/lifecycle", "services/imr"],
    "tests/fuzz/call_json.cpp": ["callis", "services/json", "tools/call", "tests/fuzz"],
}
# Tests stand beside what they test, but may use all of their library.
ARROWS["callis/orb/tests"] = _ORB
ARROWS["callis/poa/tests"] = [*_ORB, "callis/poa"]
ARROWS["callis/dynamic/tests"] = [*_ORB, "callis/poa", "callis/messaging", "callis/interceptors", "callis/idl", "callis/dynamic"]
ARROWS["callis/rt/scheduling/tests"] = [*ARROWS["callis/rt/scheduling"], "callis/dynamic", "callis/rt/scheduling"]
ARROWS["callis/rt/tests"] = [*_RT_BELOW, "callis/rt"]
# The OMG's headers, which applications include, and the libraries that they belong to.
BELONGS_TO = {"callis/corba.h": "callis/orb/core", "callis/forward.h": "callis/base", "callis/signals.h": "callis/orb/core",
              "callis/messaging.h": "callis/messaging", "callis/deadline.h": "callis/messaging",
              "callis/interceptors.h": "callis/interceptors", "callis/omniorb.h": "callis/interceptors",
              "callis/tao.h": "callis/interceptors", "callis/file_references.h": "callis/orb/core",
              "callis/imr.h": "callis/imr", "callis/tls.h": "callis/tls", "callis/rt.h": "callis/rt/api",
              "callis/rt/schedulers.h": "callis/rt/api",
              "callis/rt_scheduling.h": "callis/rt/scheduling", "callis/execution_times.h": "callis/interceptors",
              "callis/services/lifecycle.h": "services/lifecycle", "callis/services/log_sink.h": "services/logging/sink",
              "callis/dynamic.h": "callis/dynamic", "callis/dynamic_any.h": "callis/dynamic",
              "callis/portable_server.h": "callis/poa/api", "callis/services/properties.h": "services/properties",
              "callis/services/streams.h": "services/streams", "callis/services/streams_payload.h": "services/streams/payload"}
# Above everything in the runtime; the compiler is a program, not a library for them, but for tools/call and what stands on it.
ABOVE = ("services", "tools", "examples", "bench", "tests", "fuzz")
SUFFIXES = (".h", ".cpp", ".inc", ".hpp", ".cc", ".c")
_INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def within(path, folder):
    return path == folder or path.startswith(folder + "/")


def folder_of(path):
    if path in BELONGS_TO:
        return BELONGS_TO[path]
    if path.endswith("_test.cpp") or "/testing/" in path:
        for library in ("callis/orb", "callis/poa", "callis/dynamic", "callis/rt/scheduling", "callis/rt"):
            if within(path, library):
                return library + "/tests"
    return next((folder for folder in ARROWS if within(path, folder)), None)


def includes(root, file):
    """(line number, path from the root) of the includes of our own files."""
    for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        found = _INCLUDE.match(line)
        if not found:
            continue
        target = found.group(2)
        beside = (file.parent / target).resolve()
        if found.group(1) == '"' and beside.is_file() and beside.is_relative_to(root):
            target = str(beside.relative_to(root))
        if target.startswith(("callis/", "idl/", *(above + "/" for above in ABOVE))):
            yield number, target


def fault(source, target):
    """Why source (a path) must not include target (a path), or None."""
    folder = folder_of(source)
    allowed = ARROWS.get(folder, ["callis"])
    if folder is None and within(source, "callis"):
        return "this folder is not in the table of tests/house/arrows.py"
    if folder is None and within(source, "idl"):
        return "this folder is not in the table of tests/house/arrows.py"
    if folder and folder == folder_of(target):
        return None
    if folder is None and within(target, source.split("/")[0]):
        return None
    if not any(within(target, each) or within(folder_of(target) or "", each) for each in allowed):
        return f"{folder or source.split('/')[0]} may include only: {', '.join(allowed) or 'nothing'}"
    if "/internal/" in target and not source.startswith("tests/"):
        return "internal/ is private to its library"
    return None


def check(root):
    """The faults as lines, and the number of includes that were looked at."""
    faults, seen = [], 0
    for top in ("callis", "idl", *ABOVE):
        for file in sorted(p for p in (root / top).rglob("*") if p.suffix in SUFFIXES):
            source = str(file.relative_to(root))
            for number, target in includes(root, file):
                seen += 1
                why = fault(source, target)
                if why:
                    faults.append(f"{source}:{number}: includes {target}: {why}")
    return faults, seen


SAMPLES = [  # file, text, is it good?
    ("callis/cdr/a.h", "#include <callis/base/bytes.h>", True),
    ("callis/cdr/internal/b.h", "#include <callis/cdr/a.h>", True),
    ("callis/base/a.h", "#include <callis/cdr/decoder.h>", False),
    ("callis/transport/a.cpp", "  #  include <callis/giop/giop.h>", False),
    ("callis/giop/a.cpp", "#include <callis/transport/transport.h>", False),
    ("callis/giop/b.cpp", "#include <callis/cdr/internal/secret.h>", False),
    ("callis/orb/core/a.cpp", "#include <callis/poa/servant/skeleton.h>", False),
    ("callis/orb/a.cpp", "#include <callis/base/bytes.h>", False),
    ("callis/orb/client/a.cpp", "#include <callis/orb/client/reference.h>", True),
    ("callis/orb/client/a.cpp", "#include <callis/orb/server/session.h>", False),
    ("callis/orb/client/a_test.cpp", "#include <callis/orb/server/session.h>", True),
    ("callis/orb/base/a.cpp", "#include <callis/corba.h>", False),
    ("callis/orb/core/a.cpp", "#include <callis/orb/server/session.h>", True),
    ("callis/orb/testing/a.h", "#include <callis/orb/core/core.h>", True),
    ("callis/poa/api/a.cpp", "#include <callis/orb/core/core.h>", True),
    ("callis/poa/a.cpp", "#include <callis/base/bytes.h>", False),
    ("callis/poa/adapter/a.cpp", "#include <callis/poa/object/key.h>", True),
    ("callis/poa/adapter/a.cpp", "#include <callis/poa/dispatch/dispatch.h>", False),
    ("callis/poa/object/a.h", "#include <callis/poa/adapter/registry.h>", False),
    ("callis/poa/object/a_test.cpp", "#include <callis/poa/adapter/registry.h>", True),
    ("callis/poa/testing/a.h", "#include <callis/poa/api/initial.h>", True),
    ("callis/rt/lanes/a.cpp", "#include <callis/rt/core/real_time_orb.h>", True),
    ("callis/rt/core/a.cpp", "#include <callis/rt/lanes/lane.h>", False),
    ("callis/rt/lanes/a.cpp", "#include <callis/rt.h>", False),
    ("callis/rt/adapters/a.cpp", "#include <callis/rt/calls/steering.h>", False),
    ("callis/rt/base/a_test.cpp", "#include <callis/rt.h>", True),
    ("callis/rt/scheduling/a.cpp", "#include <callis/rt/base/minor_codes.h>", True),
    ("callis/rt/schedulers.h", "#include <callis/rt.h>", True),
    ("callis/rt/a.cpp", "#include <callis/base/bytes.h>", False),
    ("callis/new/a.cpp", "#include <callis/base/bytes.h>", False),
    ("callis/cdr/b.cpp", '#include "../marshal/plan.h"', False),
    ("callis/marshal/plan.h", "#include <vector>", True),
    ("callis/poa/servant/a.cpp", "#include <callis/corba.h>", True),
    ("callis/portable_server.h", "#include <callis/poa/servant/poa.h>", True),
    ("callis/corba.h", "#include <callis/poa/servant/poa.h>", False),
    ("callis/ior/a.cpp", "#include <callis/corba.h>", False),
    ("idl/backends/a.cpp", "#include <callis/base/perfect_hash_builder.h>", True),
    ("idl/backends/b.cpp", "#include <callis/base/bytes.h>", False),
    ("idl/backends/deep/c.cpp", "#include <idl/sema/check.h>", False),
    ("idl/ast/a.h", "#include <idl/sema/check.h>", False),
    ("idl/driver/a.cpp", "#include <idl/sema/check.h>", True),
    ("services/common/a.cpp", "#include <services/programs/usage.h>", True),
    ("services/common/a.cpp", "#include <tools/ior/tree.h>", False),
    ("services/lifecycle/a_test.cpp", "#include <services/imr/testing/life.h>", False),
    ("services/programs/a.cpp", "#include <tools/ior/tree.h>", False),
    ("examples/01-hello/a.cpp", "#include <callis/corba.h>", True),
    ("examples/01-hello/b.cpp", "#include <idl/ast/type.h>", False),
    ("tests/fuzz/any.cpp", "#include <idl/ast/type.h>", False),
    ("tests/fuzz/idl_front.cpp", "#include <idl/ast/type.h>", True),
]


def self_test():
    wrong = []
    for name, text, good in SAMPLES:
        with tempfile.TemporaryDirectory() as directory:
            root = pathlib.Path(directory).resolve()
            for file, content in (("callis/marshal/plan.h", ""), (name, text + "\n")):
                (root / file).parent.mkdir(parents=True, exist_ok=True)
                (root / file).write_text(content, encoding="utf-8")
            faults, _ = check(root)
            if bool(faults) == good or (faults and not faults[0].startswith(f"{name}:1: ")):
                wrong.append(f"{name}: {text}: {faults or 'let through'}")
    return wrong


def main():
    if sys.argv[1:] == ["--self-test"]:
        faults = self_test()
    else:
        faults, seen = check(pathlib.Path(sys.argv[1]).resolve())
        print(f"{seen} includes")
        if seen == 0:
            faults.append("nothing was found to check")
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
