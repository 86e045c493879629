# SPDX-License-Identifier: Apache-2.0
"""Which versions of callis and of the other systems are measured."""
import os
import re
import subprocess

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
# Debian packages, of which each system's version is that of the system.
PACKAGES = {"ace": "libace-dev", "rpc": "libtirpc-dev", "omniorb": "libomniorb4-dev", "ice": "libzeroc-ice-dev",
            "grpc": "libgrpc++-dev", "capnp": "libcapnp-dev", "jacorb": "openjdk-17-jdk-headless"}


def output(*command):
    """What a command prints; nothing if it fails or is not there."""
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False,
                              cwd=ROOT).stdout.strip()
    except OSError:
        return ""


def jacorb():
    try:
        with open(os.path.join(ROOT, "bench", "peers", "jacorb", "pom.xml"), encoding="utf-8") as f:
            found = re.search(r"<artifactId>jacorb</artifactId>\s*<version>([^<]+)<", f.read())
    except OSError:
        return ""
    return found.group(1) if found else ""


def versions():
    """{system: version}; none for what is not installed."""
    found = {"callis": output("git", "describe", "--always", "--dirty", "--tags")}
    for system, package in PACKAGES.items():
        found[system] = output("dpkg-query", "-W", "-f=${Version}", package)
    if found["jacorb"]:
        found["jacorb"] = f"{jacorb()}, OpenJDK {found['jacorb']}"
    return {system: version for system, version in found.items() if version}
