// SPDX-License-Identifier: Apache-2.0
// Names of options in their three spellings, and other ORBs' names.
#pragma once
#include <callis/base/feature.h>
#include <callis/orb/options/option_list.h>

CALLIS_FEATURE(settings);

namespace callis::orb {

enum class OptionSource : std::uint8_t { None, File, Environment, CommandLine };

inline constexpr std::size_t kNoOption = kOptions;

// The option for which a name stands, without "-ORB" or "CALLIS_". Case and underscores do not matter.
struct FoundOption {
  std::size_t option = kNoOption;
  // The conversion of another ORB's values to ours. Same: as they are; Seconds: to milliseconds; TraceLevel: to
  // words; the last three: 0 and 1 to normal and both, to shared and exclusive, to pool and connection.
  enum class Values : std::uint8_t { Same, Seconds, TraceLevel, Invocations, Both, Alone, Threads };
  Values values = Values::Same;
};
FoundOption find_option(std::string_view name);
// Looks among the names of other ORBs. Only with the feature settings; find_option() calls it.
CALLIS_OPTIONAL FoundOption find_synonym(std::string_view name);
// Whether text is this name of the table.
bool same_option_name(std::string_view text, const char* name);
// The option that name was most likely meant to be; kNoOption if no option is near.
std::size_t nearest_option(std::string_view name);

// "-ORBCallTimeout", "CALLIS_CALL_TIMEOUT", "call_timeout"
std::string option_name(std::size_t option, OptionSource spelling);
// The same for a name as tables have it.
std::string option_name_of(const char* name, OptionSource spelling);

// Names that other ORBs' options have, and ours for the same thing.
struct OptionSynonym {
  const char* name;
  const char* means;
  FoundOption::Values values = FoundOption::Values::Same;
};
inline constexpr OptionSynonym kOptionSynonyms[] = {
    // TAO, and CORBA 3.3 part 1, 8.5.1
    {"ListenEndpoints", "Endpoint"},
    {"ListenEndpoint", "Endpoint"},
    {"DebugLevel", "Log", FoundOption::Values::TraceLevel},
    // omniORB
    {"endPointPublish", "Publish"},
    {"clientCallTimeOutPeriod", "CallTimeout"},
    {"clientConnectTimeOutPeriod", "ConnectTimeout"},
    {"serverCallTimeOutPeriod", "MessageTimeout"},
    {"inConScanPeriod", "IdleTimeout", FoundOption::Values::Seconds},
    {"unixTransportPermission", "UnixPermissions"},
    {"giopMaxMsgSize", "MaxMessageSize"},
    {"maxGIOPVersion", "GIOPVersion"},
    {"maxGIOPConnectionPerServer", "MaxConnectionsPerServer"},
    {"offerBiDirectionalGIOP", "Bidirectional", FoundOption::Values::Both},
    {"acceptBiDirectionalGIOP", "Bidirectional", FoundOption::Values::Both},
    {"oneCallPerConnection", "ClientConnections", FoundOption::Values::Alone},
    {"threadPerConnectionPolicy", "ServerThreads", FoundOption::Values::Threads},
    {"maxServerThreadPoolSize", "MaxPoolThreads"},
    {"threadPerConnectionUpperLimit", "MaxConnectionThreads"},
    {"maxServerThreadPerConnection", "MaxDispatchesPerConnection"},
    {"traceLevel", "Log", FoundOption::Values::TraceLevel},
    {"traceInvocations", "Log", FoundOption::Values::Invocations},
};

}  // namespace callis::orb
