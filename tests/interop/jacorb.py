# SPDX-License-Identifier: Apache-2.0
"""Makes the JacORB side of mixed.idl, bidirectional.idl, whereabouts.idl and foreign.idl in a folder: libraries, stubs, classes.

So it does of the services that JacORB's programs use: trading, typed events. java.py has the way.
"""
import pathlib

from interop import java

HERE = java.HERE
POM = HERE.parent.parent / "bench" / "peers" / "jacorb" / "pom.xml"
SERVICES = HERE.parent.parent / "services"
TYPED_EVENTS = [SERVICES / "events" / f"{name}.idl" for name in (
    "CosEventComm", "CosEventChannelAdmin", "typed/CosTypedEventComm", "typed/CosTypedEventChannelAdmin", "typed/testing/plant")]
INCLUDES = [f"-I{SERVICES / 'events'}", f"-I{SERVICES / 'events' / 'typed'}"]
# Of stubs: MODULE:PACKAGE. The module's name alone where the programs are for all ORBs: the JDK's finds classes of values by that.
OF_THE_OMG = [f"{name}:org.omg.{name}" for name in (
    "CosTrading", "CosEventComm", "CosEventChannelAdmin", "CosTypedEventComm", "CosTypedEventChannelAdmin")]
PACKAGES = {**dict.fromkeys(("mixed", "foreign", "strangers", "whereabouts"), []), "CosTrading": OF_THE_OMG, **{idl.stem: OF_THE_OMG for idl in TYPED_EVENTS[:4]},
            "plant": [":typed_events"]}
PROPERTIES = ("-Djacorb.log.default.verbosity=1",)
VALUES_IN_ANYS = ("-Djavax.rmi.CORBA.UtilClass=foreign.NoRmi",)  # to write them: README.md, "What JacORB cannot do"


def packages(idl):
    return [word for package in PACKAGES.get(idl.stem, [f":{idl.stem}"]) for word in ("-i2jpackage", package)]


def add_options(tests):
    parser = tests.add_parser("jacorb", help=__doc__.splitlines()[0])
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    parser.set_defaults(run=run)


def command(folder, name, arguments, properties=()):
    """What runs the program of that name."""
    return java.command(folder, name, arguments, (*PROPERTIES, *properties))


def run(options, _):
    folder = options.folder.resolve()
    java.prepare(folder)
    java.fetch(folder, POM, "JacORB", "jacorb-3*.jar")
    idls = [HERE / f"{name}.idl" for name in ("mixed", "bidirectional", "whereabouts", "foreign", "strangers")]
    idls += [SERVICES / "trading" / "CosTrading.idl", *TYPED_EVENTS]

    def compile_idl(idl, stubs):
        java.run_tool(["java", *java.SOON, "-cp", f"{folder / 'lib'}/*", "org.jacorb.idl.parser", "-d", stubs, *INCLUDES, *packages(idl), idl])

    sources = [*java.NEUTRAL.rglob("*.java"), *(HERE / "jacorb" / "src").rglob("*.java"), pathlib.Path(__file__)]
    java.make(folder, idls, sorted(sources), compile_idl, PROPERTIES)
