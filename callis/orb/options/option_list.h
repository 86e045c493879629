// SPDX-License-Identifier: Apache-2.0
// The table of the ORB's options: the only list of them. A new option is a line here, a field in Options, and, for a
// new kind of value, a case in option_values.cpp. docs/guide/options.md is made from the table, and `callis config`
// prints it. A name gives three spellings: CallTimeout is -ORBCallTimeout on the command line, CALLIS_CALL_TIMEOUT in
// the environment, call_timeout in a file.
#pragma once
#include <callis/orb/options/options.h>
#include <cstddef>

namespace callis::orb {

enum class OptionKind : std::uint8_t {
  Text,    // std::string, not empty
  Number,  // an integer of 32 or 64 bits, also inside a duration
  Octal,   // the same in octal digits
  Choice,  // one of the words in wants, separated by '|'; an octet that counts them from 0
  Endpoint, Publish, InitRef,  // may be given several times
  ForwardTo,
  ConfigFile,
};

struct OptionSpec {
  const char* name;
  OptionKind kind;
  std::size_t field, bytes;    // the value's place in Options
  std::uint32_t least, most;   // of numbers
  const char* unit;            // of numbers
  const char* wants;           // the form of values
  const char* help;            // one line
  bool or_zero = false;        // 0 is allowed below least
};

#define CALLIS_OPTION_FIELD(member) offsetof(Options, member), sizeof(static_cast<Options*>(nullptr)->member)

namespace option_list {

inline constexpr std::uint32_t kMost = 0xffffffff;
inline constexpr const char kMs[] = "milliseconds", kBytes[] = "bytes";

consteval OptionSpec number(const char* name, std::size_t field, std::size_t bytes, std::uint32_t least,
                            std::uint32_t most, const char* unit, const char* help, bool or_zero = false) {
  return {name, OptionKind::Number, field, bytes, least, most, unit, "", help, or_zero};
}
consteval OptionSpec choice(const char* name, std::size_t field, std::size_t bytes, const char* words,
                            const char* help) {
  return {name, OptionKind::Choice, field, bytes, 0, 0, "", words, help};
}
consteval OptionSpec other(const char* name, OptionKind kind, std::size_t field, std::size_t bytes, const char* wants,
                           const char* help) {
  return {name, kind, field, bytes, 0, 0, "", wants, help};
}

// clang-format off
inline constexpr OptionSpec kOptionList[] = {
    other("ConfigFile", OptionKind::ConfigFile, 0, 0, "a file",
        "a file of options, one \"key = value\" a line"),
    other("id", OptionKind::Text, CALLIS_OPTION_FIELD(orb_id), "a name",
        "the ORB's id; ORB_init's own argument comes first"),
    other("ServerId", OptionKind::Text, CALLIS_OPTION_FIELD(server_id), "a name",
        "the server's id, for interceptors, and for an Implementation Repository"),
    choice("Log", CALLIS_OPTION_FIELD(log_level), "trace|debug|info|warning|error|off",
        "least level of the messages on standard error, of the whole process"),

    // Addresses
    other("Endpoint", OptionKind::Endpoint, CALLIS_OPTION_FIELD(endpoints),
        "tcp:host:port, tcp:, tls:host:port, unix:/path or memory:name",
        "where to listen; an empty host is all interfaces, port 0 or none any free one"),
    other("Publish", OptionKind::Publish, CALLIS_OPTION_FIELD(endpoints),
        "host or host:port, for tcp and tls endpoints",
        "what references carry for the TCP or TLS endpoint before it, or the first, not its own one; commas between"),
    {"UnixPermissions", OptionKind::Octal, CALLIS_OPTION_FIELD(unix_permissions), 0, 0777, "octal digits", "",
        "who may connect to the sockets of unix endpoints: the mode of their files"},
    other("InitRef", OptionKind::InitRef, CALLIS_OPTION_FIELD(initial_references), "id=uri",
        "what resolve_initial_references(id) returns"),
    other("DefaultInitRef", OptionKind::Text, CALLIS_OPTION_FIELD(default_initial_reference), "a uri",
        "resolve_initial_references(id) returns what stands at this, '/' and the id, when nothing else is known of "
        "id"),

    // Calls
    choice("GIOPVersion", CALLIS_OPTION_FIELD(version.minor), "1.0|1.1|1.2",
        "highest version spoken, and the version of references made here"),
    number("ConnectTimeout", CALLIS_OPTION_FIELD(limits.connect_timeout), 0, kMost, kMs,
        "to open a connection to one address; 0: none"),
    number("CallTimeout", CALLIS_OPTION_FIELD(limits.call_timeout), 0, kMost, kMs,
        "a whole call, connecting included; 0: none"),
    choice("SyncScope", CALLIS_OPTION_FIELD(sync_scope), "none|transport|server|target",
        "what a one-way call waits for"),
    choice("EndTimes", CALLIS_OPTION_FIELD(end_times), "everywhere|client",
        "who keeps to the end times of policies: servers, too, which need clients' clocks to be right; or clients "
        "alone"),
    choice("ClientConnections", CALLIS_OPTION_FIELD(share_connections), "exclusive|shared",
        "whether each call has a connection for itself or calls share one"),
    number("MaxConnectionsPerServer", CALLIS_OPTION_FIELD(max_connections_per_server), 0, 1024, "",
        "connections that calls to one address use; exclusive: the last is shared, 0: no limit; shared: all are, 0: "
        "one"),
    choice("IdleWatch", CALLIS_OPTION_FIELD(no_idle_watch), "thread|none",
        "what notices that a server closes a connection that no call uses: a thread, or the next call"),
    choice("Bidirectional", CALLIS_OPTION_FIELD(bidirectional), "normal|both",
        "whether calls use bidirectional GIOP where no BidirectionalPolicy says so: bidirectional.md"),
    choice("ListenPoints", CALLIS_OPTION_FIELD(listen_points), "own|any",
        "which addresses clients are believed to be reached at over their own connections: those they come from, or "
        "any"),
    number("FragmentSize", CALLIS_OPTION_FIELD(fragment_bytes), 64, kMost, kBytes,
        "GIOP 1.2 messages above it are sent in fragments; 0: never", true),
    number("Spin", CALLIS_OPTION_FIELD(spin), 0, 1000, "microseconds",
        "how long a thread may look for a message before it waits for one; 0: never"),
    number("MaxForwards", CALLIS_OPTION_FIELD(limits.max_forwards), 0, kMost, "",
        "forwards followed for one call"),
    other("ForwardTo", OptionKind::ForwardTo, CALLIS_OPTION_FIELD(forward_to),
        "outward, any, none, or a list with commas: same, host, .domain, address, network/bits, unix:/path",
        "where peers may lead calls, by forwards and references: nowhere nearer than themselves; anywhere; "
        "forwards only there, and references there, too: calls.md"),

    // Characters
    choice("NativeCharCodeSet", CALLIS_OPTION_FIELD(char_code_set), "ISO-8859-1|UTF-8",
        "what chars and strings are in memory: code-sets.md"),
    choice("NativeWCharCodeSet", CALLIS_OPTION_FIELD(wchar_code_set), "UTF-16|UCS-2|UCS-4",
        "the code set that references name first for wide characters"),
    choice("CodeSetsInReferences", CALLIS_OPTION_FIELD(leave_out_code_sets), "yes|no",
        "whether references name code sets; without them callers send ISO-8859-1 and no wide characters"),

    // Objects
    choice("Collocation", CALLIS_OPTION_FIELD(collocation), "marshaled|adapter|direct",
        "how objects of the same ORB are called, unless their adapter says otherwise"),
    choice("ObjectLookup", CALLIS_OPTION_FIELD(demultiplexing.objects), "active|hint|hash|linear",
        "how adapters find objects, unless an adapter says otherwise"),
    choice("AdapterLookup", CALLIS_OPTION_FIELD(demultiplexing.adapters), "active|path",
        "what names a transient adapter in keys: a slot, or its name and those above"),
    choice("UnguessableKeys", CALLIS_OPTION_FIELD(unguessable_keys), "no|yes",
        "whether keys of transient objects carry 64 bits that only this ORB can make: demultiplexing.md"),
    choice("ExceptionTexts", CALLIS_OPTION_FIELD(keep_exception_texts), "send|keep",
        "whether clients get the texts that servants give system exceptions: calls.md"),
    choice("OperationLookup", CALLIS_OPTION_FIELD(demultiplexing.operations), "perfect|binary|hash|linear",
        "how skeletons find operations"),

    // Messages
    number("MaxMessageSize", CALLIS_OPTION_FIELD(limits.max_message_bytes), 1024, kMost, kBytes,
        "largest message taken in, over all its fragments"),
    number("InitialMessageSize", CALLIS_OPTION_FIELD(limits.initial_message_bytes), 64, kMost, kBytes,
        "committed to a message on its header alone"),
    number("MaxFragments", CALLIS_OPTION_FIELD(limits.max_fragments), 0, kMost, "",
        "fragments of one message; 0: one for each 512 bytes of -ORBMaxMessageSize, but at least 4096"),
    number("MaxReassemblies", CALLIS_OPTION_FIELD(limits.max_reassemblies), 1, kMost, "",
        "messages being reassembled at once on a connection"),
    number("MaxDepth", CALLIS_OPTION_FIELD(limits.max_depth), 1, 256, "",
        "nesting of sequences, unions, anys, TypeCodes and values"),
    number("DecodeBudgetFactor", CALLIS_OPTION_FIELD(limits.decode_budget_factor), 1, 1024, "",
        "decoded memory of a message: this much for each of its bytes"),
    number("DecodeBudgetBase", CALLIS_OPTION_FIELD(limits.decode_budget_base_bytes), 0, kMost, kBytes,
        "decoded memory of a message: and this much more"),
    number("DecodeBudgetMax", CALLIS_OPTION_FIELD(limits.decode_budget_max_bytes), 1024, kMost, kBytes,
        "decoded memory of a message: but never more than this"),
    number("MaxServiceContexts", CALLIS_OPTION_FIELD(limits.max_service_contexts), 1, kMost, "",
        "service contexts in one message"),
    number("MaxProfiles", CALLIS_OPTION_FIELD(limits.max_profiles), 1, kMost, "",
        "profiles in one reference, and components in one profile"),
    number("MaxContextSize", CALLIS_OPTION_FIELD(limits.max_context_bytes), 64, kMost, kBytes,
        "one service context, profile or component"),

    // Connections that are accepted
    choice("ServerThreads", CALLIS_OPTION_FIELD(server_threads), "connection|pool|single",
        "who serves: a thread a connection and the pool beyond their limit; the pool; threads inside run() and "
        "perform_work()"),
    number("MaxConnectionThreads", CALLIS_OPTION_FIELD(limits.max_connection_threads), 1, kMost, "",
        "connections that have a thread each; those beyond share the pool's"),
    number("MaxPoolThreads", CALLIS_OPTION_FIELD(limits.max_pool_threads), 1, 4096, "",
        "threads of the pool"),
    number("ThreadIdleTimeout", CALLIS_OPTION_FIELD(limits.thread_idle_timeout), 0, kMost, kMs,
        "while MaxConnectionThreads are used up, an idle connection's thread ends after it; 0: never"),
    number("MaxQueuedOutput", CALLIS_OPTION_FIELD(limits.max_queued_output_bytes), 0, kMost, kBytes,
        "replies that wait for a peer of the pool's to take them in; then reading from it stops"),
    number("MaxConnections", CALLIS_OPTION_FIELD(limits.max_connections), 1, kMost, "",
        "connections accepted, over all peers"),
    number("MaxConnectionsPerPeer", CALLIS_OPTION_FIELD(limits.max_connections_per_peer), 1, kMost, "",
        "connections accepted from one address; IPv6: from one network of 64 bits; unix: from one user"),
    number("IdleTimeout", CALLIS_OPTION_FIELD(limits.idle_timeout), 0, kMost, kMs,
        "an accepted connection without a request in progress is closed after it; 0: never"),
    number("BidirectionalIdleTimeout", CALLIS_OPTION_FIELD(limits.bidirectional_idle_timeout), 0, kMost, kMs,
        "an accepted bidirectional connection is closed after so long without a call either way; 0: never"),
    number("MessageTimeout", CALLIS_OPTION_FIELD(limits.message_timeout), 0, kMost, kMs,
        "to complete a message once its first byte is here; 0: none"),
    number("MessageTimeoutPerMib", CALLIS_OPTION_FIELD(limits.message_timeout_per_mib), 0, kMost, kMs,
        "and this much more for each MiB"),
    number("SendTimeout", CALLIS_OPTION_FIELD(limits.send_timeout), 0, kMost, kMs,
        "for a peer to take in one reply; 0: none"),
    number("MaxDispatchesPerConnection", CALLIS_OPTION_FIELD(limits.max_dispatches_per_connection), 1, kMost, "",
        "upcalls and queued requests of one connection; then reading stops"),
    number("MaxDispatches", CALLIS_OPTION_FIELD(limits.max_dispatches), 1, kMost, "",
        "upcalls over all connections"),
    number("MaxMemory", CALLIS_OPTION_FIELD(limits.max_memory_bytes), 1u << 20, kMost, kBytes,
        "held for peers by all connections of the process; 0: 128 MiB, or a quarter of the memory there is if "
        "less", true),
};
// clang-format on

}  // namespace option_list
#undef CALLIS_OPTION_FIELD

using option_list::kOptionList;
inline constexpr std::size_t kOptions = sizeof kOptionList / sizeof *kOptionList;

}  // namespace callis::orb
