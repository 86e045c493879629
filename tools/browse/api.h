// SPDX-License-Identifier: Apache-2.0
// What the page asks for: JSON in, JSON out. It keeps nothing between requests: the page names objects by their
// references.
//
//   roots  {}: {"roots": [{"name", "reference"}], "interfaces": [NAME], "idl": [FILE]}
//   look   {"reference"} or {"context", "component"}, and perhaps {"interface": NAME}:
//          {"reference", "type_id", "context", "interface": {...} or null, "problem"}
//   list   {"reference"}: bindings()
//   call   {"reference", "interface", "operation": WIRE NAME, "arguments": JSON, "oneway"}:
//          {"status": "result" | "sent" | "user" | "system" | "wrong" | "shown", "output": JSON, "text": WORDS,
//           "name", "minor", "completed", "nanoseconds", "command"}
//
// Here JSON is a string with a text of JSON, so that the browser loses no digits of numbers. {"error": WORDS}: there
// is no answer.
#pragma once
#include <tools/browse/http.h>
#include <tools/browse/roots.h>
#include <tools/call/session.h>
#include <tools/call/texts.h>
#include <atomic>
#include <mutex>

namespace callis::tools {

inline constexpr unsigned kMostCalls = 8;  // at a time

// Any thread.
class Api {
 public:
  Api(const Arguments& arguments, CORBA::ORB_ptr orb, Types& types, std::vector<Root> roots)
      : arguments_(arguments), orb_(orb), types_(types), roots_(std::move(roots)) {}

  // Of "api/NAME". 400 for a body that is none, 404 for another name, 503 where kMostCalls are in progress.
  HttpAnswer answer(const HttpRequest& request);

 private:
  Json roots();
  Json look(const Json& input);
  Json list(const Json& input);
  Json call(const Json& input);
  void make(const Json& input, CORBA::Object_ptr object, Json& out);
  CORBA::Object_var object(const Json& input);
  const idl::ast::Interface& interface(CORBA::Object_ptr object, const Json& input);

  const Arguments& arguments_;
  const CORBA::ORB_ptr orb_;
  Types& types_;  // whose mutex is held while it is used
  const std::vector<Root> roots_;
  std::mutex reading_;  // an Interface Repository: one at a time, so that nothing is read twice
  std::atomic<unsigned> in_progress_{0};
};

}  // namespace callis::tools
