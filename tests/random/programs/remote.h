// SPDX-License-Identifier: Apache-2.0
// What server.cpp and client.cpp share, with callis and with omniORB.
#pragma once
#include "host.h"
#ifdef RANDOM_OMNIORB
#include "control.hh"
#include <omniORB4/internal/giopStream.h>
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

// Before ORB_init. One buffer of omniORB 4.2.5 holds any message, because with its own of 8 KB
// - it sends user exceptions without fragments, but where one goes on in the next buffer it counts a
//   fragment's header of 16 bytes: all indirections to values in earlier buffers lead to the wrong place;
// - it loses its place in a chunk of a value that goes on behind the end of a buffer and a string, an array of octets
//   or a number that lies across it (cdrValueChunkStream: get_octet_array() takes the rest of the chunk to be in the
//   buffer, fetchInputData() forgets the bytes that it keeps). The chunks that it sends end with its buffers, so it
//   never meets its own; callis's end with the value.
inline void enlarge_buffers() {
#ifdef RANDOM_OMNIORB
  omni::giopStream::bufferSize = 16 << 20;
#endif
}

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
