# SPDX-License-Identifier: Apache-2.0
"""The programs under test and how each ORB is told things."""
import pathlib

PEERS = ("omni", "callis-interpreted", "callis-compiled")
OMNI_MAX_MESSAGE_BYTES = 64 << 20  # its default is 2 MiB; ours suffices


def is_callis(peer):
    return peer != "omni"


def program(directory, role, peer):
    return pathlib.Path(directory) / f"interop_{role}_{peer.replace('-', '_')}"


def options(peer, version=None, fragment_bytes=None, sync_scope=None):
    """ORB options: highest GIOP version, size of fragments (callis only; omniORB's is its buffer's), what oneways wait
    for (callis only)."""
    if peer == "micro":  # it speaks the version of the reference, and that of the request
        return ["-ORBCallTimeout", 20000, "-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBMaxMessageSize", 8 << 20]
    if is_callis(peer):
        told = ["-ORBCallTimeout", 20000]
        told += ["-ORBEndpoint", "tcp:127.0.0.1"]
        if version:
            told += ["-ORBGIOPVersion", version]
        if fragment_bytes:
            told += ["-ORBFragmentSize", fragment_bytes]
        if sync_scope:
            told += ["-ORBSyncScope", sync_scope]
        return told
    told = ["-ORBgiopMaxMsgSize", OMNI_MAX_MESSAGE_BYTES, "-ORBclientCallTimeOutPeriod", 20000]
    told += ["-ORBendPoint", "giop:tcp:127.0.0.1:"]
    if version:
        told += ["-ORBmaxGIOPVersion", version]
    return told
