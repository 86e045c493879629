// SPDX-License-Identifier: Apache-2.0
// -ORBLogFormat, which programs with the feature settings have. It stands among the options that are added
// (added_options.h), before all others, so that programs without the feature are not a byte larger.
#pragma once
#include <callis/base/log_format.h>
#include <callis/orb/options/added_options.h>

namespace callis::orb {

struct LogFormatOption {
  LogFormat format = LogFormat::Plain;

  // The value from the command line of which the calling thread makes an ORB.
  static LogFormatOption& of_this_thread();
};

inline constexpr OptionSpec kLogFormatOptions[] = {
    {"LogFormat", OptionKind::Choice, offsetof(LogFormatOption, format), sizeof(LogFormatOption::format), 0, 0, "",
     "plain|time|json",
     "the form of the messages on standard error, of the whole process: with time and process id, or as JSON: "
     "logging.md"},
};

extern constinit AddedOptions log_format_options;

// Called after the options have been read. Plain changes nothing: another ORB of the process may have chosen a form.
void use_log_format();

}  // namespace callis::orb
