// SPDX-License-Identifier: Apache-2.0
// TAO's options of the command line and of svc.conf, in one table: what each means here, or what to use instead.
// ORB_init of programs for TAO reads them before callis's own ORB_init does.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/classic/exception.h>
#include <callis/file_references.h>
#include <tao/callis.h>
#include <tao/options.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <mutex>
#include <set>

namespace callis::compat {

namespace {

constexpr const char kNoReactor[] = "sockets are served without a reactor; -ORBServerThreads says by which threads";
constexpr const char kNoMulticast[] = "nobody is asked by multicast; use -ORBInitRef";
constexpr const char kNoRepeat[] = "a call is repeated only if it was certainly not executed; catch, and call again";
constexpr const char kNoSocketOption[] = "callis sets the options of its sockets itself";
constexpr const char kInterfaces[] =
    "connections go by the system's routes, which weakens what the option was for; name the addresses in "
    "-ORBEndpoint, and use the firewall";

bool same_word(std::string_view a, std::string_view b) {
  return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

// The ways in which options are taken.
enum class To : unsigned char {
  Nothing,   // callis does so anyway, or has nothing to choose
  Note,      // left out; says tells why
  Same,      // ours, with the value as it is
  Words,     // ours, with another value, by the list in says: "theirs=ours theirs=ours". Others are left out
  WordsNote, // the same; values that are not in the list are left out with a note, which stands behind '|' in says
  NotZero,   // Note if the value is not 0
  Zero,      // Note if the value is 0
  InitRef,   // "-ORBInitRef OURS=value"
  Own,       // a function of this file
};

struct TaoOption {
  const char* name;  // without "-ORB"
  To to;
  const char* ours = nullptr;
  const char* says = nullptr;
  unsigned char values = 1;
};

constexpr TaoOption kBoth[] = {
    {"NativeCharCodeset", To::Same, "NativeCharCodeSet"},
    {"NativeWcharCodeset", To::Same, "NativeWCharCodeSet"},
    {"Resources", To::Nothing},
    {"ReactorType", To::Note, nullptr, kNoReactor},
    {"ReactorThreadQueue", To::Nothing},
    {"ReactorMaskSignals", To::Nothing},
    {"ReactorRegistry", To::Nothing},
};

constexpr TaoOption kCommandLine[] = {
    {"SvcConf", To::Own},
    {"SvcConfDirective", To::Own},
    {"SkipServiceConfigOpen", To::Own, nullptr, nullptr, 0},
    {"IgnoreDefaultSvcConfFile", To::Own, nullptr, nullptr, 0},
    {"ServiceConfigLoggerKey", To::Nothing},
    {"Gestalt", To::Nothing},
    {"Debug", To::Nothing, nullptr, nullptr, 0},
    {"DebugLevel", To::Own},
    {"VerboseLogging", To::Note, nullptr, "-ORBLogFormat says what a line of the log has"},
    {"LogFile", To::Own},
    {"HandleLoggingStrategyEvents", To::Note, nullptr, "let logrotate turn the file over"},
    {"ObjRefStyle", To::WordsNote, "", "IOR=|references as text are IOR:; `callis ior` prints their addresses"},
    {"CDRTradeoff", To::Nothing},
    {"MaxMessageSize", To::Same, "FragmentSize"},
    {"StdProfileComponents", To::Words, "CodeSetsInReferences", "0=no 1=yes"},
    {"NegotiateCodesets", To::Words, "CodeSetsInReferences", "0=no 1=yes"},
    {"Collocation", To::Words, "Collocation", "no=marshaled marshaled=marshaled adapter=adapter direct=direct"},
    {"CollocationStrategy", To::Words, "Collocation", "thru_poa=adapter best=adapter direct=direct"},
    {"AMICollocation", To::Nothing},
    {"DisableRTCollocation", To::Nothing},
    {"Nodelay", To::Zero, nullptr, "TCP never waits to fill a packet"},
    {"RcvSock", To::Note, nullptr, kNoSocketOption},
    {"SndSock", To::Note, nullptr, kNoSocketOption},
    {"Keepalive", To::NotZero, nullptr, "-ORBIdleTimeout ends connections of peers that are gone"},
    {"DontRoute", To::NotZero, nullptr, kNoSocketOption},
    {"Linger", To::Note, nullptr, kNoSocketOption},
    {"IPHopLimit", To::Note, nullptr, kInterfaces},
    {"IPMulticastLoop", To::Nothing},
    {"IPMulticastTTL", To::Nothing},
    {"AcceptErrorDelay", To::Nothing},
    {"DottedDecimalAddresses", To::Zero, nullptr, "references have numbers; -ORBPublish NAME puts a name there"},
    {"ListenEndpoints", To::Own},
    {"ListenEndpoint", To::Own},
    {"Endpoint", To::Own},
    {"LaneEndpoint", To::Note, nullptr, "lanes listen at -ORBLanePort and the ports behind it", 2},
    {"LaneListenEndpoint", To::Note, nullptr, "lanes listen at -ORBLanePort and the ports behind it", 2},
    {"LaneListenEndpoints", To::Note, nullptr, "lanes listen at -ORBLanePort and the ports behind it", 2},
    {"PreferredInterfaces", To::Note, nullptr, kInterfaces},
    {"EnforcePreferredInterfaces", To::NotZero, nullptr, kInterfaces},
    {"PreferIPV6Interfaces", To::Nothing},
    {"ConnectIPV6Only", To::NotZero, nullptr, kInterfaces},
    {"UseIPV6LinkLocal", To::Nothing},
    {"UseSharedProfile", To::Nothing},
    {"UseParallelConnects", To::NotZero, nullptr, "addresses are tried in turn, each for -ORBConnectTimeout"},
    {"ParallelConnectDelay", To::Nothing},
    {"SingleReadOptimization", To::Nothing},
    {"Preconnect", To::Note, nullptr, "a call connects, or _validate_connection()"},
    {"NameServiceIOR", To::InitRef, "NameService"},
    {"TradingServiceIOR", To::InitRef, "TradingService"},
    {"ImplRepoServiceIOR", To::InitRef, "ImplRepoService"},
    {"InterfaceRepoServiceIOR", To::InitRef, "InterfaceRepository"},
    {"NameServicePort", To::Note, nullptr, kNoMulticast},
    {"TradingServicePort", To::Note, nullptr, kNoMulticast},
    {"ImplRepoServicePort", To::Note, nullptr, kNoMulticast},
    {"InterfaceRepoServicePort", To::Note, nullptr, kNoMulticast},
    {"MulticastDiscoveryEndpoint", To::Note, nullptr, kNoMulticast},
    {"UseImR", To::NotZero, nullptr, "include <callis/imr.h>, and say -ORBIMR and -ORBServerId"},
    {"DefaultSyncScope", To::Words, "SyncScope",
     "NONE=none SYNC_NONE=none TRANSPORT=transport SYNC_WITH_TRANSPORT=transport SERVER=server "
     "SYNC_WITH_SERVER=server TARGET=target SYNC_WITH_TARGET=target"},
    {"ForwardInvocationOnObjectNotExist", To::NotZero, nullptr, kNoRepeat},
    {"ForwardOnceOnObjectNotExist", To::NotZero, nullptr, kNoRepeat},
    {"ForwardOnceOnCommFailure", To::NotZero, nullptr, kNoRepeat},
    {"ForwardOnceOnTransient", To::NotZero, nullptr, kNoRepeat},
    {"ForwardOnceOnInvObjref", To::NotZero, nullptr, kNoRepeat},
    {"ForwardOnObjectNotExistLimit", To::NotZero, nullptr, kNoRepeat},
    {"ForwardOnCommFailureLimit", To::NotZero, nullptr, kNoRepeat},
    {"ForwardOnTransientLimit", To::NotZero, nullptr, kNoRepeat},
    {"ForwardOnInvObjrefLimit", To::NotZero, nullptr, kNoRepeat},
    {"ForwardOnReplyClosedLimit", To::NotZero, nullptr, kNoRepeat},
    {"ForwardDelay", To::Nothing},
    {"ForwardOnExceptionDelay", To::Nothing},
    {"Daemon", To::Note, nullptr, "let systemd or the shell start the program in the background", 0},
    {"NoProprietaryActivation", To::Nothing, nullptr, nullptr, 0},
    {"GIOPlite", To::Note, nullptr, "messages are GIOP's", 0},
    {"FileReferences", To::Own},
};

constexpr TaoOption kSvcConf[] = {
    // Resource_Factory, Advanced_Resource_Factory
    {"ProtocolFactory", To::WordsNote, "",
     "IIOP_Factory= UIOP_Factory=|the transports are TCP, Unix-domain sockets, memory of the process, and TLS with "
     "<callis/tls.h>"},
    {"ConnectionCacheMax", To::Same, "MaxConnections"},
    {"MuxedConnectionMax", To::Same, "MaxConnectionsPerServer"},
    {"ConnectionCachingStrategy", To::Note, nullptr, "connections without a call end after -ORBIdleTimeout"},
    {"ConnectionPurgingStrategy", To::Note, nullptr, "connections without a call end after -ORBIdleTimeout"},
    {"ConnectionCachePurgePercentage", To::Nothing},
    {"PurgePercentage", To::Nothing},
    {"ConnectionCacheLock", To::Nothing},
    {"ConnectionLock", To::Nothing},
    {"ObjectKeyTableLock", To::Nothing},
    {"CorbaObjectLock", To::Nothing},
    {"InputCDRAllocator", To::Nothing},
    {"OutputCDRAllocator", To::Nothing},
    {"AMHResponseHandlerAllocator", To::Nothing},
    {"AMIResponseHandlerAllocator", To::Nothing},
    {"FlushingStrategy", To::Nothing},
    {"SynchNoneStrategy", To::Nothing},
    {"DropRepliesDuringShutdown", To::Nothing},
    {"ZeroCopyWrite", To::Nothing, nullptr, nullptr, 0},
    {"CharCodesetTranslator", To::Note, nullptr, "code sets are ISO-8859-1, UTF-8, UTF-16, UCS-2 and UCS-4"},
    {"WcharCodesetTranslator", To::Note, nullptr, "code sets are ISO-8859-1, UTF-8, UTF-16, UCS-2 and UCS-4"},
    // Server_Strategy_Factory
    {"Concurrency", To::WordsNote, "ServerThreads",
     "thread-per-connection=connection|threads of the ORB serve, so that servants are called by several at once; "
     "-ORBServerThreads single serves in run() alone"},
    {"ThreadPerConnectionTimeout", To::Nothing},
    {"ActiveObjectMapSize", To::Nothing},
    {"PoaMapSize", To::Nothing},
    {"UseridPolicyDemuxStrategy", To::Nothing},
    {"SystemidPolicyDemuxStrategy", To::Words, "ObjectLookup", "active=active dynamic=hash linear=linear"},
    {"UniqueidPolicyReverseDemuxStrategy", To::Nothing},
    {"PersistentidPolicyDemuxStrategy", To::Nothing},
    {"TransientidPolicyDemuxStrategy", To::Nothing},
    {"AllowReactivationOfSystemids", To::Nothing},
    {"ActiveHintInIds", To::Nothing},
    {"ActiveHintInPOANames", To::Nothing},
    {"ThreadFlags", To::Note, nullptr, "threads are made with the system's attributes"},
    {"POALock", To::Nothing},
    {"EventLoopLock", To::Nothing},
    {"ConnectorLock", To::Nothing},
    // Client_Strategy_Factory
    {"ProfileLock", To::Nothing},
    {"ClientConnectionHandler", To::Nothing},
    {"TransportMuxStrategy", To::Words, "ClientConnections", "EXCLUSIVE=exclusive MUXED=shared"},
    {"TransportMuxStrategyLock", To::Nothing},
    {"ConnectStrategy", To::Nothing},
    {"WaitStrategy", To::Nothing},
    {"ReplyDispatcherTableSize", To::Nothing},
    {"StubLock", To::Nothing},
    {"RDSLock", To::Nothing},
    // RT_ORB_Loader
    {"PriorityMapping", To::Same, "PriorityMapping"},
    {"SchedPolicy", To::Note, nullptr, "threads of real-time ORBs have SCHED_FIFO; -ORBRealTime off for none"},
    {"ScopePolicy", To::Nothing},
};

const TaoOption* find(std::string_view name, TaoPlace place) {
  const auto same = [name](const TaoOption& o) { return same_word(name, o.name); };
  const auto in = [&](const auto& table) -> const TaoOption* {
    const auto* const o = std::ranges::find_if(table, same);
    return o == std::end(table) ? nullptr : o;
  };
  const TaoOption* const o = place == TaoPlace::CommandLine ? in(kCommandLine) : in(kSvcConf);
  return o ? o : in(kBoth);
}

// The word behind "value=" in the list; nullptr data if there is none.
std::string_view word_for(std::string_view list, std::string_view value) {
  list = list.substr(0, list.find('|'));
  while (!list.empty()) {
    const std::string_view one = list.substr(0, list.find(' '));
    const std::size_t equals = one.find('=');
    if (same_word(one.substr(0, equals), value)) return one.substr(equals + 1);
    list.remove_prefix(std::min(one.size() + 1, list.size()));
  }
  return {};
}

// The first port from `port` on, of `span`, where nobody listens; `port` if there is none.
unsigned free_port(unsigned port, unsigned span) {
  for (unsigned i = 0; i < span && port + i < 65536; ++i) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return port;
    const int on = 1;
    ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_ANY);
    address.sin_port = htons(static_cast<std::uint16_t>(port + i));
    const bool good = ::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 && ::listen(fd, 1) == 0;
    ::close(fd);
    if (good) return port + i;
  }
  return port;
}

unsigned number(std::string_view text, unsigned otherwise) {
  unsigned n = otherwise;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), n);
  return fault == std::errc() && end == text.data() + text.size() ? n : otherwise;
}

