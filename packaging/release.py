#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a release of the commit that is checked out: the source archive, Debian packages for several machines, built in a clean Debian 12
and compared with a second build, an SPDX document of what is in them, and SHA256SUMS. README.md explains it.

    release.py [--out DIR] [--once] [--architectures amd64,arm64,armhf] [--components LIST] [--trial] [--root DIR] --packages LIST

--once          builds once: nothing is compared
--components    those of CALLIS_COMPONENTS; all, unless said
--trial         CHANGELOG.md may have changes that belong to no release yet
--root          where the clean system is made, and used again where it was made for the same packages; build/release/root
--packages      what the build needs; `./dev release` gives its lists

Exit status: 0; 1: nothing was made; 3: it is made, and something is missing or differs between the builds, which the last lines say."""
import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import compare
import sbom

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDERS = ("first", "a/second/one")  # below /build of the clean system: of unlike length and depth
CROSS = {"amd64": "x86_64-linux-gnu", "arm64": "aarch64-linux-gnu", "armhf": "arm-linux-gnueabihf"}
FOR_DEVELOPERS = {"ccache", "mold", "libgtest-dev"}
HEADERS_ALONE = {"libcli11-dev"}  # the same on all machines
DAMAGED = 3


def die(text):
    sys.exit(f"release: {text}")


def say(text):
    print(f"== {text}", flush=True)


def run(*words, **how):
    return subprocess.run([str(w) for w in words], check=True, **how)


def output(*words):
    return run(*words, stdout=subprocess.PIPE, text=True).stdout


def git(*words):
    return output("git", "-C", ROOT, *words)


def version_of(text):
    return re.search(r"^project\(callis VERSION (\d+\.\d+\.\d+)", text, re.M)[1]


def check(trial):
    """The version, when this commit can be released."""
    if changes := git("status", "--porcelain"):
        die(f"the tree has changes that are in no commit:\n{changes}")
    version = version_of(git("show", "HEAD:CMakeLists.txt"))
    first = re.search(r"^## (.*)$", git("show", "HEAD:CHANGELOG.md"), re.M)[1]
    if not trial and not first.startswith(f"{version} ("):
        die(f"CHANGELOG.md begins with '{first}', and the version is {version}")
    return version


def archive(version, out):
    path = out / f"callis-{version}.tar.xz"
    with open(path, "wb") as file:
        tar = subprocess.Popen(["git", "-C", ROOT, "archive", "--format=tar", f"--prefix=callis-{version}/", "HEAD"], stdout=subprocess.PIPE)
        subprocess.run(["xz", "-6", "--threads=1", "-c"], stdin=tar.stdout, stdout=file, check=True)
        if tar.wait():
            die("git archive failed")
    return path


def packages_for(packages, here, foreign):
    """What is installed in the clean system, and the machines that its packages are for."""
    wanted = [p for p in packages if p not in FOR_DEVELOPERS]
    libraries = [p for p in wanted if p.startswith("lib") and p.endswith("-dev") and p not in HEADERS_ALONE] + ["libstdc++6"]
    for machine in foreign:
        wanted.append(f"g++-{CROSS[machine]}".replace("_", "-"))
        wanted += [f"{library}:{machine}" for library in libraries]
    return ",".join(wanted), ",".join([here, *foreign])


def clean_system(root, packages, architectures):
    """Debian 12 with what the build needs and nothing else."""
    stamp = root.parent / f"{root.name}.made-of"
    if stamp.exists() and stamp.read_text() == f"{packages}\n{architectures}\n":
        shutil.rmtree(root / "build", ignore_errors=True)
        return
    say(f"a clean Debian 12 in {root}")
    stamp.unlink(missing_ok=True)
    root.parent.mkdir(parents=True, exist_ok=True)
    if root.exists():
        shutil.rmtree(root)
    run("mmdebstrap", "--quiet", "--variant=apt", f"--architectures={architectures}", f"--include={packages}", "bookworm", root)
    stamp.write_text(f"{packages}\n{architectures}\n")


def build(root, folder, words, epoch):
    """packaging/debs.sh in the clean system, without a network."""
    inside = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/tmp", "LC_ALL=C.UTF-8", f"SOURCE_DATE_EPOCH={epoch}",
              f"CMAKE_BUILD_PARALLEL_LEVEL={os.environ.get('CMAKE_BUILD_PARALLEL_LEVEL', os.cpu_count())}",
              "sh", "-c", f"cd /build/{folder} && exec ./packaging/debs.sh {shlex.join(words)}"]
    outside = f"mount -t proc proc {shlex.quote(str(root))}/proc && exec chroot {shlex.quote(str(root))} {shlex.join(inside)}"
    return subprocess.run(["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "sh", "-c", outside], check=False).returncode == 0


def left_out(log):
    """What CMake said of components that it could not build."""
    return re.findall(r"^-- callis: of the (component .*)$", log.read_text(encoding="utf-8"), re.M) if log.exists() else []


def build_all(root, folder, version, options, epoch, source):
    """Folders with the packages, by machine; and what could not be built."""
    place = root / "build" / folder
    place.mkdir(parents=True)
    run("tar", "-x", "-f", source, "-C", place)
    tree = f"{folder}/callis-{version}"
    made, missing = {}, []
    for machine in dict.fromkeys((options.here, *options.architectures)):
        say(f"building for {machine} in /build/{tree}")
        words = [f"build/{machine}", "--components", options.components]
        if machine != options.here:
            words += ["--cross", CROSS[machine], "--native", f"build/{options.here}"]
        result = root / "build" / tree / "build" / machine
        if not build(root, tree, words, epoch):
            if machine == options.here:
                die("the build for this machine failed")
            missing.append(f"{machine}: nothing could be built")
            continue
        missing += [f"{machine}: {what}" for what in left_out(result / "configure.log")]
        if machine in options.architectures:
            made[machine] = result
    return made, missing


def names_missing(made):
    """Packages that one machine has and another lacks."""
    names = {machine: {deb.name.split("_")[0] for deb in (folder / "package").glob("*.deb")} for machine, folder in made.items()}
    every = set().union(*names.values()) if names else set()
    return [f"{machine}: no package {name}" for machine, own in names.items() for name in sorted(every - own)]


def sums(out):
    files = sorted(p for p in out.iterdir() if p.name != "SHA256SUMS")
    text = "".join(f"{compare.sha256(p)}  {p.name}\n" for p in files)
    (out / "SHA256SUMS").write_text(text)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/release-files")
    parser.add_argument("--once", action="store_true")
    parser.add_argument("--architectures", default="amd64,arm64,armhf", type=lambda text: text.split(","))
    parser.add_argument("--components", default="all")
    parser.add_argument("--trial", action="store_true")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT / "build/release-root/root")
    parser.add_argument("--packages", required=True, type=str.split)
    options = parser.parse_args()
    if unknown := set(options.architectures) - CROSS.keys():
        die(f"no such architecture: {', '.join(sorted(unknown))}; there are {', '.join(CROSS)}")
    options.root, options.out = options.root.resolve(), options.out.resolve()
    options.here = output("dpkg", "--print-architecture").strip()
    return options


def main():
    options = parse()
    if os.geteuid() != 0:
        die("run as root: the clean system is entered by chroot")
    version = check(options.trial)
    epoch = git("log", "-1", "--format=%ct").strip()
    if options.out.exists():
        shutil.rmtree(options.out)
    options.out.mkdir(parents=True)
    source = archive(version, options.out)
    clean_system(options.root, *packages_for(options.packages, options.here, [a for a in options.architectures if a != options.here]))
    faults, builds = [], []
    for folder in FOLDERS[:1] if options.once else FOLDERS:
        made, missing = build_all(options.root, folder, version, options, epoch, source)
        builds.append(made)
        faults += [m for m in missing if m not in faults]
    made = builds[0]
    faults += names_missing(made)
    for machine, folder in made.items():
        for deb in sorted((folder / "package").glob("*.deb")):
            shutil.copy(deb, options.out)
        if len(builds) > 1:
            again = builds[1].get(machine)
            faults += [f"{machine}: differs: {what}" for what in
                       (compare.differences(folder / "package", again / "package") if again else ["the second build failed"])]
    say("what is in it")
    document = sbom.document(version, git("rev-parse", "HEAD").strip(), int(epoch), source, made)
    sbom.write(document, options.out / f"callis-{version}.spdx.json")
    sums(options.out)
    count = len(list(options.out.glob("*.deb")))
    say(f"{options.out}: {count} packages of {version} for {', '.join(made)}" + ("" if options.once else ", each built twice and compared"))
    for fault in faults:
        print(f"release: {fault}")
    return DAMAGED if faults else 0


if __name__ == "__main__":
    sys.exit(main())
