# SPDX-License-Identifier: Apache-2.0
"""Which layer of an ORB a function belongs to, by its name and its library's.

The first pattern that is found in "LIBRARY FUNCTION" decides. CALLER stands for whoever calls: helpers that several layers
share are divided among their callers, by the instructions that each had executed there. What no pattern knows is
UNCLASSIFIED.
"""
import re

CALLER = "caller"
UNCLASSIFIED = "unclassified"
LAYERS = {
    "marshal": "values to CDR",
    "demarshal": "CDR to values",
    "headers": "GIOP headers, and the state of a call between them",
    "transport": "connections, streams, buffers, deadlines",
    "system-calls": "libc's part of system calls",
    "demultiplexing": "finding the object and the operation",
    "upcall": "skeleton and servant, with the servant's copies",
    "stub": "the client's stub and its way into the ORB",
    "memory": "allocating and freeing",
    "copying": "lengths, comparing and copying of strings and bytes by libc, and duplicating strings",
    "locks": "mutexes",
    "other": "the measuring program, the loader",
    UNCLASSIFIED: "",
}

# ---- what every system has ----
COMMON = [
    ("memory", r"libc\.\S+ _*(int_)?(malloc|malloc_usable_size|free|calloc|realloc|memalign|sbrk|brk|mmap|munmap)\b|malloc_consolidate|unlink_chunk|"
               r"libc\.\S+ (\w*arena|alloc_|sysmalloc|systrim|tcache|new_heap|heap_|grow_heap)|operator (new|delete)"),
    ("copying", r"libc\.\S+ _*(mem|str)(cpy|mov|move|set|len|cmp|chr|rchr|ncmp)"),
    ("transport", r"clock_gettime|steady_clock::now|system_clock::now|gettimeofday"),
    ("system-calls", r"libc\.\S+ _*(libc_)?(send|recv|sendmsg|recvmsg|recvfrom|sendto|read|write|readv|writev|poll|ppoll|epoll_\w+|"
                     r"select|pthread_(en|dis)able_asynccancel|errno_location|syscall)\b"),
    ("locks", r"libc\.\S+ .*(mutex|rwlock|pthread|cond|lll_|spin_|futex|clone|thread)"),
    # The measuring programs: bench/programs, and what of the standard library only they use in a steady state.
    ("upcall", r"bench::(Param|Ttcp)::|thunk_"),
    ("other", r"^\S+ (\S+ )?\(anonymous namespace\)::(operation|add|obey|run)|_Function_handler|bench::|basic_[io]stream|stdio_sync_filebuf|num_(get|put)|"
              r"ld-linux|libc\.\S+ \w*(printf|strto|hack_digit|mpn_|getc|fflush|IO_|scanf)|main$|"
              r"std::(getline|istream|ostream|ctype|locale|__cxx11|use_facet|_Hash|basic_(string|filebuf|stringbuf))"),
]

CALLIS = [
    # Plans and what compiled stubs are made of. loop, shuffle and by_32 move bytes in either direction.
    (CALLER, r"callis::marshal::.*\b(loop<|shuffle|by_32|by_16|without_zeros|copy_without_zeros|any\()"),
    ("memory", r"callis::marshal::(destroy|strings?_(free|allocate|fits|room)|buffer_\w+|value_\w+)|callis::marshal::.*Destroy|"
               r"callis::(Arena::|Buffer::|block_|blocks::)|callis::classic::\S*(new_value|~|allocbuf|freebuf|release)"),
    ("copying", r"callis::marshal::strings?_(duplicate|assign)|CORBA::callis_orb::string_(dup|free|alloc)"),
    ("marshal", r"callis::marshal::.*(EncodeWalk|put_steps|encode)|callis::marshal::.*cdr::Encoder&|callis::cdr::Encoder::|"
                   r"callis::classic::(put_|\w*encode)|callis_unit_\w+::.*(write|encode)_|(Interpreted|Compiled)Body::encode"),
    ("demarshal", r"callis::marshal::.*(DecodeWalk|get_steps|decode|flat_checked)|callis::marshal::.*cdr::Decoder&|callis::cdr::Decoder::|"
                     r"callis::classic::(get_|own_|borrow_|\w*decode)|callis_unit_\w+::.*(read|decode)_|(Interpreted|Compiled)Body::decode|"
                     r"callis::poa::check_arguments"),
    ("upcall", r"callis::poa::\(anonymous namespace\)::run\("),
    ("demultiplexing", r"callis::poa::(Dispatcher|ObjectTable|\w*[kK]ey|Adapter)|callis::\w*[hH]ash"),
    ("transport", r"callis::transport::|callis::orb::(ClientConnection|Worker::|Endpoint|Path|.*[Cc]onnection\w*::)|"
                  r"callis::(Clock|.*SteadyClock|Deadline)|callis::giop::Connection::receive"),
    ("headers", r"callis::giop::|callis::orb::(HeaderCache|Session|Invocation|complete|.*call_plainly|RequestTemplates)"),
    ("upcall", r"(^|\W)serve_\w+\(|callis::poa::|callis::classic::SequenceOf<.*>::(SequenceOf|operator=)|"
               r"bench_server_\S+ Param_Test::\w+::|bench_server_\S+ callis::classic::"),
    ("stub", r"callis::orb::invoke|bench_(caller|client)_\S+ (Param_Test|ttcp_throughput)::|callis::classic::|CORBA::callis_orb::Object|callis::orb::Reference"),
]

