// SPDX-License-Identifier: Apache-2.0
// omniORB's options and what became of them: the table for those that callis does not have by that name
// (docs/guide/from-omniorb.md, omniORB's user guide, chapter 4). callis/orb/options/option_names.h has the others.
#include <callis/orb/options/added_options.h>
#include <callis/orb/options/option_names.h>

#include <omniORB4/omniORB.h>
#include <string>

namespace omniORB::inline callis_compat {

namespace {

using callis::orb::ForeignOption;

// The first row with the name and the value counts. value: "" is any. means: callis's option; as: its value, "" the
// same.
struct Row {
  const char* name;
  const char* value;
  const char* means;
  const char* as;
  const char* says;
};

constexpr const char kPolling[] = "callis hears of idle connections and of new requests without looking at intervals";
constexpr const char kTraces[] = "-ORBLog debug has the calls, -ORBLogFormat the form of lines";
constexpr const char kBootstrap[] = "there is no bootstrap agent; use -ORBInitRef";
constexpr const char kLimits[] =
    "no peer is kept away by a rule here, which weakens what the rule was for; use the firewall, and "
    "-ORBMaxConnectionsPerPeer";
constexpr const char kStrict[] = "messages follow the specification, and others are refused";
constexpr const char kNeverWrong[] = "callis needs no such choice";

constexpr Row kRows[] = {
    {"oneCallPerConnection", "0", "ClientConnections", "shared", ""},
    {"oneCallPerConnection", "1", "ClientConnections", "exclusive", ""},
    {"threadPerConnectionPolicy", "0", "ServerThreads", "pool", ""},
    {"threadPerConnectionPolicy", "1", "ServerThreads", "connection", ""},
    {"maxServerThreadPoolSize", "", "MaxPoolThreads", "", ""},
    {"threadPerConnectionUpperLimit", "", "MaxConnectionThreads", "", ""},
    {"maxServerThreadPerConnection", "", "MaxDispatchesPerConnection", "", ""},

    {"clientTransportRule", "", nullptr, "", kLimits},
    {"serverTransportRule", "", nullptr, "", kLimits},
    {"outConScanPeriod", "", nullptr, "", "a client's connection ends after a minute without a call (-ORBIdleWatch)"},
    {"scanGranularity", "", nullptr, "", kPolling},
    {"connectionWatchPeriod", "", nullptr, "", kPolling},
    {"connectionWatchImmediate", "", nullptr, "", kPolling},
    {"threadPoolWatchConnection", "", nullptr, "", kPolling},
    {"threadPerConnectionLowerLimit", "", nullptr, "", "the one limit is -ORBMaxConnectionThreads"},
    {"idleThreadTimeout", "", nullptr, "", "idle threads of the pool stay; -ORBMaxPoolThreads bounds them"},
    {"maxInterleavedCallsPerConnection", "", nullptr, "", "calls that share a connection have no limit of their own"},
    {"poaHoldRequestTimeout", "", nullptr, "", "a held request ends after -ORBCallTimeout"},
    {"verifyObjectExistsAndType", "", nullptr, "", "callis asks nothing before the first call"},
    {"supportPerThreadTimeOut", "", nullptr, "", "threads may always have times of calls"},
    {"throwTransientOnTimeOut", "", nullptr, "", "a call that takes too long is TIMEOUT"},
    {"resetTimeOutOnRetries", "", nullptr, "", "the time of a call runs from its beginning"},
    {"strictIIOP", "", nullptr, "", kStrict},
    {"lcdMode", "", nullptr, "", kStrict},
    {"acceptMisalignedTcIndirections", "", nullptr, "", kStrict},
    {"useTypeCodeIndirections", "", nullptr, "", kStrict},
    {"tcAliasExpand", "", nullptr, "", "an any keeps the aliases of its type"},
    {"defaultCharCodeSet", "", nullptr, "", "a reference without code sets is taken as the specification says"},
    {"defaultWCharCodeSet", "", nullptr, "", "a reference without code sets is taken as the specification says"},
    {"traceExceptions", "", nullptr, "", kTraces},
    {"traceInvocationReturns", "", nullptr, "", kTraces},
    {"traceThreadId", "", nullptr, "", kTraces},
    {"traceTime", "", nullptr, "", kTraces},
    {"traceFile", "", nullptr, "", "the log goes to standard error"},
    {"dumpConfiguration", "", nullptr, "", "the program callis config prints the options in force"},
    {"bootstrapAgentHostname", "", nullptr, "", kBootstrap},
    {"bootstrapAgentPort", "", nullptr, "", kBootstrap},
    {"supportBootstrapAgent", "", nullptr, "", kBootstrap},
    {"unixTransportDirectory", "", nullptr, "", "name the file: -ORBEndpoint unix:/path"},
    {"endPointNoListen", "", nullptr, "", "to publish an address without listening there, use -ORBPublish"},
    {"endPointNoPublish", "", nullptr, "", "every endpoint is published; -ORBPublish replaces addresses"},
    {"endPointPublishAllIFs", "", nullptr, "", "-ORBPublish names the addresses, commas between"},
    {"abortOnInternalError", "", nullptr, "", "an error of the ORB is an exception"},
    {"abortOnNativeException", "", nullptr, "", "an exception that is not CORBA's is UNKNOWN at the client"},
    {"diiThrowsSysExceptions", "", nullptr, "", "exceptions of the DII are where the mapping has them"},
    {"copyValuesInLocalCalls", "", nullptr, "", "-ORBCollocation says how objects of the process are called"},
    {"principal", "", nullptr, "", "GIOP 1.2 has no principals"},
    {"socketSendBuffer", "", nullptr, "", kNeverWrong},
    {"giopTargetAddressMode", "", nullptr, "", kNeverWrong},
    {"immediateAddressSwitch", "", nullptr, "", kNeverWrong},
    {"resolveNamesForTransportRules", "", nullptr, "", kNeverWrong},
    {"retainAddressOrder", "", nullptr, "", kNeverWrong},
    {"supportCurrent", "", nullptr, "", kNeverWrong},
    {"objectTableSize", "", nullptr, "", kNeverWrong},
    {"poaUniquePersistentSystemIds", "", nullptr, "", kNeverWrong},
};

bool translate(ForeignOption& option) {
  for (const Row& row : kRows) {
    if (!callis::orb::same_option_name(option.name, row.name)) continue;
    if (*row.value && option.value != row.value) continue;
    option.means = row.means;
    option.as = *row.as ? row.as : option.value;
    option.says = row.says;
    return true;
  }
  return false;
}

void* no_values(bool) { return nullptr; }

}  // namespace

bool know_options() {
  static const bool known = [] {
    static callis::orb::AddedOptions table{{}, &no_values, nullptr, &translate};
    callis::orb::AddedOptions::add(table);
    return true;
  }();
  return known;
}

}  // namespace omniORB::inline callis_compat
