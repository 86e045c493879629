# SPDX-License-Identifier: Apache-2.0
"""The way "components" of install.py: callis installed part by part, as Debian's packages bring it.

* The core alone: a program builds and runs, and find_package() says of each part that is missing which package has it.
* Each library comes with its own install components, and is found then.
* A library that lies in the process of a program that does not use it changes nothing: neither the instructions of what one
  thread does, nor the sockets and threads that a server and its client make; alone, and with each other library.
"""
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys

CONSUMERS = pathlib.Path(__file__).resolve().parent / "consumers"
# Library of find_package(): install component, what a program with it includes, and a name that it has to have from there.
LIBRARIES = {
    "rt": ("libcallis-rt", "callis/rt.h", "callis::rt::used"),
    "dynamic": ("libcallis-dynamic", "callis/dynamic.h", "CORBA::is_nil(CORBA::Request::_nil())"),
    "tls": ("libcallis-tls", "callis/tls.h", "callis::tls::used"),
    "properties": ("libcallis-properties", "callis/services/properties.h", "sizeof(CosPropertyService::Property) != 0"),
    "naming": ("libcallis-naming", "CosNaming.h", "CORBA::is_nil(CosNaming::NamingContext::_nil())"),
    "trading": ("libcallis-trading", "CosTrading.h", "CORBA::is_nil(CosTrading::Lookup::_nil())"),
    "streams": ("libcallis-streams", "callis/services/streams.h", "CORBA::is_nil(AVStreams::StreamCtrl::_nil())"),
    "compat_tao": ("libcallis-compat-tao", "tao/IORTable/IORTable.h", "CORBA::is_nil(IORTable::Table::_nil())"),
    "compat_omniorb": ("libcallis-compat-omniorb", "omniORB4/CORBA.h", "omniORB::traceLevel <= 25u"),
    "lifecycle": ("libcallis-lifecycle", "callis/services/lifecycle.h", "CORBA::is_nil(CosLifeCycle::FactoryFinder::_nil())"),
    "log_sink": ("libcallis-log-sink", "callis/services/log_sink.h", "sizeof(callis::log_sink::Sending) != 0"),
}
NEEDS = {"compat_omniorb": ["dynamic", "naming"], "compat_tao": ["dynamic", "naming"], "streams": ["properties"], "lifecycle": ["naming", "trading", "properties"]}
OF_COMPONENT = {"log_sink": "logging"}  # CALLIS_COMPONENTS, where it has another name
SYSTEM_CALLS = "socket,bind,listen,connect,accept4,clone,clone3,epoll_create1,eventfd2,sched_setscheduler,setpriority"
OFF_BY = 0.002  # of instructions: hashes have secrets, and sizes of tables differ with them


def run(*words, good=True, env=None, cwd=None):
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=env, cwd=cwd)
    if (done.returncode == 0) != good:
        sys.exit(f"{' '.join(map(str, words))}\nstatus {done.returncode}\n{done.stdout}")
    return done.stdout


def install(build, prefix, *components):
    for component in components:
        run("cmake", "--install", build, "--prefix", prefix, "--component", component)


