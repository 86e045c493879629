# SPDX-License-Identifier: Apache-2.0
"""Cases of mixed.idl over TLS between two ORBs, with certificates of `callis tls`; and who is refused.

    run.py tls --callis PROGRAM --programs DIR --client omni --server callis --group types
    run.py tls ... --stranger         the client's certificate is another authority's: nobody answers it
    run.py tls-offers --callis PROGRAM --programs DIR     what a server offers, by `openssl s_client`
"""
import pathlib
import re
import shutil
import subprocess
import tempfile

from harness.process import Failure
from harness.reference import Reference
from interop import jacorb

TIMEOUT = 100
PEERS = ("callis", "omni", "jacorb")
PASSWORD = "changeit"
OF_ROLE = {"server": "server", "client": "peer"}  # names of certificates


def add_options(tests):
    parser = tests.add_parser("tls", help=__doc__.splitlines()[0])
    parser.add_argument("--callis", required=True, help="the program callis")
    parser.add_argument("--programs", required=True, type=pathlib.Path, help="directory of the programs")
    parser.add_argument("--jacorb", type=pathlib.Path, help="what jacorb.py has made")
    parser.add_argument("--client", required=True, choices=PEERS)
    parser.add_argument("--server", required=True, choices=PEERS)
    parser.add_argument("--group", default="types")
    parser.add_argument("--stranger", action="store_true", help="the client is of another site")
    parser.add_argument("--threads", default="connection", help="who serves, in callis")
    parser.set_defaults(run=run)
    parser = tests.add_parser("tls-offers", help="the versions and the ciphers of a server, by openssl s_client")
    parser.add_argument("--callis", required=True)
    parser.add_argument("--programs", required=True, type=pathlib.Path)
    parser.set_defaults(run=run_offers)


def quietly(command):
    out = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True, timeout=TIMEOUT)
    if out.returncode != 0:
        raise Failure(f"{command[0]}: {out.stdout[-2000:]}")


def make_site(options, folder):
    quietly([options.callis, "tls", "init", folder, "--host", "127.0.0.1", "--host", "localhost"])
    # Clients of mixed.idl are called back: as servers.
    quietly([options.callis, "tls", "issue", folder, OF_ROLE["client"], "--server", "--host", "127.0.0.1"])
    for role, name in OF_ROLE.items():  # omniORB wants both in one file
        both = folder / f"{name}.both"
        both.write_text((folder / f"{name}.key").read_text() + (folder / f"{name}.pem").read_text())
        if getattr(options, role) == "jacorb":
            make_keystore(folder, name)
    return folder


def make_keystore(folder, name):
    """JacORB wants Java's: the key with its certificate, and the authority as one that is trusted. Key and store have one password."""
    bundle, store = folder / f"{name}.p12", folder / f"{name}.jks"
    quietly(["openssl", "pkcs12", "-export", "-name", name, "-inkey", folder / f"{name}.key", "-in", folder / f"{name}.pem", "-certfile",
             folder / "ca.pem", "-out", bundle, "-passout", f"pass:{PASSWORD}"])
    quietly(["keytool", "-importkeystore", "-noprompt", "-srckeystore", bundle, "-srcstoretype", "PKCS12", "-srcstorepass", PASSWORD,
             "-destkeystore", store, "-deststoretype", "JKS", "-deststorepass", PASSWORD, "-destkeypass", PASSWORD])
    quietly(["keytool", "-importcert", "-noprompt", "-alias", "ca", "-file", folder / "ca.pem", "-keystore", store, "-storepass", PASSWORD])


def told_in_java(name, site):
    """0x60: certificates of both sides."""
    both = [f"jacorb.security.ssl.{role}.{word}_options=60" for role in ("client", "server") for word in ("supported", "required")]
    managers = [f"jacorb.security.jsse.{role}.{kind}_manager_algorithm=SunX509" for role in ("client", "server") for kind in ("key", "trust")]
    return ["OAIAddr=127.0.0.1", "OASSLPort=0", "jacorb.security.support_ssl=on",
            "jacorb.ssl.socket_factory=org.jacorb.security.ssl.sun_jsse.SSLSocketFactory",
            "jacorb.ssl.server_socket_factory=org.jacorb.security.ssl.sun_jsse.SSLServerSocketFactory",
            f"jacorb.security.keystore={site / name}.jks", f"jacorb.security.keystore_password={PASSWORD}",
            "jacorb.security.jsse.trustees_from_ks=on", *both, *managers]