// "iiop://host:port/portspan=5&hostname_in_ior=name": the options that callis does not know are taken out.
std::string without_options(std::string_view endpoint, TaoWords& to) {
  constexpr std::size_t kBehindScheme = 7;  // "iiop://"
  const std::size_t slash = endpoint.find('/', kBehindScheme);
  std::string address(endpoint.substr(0, slash)), published;
  unsigned span = 1;
  std::string_view rest = slash == endpoint.npos ? std::string_view() : endpoint.substr(slash + 1);
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    const std::string_view key = one.substr(0, one.find('='));
    const std::string_view value = one.size() > key.size() ? one.substr(key.size() + 1) : std::string_view();
    if (key == "hostname_in_ior") published = value;
    else if (key == "portspan") span = std::clamp(number(value, 1), 1U, 65535U);
    else if (key != "reuse_addr") to.note(concat({"/", one, " of ", endpoint}), "no such choice here");
  }
  const std::size_t colon = address.rfind(':');
  if (const unsigned port = number(address.substr(colon + 1), 0); span > 1 && port != 0)
    address = address.substr(0, colon + 1) + std::to_string(free_port(port, span));
  if (address == "iiop://") address += ':';
  return published.empty() ? address : concat({address, "/hostname_in_ior=", published});
}

void endpoints(std::string_view all, TaoWords& to) {
  while (!all.empty()) {
    const std::string_view one = all.substr(0, all.find(';'));
    all.remove_prefix(std::min(one.size() + 1, all.size()));
    const std::string_view scheme = one.substr(0, one.find(':'));
    if (scheme == "shmiop" || scheme == "diop" || scheme == "sciop" || scheme == "htiop" || scheme == "miop") {
      to.note(concat({"-ORBEndpoint ", one}), "no such transport; the ORB listens at its other endpoints, or at TCP");
      continue;
    }
    if (scheme == "ssliop") {
      to.note(concat({"-ORBEndpoint ", one}), "the port is not opened; TLS is -ORBEndpoint tls:HOST:PORT of programs "
                                              "that include <callis/tls.h>");
      continue;
    }
    to.words.push_back("-ORBEndpoint");
    to.words.push_back(one.starts_with("iiop://") ? without_options(one, to) : std::string(one));
  }
}

