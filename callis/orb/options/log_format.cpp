// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/options/log_format.h>

namespace callis::orb {
namespace {

constinit thread_local LogFormatOption t_option;

void* values(bool anew) {
  if (anew) t_option = {};
  return &t_option;
}

}  // namespace

LogFormatOption& LogFormatOption::of_this_thread() { return t_option; }

constinit AddedOptions log_format_options{kLogFormatOptions, &values};

void use_log_format() {
  if (t_option.format != LogFormat::Plain) set_log_format(t_option.format);
}

}  // namespace callis::orb
