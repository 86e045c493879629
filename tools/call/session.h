// SPDX-License-Identifier: Apache-2.0
// What callis call and callis describe begin with: IDL, an ORB, the object, its interface.
#pragma once
#include <callis/corba.h>
#include <tools/call/arguments.h>
#include <tools/call/types.h>
#include <string>

namespace callis::tools {

inline constexpr int kCannotRead = 1, kWrongUsage = 2, kUserException = 3, kSystemException = 4;

// Ends the program.
struct Failure {
  int status;
  std::string text;  // for the standard error
};

// What a Session is made of, for programs that call several objects. All throw Failure.
void load_idl(Types& types, const Arguments& arguments);
// serves: a program that goes on, and so notices connections that are closed.
CORBA::ORB_var make_orb(const Arguments& arguments, bool serves = false);
// Of a reference as text, or of a file that has one.
CORBA::Object_var read_object(CORBA::ORB_ptr orb, const std::string& reference);
// By `name` where there is one, else by the type that the reference says, else by asking the object. Throws Failure
// and, where the object is asked, system exceptions.
const idl::ast::Interface& find_interface(const Types& types, CORBA::Object_ptr object, const std::string& name);

// Reads the interface and all that it needs from the Interface Repository: that of --ifr, else the initial reference,
// else the one that the object's server names. Its repository id. Throws Failure and system exceptions.
std::string read_from_repository(Types& types, CORBA::ORB_ptr orb, CORBA::Object_ptr object,
                                 const Arguments& arguments, const std::string& interface);

class Session {
 public:
  // Reads the IDL files and the reference. Throws Failure.
  explicit Session(const Arguments& arguments);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // By --interface, else by the type that the reference says, else by asking the object. Without IDL files it and all
  // that it needs are first read from the Interface Repository: that of --ifr, else the initial reference, else the
  // one that the object's server names (_interface). Throws Failure and, where somebody is asked, system exceptions.
  const idl::ast::Interface& interface();

  Types types;
  CORBA::ORB_var orb;
  CORBA::Object_var object;

 private:
  const Arguments& arguments_;
};

// A system exception for people: what it says, and what to try next.
std::string explain(const CORBA::SystemException& e, const Arguments& arguments);

}  // namespace callis::tools
