# SPDX-License-Identifier: Apache-2.0
"""The way "image" of install.py: the container image of packaging/image, and a naming service in it that a client outside calls.

Podman or Buildah builds the image where there is one. Elsewhere the same files come of debootstrap and of the Containerfile's own
instructions, which are read here; the service then runs by chroot, as the image's user."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONTAINERFILE = ROOT / "packaging/image/Containerfile"
SECONDS = 60


def run(*words, **how):
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **how)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}\nstatus {done.returncode}\n{done.stdout}")
    return done.stdout


def instructions(text):
    """(instruction, arguments) of a Containerfile."""
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    for line in re.sub(r"\\\n", " ", lines).splitlines():
        if line.strip():
            word, _, rest = line.strip().partition(" ")
            yield word, rest.strip()


class Chroot:
    """The image's files in a folder, and its programs by chroot."""

    def __init__(self, folder, packages):
        self.root, self.user, self.workdir, self.entry = folder / "image", "root", "/", []
        for word, rest in instructions(CONTAINERFILE.read_text(encoding="utf-8")):
            self.take(word, rest, packages)

    def take(self, word, rest, packages):
        if word == "FROM":
            if rest != "debian:12-slim":
                sys.exit(f"FROM {rest}: debootstrap makes Debian 12")
            cache = ROOT / "build/package/archive"
            cache.mkdir(parents=True, exist_ok=True)
            run("debootstrap", "--variant=minbase", f"--cache-dir={cache}", "bookworm", self.root)
        elif word == "COPY":
            pattern, to = rest.split()
            target = self.root / to.strip("/")
            target.mkdir(parents=True, exist_ok=True)
            for file in packages.glob(pattern):
                shutil.copy(file, target)
        elif word == "RUN":
            run("chroot", self.root, "sh", "-ec", rest, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"})
        elif word == "USER":
            self.user = rest
        elif word == "WORKDIR":
            self.workdir = rest
        elif word == "ENTRYPOINT":
            self.entry = json.loads(rest)
        elif word not in ("VOLUME", "EXPOSE", "CMD"):
            sys.exit(f"this test does not know {word} of a Containerfile")

    def start(self, port, *words):
        inside = ["chroot", f"--userspec={self.user}:{self.user}", str(self.root), "env", "-C", self.workdir, *self.entry, *words,
                  "-ORBEndpoint", f"tcp:127.0.0.1:{port}"]
        # Each of these programs becomes the next, so that a signal reaches the service.
        return subprocess.Popen(["unshare", "--mount", "sh", "-c", 'mount -t proc proc "$0/proc" && exec "$@"', self.root, *inside],
                                stdout=subprocess.PIPE, text=True)

    def stop(self, service):
        service.send_signal(signal.SIGTERM)
        service.wait(timeout=SECONDS)


class Engine:
    """The image, made and run by Podman; Buildah alone makes and runs it, too."""

    def __init__(self, program, packages):
        self.program = program
        build = ["build"] if program == "podman" else ["bud"]
        run(program, *build, "-t", "callis-test", "-f", CONTAINERFILE, packages)
        self.container = None if program == "podman" else run(program, "from", "callis-test").strip().splitlines()[-1]

    def start(self, port, *words):
        words = [*words, "-ORBEndpoint", f"tcp:127.0.0.1:{port}"]
        if self.container is None:
            command = ["podman", "run", "--rm", "--name", "callis-test", "--network=host", "-v", "callis-test:/var/lib/callis", "callis-test", *words]
        else:
            command = ["buildah", "run", "--network=host", self.container, "--", "callis", *words]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def stop(self, service):
        if self.container is None:
            run("podman", "stop", "callis-test")
        else:
            service.send_signal(signal.SIGTERM)
        service.wait(timeout=SECONDS)


def way(folder, build, packages, port):
    """packages: the folder with the Debian packages."""
    engine = next((program for program in ("podman", "buildah") if shutil.which(program)), None)
    image = Engine(engine, packages) if engine else Chroot(folder, packages)
    client = build / "bin/callis-ns"
    names = ("--name-service", f"corbaloc::127.0.0.1:{port}/NameService")
    reference = "corbaloc::127.0.0.1:9/Nobody"
    for first in (True, False):  # the second time what the first has kept is there
        service = image.start(port, "naming", "--store", "/var/lib/callis/naming.db", "--allow", "admin=any")
        try:
            said = service.stdout.readline()
            if not said.startswith("IOR:"):
                sys.exit(f"callis naming in the image printed: {said}")
            if first:
                run(client, "bind", "kept", reference, *names)
            listed = run(client, "ls", *names)
            if "kept" not in listed:
                sys.exit(f"callis ns ls printed: {listed}")
        finally:
            image.stop(service)
    print(f"{engine or 'debootstrap and chroot'}: the service answered, and kept what it was told")