def configure(folder, prefix, components, good=True):
    """What CMake says of a project that wants these components."""
    folder.mkdir(parents=True, exist_ok=True)
    targets = " ".join(f"callis::{c}" for c in components if c in LIBRARIES)
    checks = " && ".join(LIBRARIES[c][2] for c in components if c in LIBRARIES) or "true"
    includes = "\n".join(f"#include <{LIBRARIES[c][1]}>" for c in components if c in LIBRARIES)
    (folder / "main.cpp").write_text(f"#include <callis/corba.h>\n{includes}\n"
                                     f"int main(int argc, char** argv) {{\n  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);\n"
                                     f"  const bool good = {checks};\n  orb->destroy();\n  return good ? 0 : 1;\n}}\n")
    (folder / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.20)\nproject(parts CXX)\n"
                                           f"find_package(callis CONFIG REQUIRED COMPONENTS {' '.join(components)})\n"
                                           f"add_executable(parts main.cpp)\ntarget_link_libraries(parts PRIVATE callis::callis {targets})\n")
    return run("cmake", "-S", folder, "-B", folder / "out", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", good=good)


def missing(place, prefix):
    """Each part that is not there is named with its package, and with what brings it in a build from source."""
    for name, (package, _, _) in LIBRARIES.items():
        said = " ".join(configure(place.folder / f"no {name}", prefix, [name], good=False).split())
        wanted = (f"component {name} of callis is not installed", f"{package}-dev", f'DCALLIS_COMPONENTS="core;compiler;{OF_COMPONENT.get(name, name)}"')
        if not all(w in said for w in wanted):
            sys.exit(f"find_package without {name} says:\n{said}")
    said = " ".join(configure(place.folder / "no nonsense", prefix, ["nonsense"], good=False).split())
    if 'no component "nonsense"' not in said or "core, rt, dynamic" not in said:
        sys.exit(f"find_package of nonsense says:\n{said}")


def system_calls(program, preload, folder):
    trace = folder / "calls"
    run("strace", "-f", "-qq", "-e", f"trace={SYSTEM_CALLS}", "-e", "signal=none", "-E", f"LD_PRELOAD={':'.join(preload)}", "-o", trace, program)
    counts = {}
    for name in re.findall(r"^\d+ +(\w+)\(", trace.read_text(), re.MULTILINE):
        counts[name] = counts.get(name, 0) + 1
    return counts


def instructions(program, preload, folder):
    env = dict(os.environ, LD_BIND_NOW="1", LD_PRELOAD=":".join(preload))
    said = run("valgrind", "--tool=callgrind", "--toggle-collect=main", f"--callgrind-out-file={folder / 'callgrind'}", program, env=env)
    return int(re.search(r"Collected : (\d+)", said).group(1))


def unchanged(place, prefix, names):
    """How much two programs of the core do, with each library in their process, and each two."""
    for tool in ("strace", "valgrind"):
        if shutil.which(tool) is None:
            print(f"not compared: {tool} is missing")
            return
    libraries = next(prefix.glob("lib*/**/libcallis.so")).parent
    out = place.folder / "guests"
    source = place.folder / "guests source"
    source.mkdir()
    (source / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.20)\nproject(guests CXX)\nfind_package(callis CONFIG REQUIRED)\n"
        f"foreach(name bank guest)\n  add_executable(${{name}} \"{CONSUMERS}/${{name}}.cpp\")\n"
        f"  callis_idl_generate(${{name}} \"{CONSUMERS}/bank.idl\")\n  target_link_libraries(${{name}} PRIVATE callis::callis)\nendforeach()\n")
    run("cmake", "-S", source, "-B", out, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", out)
    calls = system_calls(out / "bank", [], place.folder)
    if not calls.get("socket") or not any(n.startswith("clone") for n in calls):
        sys.exit(f"system calls of the program were not counted: {calls}")
    work = instructions(out / "guest", [], place.folder)
    groups = [[n] for n in names] + [list(pair) for pair in itertools.combinations(names, 2)]
    wrong = []
    for group in groups:
        preload = [str(libraries / f"libcallis_{n}.so") for n in group]
        if (now := system_calls(out / "bank", preload, place.folder)) != calls:
            wrong.append(f"system calls with {' and '.join(group)}: {now}, without: {calls}")
        if len(group) == 1 and abs((now := instructions(out / "guest", preload, place.folder)) - work) > OFF_BY * work:
            wrong.append(f"instructions with {group[0]}: {now}, without: {work}")
    print(f"{work} instructions, {sum(calls.values())} system calls, the same with {len(groups)} choices of libraries beside them")
    if wrong:
        sys.exit("\n".join(wrong))


def ways(place):
    prefix = place.folder / "a prefix"
    install(place.build, prefix, "libcallis", "libcallis-dev", "callis-idl")
    out = place.folder / "bank"
    run("cmake", "-S", CONSUMERS / "cmake", "-B", out, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", out, "--target", "bank", "bank_static")
    for program in ("bank", "bank_static"):
        if run(out / program) != "OK\n":
            sys.exit(f"{program}: not OK")
    missing(place, prefix)
    names = []
    for name, (package, _, _) in LIBRARIES.items():
        if not (place.build / f"lib/installed/libcallis_{name}.so").exists():
            print(f"{name}: not built here")
            continue
        names.append(name)
        alone = place.folder / f"with {name}"
        install(place.build, alone, "libcallis", "libcallis-dev")
        for needed in NEEDS.get(name, []):
            install(place.build, alone, LIBRARIES[needed][0], f"{LIBRARIES[needed][0]}-dev")
        install(place.build, alone, package, f"{package}-dev")
        project = place.folder / f"uses {name}"
        configure(project, alone, [name])
        run("cmake", "--build", project / "out")
        run(project / "out/parts")
        install(place.build, prefix, package, f"{package}-dev")
    unchanged(place, prefix, names)
