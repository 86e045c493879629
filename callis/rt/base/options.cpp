// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/options/added_options.h>
#include <callis/rt/base/option_list.h>

namespace callis::rt {
namespace {

constinit thread_local RealTimeOptions t_options;

void* values(bool anew) {
  if (anew) t_options = {};
  return &t_options;
}

void know_spin(bool said) { t_options.spin_said = said; }

constinit orb::AddedOptions added{kOptionList, &values, &know_spin};

}  // namespace

RealTimeOptions& RealTimeOptions::of_this_thread() { return t_options; }

void use_options() { orb::AddedOptions::add(added); }

}  // namespace callis::rt