OMNIORB = [
    ("copying", r"CORBA::string_(dup|free|alloc)|_CORBA_String"),
    ("memory", r"~_0RL_cd_|(new|delete)_?(Buffer|buf)|giopStream_Buffer|freebuf|allocbuf"),
    ("headers", r"(un)?marshal\w*Header|giopImpl1\d::(input|output)(Message|New|Queue|Reply|Flush|Skip|Remaining)|matchVersion|"
                r"ensureSaneHeader|omni::GIOP_[CS]::(?!unmarshalIOR)|IOP_C_Holder|giopStreamImpl|ServiceContext"),
    ("demultiplexing", r"omniOrbPOA|omniObjTable|omniLocalIdentity|_impl_\w+::_(dispatch|ptrToInterface)|unmarshalIORAddressingInfo|omniObjKey"),
    ("marshal", r"operator>>=\(cdrStream&\)|omniCodeSet::.*[mM]arshal(?<!nmarshal)|cdrStream::marshal|marshalArguments(?<!unmarshalArguments)|"
                   r"(?<!un)marshalReturnedValues|copyOutputData|put_octet_array|cdrStream::.*put"),
    ("demarshal", r"operator<<=\(cdrStream&\)|nmarshal|copyInputData|get_octet_array|checkInputOverrun|cdrStream::"),
    ("transport", r"omni::(giopStream|giopStrand|giopRope|giopServer|giopWorker|tcp\w+|Socket\w+|giopConnection|giopActive|giopRendezvous|"
                  r"Strand|Rope|omniTransport|Scavenger|giopImpl)|omni_thread|omni_time"),
    ("upcall", r"omniCallHandle|_0RL_lcfn_|bench_server_\S+ (Param_Test|_CORBA)|omniServant|_CORBA_"),
    ("stub", r"_objref_|omniObjRef|omniRemoteIdentity|omniIOR|omniCallDescriptor|_0RL_cd_|bench_caller_\S+ (Param_Test|_CORBA)|_CORBA_"),
    ("other", r"libomniORB4\S* |libomnithread\S* "),  # no symbol: calls between libraries, mostly
]


def table(system):
    own = CALLIS if system.startswith("callis") else OMNIORB if system == "omniorb" else []
    return [(layer, re.compile(pattern)) for layer, pattern in COMMON + own]


class Classifier:
    def __init__(self, system):
        self.patterns = table(system)
        self.known = {}

    def of(self, key):
        """The layer, or CALLER, of a (function, library)."""
        if key not in self.known:
            text = f"{key[1]} {key[0]}"
            self.known[key] = next((layer for layer, p in self.patterns if p.search(text)), UNCLASSIFIED)
        return self.known[key]

    def shares(self, key, costs, seen=()):
        """{layer: part of 1}: one layer, but for what belongs to its callers."""
        layer = self.of(key)
        if layer != CALLER:
            return {layer: 1.0}
        callers = {c: n for c, n in costs[key].callers.items() if n > 0 and c != key and c not in seen and c in costs}
        total = sum(callers.values())
        if total <= 0:
            return {UNCLASSIFIED: 1.0}
        shares = {}
        for caller, n in callers.items():
            for layer, part in self.shares(caller, costs, (*seen, key)).items():
                shares[layer] = shares.get(layer, 0) + part * n / total
        return shares

    def divide(self, costs):
        """{layer: (instructions, calls)} of a profile; every layer is there."""
        sums = {layer: [0.0, 0.0] for layer in LAYERS}
        for key, cost in costs.items():
            for layer, part in self.shares(key, costs).items():
                sums[layer][0] += part * cost.instructions
                sums[layer][1] += part * cost.calls
        return {layer: tuple(both) for layer, both in sums.items()}
