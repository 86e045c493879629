// SPDX-License-Identifier: Apache-2.0
// omniURI: names of the Naming Service as text, without a call (Naming Service 1.3, 2.4). '/' stands between the
// components, '.' between id and kind. A backslash stands before each '/', '.' and backslash that is part of a name.
#pragma once
#include <callis/omniorb.h>
#include <string>
#include <string_view>

#ifdef CALLIS_COS_NAMING
namespace omni::inline callis_compat {

struct omniURI {
  // The caller owns the result. Throws CosNaming::NamingContext::InvalidName if the text is no name.
  static CosNaming::Name* stringToName(const char* text) {
    CosNaming::Name_var name = new CosNaming::Name;
    std::string part[2];  // id and kind
    bool kind = false, any = false;
    const auto end_component = [&] {
      const bool dot_alone = part[0].empty() && part[1].empty();
      if (!any || (kind && part[1].empty() && !dot_alone)) throw CosNaming::NamingContext::InvalidName();
      const CORBA::ULong n = name->length();
      name->length(n + 1);
      name[n].id = part[0].c_str();
      name[n].kind = part[1].c_str();
      part[0].clear(), part[1].clear();
      kind = any = false;
    };
    for (std::string_view rest(text ? text : ""); !rest.empty(); rest.remove_prefix(1)) {
      const bool escaped = rest.front() == '\\';
      if (escaped) rest.remove_prefix(1);
      if (escaped && rest.find_first_of("/.\\") != 0) throw CosNaming::NamingContext::InvalidName();
      const char c = rest.front();
      if (c == '/' && !escaped) {
        end_component();
        continue;
      }
      any = true;
      if (c != '.' || escaped) {
        part[kind] += c;
      } else if (kind) {
        throw CosNaming::NamingContext::InvalidName();
      } else {
        kind = true;
      }
    }
    end_component();
    return name._retn();
  }

  // The caller owns the result. Throws CosNaming::NamingContext::InvalidName for an empty name.
  static char* nameToString(const CosNaming::Name& name) {
    if (name.length() == 0) throw CosNaming::NamingContext::InvalidName();
    std::string text;
    const auto add = [&text](std::string_view part) {
      for (const char c : part) {
        if (c == '/' || c == '.' || c == '\\') text += '\\';
        text += c;
      }
    };
    for (CORBA::ULong i = 0; i < name.length(); ++i) {
      const std::string_view id(name[i].id.in()), kind(name[i].kind.in());
      if (i != 0) text += '/';
      add(id);
      if (!kind.empty() || id.empty()) text += '.';
      add(kind);
    }
    return CORBA::string_dup(text.c_str());
  }
};

}  // namespace omni::inline callis_compat
#endif
