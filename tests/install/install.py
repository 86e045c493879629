#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs a build of callis and builds the projects of consumers/ against it, as users would, and runs what comes of them.

    install.py WAY --build BUILD [--work FOLDER]

WAY: cmake, make, meson   the build installed under a path with spaces, found by find_package() or by pkg-config
     examples             examples/, one as a project of its own and ten together, and examples/run.py runs them
     examples_all         the same with all of them
     services             a servant that inherits the Property Service's operations, against libcallis_properties, by CMake and
                          by hand with pkg-config
     older                what a compiler of C++17 says about the headers, and what CMake says of another version
     components           installed part by part; no part changes what programs do that do not use it (components.py)
     over                 installed over another version, whose programs keep their library
     user                 installed by root and used by another user; installed by that user under DESTDIR, and moved
     headers              every header that an installed one includes is installed
     readme               types what README.md says after `cmake --install`, by CMake and by hand
     readme_whole         the same with callis built and installed as README.md says, in a copy of this tree
     fetch                callis as a part of the user's own project (FetchContent), -O3 and warnings as errors
     debs                 the Debian packages: lintian finds no errors, and in a clean system they build the same project and
                          what the tutorial says
     image                the container image of the services is made, runs callis naming, and is called from outside (image.py)
     release              `./dev release` of this tree, in small: built twice and compared; SBOM and sums hold
     aarch64              callis cross-compiled and installed, its consumer cross-compiled and run under qemu-user

