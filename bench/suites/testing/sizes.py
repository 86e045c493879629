# SPDX-License-Identifier: Apache-2.0
"""What a tiny run of sizes has."""
import itertools
import platform

TARGET = {"x86_64": "x86-64", "armv7l": "armv7"}.get(platform.machine(), platform.machine()) + "/gcc/-Os"
OPERATIONS = ("test_short", "test_strseq")
STYLES = ("callis-interpreted", "callis-compiled")
LIBRARIES = ("base", "cdr", "marshal", "classic", "ior", "giop", "transport", "orb", "poa")
VALUES = [(s, f"{TARGET}/{o}/{part}", "bytes") for s, o, part in
          itertools.product(STYLES, OPERATIONS, ("stub", "skeleton", "skeleton/alone", "tables", "stub/whole", "skeleton/whole"))] + \
         [("callis-interpreted", f"{TARGET}/{o}/ram", "bytes") for o in OPERATIONS] + \
         [("callis-compiled", f"{TARGET}/{o}/operators", "bytes") for o in OPERATIONS] + \
         [("callis-interpreted", f"{TARGET}/xviii/Naming/{what}", "declared") for what in ("structures", "sequences", "operations")] + \
         [(s, f"{TARGET}/xviii/Naming/{part}", "bytes") for s, part in itertools.product(STYLES, ("stub", "skeleton"))] + \
         [("callis-interpreted", f"{TARGET}/library/{name}/code", "bytes") for name in LIBRARIES] + \
         [("callis-interpreted", f"{TARGET}/program/{name}/code", "bytes") for name in (*LIBRARIES, "program", "system")]
BARS = [("stubs -Os: ", o) for o in OPERATIONS] + [("skeletons -Os", o) for o in OPERATIONS] + \
       [("test_short, interpreted", "stub, skeleton and tables"), ("libraries", "cdr and marshal, text"),
        ("minimal client and server", "callis, text")]
FALSIFIED = ("stub-size", "stub-size-primitive", "services", "footprint")