def told(options, role, peer, site):
    own_name = OF_ROLE[role]
    if peer == "callis":
        own = ["-ORBCallTimeout", 20000, "-ORBTlsCA", site / "ca.pem", "-ORBTlsCertificate", site / f"{own_name}.pem", "-ORBTlsKey",
               site / f"{own_name}.key", "-ORBTlsCalls", "required"]
        return own + ["-ORBEndpoint", "tls:127.0.0.1", "-ORBServerThreads", options.threads]
    own = ["-ORBclientCallTimeOutPeriod", 20000, "-ORBgiopMaxMsgSize", 64 << 20, "-ORBsslCAFile", site / "ca.pem", "-ORBsslKeyFile",
           site / f"{own_name}.both", "-ORBsslKeyPassword", PASSWORD]
    return own + ["-ORBendPoint", "giop:ssl:127.0.0.1:", "-ORBclientTransportRule", "* ssl"]


def command(options, role, peer, site, arguments):
    if peer == "jacorb":
        return jacorb.command(options.jacorb, f"mixed.{role.capitalize()}", [*arguments, *told_in_java(OF_ROLE[role], site)])
    name = "callis_interpreted" if peer == "callis" else peer
    return [options.programs / f"mixed_{role}_{name}", *arguments, *told(options, role, peer, site)]


def run(options, processes):
    with tempfile.TemporaryDirectory(prefix="callis-tls-") as made:
        folder = pathlib.Path(made)
        site = make_site(options, folder / "site")
        of_client = make_site(options, folder / "other") if options.stranger else site
        server = processes.start("server", command(options, "server", options.server, site, []))
        reference = server.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1]
        if Reference(reference).port != 0:
            raise Failure("the reference has a port without TLS")
        facts = ["server=latin1", "wide=yes", "marks=yes", "throws=any", "high=yes", f"texts={'no' if options.server == 'omni' else 'yes'}",
                 "component=no"]
        client = processes.start("client", command(options, "client", options.client, of_client, [reference, options.group, *facts]))
        status = client.finish(TIMEOUT)
        said = "\n".join(client.output)
        found = re.search(r"^checks (\d+)$", said, re.MULTILINE)
        if options.stranger:
            # JacORB's client tells what failed, and counts no checks.
            if found and int(found.group(1)) != 0 or status == 0 and not found:
                raise Failure("a stranger was served")
            if options.client == "callis" and "NO_PERMISSION" not in said:
                raise Failure("the stranger was not told NO_PERMISSION")
            print("refused")
        elif status != 0 or not found or int(found.group(1)) == 0:
            raise Failure(f"the client ended with status {status}")
        else:
            print(found.group(0))
        server.end_input()
        status = server.finish(TIMEOUT)
        if status != 0:
            raise Failure(f"the server ended with status {status}")


# What s_client is told, whether the handshake must succeed, and what it must say.
OFFERS = (
    ("TLS 1.3", ["-tls1_3"], True, "TLSv1.3"),
    ("TLS 1.2", ["-tls1_2"], True, "TLSv1.2"),
    ("TLS 1.1", ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"], False, ""),
    ("TLS 1.0", ["-tls1", "-cipher", "DEFAULT@SECLEVEL=0"], False, ""),
    ("no forward secrecy", ["-tls1_2", "-cipher", "AES128-GCM-SHA256"], False, ""),
    ("CBC", ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA"], False, ""),
    ("no authentication", ["-tls1_2", "-cipher", "aNULL@SECLEVEL=0"], False, ""),
    ("ChaCha20", ["-tls1_2", "-cipher", "ECDHE-ECDSA-CHACHA20-POLY1305"], True, "CHACHA20"),
    ("compression", ["-tls1_2", "-comp"], True, "Compression: NONE"),
    ("renegotiation", ["-tls1_2"], True, "Secure Renegotiation IS supported"))


def run_offers(options, processes):
    if not shutil.which("openssl"):
        raise Failure("openssl is not installed")
    options.threads, options.client, options.server = "connection", "callis", "callis"
    with tempfile.TemporaryDirectory(prefix="callis-tls-") as made:
        site = make_site(options, pathlib.Path(made) / "site")
        server = processes.start("server", [*command(options, "server", "callis", site, []), "-ORBEndpoint", "tls:127.0.0.1:0"])
        reference = server.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1]
        shown = subprocess.run([options.callis, "ior", reference], stdout=subprocess.PIPE, text=True, timeout=TIMEOUT).stdout
        port = re.search(r"TLS on port (\d+)", shown).group(1)
        for name, words, good, says in OFFERS:
            out = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-CAfile", site / "ca.pem", "-verify_return_error",
                                  "-cert", site / "client.pem", "-key", site / "client.key", *words],
                                 input="", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT)
            done = "Verify return code: 0 (ok)" in out.stdout and "Cipher is (NONE)" not in out.stdout
            if done != good or says not in out.stdout:
                raise Failure(f"{name}: the handshake {'succeeded' if done else 'failed'}\n{out.stdout[-1500:]}")
            print(f"{name}: {'offered' if good else 'refused'}")
        server.end_input()
        if server.finish(TIMEOUT) != 0:
            raise Failure("the server did not end well")
