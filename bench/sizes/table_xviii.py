# SPDX-License-Identifier: Apache-2.0
"""The services of JSAC'99's Table XVIII with today's IDL, callis's own files: what they declare, and bytes of their code.

As there, structures, sequences, and operations and attributes count; what is inherited counts where it is declared."""
import json
import os
import subprocess

import objects
from interfaces import ROOT
from services import FOLDER as OMNIORB_IDL

_AT = os.path.join(ROOT, "services")
# A service: its files. Where one is missing, so is the service.
SERVICES = {
    "Trading": ("trading/CosTrading.idl", "trading/CosTradingRepos.idl", "trading/CosTradingDynamic.idl"),
    "A/V Streams": ("streams/AVStreams.idl",),
    "Property": ("properties/CosPropertyService.idl",),
    "Events": ("events/CosEventComm.idl", "events/CosEventChannelAdmin.idl"),
    "Naming": ("naming/CosNaming.idl",),
    "Scheduling": ("scheduling/CallisScheduling.idl",),
    "Logging": ("logging/DsLogAdmin.idl",),
    "LifeCycle": ("lifecycle/CosLifeCycle.idl",),
}
COUNTS = ("structures", "sequences", "operations")  # operations: and attributes
INCLUDES = [*(os.path.join(_AT, folder) for folder in
              ("trading", "properties", "events", "naming", "scheduling", "logging", "lifecycle", "streams")),
            os.path.join(ROOT, "callis", "messaging")]  # TimeBase.idl


def services():
    """{service: files} of those whose files are there."""
    paths = {name: [os.path.join(_AT, f) for f in files] for name, files in SERVICES.items()}
    return {name: files for name, files in paths.items() if all(map(os.path.exists, files))}


def _declared(declarations):
    """All declarations of the main file."""
    for d in declarations:
        if d.get("main"):
            yield d
        yield from _declared(d.get("contents") or [])


def _count(declarations):
    found = dict.fromkeys(COUNTS, 0)
    for d in _declared(declarations):
        if d["kind"] == "struct":
            found["structures"] += 1
        elif d["kind"] == "typedef" and d["type"]["kind"] == "sequence":
            found["sequences"] += 1
        elif d["kind"] in ("operation", "attribute"):
            found["operations"] += 1
    return found


def _emit(idl, what, file):
    """What `callis-idl --emit` says of a file, a unit. Throws OSError."""
    done = subprocess.run([idl, "--emit", what, *(f"-I{i}" for i in INCLUDES), file], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise OSError(f"callis-idl --emit {what} {file}\n{done.stderr}")
    return json.loads(done.stdout)["units"][0]


def counts(idl, files):
    """{what of COUNTS: how many} in the files. Throws OSError."""
    total = dict.fromkeys(COUNTS, 0)
    for file in files:
        for what, n in _count(_emit(idl, "json", file)["declarations"]).items():
            total[what] += n
    return total


def sizes(shop, system, idl, service, files):
    """{part: bytes} of a service: the sums over its files, without those that they include. Throws OSError."""
    folder = os.path.join(shop.folder, f"{system.name}-xviii-{service.replace('/', '-')}")
    os.makedirs(folder)
    includes = [*INCLUDES, OMNIORB_IDL] if system.name == "omniorb" else INCLUDES  # callis-idl has orb.idl within
    for file in dict.fromkeys(read for f in files for read in _emit(idl, "deps", f)["reads"] if not read.startswith("(")):
        system.generate(file, folder, includes)
    total = {"stub": 0, "skeleton": 0}
    for file in files:
        measured = system.parts(shop, os.path.basename(file).removesuffix(".idl"), folder)
        for part in total:
            total[part] += objects.footprint(measured[part])
    return total
