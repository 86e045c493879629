// SPDX-License-Identifier: Apache-2.0
// One operation of an object, its arguments as JSON.
#pragma once
#include <callis/dynamic.h>
#include <tools/call/mapping.h>
#include <tools/call/session.h>
#include <chrono>
#include <string>
#include <vector>

namespace callis::tools {

// The operation that the words name: "add", "get level", "set level", "_get_level". `rest`: how many of the arguments
// belong to the name. Throws Failure.
idl::ast::WireOperation find_operation(const idl::ast::Interface& interface, const Arguments& arguments,
                                       std::size_t& rest);

struct Outcome {
  int status = 0;
  Json output;
  bool silent = false;  // nothing to print
};

class Call {
 public:
  // Reads the arguments: a word of JSON for each in and inout parameter, or "-" alone. Throws Failure with the
  // signature.
  Call(Session& session, const idl::ast::WireOperation& operation, const std::vector<std::string>& words);

  // May be made again. System exceptions are thrown; CannotShow.
  void make(bool oneway);
  // Of the last one that was made.
  Outcome outcome();
  const std::vector<std::string>& left_out() const { return mapping_.left_out(); }

 private:
  struct Parameter {
    std::string name;
    CORBA::Flags flags;
    CORBA::TypeCode_var type;
    CORBA::Any value;
  };

  void declare();
  void read(const std::vector<std::string>& words);
  [[noreturn]] void refuse(const std::string& text) const;

  Session& session_;
  const idl::ast::WireOperation operation_;
  Mapping mapping_;
  std::vector<Parameter> parameters_;
  CORBA::TypeCode_var result_;
  std::vector<CORBA::TypeCode_var> exceptions_;
  CORBA::Request_var request_;
  bool oneway_ = false;
};

// A few lines: how many in what time, quantiles, a histogram. times: of each call; sorted here.
std::string latencies(std::vector<std::chrono::nanoseconds> times);

}  // namespace callis::tools
