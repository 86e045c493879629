// SPDX-License-Identifier: Apache-2.0
// Names of options in their three spellings, and those of other ORBs.
#pragma once
#include <callis/base/feature.h>
#include <callis/orb/options/option_list.h>

CALLIS_FEATURE(settings);

namespace callis::orb {

enum class OptionSource : std::uint8_t { None, File, Environment, CommandLine };

inline constexpr std::size_t kNoOption = kOptions;

// What a name, without "-ORB" or "CALLIS_", stands for. Case and underscores do not matter.
struct FoundOption {
  std::size_t option = kNoOption;
  // How the values of another ORB's option become ours: as they are, seconds to milliseconds, trace levels to words,
  // 0 and 1 to normal and both.
  enum class Values : std::uint8_t { Same, Seconds, TraceLevel, Invocations, Both } values = Values::Same;
};
FoundOption find_option(std::string_view name);
// Among the names that other ORBs have; only with the feature settings, and find_option() looks there.
CALLIS_OPTIONAL FoundOption find_synonym(std::string_view name);
// Whether text is that name of the table's.
bool same_option_name(std::string_view text, const char* name);
// The option that name was most likely meant to be; kNoOption where none is near.
std::size_t nearest_option(std::string_view name);

// "-ORBCallTimeout", "CALLIS_CALL_TIMEOUT", "call_timeout"
std::string option_name(std::size_t option, OptionSource spelling);
// The same of a name as tables have it.
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
    {"traceLevel", "Log", FoundOption::Values::TraceLevel},
    {"traceInvocations", "Log", FoundOption::Values::Invocations},
};

}  // namespace callis::orb
