// SPDX-License-Identifier: Apache-2.0
// What server.cpp and client.cpp share, with callis and with omniORB.
#pragma once
#include "host.h"
#ifdef RANDOM_OMNIORB
#include "control.hh"
#else
#include "control_skel.h"
#endif
#include <cstdio>
#include <map>

namespace remote {

// Objects by name and number.
class Objects {
 public:
  template <class Make>
  ::CORBA::Object_ptr get(const char* name, unsigned which, Make make) {
    ::CORBA::Object_var& o = all_[name + std::to_string(which)];
    if (::CORBA::is_nil(o.in())) o = make();
    return ::CORBA::Object::_duplicate(o.in());
  }

 private:
  std::map<std::string, ::CORBA::Object_var> all_;
};

// Of all files.
inline void add_factories([[maybe_unused]] ::CORBA::ORB_ptr orb) {
#ifdef RANDOM_OMNIORB
  host::orb = orb;
#endif
  for (unsigned f = 0; f < host::file_count; ++f) host::files[f]->add_factories();
}

inline int report(const char* program, const ::CORBA::SystemException& e) {
  std::printf("FAILED: %s: CORBA::%s minor 0x%lx\n", program, e._name(), static_cast<unsigned long>(e.minor()));
  return 1;
}

}  // namespace remote