// Standard error goes into the file from now on, and with it ACE_DEBUG's and the ORB's lines.
void log_into(const std::string& file, TaoWords& to) {
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0644);
  if (fd < 0) {
    to.note(concat({"-ORBLogFile ", file}), "the file cannot be opened");
    return;
  }
  std::fflush(stderr);
  ::dup2(fd, STDERR_FILENO);
  ::close(fd);
}

struct Wishes {
  bool default_file = true;
};
thread_local Wishes wishes;

void own_option(std::string_view name, const std::string& value, TaoWords& to) {
  if (same_word(name, "SvcConf")) {
    wishes.default_file = false;
    if (!read_svc_conf(value, to))
      classic::raise<CORBA::BAD_PARAM>(0, CORBA::COMPLETED_NO, concat({"-ORBSvcConf: cannot read ", value}));
  } else if (same_word(name, "SvcConfDirective")) {
    read_directives(value, "-ORBSvcConfDirective", to);
  } else if (same_word(name, "DebugLevel")) {
    TAO_debug_level = number(value, 0);
    to.words.insert(to.words.end(), {"-ORBDebugLevel", value});
  } else if (same_word(name, "LogFile")) {
    log_into(value, to);
  } else if (same_word(name, "FileReferences")) {
    allow_file_references(value != "no" && value != "0");
  } else if (same_word(name, "Endpoint") || same_word(name, "ListenEndpoint") || same_word(name, "ListenEndpoints")) {
    endpoints(value, to);
  } else {
    wishes.default_file = false;
  }
}

