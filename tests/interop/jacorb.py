# SPDX-License-Identifier: Apache-2.0
"""Makes the JacORB side of mixed.idl, bidirectional.idl, whereabouts.idl and foreign.idl in a folder: libraries, stubs, classes.

So it does of the services that JacORB's programs use: trading, typed events.

The libraries come from Maven Central, asked once; Maven's own repository first.

What is there and up to date is left alone. Exit status 77, for a test that is skipped, only where the libraries are not
here and Maven Central cannot be reached.
"""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

from harness.process import Failure

HERE = pathlib.Path(__file__).resolve().parent
POM = HERE.parent.parent / "bench" / "peers" / "jacorb" / "pom.xml"
COPY = "org.apache.maven.plugins:maven-dependency-plugin:2.8:copy-dependencies"
PROGRAMS = "programs.jar"
ARCHIVE = "programs.jsa"  # JacORB's classes as the JVM has them in memory: a test of two programs takes 0.7 s, and 1.2 s without
UNREACHED = "unreached"  # stands in the folder when the libraries could not be had
SKIPPED = 77
TIMEOUT = 600
SERVICES = HERE.parent.parent / "services"
TYPED_EVENTS = [SERVICES / "events" / f"{name}.idl" for name in (
    "CosEventComm", "CosEventChannelAdmin", "typed/CosTypedEventComm", "typed/CosTypedEventChannelAdmin", "typed/testing/plant")]
# For programs that end soon: a collector and a compiler of the JVM with which a tool takes half of the processors' time.
SOON = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
INCLUDES = [f"-I{SERVICES / 'events'}", f"-I{SERVICES / 'events' / 'typed'}"]
# Of stubs, where the name is not the file's: MODULE:PACKAGE.
OF_THE_OMG = [f"{name}:org.omg.{name}" for name in (
    "CosTrading", "CosEventComm", "CosEventChannelAdmin", "CosTypedEventComm", "CosTypedEventChannelAdmin")]
PACKAGES = {"strangers": [":foreign"], "CosTrading": OF_THE_OMG, **{idl.stem: OF_THE_OMG for idl in TYPED_EVENTS[:4]},
            "plant": [":typed_events"]}


def packages(idl):
    return [word for package in PACKAGES.get(idl.stem, [f":{idl.stem}"]) for word in ("-i2jpackage", package)]


def add_options(tests):
    parser = tests.add_parser("jacorb", help=__doc__.splitlines()[0])
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    parser.set_defaults(run=run)


def command(folder, name, arguments):
    """What runs the program of that name."""
    if (folder / UNREACHED).exists():
        print(f"skipped: {(folder / UNREACHED).read_text()}")
        sys.exit(SKIPPED)
    return java(folder, f"-XX:SharedArchiveFile={folder / ARCHIVE}", name, *arguments)


def java(folder, *arguments):
    return ["java", "-Xmx256m", *SOON, "-Dfile.encoding=UTF-8",
            "-Djacorb.log.default.verbosity=1", "-cp", f"{folder / PROGRAMS}:{folder / 'lib'}/*", *arguments]


def fetch(folder):
    library = folder / "lib"
    if list(library.glob("jacorb-3*.jar")):
        return
    for offline in (["-o"], []):
        out = subprocess.run(["mvn", "-q", "-B", *offline, "-f", str(POM), COPY, f"-DoutputDirectory={library}"],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT,
                             env={"MAVEN_OPTS": " ".join(SOON), **os.environ})
        if out.returncode == 0:
            (folder / UNREACHED).unlink(missing_ok=True)
            return
    if any(sign in out.stdout for sign in ("Unknown host", "UnknownHost", "Connection refused", "timed out", "unreachable")):
        why = "JacORB is not here, and Maven Central cannot be reached"
        (folder / UNREACHED).write_text(why)
        print(f"skipped: {why}\n{out.stdout[-2000:]}")
        sys.exit(SKIPPED)
    raise Failure("Maven could not fetch JacORB:\n" + out.stdout[-3000:])


def run_tool(command_line):
    out = subprocess.run(command_line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT)
    if out.returncode != 0:
        raise Failure(f"{command_line[0]}: {out.stdout[-3000:]}")


def run(options, _):
    for tool in ("mvn", "java", "javac"):
        if not shutil.which(tool):
            raise Failure(f"{tool} is not installed (openjdk-17-jdk-headless, maven)")
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    fetch(folder)
    idls = [HERE / f"{name}.idl" for name in ("mixed", "bidirectional", "whereabouts", "foreign", "strangers")]
    idls += [SERVICES / "trading" / "CosTrading.idl", *TYPED_EVENTS]
    sources = [*idls, *sorted((HERE / "jacorb" / "src").rglob("*.java"))]
    state = hashlib.sha256(b"".join(s.read_bytes() for s in [*sources, pathlib.Path(__file__)])).hexdigest()
    stamp = folder / "made"
    if stamp.exists() and stamp.read_text() == state:
        return
    stubs, classes = folder / "stubs", folder / "classes"
    for made in (stubs, classes):
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir()
    libraries = f"{folder / 'lib'}/*"
    for idl in idls:
        run_tool(["java", *SOON, "-cp", libraries, "org.jacorb.idl.parser", "-d", stubs, *INCLUDES, *packages(idl), idl])
    run_tool(["javac", *(f"-J{option}" for option in SOON), "-nowarn", "-Xlint:none", "-encoding", "UTF-8", "-d", classes, "-cp", libraries,
              *sorted(stubs.rglob("*.java")), *sources[len(idls):]])
    run_tool(["jar", *(f"-J{option}" for option in SOON), "cf", folder / PROGRAMS, "-C", classes, "."])
    # Where the JVM makes no archive it starts without, and says nothing.
    (folder / ARCHIVE).unlink(missing_ok=True)
    subprocess.run(java(folder, f"-XX:ArchiveClassesAtExit={folder / ARCHIVE}", "mixed.Server"), stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=TIMEOUT, check=False)
    stamp.write_text(state)
