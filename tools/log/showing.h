// SPDX-License-Identifier: Apache-2.0
// Records as a line for people, and as JSON. What is in them comes from peers. One thread at a time.
#pragma once
#include <tools/call/mapping.h>
#include <string>
#include "DsLogAdmin.h"

namespace callis::logs {

// "2026-11-26T01:02:03.456Z"; TimeT: of the Time Service. What lies outside of the years 1582 to 9999 is a number.
std::string time_text(CORBA::ULongLong time);

class Showing final {
 public:
  explicit Showing(CORBA::ORB_ptr orb) : mapping_(orb, types_) {}

  // "17 2026-11-26T01:02:03.456Z boiler[42]: warning: the pump has stopped", and attributes that are not of this form
  // behind it: {"by":"ada"}
  std::string line(const DsLogAdmin::LogRecord& record);
  // {"id":17,"time":"...","info":...,"attributes":{...}}
  std::string json(const DsLogAdmin::LogRecord& record);

 private:
  json::Json value(const CORBA::Any& any);

  tools::Types types_;
  tools::Mapping mapping_;
};

}  // namespace callis::logs
