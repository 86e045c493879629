// SPDX-License-Identifier: Apache-2.0
// One operation of an object, its arguments as JSON.
#pragma once
#include <callis/dynamic.h>
#include <tools/call/mapping.h>
#include <tools/call/session.h>
#include <tools/call/signature.h>
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
  // Throws Failure, as read() does, with the signature.
  Call(CORBA::ORB_ptr orb, Types& types, CORBA::Object_ptr object, const idl::ast::WireOperation& operation);

  // The arguments: a word of JSON for each in and inout parameter, or "-" alone; or an array of all, or an object
  // with them by name.
  void read(const std::vector<std::string>& words);
  void read(const Json& input, const std::string& what);

  // May be made again. System exceptions are thrown; CannotShow.
  void make(bool oneway);
  // Of the last one that was made.
  Outcome outcome();
  const std::vector<std::string>& left_out() const { return mapping_.left_out(); }

 private:
  std::vector<std::size_t> wanted() const;
  void set(const std::vector<Json>& values);
  [[noreturn]] void refuse(const std::string& text) const;

  const CORBA::ORB_ptr orb_;
  const CORBA::Object_ptr object_;
  const idl::ast::WireOperation operation_;
  Mapping mapping_;
  Signature signature_;
  std::vector<CORBA::Any> values_;  // of its parameters
  CORBA::Request_var request_;
  bool oneway_ = false;
};

// A few lines: how many in what time, quantiles, a histogram. times: of each call; sorted here.
std::string latencies(std::vector<std::chrono::nanoseconds> times);

}  // namespace callis::tools
