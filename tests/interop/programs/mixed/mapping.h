// SPDX-License-Identifier: Apache-2.0
// As ../mapping.h, for mixed.idl; and characters as numbers, whatever the ORB has in memory.
#pragma once
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>
#ifdef INTEROP_OMNIORB
#include <omniORB4/CORBA.h>
#include "mixed.hh"
#else
#include <callis/corba.h>
#include <callis/portable_server.h>
#include "mixed.h"
#include "mixed_skel.h"
#endif

namespace interop {

using Points = std::vector<CORBA::ULong>;

inline Points points_of(const Mixed::CodePoints& p) {
  Points out;
  for (CORBA::ULong i = 0; i < p.length(); ++i) out.push_back(p[i]);
  return out;
}
inline Mixed::CodePoints sequence_of(const Points& p) {
  Mixed::CodePoints out;
  out.length(static_cast<CORBA::ULong>(p.size()));
  for (CORBA::ULong i = 0; i < out.length(); ++i) out[i] = p[i];
  return out;
}

// A char* in UTF-8 or ISO 8859-1.
inline std::string narrow(const Points& points, bool utf8) {
  std::string s;
  for (const CORBA::ULong c : points) {
    if (!utf8 || c < 0x80) {
      s += static_cast<char>(c);
    } else {
      const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
      s += static_cast<char>((0xFF00 >> (more + 1) & 0xFF) | c >> (6 * more));
      for (int i = more - 1; i >= 0; --i) s += static_cast<char>(0x80 | (c >> (6 * i) & 0x3F));
    }
  }
  return s;
}
inline Points points_of(const char* s, bool utf8) {
  Points out;
  while (*s) {
    const auto first = static_cast<unsigned char>(*s++);
    CORBA::ULong c = first;
    const int more = !utf8 || first < 0xC0 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    if (more != 0) c = first & (0x3Fu >> more);
    for (int i = 0; i < more && *s; ++i) c = c << 6 | (static_cast<unsigned char>(*s++) & 0x3Fu);
    out.push_back(c);
  }
  return out;
}

// omniORB has units of UTF-16 in its wchar_t, callis code points.
#ifdef INTEROP_OMNIORB
constexpr bool kUnits = true;
#else
constexpr bool kUnits = false;
#endif
inline std::wstring wide(const Points& points) {
  std::wstring s;
  for (const CORBA::ULong c : points) {
    if (kUnits && c >= 0x10000) {
      s += static_cast<wchar_t>(0xD800 + ((c - 0x10000) >> 10));
      s += static_cast<wchar_t>(0xDC00 + (c & 0x3FF));
    } else {
      s += static_cast<wchar_t>(c);
    }
  }
  return s;
}
inline Points points_of(const CORBA::WChar* s) {
  Points out;
  for (; *s; ++s) {
    auto c = static_cast<CORBA::ULong>(*s);
    if (c >= 0xD800 && c < 0xDC00 && s[1])
      c = 0x10000 + ((c - 0xD800) << 10 | (static_cast<CORBA::ULong>(*++s) - 0xDC00));
    out.push_back(c);
  }
  return out;
}

// Whether the program is told -ORBNativeCharCodeSet UTF-8, in either ORB's spelling. Before ORB_init.
inline bool is_utf8(int argc, char** argv) {
  for (int i = 1; i + 1 < argc; ++i)
    if (std::strcmp(argv[i] + 1, "ORBNativeCharCodeSet") == 0 ||
        std::strcmp(argv[i] + 1, "ORBnativeCharCodeSet") == 0)
      return std::strcmp(argv[i + 1], "UTF-8") == 0;
  return false;
}

inline void add_factory(CORBA::ORB_ptr orb) {
  const auto factory = new Mixed::Node_init;
  if (CORBA::ValueFactory before = orb->register_value_factory("IDL:Mixed/Node:1.0", factory)) before->_remove_ref();
  factory->_remove_ref();
}

template <class Servant>
CORBA::Object_ptr activate(PortableServer::POA_ptr poa, Servant* servant) {
  const PortableServer::ServantBase_var owner(servant);
  const PortableServer::ObjectId_var id = poa->activate_object(servant);
  return poa->id_to_reference(id.in());
}
inline PortableServer::POA_ptr root_poa(CORBA::ORB_ptr orb) {
  const CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(root.in());
  const PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  return poa._retn();
}

}  // namespace interop