void take(const TaoOption& o, std::string_view written, const std::string& value, TaoPlace place,
          std::string_view place_text, TaoWords& to) {
  const std::string what = concat({place_text, written, value.empty() ? "" : " ", value});
  const std::string_view says = o.says ? std::string_view(o.says) : std::string_view();
  const auto put = [&](std::string_view ours) {
    to.words.push_back(concat({"-ORB", o.ours}));
    to.words.emplace_back(ours);
  };
  switch (o.to) {
    case To::Nothing: break;
    case To::Note: to.note(what, says); break;
    case To::Same: put(value); break;
    case To::NotZero:
      if (value != "0") to.note(what, says);
      break;
    case To::Zero:
      if (value == "0") to.note(what, says);
      break;
    case To::InitRef:
      to.words.push_back("-ORBInitRef");
      to.words.push_back(concat({o.ours, "=", value}));
      break;
    case To::Words:
    case To::WordsNote:
      if (const std::string_view word = word_for(says, value); word.data() == nullptr) {
        if (o.to == To::WordsNote) to.note(what, says.substr(says.find('|') + 1));
      } else if (!word.empty()) {
        put(word);
      }
      break;
    case To::Own: own_option(o.name, value, to); break;
  }
  (void)place;
}

}  // namespace

void TaoWords::note(std::string_view what, std::string_view says) {
  notes.push_back(concat({what, " is ignored: ", says}));
}

