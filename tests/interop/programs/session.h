// SPDX-License-Identifier: Apache-2.0
// What the client's cases work with: the bootstrap references, the facts they may depend on, and CHECK.
#pragma once
#include "mapping.h"
#include <cstdio>
#include <map>
#include <string>

namespace interop {

class Session {
 public:
  explicit Session(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)) {}

  // NAME=VALUE from the command line: references, and facts such as version=1.1 or server=callis.
  void set(const std::string& name, const std::string& value) { values_[name] = value; }
  const std::string& get(const std::string& name) const { return values_.at(name); }
  bool server_is_callis() const { return get("server") == "callis"; }
  bool client_is_callis() const { return get("client") == "callis"; }

  CORBA::ORB_ptr orb() { return orb_.in(); }
  CORBA::Object_ptr object(const std::string& name) { return orb_->string_to_object(get(name).c_str()); }
  // A typed reference; throws INV_OBJREF when the object says that it is something else.
  template <class Interface>
  typename Interface::_var_type reference(const std::string& name) {
    const CORBA::Object_var o = object(name);
    typename Interface::_var_type typed = Interface::_narrow(o.in());
    if (CORBA::is_nil(typed.in())) throw CORBA::INV_OBJREF();
    return typed;
  }

  void check(bool good, const char* what, const char* file, int line) {
    ++checks_;
    if (good) return;
    ++failures_;
    std::printf("%s:%d: FAILED: %s%s\n", file, line, what, note_.c_str());
  }
  // Added to the messages of the checks that follow.
  void about(const std::string& note) { note_ = note.empty() ? "" : " (" + note + ")"; }
  void add_failure(const std::string& text) {
    ++failures_;
    std::printf("FAILED: %s\n", text.c_str());
  }
  int checks() const { return checks_; }
  int failures() const { return failures_; }

 private:
  CORBA::ORB_var orb_;
  std::map<std::string, std::string> values_;
  std::string note_;
  int checks_ = 0;
  int failures_ = 0;
};

#define CHECK(condition) session.check((condition), #condition, __FILE__, __LINE__)

// The case groups, by file.
void check_params(Session& session, unsigned sizes_up_to);  // Param_Test's seven operations
void check_bulk(Session& session, unsigned sizes_up_to);
void check_types(Session& session);
void check_variants(Session& session);  // unions and fixed
void check_wide(Session& session);
void check_calls(Session& session);
void check_errors(Session& session);
void check_objects(Session& session);
void check_eight_bit(Session& session);
void check_any(Session& session);
void check_dyn_any(Session& session);
void check_contexts(Session& session);
void check_steady(Session& session);  // until standard input ends

}  // namespace interop
