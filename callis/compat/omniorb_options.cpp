// SPDX-License-Identifier: Apache-2.0
// omniORB's options that mean nothing here (omniORB's user guide, chapter 4). They are options of programs with this
// library, whose values nobody reads; the log names each that was given. callis/orb/options/option_names.h has the
// others, for all programs.
#include <callis/base/log.h>
#include <callis/orb/options/added_options.h>

#include <omniORB4/omniORB.h>
#include <array>
#include <string>

namespace omniORB::inline callis_compat {

namespace {

constexpr const char kPolling[] = "callis hears of idle connections and of new requests without looking at intervals";
constexpr const char kTraces[] = "-ORBLog debug has the calls, -ORBLogFormat the form of lines";
constexpr const char kBootstrap[] = "there is no bootstrap agent; use -ORBInitRef";
constexpr const char kLimits[] =
    "no peer is kept away by a rule here, which weakens what the rule was for; use the firewall, and "
    "-ORBMaxConnectionsPerPeer";
constexpr const char kStrict[] = "messages follow the specification, and others are refused";
constexpr const char kNeverWrong[] = "callis needs no such choice";

struct Ignored {
  const char* name;
  const char* says;
};
constexpr Ignored kIgnored[] = {
    {"clientTransportRule", kLimits},
    {"serverTransportRule", kLimits},
    {"outConScanPeriod", "a client's connection ends after a minute without a call (-ORBIdleWatch)"},
    {"scanGranularity", kPolling},
    {"connectionWatchPeriod", kPolling},
    {"connectionWatchImmediate", kPolling},
    {"threadPoolWatchConnection", kPolling},
    {"threadPerConnectionLowerLimit", "the one limit is -ORBMaxConnectionThreads"},
    {"idleThreadTimeout", "idle threads of the pool stay; -ORBMaxPoolThreads bounds them"},
    {"maxInterleavedCallsPerConnection", "calls that share a connection have no limit of their own"},
    {"poaHoldRequestTimeout", "a held request ends after -ORBCallTimeout"},
    {"verifyObjectExistsAndType", "callis asks nothing before the first call"},
    {"supportPerThreadTimeOut", "threads may always have times of calls"},
    {"throwTransientOnTimeOut", "a call that takes too long is TIMEOUT"},
    {"resetTimeOutOnRetries", "the time of a call runs from its beginning"},
    {"strictIIOP", kStrict},
    {"lcdMode", kStrict},
    {"acceptMisalignedTcIndirections", kStrict},
    {"useTypeCodeIndirections", kStrict},
    {"tcAliasExpand", "an any keeps the aliases of its type"},
    {"defaultCharCodeSet", "a reference without code sets is taken as the specification says"},
    {"defaultWCharCodeSet", "a reference without code sets is taken as the specification says"},
    {"traceExceptions", kTraces},
    {"traceInvocationReturns", kTraces},
    {"traceThreadId", kTraces},
    {"traceLocking", "locks are not logged"},
    {"traceTime", kTraces},
    {"traceFile", "the log goes to standard error"},
    {"dumpConfiguration", "the program callis config prints the options in force"},
    {"bootstrapAgentHostname", kBootstrap},
    {"bootstrapAgentPort", kBootstrap},
    {"supportBootstrapAgent", kBootstrap},
    {"unixTransportDirectory", "name the file: -ORBEndpoint unix:/path"},
    {"endPointNoListen", "to publish an address without listening there, use -ORBPublish"},
    {"endPointNoPublish", "every endpoint is published; -ORBPublish replaces addresses"},
    {"endPointPublishAllIFs", "-ORBPublish names the addresses, commas between"},
    {"abortOnInternalError", "an error of the ORB is an exception"},
    {"abortOnNativeException", "an exception that is not CORBA's is UNKNOWN at the client"},
    {"diiThrowsSysExceptions", "exceptions of the DII are where the mapping has them"},
    {"copyValuesInLocalCalls", "-ORBCollocation says how objects of the process are called"},
    {"principal", "GIOP 1.2 has no principals"},
    {"socketSendBuffer", kNeverWrong},
    {"maxSocketSend", kNeverWrong},
    {"maxSocketRecv", kNeverWrong},
    {"listenBacklog", "up to 1,024 connections wait to be accepted"},
    {"maxClientThreadPoolSize", "deferred calls have no threads of their own"},
    {"validateUTF8", "bytes that are no UTF-8 are refused wherever texts are converted"},
    {"giopTargetAddressMode", kNeverWrong},
    {"immediateAddressSwitch", kNeverWrong},
    {"resolveNamesForTransportRules", kNeverWrong},
    {"retainAddressOrder", kNeverWrong},
    {"supportCurrent", kNeverWrong},
    {"objectTableSize", kNeverWrong},
    {"poaUniquePersistentSystemIds", kNeverWrong},
};

using callis::orb::OptionSpec;

// Values as they were given. The text of an option that was not given is empty.
using Values = std::array<std::string, std::size(kIgnored)>;

consteval auto make_list() {
  std::array<OptionSpec, std::size(kIgnored)> list{};
  for (std::size_t i = 0; i < list.size(); ++i)
    list[i] = {kIgnored[i].name, callis::orb::OptionKind::Text, i * sizeof(std::string), sizeof(std::string), 0, 0,
               "", "a value", kIgnored[i].says};
  return list;
}
constexpr auto kList = make_list();

Values& values_of_thread() {
  thread_local Values values;
  return values;
}

void* values(bool anew) {
  if (anew)
    for (std::string& value : values_of_thread()) value.clear();
  return values_of_thread().data();
}

// All options have been read.
void tell_ignored(bool) {
  for (std::size_t i = 0; i < kList.size(); ++i)
    if (const std::string& value = values_of_thread()[i]; !value.empty())
      callis::log(callis::LogLevel::Warning,
                  {"-ORB", kIgnored[i].name, " ", value, " is ignored: ", kIgnored[i].says});
}

}  // namespace

bool know_options() {
  static const bool known = [] {
    static callis::orb::AddedOptions table{kList, &values, &tell_ignored};
    callis::orb::AddedOptions::add(table);
    return true;
  }();
  return known;
}

}  // namespace omniORB::inline callis_compat