The exit status is 77 where a tool that the way needs is missing."""
import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import components
import image
import readme

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CONSUMERS = HERE / "consumers"
SKIPPED = 77
sys.path.insert(0, str(ROOT / "tests"))
from harness.ports import fixed_port  # noqa: E402, pylint: disable=wrong-import-position


def run(*words, cwd=None, env=None, good=True, user=None):
    """What a command printed; ends the test when it fails, or with good=False when it does not."""
    words = [str(w) for w in words]
    who = {} if user is None else {"user": user, "group": user, "extra_groups": []}
    done = subprocess.run(words, cwd=cwd, env=env, **who, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if (done.returncode == 0) != good:
        sys.exit(f"{' '.join(words)}\nstatus {done.returncode}\n{done.stdout}")
    return done.stdout


def expect(program, *before, env=None):
    out = run(*before, program, env=env)
    if out != "OK\n":
        sys.exit(f"{program} printed:\n{out}")
    print(f"{pathlib.Path(program).name}: OK")


def need(*tools):
    missing = [t for t in tools if shutil.which(t) is None]
    if missing:
        print(f"skipped: {', '.join(missing)} missing")
        sys.exit(SKIPPED)


class Place:
    """A folder to work in and the build; installed() is where the build has been installed."""

    def __init__(self, folder, build):
        self.folder, self.build = folder, build

    def installed(self):
        prefix = self.folder / "a prefix"
        run("cmake", "--install", self.build, "--prefix", prefix)
        return prefix

    def flat(self):
        """The same, for make and Meson, whose lists of files have no names with spaces."""
        flat = self.folder / "prefix"
        flat.symlink_to(self.installed())
        return flat

    def cached(self):
        """An environment in which CMake compiles by ccache, which finds files again that stood in another such folder."""
        if shutil.which("ccache") is None:
            return None
        return dict(os.environ, CMAKE_CXX_COMPILER_LAUNCHER="ccache", CCACHE_BASEDIR=str(self.folder))

    def environment(self, prefix):
        libraries = next(prefix.glob("lib*/**/libcallis.so")).parent
        return dict(os.environ, PKG_CONFIG_PATH=str(libraries / "pkgconfig"), LD_LIBRARY_PATH=str(libraries),
                    CCACHE_DISABLE="1")


def build_with_cmake(folder, source, *options, programs, env=None):
    run("cmake", "-S", source, "-B", folder, "-G", "Ninja", *options, env=env)
    run("cmake", "--build", folder, "--target", *programs, env=env)


def with_cmake(place):
    out = place.folder / "out"
    programs = ["bank", "bank_static", "bank_small"]
    build_with_cmake(out, CONSUMERS / "cmake", f"-DCMAKE_PREFIX_PATH={place.installed()}", programs=programs)
    for program in programs:
        expect(out / program)
    run("cmake", "--build", out)
    os.utime(place.folder / "a prefix/share/callis/idl/TimeBase.idl")  # which bank.idl includes
    if "callis-idl bank.idl" not in run("cmake", "--build", out, "--target", "bank"):
        sys.exit("a changed TimeBase.idl did not have bank.idl compiled anew")


def with_services(place):
    need("pkg-config", "g++")
    prefix = place.flat()
    out = place.folder / "out"
    build_with_cmake(out, CONSUMERS / "services", f"-DCMAKE_PREFIX_PATH={prefix}", programs=["all"])
    for program in ("boiler", "boiler_static"):
        expect(out / program)
    if (prefix / "include/callis/services/lifecycle.h").exists():
        for program in ("home", "home_static"):
            expect(out / program, "env", "-C", place.folder)  # its store
    # Nobody listens there: the program ends nevertheless.
    run(out / "lines", env=dict(os.environ, CALLIS_LOG_SINK="corbaloc::127.0.0.1:9/LogSink"))
    environment = place.environment(prefix)

    def told(*words):
        return run("pkg-config", *words, "callis-properties", env=environment).split()

    by_hand = place.folder / "by hand"
    by_hand.mkdir()
    run(prefix / "bin/callis-idl", "-o", by_hand, "-I", *told("--variable=idldir"), CONSUMERS / "boiler.idl")
    (by_hand / "boiler.cpp").rename(by_hand / "boiler_stubs.cpp")  # boiler.cpp is the program's name, too
    run("g++", "-std=c++20", *told("--cflags"), f"-I{by_hand}", "-o", by_hand / "boiler", CONSUMERS / "boiler.cpp",
        by_hand / "boiler_stubs.cpp", by_hand / "boiler_skel.cpp", *told("--libs"), env=environment)
    expect(by_hand / "boiler", env=environment)
    # The library for servants is no service: neither its program's parts nor its store are in it.
    needed = re.findall(r"^\s+(lib\S+) ", run("ldd", by_hand / "boiler", env=environment), re.MULTILINE)
    if [n for n in needed if re.match("lib(sqlite|curl)", n)]:
        sys.exit(f"a servant with properties needs {needed}")


def with_examples(place, numbers=range(1, 100)):
    prefix, examples, out = place.installed(), ROOT / "examples", place.folder / "out"
    hello = place.folder / "hello"  # one alone, then those of these numbers together
    build_with_cmake(hello, examples / "01-hello", f"-DCMAKE_PREFIX_PATH={prefix}", programs=["all"], env=place.cached())
    run("cmake", "-S", examples, "-B", out, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", env=place.cached())
    configured = sorted(f.parent.name for f in out.glob("*/cmake_install.cmake"))
    if shutil.which("ffmpeg") and "17-video" not in configured:
        sys.exit("17-video was left out, though there is ffmpeg")
    chosen = [e for e in configured if int(e[:2]) in numbers]
    run("cmake", "--build", out, "--target", *(f"{e}/all" for e in chosen), env=place.cached())
    print(run(sys.executable, examples / "run.py", "--programs", out, "--bridge", prefix / "bin/callis-bridge", *chosen))


def with_some_examples(place):
    """Most of the others need callis::callis alone, which the ways cmake, make and meson show."""
    with_examples(place, (1, 6, *range(12, 100)))


def with_make(place):
    need("make", "pkg-config")
    environment = place.environment(place.flat())
    out = place.folder / "out"
    out.mkdir()
    run("make", "-f", CONSUMERS / "make/Makefile", f"SOURCES={CONSUMERS}", cwd=out, env=environment)
    expect(out / "bank", env=environment)


def with_meson(place):
    need("meson", "pkg-config", "ninja")
    environment = place.environment(place.flat())
    source = place.folder / "source"
    shutil.copytree(CONSUMERS / "meson", source)
    shutil.copy(CONSUMERS / "bank.idl", source)
    shutil.copy(CONSUMERS / "bank.cpp", source / "main.cpp")
    out = place.folder / "out"
    run("meson", "setup", out, source, env=environment)
    run("ninja", "-C", out, env=environment)
    expect(out / "bank", env=environment)


def with_older(place):
    prefix = place.installed()
    for compiler in ("g++", "clang++-14"):
        if shutil.which(compiler) is None:
            continue
        source = place.folder / "old.cpp"
        source.write_text("#include <callis/corba.h>\nint main() {}\n")
        said = run(compiler, "-std=c++17", f"-I{prefix}/include", "-fsyntax-only", source, good=False)
        errors = [line for line in said.splitlines() if "error:" in line]
        if len(errors) != 1 or "callis needs C++20: compile with -std=c++20" not in errors[0]:
            sys.exit(f"{compiler} says:\n{said}")
    project = place.folder / "project"
    project.mkdir()
    (project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.20)\nproject(p CXX)\n"
                                            "find_package(callis 9.1 CONFIG REQUIRED)\n")
    said = run("cmake", "-S", project, "-B", place.folder / "out", f"-DCMAKE_PREFIX_PATH={prefix}", good=False)
    if "9.1" not in said or "version: 0." not in said:
        sys.exit(f"CMake says:\n{said}")
    # Generated code of another version is refused by name.
    run(prefix / "bin/callis-idl", "-o", place.folder, CONSUMERS / "bank.idl")
    header = place.folder / "bank.h"
    header.write_text(re.sub(r"kGeneratedForm == \d+", "kGeneratedForm == 99", header.read_text()))
    said = run("g++", "-std=c++20", f"-I{prefix}/include", f"-I{prefix}/include/callis/idl", f"-I{place.folder}", "-fsyntax-only",
               place.folder / "bank.cpp", good=False)
    if "another version of callis-idl: generate it anew" not in said:
        sys.exit(f"the compiler says:\n{said}")


def library_of(program, env=None):
    """Which libcallis.so a program is run with."""
    return re.search(r"libcallis[.]so\S* => (.*) \(0x", run("ldd", program, env=env)).group(1)


def with_components(place):
    need("ninja")
    components.ways(place)


def with_over(place):
    """Another version lies in the prefix: of another build type, as CMake has it, with a library and a soname of its own."""
    prefix = place.installed()
    package = next(prefix.glob("lib*/**/cmake/callis"))
    libraries = package.parents[1]
    older = libraries / "libcallis.so.0.0.9"
    older.write_text("not a library")
    (libraries / "libcallis.so.0.0").symlink_to(older.name)
    (libraries / "libcallis.so").unlink()
    (libraries / "libcallis.so").symlink_to("libcallis.so.0.0")
    for kind in ("shared", "static"):
        ours = next(package.glob(f"callis_{kind}-*.cmake"))
        for build_type in ("Debug", "Release", "RelWithDebInfo", "MinSizeRel"):
            said = re.sub(r"libcallis[.]so\.\d+\.\d+(\.\d+)?", "libcallis.so.0.0.9", ours.read_text())
            said = re.sub(r"_(RELEASE|RELWITHDEBINFO|DEBUG|MINSIZEREL)\b", f"_{build_type.upper()}", said)
            (package / f"callis_{kind}-{build_type.lower()}.cmake").write_text(said)
    version = package / "callisConfigVersion.cmake"
    version.write_text(re.sub(r'PACKAGE_VERSION "[\d.]+"', 'PACKAGE_VERSION "0.0.9"', version.read_text()))
    run("cmake", "--install", place.build, "--prefix", prefix)
    if not older.exists() or (libraries / "libcallis.so.0.0").resolve() != older.resolve():
        sys.exit("programs of the other version have lost their library")
    for build_type in ("Debug", "Release"):
        out = place.folder / build_type
        build_with_cmake(out, CONSUMERS / "cmake", f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_BUILD_TYPE={build_type}",
                         programs=["bank"])
        expect(out / "bank")
        if "libcallis.so.0.0" in library_of(out / "bank"):
            sys.exit(f"{build_type}: {library_of(out / 'bank')}")


def with_readme(place):
    readme.run(place.folder, place.build)


def with_readme_whole(place):
    readme.run(place.folder)


NOBODY = 65534


def with_user(place):
    manifest = place.build / "install_manifest.txt"  # which CMake itself writes into the build's folder
    place.folder.chmod(0o755)
    root, home = place.folder / "root's", place.folder / "user's"
    home.mkdir()
    user = None
    if os.geteuid() == 0:
        user = NOBODY
        os.chown(home, NOBODY, NOBODY)
    manifest.touch()
    manifest.chmod(0o666)
    run("cmake", "--install", place.build, "--prefix", root)
    staged = dict(os.environ, DESTDIR=str(home / "stage"), HOME=str(home), CCACHE_DISABLE="1")
    run("cmake", "--install", place.build, "--prefix", "/opt/my callis", env=staged, user=user, cwd="/")
    manifest.chmod(0o644)
    for number, prefix in enumerate((root, home / "stage/opt/my callis")):
        out = home / f"out{number}"
        staged.pop("DESTDIR", None)
        run("cmake", "-S", CONSUMERS / "cmake", "-B", out, f"-DCMAKE_PREFIX_PATH={prefix}", env=staged, user=user, cwd="/")
        run("cmake", "--build", out, "--target", "bank", env=staged, user=user, cwd="/")
        expect(out / "bank")
        if not library_of(out / "bank").startswith(f"{prefix}/"):
            sys.exit(f"not from {prefix}: {library_of(out / 'bank')}")


def headers(place):
    include = place.installed() / "include"
    wrong = []
    for path in include.rglob("*"):
        for name in re.findall(r"#include <(callis/[^ >]+)>", path.read_text()) if path.is_file() else []:
            if not (include / name).is_file():
                wrong.append(f"{path.relative_to(include)} includes <{name}>, which is not installed")
    if wrong:
        sys.exit("\n".join(wrong))


def with_fetch(place):
    out = place.folder / "out"
    build_with_cmake(out, CONSUMERS / "cmake", f"-DCALLIS_SOURCE={ROOT}", "-DCMAKE_BUILD_TYPE=Release", "-DCALLIS_WERROR=ON",
                     programs=["bank"])
    expect(out / "bank")
    for path in out.iterdir():  # callis's own files stay in its own folder
        if path.name in ("lib", "bin", "features", "include"):
            sys.exit(f"callis has made {path} in the build folder of the user's project")


def lintian(debs):
    said = run("lintian", "--fail-on", "error,warning", "--allow-root", *debs)
    print(said)


def need_root():
    if os.geteuid() != 0:
        print("skipped: debootstrap, mmdebstrap and chroot need root")
        sys.exit(SKIPPED)


def with_image(place):
    if not shutil.which("podman") and not shutil.which("buildah"):
        need("debootstrap", "chroot", "unshare")
        need_root()
    run(ROOT / "dev", "package")
    image.way(place.folder, place.build, ROOT / "build/package/package", fixed_port())


def with_release(place):
    """Of a copy of this tree with what is changed in it, so that no change is in the way."""
    need("mmdebstrap", "git", "xz", "unshare")
    need_root()
    source, out = place.folder / "source", place.folder / "out"
    run("git", "clone", "--quiet", "--shared", ROOT, source)
    if changed := run("git", "-C", ROOT, "stash", "create").strip():
        run("git", "-C", source, "fetch", "--quiet", ROOT, changed)
        run("git", "-C", source, "checkout", "--quiet", "FETCH_HEAD")
    machine = run("dpkg", "--print-architecture").strip()
    print(run(source / "dev", "release", "--trial", "--architectures", machine, "--components", "core;compiler", "--out", out,
              "--root", ROOT / "build/release-root/test"))
    run("sha256sum", "--strict", "-c", "SHA256SUMS", cwd=out)
    debs = sorted(out.glob("*.deb"))
    spdx = json.loads(next(out.glob("*.spdx.json")).read_text(encoding="utf-8"))
    described = {p["packageFileName"] for p in spdx["packages"] if "packageFileName" in p}
    if missing := {deb.name for deb in debs} - described or len(debs) < 3:
        sys.exit(f"the SPDX document lacks {missing} of {debs}")
    compiler = next(deb for deb in debs if deb.name.startswith("callis-idl_"))
    run("dpkg-deb", "-x", compiler, place.folder / "unpacked")
    program = place.folder / "unpacked/usr/bin/callis-idl"
    if run(program, "--version") != run(place.build / "bin/callis-idl", "--version"):
        sys.exit("the released callis-idl is of another version")
    digest = hashlib.sha256(program.read_bytes()).hexdigest()
    if not any(c["checksumValue"] == digest for file in spdx["files"] for c in file["checksums"]):
        sys.exit("the SPDX document has another SHA-256 of callis-idl")
    names = {p["name"] for p in spdx["packages"]}
    if missing := {"libcli11-dev", "libc6", "callis-idl"} - names:
        sys.exit(f"the SPDX document does not name {missing}")
    (source / "README.md").write_text("changed\n")
    said = run(source / "dev", "release", "--out", place.folder / "refused", good=False)
    if "changes that are in no commit" not in said:
        sys.exit(f"./dev release of a changed tree said:\n{said}")


def with_debs(place):
    need("dpkg-deb", "lintian", "debootstrap", "chroot")
    need_root()
    run(ROOT / "dev", "package")
    packages = ROOT / "build/package"
    debs = sorted((packages / "package").glob("*.deb"))
    names = {deb.name.split("_")[0] for deb in debs}
    version = re.search(r"project\(callis VERSION (\d+\.\d+)", (ROOT / "CMakeLists.txt").read_text())[1]
    if missing := {f"libcallis{version}", "libcallis-dev", f"libcallis-rt{version}", "callis-idl", "callis-tools", "callis-naming"} - names:
        sys.exit(f"no package {missing} among {names}")
    core = next(deb for deb in debs if deb.name.startswith(f"libcallis{version}_"))
    depends = re.findall(r"[\w.+-]+(?= |,|$)", re.sub(r"\([^)]*\)", "", run("dpkg-deb", "-f", core, "Depends")))
    if set(depends) - {"libc6", "libgcc-s1", "libstdc++6"}:
        sys.exit(f"{core.name} depends on {depends}")
    lintian(debs)
    archive = packages / "archive"  # what debootstrap has fetched, for the next time
    archive.mkdir(exist_ok=True)
    root = place.folder / "root"
    run("debootstrap", "--variant=minbase", f"--cache-dir={archive}",
        # What programs of services depend on, too: dpkg does not fetch it.
        "--include=g++,make,cmake,pkg-config,python3,libmicrohttpd12,libsqlite3-0,libssl3", "bookworm", root)
    shutil.copytree(CONSUMERS, root / "consumers")
    shutil.copytree(ROOT / "examples", root / "examples")
    for part in ("tests/tutorial", "tests/harness", "examples/tutorial-bank", "docs/guide"):  # what the tutorial's test reads
        shutil.copytree(ROOT / part, root / "callis" / part)
    for deb in debs:
        shutil.copy(deb, root)
    environment = dict(os.environ, PATH="/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL="C", PORT=str(fixed_port()),
                       PYTHONDONTWRITEBYTECODE="1")
    print(run("chroot", root, "sh", "-ec", INSIDE, env=environment))


# Inside the clean system: the packages are installed, used as a user would by make and by CMake, found in the places where
# Debian has such files, and removed without a trace.
INSIDE = """
find / -xdev \\( -path /proc -o -path /sys -o -path /tmp -o -path /var -o -path /dev \\) -prune -o -print | sort >/tmp/before
dpkg -i /*.deb
mkdir /tmp/make
cd /tmp/make
make -f /consumers/make/Makefile SOURCES=/consumers
./bank
cmake -S /consumers/cmake -B /tmp/cmake
cmake --build /tmp/cmake
/tmp/cmake/bank
/tmp/cmake/bank_static
cmake -S /consumers/services -B /tmp/boiler
cmake --build /tmp/boiler
/tmp/boiler/boiler
/tmp/boiler/boiler_static
cmake -S /examples/01-hello -B /tmp/hello
cmake --build /tmp/hello
callis config >/dev/null
callis-idl --version
python3 /callis/tests/tutorial/run.py --prefix /usr --port $PORT
dpkg -P $(dpkg-query -W -f '${Package}\n' | grep callis)
find / -xdev \\( -path /proc -o -path /sys -o -path /tmp -o -path /var -o -path /dev \\) -prune -o -print | sort >/tmp/after
comm -13 /tmp/before /tmp/after >/tmp/left
cat /tmp/left
test ! -s /tmp/left
"""


def with_aarch64(place):
    need("aarch64-linux-gnu-g++", "qemu-aarch64")
    tools = place.folder / "aarch64.cmake"
    page = (ROOT / "docs/guide/installing.md").read_text(encoding="utf-8")
    tools.write_text(re.search(r"`aarch64\.cmake`.*?```cmake\n(.*?)```", page, re.S)[1], encoding="utf-8")
    cross = (f"-DCMAKE_TOOLCHAIN_FILE={tools}", f"-DCALLIS_IDL_EXECUTABLE={place.build}/bin/callis-idl")
    build = place.folder / "build"
    build_with_cmake(build, ROOT, *cross, "-DCMAKE_BUILD_TYPE=Release", "-DCALLIS_BUILD_TESTS=OFF", "-DCALLIS_BUILD_EXTRAS=OFF",
                     programs=["all"])
    prefix = place.folder / "prefix"
    run("cmake", "--install", build, "--prefix", prefix)
    out = place.folder / "out"
    path = dict(os.environ, PATH=f"{place.build}/bin:{os.environ['PATH']}")  # the compiler of this machine is found by itself
    run("cmake", "-S", CONSUMERS / "cmake", "-B", out, "-G", "Ninja", cross[0], f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-Dcallis_DIR={next(prefix.glob('lib*/**/callisConfig.cmake')).parent}", env=path)
    run("cmake", "--build", out, "--target", "bank", "bank_static", env=path)
    libraries = dict(os.environ, QEMU_LD_PREFIX="/usr/aarch64-linux-gnu")
    for program in ("bank", "bank_static"):
        expect(out / program, "qemu-aarch64", env=libraries)


WAYS = {"cmake": with_cmake, "services": with_services, "examples": with_some_examples,
        "examples_all": with_examples, "make": with_make, "meson": with_meson, "older": with_older,
        "components": with_components, "over": with_over, "user": with_user, "readme": with_readme, "readme_whole": with_readme_whole,
        "headers": headers, "fetch": with_fetch, "debs": with_debs, "image": with_image, "release": with_release, "aarch64": with_aarch64}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("way", choices=WAYS)
    parser.add_argument("--build", required=True, type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument("--work", help="leave the files there")
    args = parser.parse_args()
    if args.work:
        WAYS[args.way](Place(pathlib.Path(args.work).resolve(), args.build))
        return
    with tempfile.TemporaryDirectory() as folder:
        WAYS[args.way](Place(pathlib.Path(folder), args.build))


if __name__ == "__main__":
    main()
