# SPDX-License-Identifier: Apache-2.0
"""References with several addresses (CORBA 3.3 part 2, 9.7.2 and 9.7.3), not all of which somebody listens at.

addresses: TAG_ALTERNATE_IIOP_ADDRESS, and below 1.2, where there is no such thing, a profile for each. Two processes serve
the same persistent objects, one at each address, and come and go. replicas: profiles of two servers, each with its own key.
"""
from harness.ports import fixed_port
from harness.process import Failure
from harness.reference import Reference
from interop import whereabouts
from interop.whereabouts import Client, Server, check

TAG_ALTERNATE_IIOP_ADDRESS = 3


def add_options(tests):
    parser = tests.add_parser("alternates", help=__doc__.splitlines()[0])
    whereabouts.add_options(parser)
    parser.add_argument("--other", choices=whereabouts.PEERS, help="the second server; without: the same ORB")
    parser.add_argument("--case", required=True, choices=CASES)
    parser.add_argument("--client-options", default="", help="separated by spaces")
    parser.set_defaults(run=run)


def run(options, processes):
    CASES[options.case](options, processes)


def two_ports():
    first = fixed_port()
    while (second := fixed_port()) == first:
        pass
    return first, second


# ---- one key, two addresses ----

def published(peer, first, second):
    addresses = [f"127.0.0.1:{port}" for port in (first, second)]
    return {"callis": ["-ORBPublish", ",".join(addresses)],
            "omni": ["-ORBendPointPublish", ",".join(f"giop:tcp:{address}" for address in addresses)],
            "jacorb": ["jacorb.ior_proxy_host=127.0.0.1", f"jacorb.ior_proxy_port={first}",
                       f"jacorb.iiop.alternate_addresses={addresses[1]}"]}[peer]


def addresses(options, processes):
    first, second = two_ports()

    def begin(name, port):
        return Server(options, processes, name, port=port, more=published(options.server, first, second))

    two = begin("two", second)
    text = two.reference("lasting/inner", "object")
    check_form(options, Reference(text), first)
    client = Client(options, processes, options.client_options.split())
    client.refer(object=text)
    client.expect("locate object", "ok")
    client.expect("who object", "said two:object")

    one = begin("one", first)
    if options.client == "callis":  # which tries them in their order
        another = Client(options, processes, options.client_options.split())
        another.refer(object=text)
        another.expect("who object", "said one:object")
        another.end()
    two.end()
    turns_to(client, "one", may_be_lost=client.peer == "omni")  # it does not look whether it is closed
    client.expect("gone object", "said false")

    two = begin("two", second)
    one.kill()
    turns_to(client, "two", may_be_lost=True)
    two.end()
    if not (answer := client.ask("who object")).startswith("raised COMM_FAILURE") or client.peer != "omni":
        check("who object", answer, "raised TRANSIENT", "NO")
    begin("one", first)
    client.expect("who object", "said one:object")
    client.end()


def turns_to(client, name, may_be_lost):
    """The call that finds its connection gone goes to the other address, unless it may have been executed."""
    answer = client.ask("who object")
    if not (may_be_lost and answer.startswith("raised COMM_FAILURE") and answer.endswith("MAYBE")):
        check("who object", answer, f"said {name}:object")
    client.expect("who object", f"said {name}:object")


def check_form(options, reference, first):
    profiles, alternates = len(reference.profiles), reference.component_tags.count(TAG_ALTERNATE_IIOP_ADDRESS)
    if (profiles, alternates) != ((1, 1) if options.version == "1.2" else (2, 0)) or reference.port != first:
        raise Failure(f"the reference has {profiles} profiles and {alternates} alternate addresses, the first {reference.port}")


# ---- two keys ----

def replicas(options, processes):
    one = Server(options, processes, "one")
    two = Server(options, processes, "two", peer=options.other)
    both = Reference(one.reference("located", "object")).with_profiles_of(Reference(two.reference("lasting/inner", "object")))
    client = Client(options, processes, options.client_options.split())
    client.refer(object=both)
    client.expect("who object", "said one:object")
    one.end()
    turns_to(client, "two", may_be_lost=False)
    late = Client(options, processes, options.client_options.split())
    late.refer(object=both)
    late.expect("locate object", "ok")
    late.expect("who object", "said two:object")
    two.end()
    for each in (client, late):
        each.expect("who object", "raised TRANSIENT", "NO")
        each.end()


CASES = {"addresses": addresses, "replicas": replicas}