void translate(const std::vector<std::string>& given, TaoPlace place, std::string_view place_text, TaoWords& to) {
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string& word = given[i];
    const bool is_option = word.size() > 4 && same_word(std::string_view(word).substr(0, 4), "-ORB");
    const TaoOption* const o = is_option ? find(std::string_view(word).substr(4), place) : nullptr;
    if (o && i + o->values < given.size()) {
      std::string value;
      for (unsigned n = 0; n < o->values; ++n) value += (n ? " " : "") + given[++i];
      take(*o, word, value, place, place_text, to);
    } else if (place == TaoPlace::CommandLine) {
      to.words.push_back(word);
      if (is_option && i + 1 < given.size()) to.words.push_back(given[++i]);
    } else {
      const bool more = i + 1 < given.size() && !given[i + 1].starts_with("-");
      to.note(concat({place_text, word, more ? " " : "", more ? given[i + 1] : ""}), "callis has no such option");
      i += more;
    }
  }
}

}  // namespace callis::compat

#undef ORB_init

namespace CORBA::inline callis_orb {

namespace {

// Each line once, however many ORBs the process makes.
void tell(const std::vector<std::string>& notes) {
  static std::mutex mutex;
  static std::set<std::string> told;
  const std::lock_guard lock(mutex);
  for (const std::string& note : notes)
    if (told.insert(note).second) callis::log(callis::LogLevel::Warning, note);
}

}  // namespace

ORB_ptr tao_ORB_init(int& argc, char** argv, const char* orb_id) {
  using namespace callis::compat;
  static std::once_flag files_allowed;
  std::call_once(files_allowed, [] { callis::allow_file_references(true); });
  wishes = {};
  TaoWords of_line;
  translate({argv + std::min(argc, 1), argv + std::max(argc, 0)}, TaoPlace::CommandLine, "", of_line);
  TaoWords all;
  for (const auto& [variable, name] : {std::pair("NameServiceIOR", "NameService"),
                                       {"TradingServiceIOR", "TradingService"},
                                       {"ImplRepoServiceIOR", "ImplRepoService"},
                                       {"InterfaceRepositoryIOR", "InterfaceRepository"}}) {
    if (const char* const text = ::secure_getenv(variable); text && *text)
      all.words.insert(all.words.end(), {"-ORBInitRef", std::string(name) + "=" + text});
  }
  // The command line counts more than the file, whose options come first.
  if (wishes.default_file && ::access("svc.conf", F_OK) == 0) (void)read_svc_conf("svc.conf", all);
  all.words.insert(all.words.end(), of_line.words.begin(), of_line.words.end());
  all.notes.insert(all.notes.end(), of_line.notes.begin(), of_line.notes.end());

  std::vector<char*> words;
  if (argc > 0) words.push_back(argv[0]);
  for (std::string& word : all.words) words.push_back(word.data());
  int count = static_cast<int>(words.size());
  words.push_back(nullptr);
  ORB_var orb = ORB_init(count, words.data(), orb_id ? orb_id : "");
  tell(all.notes);
  // The words that are left are the program's, in order: argv has them, too.
  int kept = std::min(argc, 1);
  for (int i = 1; i < count; ++i) {
    for (int from = kept; from < argc; ++from) {
      if (std::string_view(argv[from]) != words[static_cast<std::size_t>(i)]) continue;
      std::rotate(argv + kept, argv + from, argv + from + 1);
      ++kept;
      break;
    }
  }
  if (argv && kept < argc) argv[kept] = nullptr;
  argc = kept;
  return orb._retn();
}

}  // namespace CORBA::inline callis_orb
