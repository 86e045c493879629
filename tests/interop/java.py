# SPDX-License-Identifier: Apache-2.0
"""Makes one Java ORB's side of the tests in a folder: libraries, stubs, classes.

JacORB's is described in jacorb.py. Here are the ORB that the JDK had until Java 10 (openjdk), and Apache Yoko (yoko): programs of
mixed.idl and foreign.idl, with stubs of the JDK's former IDL compiler.

The libraries come from Maven Central, asked once; Maven's own repository first.

What is there and up to date is left alone. Exit status 77, for a test that is skipped, only where the libraries are not
here and Maven Central cannot be reached.
"""
import dataclasses
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

from harness.process import Failure

HERE = pathlib.Path(__file__).resolve().parent
COPY = "org.apache.maven.plugins:maven-dependency-plugin:2.8:copy-dependencies"
PROGRAMS = "programs.jar"
ARCHIVE = "programs.jsa"  # the ORB's classes as the JVM has them in memory: a test of two programs takes 0.7 s, and 1.2 s without
UNREACHED = "unreached"  # stands in the folder when the libraries could not be had
SKIPPED = 77
TIMEOUT = 600
# For programs that end soon: a collector and a compiler of the JVM with which a tool takes half of the processors' time.
SOON = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
NEUTRAL = HERE / "java" / "src"  # programs that refer to org.omg only


@dataclasses.dataclass(frozen=True)
class Orb:
    name: str
    library: str  # a file of it; the others lie beside it
    orb_class: str
    singleton: str
    at_loopback: tuple  # arguments of a server
    needs: tuple = ()  # whose IDL compiler it uses

    def properties(self):
        """For the JVM."""
        return [f"-Dorg.omg.CORBA.ORBClass={self.orb_class}", f"-Dorg.omg.CORBA.ORBSingletonClass={self.singleton}"]


ORBS = {orb.name: orb for orb in (
    Orb("openjdk", "openjdk-orb-*.jar", "com.sun.corba.se.impl.orb.ORBImpl", "com.sun.corba.se.impl.orb.ORBSingleton",
        ("com.sun.CORBA.ORBServerHost=127.0.0.1",)),
    Orb("yoko", "yoko-core-*.jar", "org.apache.yoko.orb.CORBA.ORB", "org.apache.yoko.orb.CORBA.ORBSingleton",
        ("yoko.orb.oa.endpoint=iiop --bind 127.0.0.1 --host 127.0.0.1",), ("openjdk",)))}


def add_options(tests):
    parser = tests.add_parser("java", help=__doc__.splitlines()[0])
    parser.add_argument("--orb", required=True, choices=ORBS)
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    parser.set_defaults(run=run)


def command(folder, name, arguments, properties=()):
    """What runs the program of that name."""
    if (folder / UNREACHED).exists():
        print(f"skipped: {(folder / UNREACHED).read_text()}")
        sys.exit(SKIPPED)
    return jvm(folder, properties, f"-XX:SharedArchiveFile={folder / ARCHIVE}", name, *arguments)


def program(folder, orb, name, arguments, properties=()):
    """The same for an ORB of this file; `folder`: JacORB's, beside which theirs are."""
    return command(folder.with_name(orb), name, arguments, [*ORBS[orb].properties(), *properties])


def jvm(folder, properties, *arguments):
    return ["java", "-Xmx256m", *SOON, "-Dfile.encoding=UTF-8", *properties, "-cp", f"{folder / PROGRAMS}:{folder / 'lib'}/*", *arguments]


def fetch(folder, pom, name, file, profile=(), user=None):
    """Into FOLDER/lib. Tests of what is made in the folder `user`, or in this one, are skipped where it cannot be had."""
    library, unreached = folder / "lib", (user or folder) / UNREACHED
    if list(library.glob(file)):
        return
    for offline in (["-o"], []):
        out = subprocess.run(["mvn", "-q", "-B", *offline, *profile, "-f", str(pom), COPY, f"-DoutputDirectory={library}"],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT,
                             env={"MAVEN_OPTS": " ".join(SOON), **os.environ})
        if out.returncode == 0:
            unreached.unlink(missing_ok=True)
            return
    if any(sign in out.stdout for sign in ("Unknown host", "UnknownHost", "Connection refused", "timed out", "unreachable")):
        why = f"{name} is not here, and Maven Central cannot be reached"
        unreached.write_text(why)
        print(f"skipped: {why}\n{out.stdout[-2000:]}")
        sys.exit(SKIPPED)
    raise Failure(f"Maven could not fetch {name}:\n" + out.stdout[-3000:])


def run_tool(command_line):
    out = subprocess.run(command_line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT)
    if out.returncode != 0:
        raise Failure(f"{command_line[0]}: {out.stdout[-3000:]}")


def prepare(folder):
    for tool in ("mvn", "java", "javac"):
        if not shutil.which(tool):
            raise Failure(f"{tool} is not installed (openjdk-17-jdk-headless, maven)")
    folder.mkdir(parents=True, exist_ok=True)


def make(folder, idls, sources, compile_idl, properties=()):
    """Makes programs.jar and its archive, unless they are of these files. compile_idl(IDL, FOLDER OF STUBS)."""
    state = hashlib.sha256(b"".join(s.read_bytes() for s in [*idls, *sources, pathlib.Path(__file__)])).hexdigest()
    stamp = folder / "made"
    if stamp.exists() and stamp.read_text() == state:
        return
    stubs, classes = folder / "stubs", folder / "classes"
    for made in (stubs, classes):
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir()
    for idl in idls:
        compile_idl(idl, stubs)
    tools = [f"-J{option}" for option in SOON]
    run_tool(["javac", *tools, "-nowarn", "-Xlint:none", "-encoding", "UTF-8", "-d", classes, "-cp", f"{folder / 'lib'}/*",
              *sorted(stubs.rglob("*.java")), *(s for s in sources if s.suffix == ".java")])
    run_tool(["jar", *tools, "cf", folder / PROGRAMS, "-C", classes, "."])
    # Where the JVM makes no archive it starts without, and says nothing.
    (folder / ARCHIVE).unlink(missing_ok=True)
    subprocess.run(jvm(folder, properties, f"-XX:ArchiveClassesAtExit={folder / ARCHIVE}", "mixed.Server"), stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=TIMEOUT, check=False)
    stamp.write_text(state)


def run(options, _):
    folder, orb = options.folder.resolve(), ORBS[options.orb]
    prepare(folder)
    for name in (orb.name, *orb.needs):
        fetch(folder.with_name(name), HERE / "java" / "pom.xml", name, ORBS[name].library, ["-P", name], folder)
    compiler = folder.with_name((*orb.needs, orb.name)[0]) / "lib"

    def compile_idl(idl, stubs):
        run_tool(["java", *SOON, "-cp", f"{compiler}/*", "com.sun.tools.corba.se.idl.toJavaPortable.Compile", "-fall", "-td", stubs, idl])
        for factory in stubs.rglob("*DefaultFactory.java"):  # of values in classes that it expects elsewhere
            factory.unlink()

    idls = [HERE / f"{name}.idl" for name in ("mixed", "foreign", "strangers", "whereabouts")]
    make(folder, idls, sorted(NEUTRAL.rglob("*.java")), compile_idl, orb.properties())
