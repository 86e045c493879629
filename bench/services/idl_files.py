# SPDX-License-Identifier: Apache-2.0
"""What the OMG's larger IDL files cost in bytes and in time, with callis's interpreted stubs and with omniORB's.

A service is its file and what it includes of the other services: stubs, skeletons, TypeCodes and operators of Any on both sides (for omniidl
that is -Wba, with a file of its own). Compiled by the native GCC at -Os, nothing precompiled, as a user's build does.
`object` is every allocated section but the unwinding tables of all object files; `cpu` the CPU time of the IDL compiler and
the C++ compiler together, user and system, one process at a time.

Cases: SERVICE, with the metrics bytes and ns.
"""
import glob
import os
import resource
import shutil
import sys
import tempfile

from report import Row

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "sizes"))
import generated  # noqa: E402
import objects  # noqa: E402
import services  # noqa: E402
import toolchains  # noqa: E402

SUITE = "services"
SERVICES = ("CosNaming", "CosPropertyService", "CosNotification", "CosTrading")
JUDGED, OTHER = "callis-interpreted", "omniorb"
BARS = {"bytes": 0.5, "ns": 1.0}
# omniORB's headers have a module CosNaming already.
DEFINES = ("-DCosNaming=CosNames",)
OWN = os.path.join(services.FOLDER, "COS")  # what both runtimes have themselves, such as orb.idl, lies elsewhere


def chosen(context):
    return context.pick(SERVICES[:1], SERVICES[:1], SERVICES)


def rounds(context):
    return context.pick(1, 1, 5)


def estimate(context):
    return rounds(context) * context.pick(10, 30, 150)


class Callis(generated.Callis):
    def generate(self, file, folder, includes=()):
        toolchains.run([self.idl, f"--stubs={self.style}", *DEFINES, f"-I{OWN}", "-o", folder, file])


class OmniOrb(generated.OmniOrb):
    def generate(self, file, folder, includes=()):
        toolchains.run(["omniidl", "-bcxx", "-Wba", "-nf", *DEFINES, *(f"-I{i}" for i in includes), f"-C{folder}", file])


def cpu_seconds():
    """Of all processes that this one has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(system, file, folder):
    """(bytes, CPU seconds)"""
    os.makedirs(folder)
    command = [*toolchains.toolchain(toolchains.NATIVE, "gcc").command, *generated.FLAGS, *system.flags, "-Os", "-I", folder]
    began = cpu_seconds()
    for each in [f for f in services.with_included(file) if os.path.dirname(f) == OWN]:
        system.generate(each, folder, services.INCLUDES)
    made = []
    for source in sorted(glob.glob(os.path.join(folder, "*.c*"))):
        made.append(source + ".o")
        toolchains.run([*command, "-c", source, "-o", made[-1]])
    spent = cpu_seconds() - began
    return sum(objects.footprint(objects.sections(o)) for o in made), spent


def systems(context, scratch):
    found = []
    for system in (Callis(context.build, "interpreted"), OmniOrb(scratch)):
        why = system.missing()
        if why:
            context.results.missing(SUITE, system.name, why)
        elif context.wants(system.name):
            found.append(system)
    return found


def run(context):
    scratch = tempfile.mkdtemp(prefix="callis-services-")
    files = services.files()
    if not files:
        context.results.missing(SUITE, "cos", f"no IDL files in {services.FOLDER}/COS: omniorb-idl is not installed")
    try:
        here, failed = systems(context, scratch), set()
        for n in range(rounds(context)):
            for service in chosen(context) if files else ():
                for system in here:  # one after the other, so that both have seen the same machine
                    if (system.name, service) in failed:
                        continue
                    context.progress(SUITE, f"round {n}: {service}, {system.name}")
                    folder = os.path.join(scratch, f"{system.name}-{service}-{n}")
                    try:
                        size, seconds = measure(system, files[service], folder)
                    except OSError as e:
                        failed.add((system.name, service))
                        context.results.missing(SUITE, f"{system.name} {service}", services.reason(e))
                        continue
                    finally:
                        shutil.rmtree(folder, ignore_errors=True)
                    context.results.add(SUITE, system.name, service, "bytes", size, n)
                    context.results.add(SUITE, system.name, service, "ns", seconds * 1e9, n)
    finally:
        shutil.rmtree(scratch)


def row(results, service, metric):
    section = {"bytes": "services -Os: object code with Any, interpreted stubs ÷ omniORB's",
               "ns": "services -Os: CPU time from IDL to objects, interpreted stubs ÷ omniORB's"}[metric]
    limit = ("<=", BARS[metric])
    ratio = results.ratio(SUITE, service, metric, JUDGED, OTHER)
    if not ratio:
        return Row(section, service, None, "", limit, "not measured")
    mine, its = (results.median(SUITE, s, service, metric) for s in (JUDGED, OTHER))
    note = f"{mine:,.0f} ÷ {its:,.0f} bytes" if metric == "bytes" else f"{mine / 1e9:.2f} ÷ {its / 1e9:.2f} s"
    return Row(section, service, ratio[0], "", limit, note)


def bars(results):
    measured = results.cases(SUITE)
    return [row(results, service, metric) for metric in BARS for service in SERVICES if service in measured]
