#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on a unit of systemd that lets a service do more than it needs, or leaves what it keeps readable for others.

    units.py ROOT        reads all services/*/callis-*.service, and that docs/guide/deployment.md names each setting
    units.py --self-test

`callis imr` starts users' programs, which inherit what its unit sets: it has a shorter list. No unit may have a setting
of the lists with another value.
"""
import pathlib
import re
import sys

# None: set to nothing.
HARDENED = {
    "Type": "notify", "DynamicUser": "yes", "UMask": "0077", "NoNewPrivileges": "yes", "ProtectSystem": "strict",
    "ProtectHome": "yes", "ProtectProc": "invisible", "ProtectClock": "yes", "ProtectHostname": "yes",
    "ProtectControlGroups": "yes", "ProtectKernelLogs": "yes", "ProtectKernelModules": "yes", "ProtectKernelTunables": "yes",
    "PrivateTmp": "yes", "PrivateDevices": "yes", "RestrictAddressFamilies": "AF_INET AF_INET6 AF_UNIX AF_NETLINK",
    "RestrictNamespaces": "yes", "RestrictRealtime": "yes", "RestrictSUIDSGID": "yes", "LockPersonality": "yes",
    "MemoryDenyWriteExecute": "yes", "SystemCallArchitectures": "native",
    "SystemCallFilter": "@system-service ~@privileged @resources", "SystemCallErrorNumber": "EPERM",
    "CapabilityBoundingSet": "", "AmbientCapabilities": "", "KeyringMode": "private",
}
STARTS_PROGRAMS = {
    "Type": "notify", "UMask": "0077", "ProtectHostname": "yes", "ProtectKernelLogs": "yes", "ProtectKernelModules": "yes",
    "ProtectKernelTunables": "yes", "KeyringMode": "private",
}
# What the programs that `callis imr` starts could not do without. ProtectClock takes all devices from them.
NOT_FOR_PROGRAMS = set(HARDENED) - set(STARTS_PROGRAMS)
LISTS = {"callis-imr": STARTS_PROGRAMS}


def settings_of(text):
    """Of [Service]; values of a setting that stands several times are joined."""
    out = {}
    section = ""
    for line in text.splitlines():
        if match := re.match(r"\[(\w+)\]$", line):
            section = match.group(1)
        elif section == "Service" and (match := re.match(r"(\w+)=(.*)$", line)):
            name, value = match.groups()
            out[name] = (out[name] + " " + value).strip() if name in out else value
    return out


def faults_of(name, text):
    settings = settings_of(text)
    stem = pathlib.PurePath(name).stem
    wanted = dict(LISTS.get(stem, HARDENED))
    if "StateDirectory" in settings or "STATE_DIRECTORY" in text:
        wanted |= {"StateDirectory": stem, "StateDirectoryMode": "0700"}
    for setting, value in wanted.items():
        if setting not in settings:
            yield f"{name}: {setting}={value} is missing"
        elif settings[setting] != value:
            yield f"{name}: {setting}={settings[setting]} is not {setting}={value}"
    if stem in LISTS:
        for setting in sorted(NOT_FOR_PROGRAMS & set(settings)):
            yield f"{name}: the programs that it starts would inherit {setting}"


def faults_of_page(text):
    section = text.partition("\n## A hardened unit\n")[2].partition("\n## ")[0]
    if not section:
        yield "docs/guide/deployment.md: there is no section \"A hardened unit\""
        return
    for setting in sorted(set(HARDENED) | {"StateDirectoryMode"}):
        if not re.search(rf"\b{setting}\b", section):
            yield f"docs/guide/deployment.md: \"A hardened unit\" does not name {setting}"


def self_test():
    good = "[Service]\n" + "".join(f"{name}={value}\n" for name, value in HARDENED.items())
    good += "StateDirectory=callis-x\nStateDirectoryMode=0700\n[Install]\nUMask=0\n"
    assert not list(faults_of("services/x/callis-x.service", good))
    assert list(faults_of("services/x/callis-x.service", good.replace("UMask=0077", "UMask=0022")))
    assert list(faults_of("services/x/callis-x.service", good.replace("PrivateTmp=yes\n", "")))
    assert list(faults_of("services/x/callis-x.service", good.replace("CapabilityBoundingSet=", "CapabilityBoundingSet=CAP_KILL")))
    assert list(faults_of("services/x/callis-x.service", good.replace("StateDirectoryMode=0700\n", "")))
    assert list(faults_of("services/x/callis-imr.service", good))
    assert len(list(faults_of_page("\n## A hardened unit\nUMask\n"))) == len(HARDENED)
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = pathlib.Path(sys.argv[1])
    units = sorted(root.glob("services/*/callis-*.service"))
    faults = [] if len(units) >= 9 else [f"only {len(units)} units are found"]
    for unit in units:
        faults += faults_of(str(unit.relative_to(root)), unit.read_text())
    faults += faults_of_page((root / "docs/guide/deployment.md").read_text())
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
