// SPDX-License-Identifier: Apache-2.0
// A log service as its clients see it. One of callis has both kinds of logs; of another ORB's a factory is named, or
// a log itself.
#pragma once
#include <callis/corba.h>
#include <tools/log/arguments.h>
#include <functional>
#include <vector>
#include "CallisLogging.h"

namespace callis::logs {

class Session final {
 public:
  // Finds the service. Throws Failure and system exceptions.
  Session(CORBA::ORB_ptr orb, const Arguments& arguments);

  std::vector<DsLogAdmin::Log_var> logs() const;
  // By its id; without text the log of programs' lines. Failure: there is none.
  DsLogAdmin::Log_var log(const std::string& id) const;
  // Gives the records that the constraint means to take(), in order, which says whether to go on.
  void each(DsLogAdmin::Log_ptr log, const std::string& constraint,
            const std::function<bool(const DsLogAdmin::LogRecord&)>& take) const;
  // The last ones, `lines` at most, in order.
  DsLogAdmin::RecordList last(DsLogAdmin::Log_ptr log, CORBA::Long lines) const;

 private:
  CORBA::Object_var object(CORBA::ORB_ptr orb, const std::string& text) const;
  void rest(DsLogAdmin::RecordList& first, DsLogAdmin::Iterator_ptr iterator,
            const std::function<bool(const DsLogAdmin::LogRecord&)>& take) const;

  std::vector<DsLogAdmin::LogMgr_var> managers_;
  DsLogAdmin::Log_var only_;
  DsLogAdmin::LogId line_log_ = 0;
  bool has_line_log_ = false;
};

}  // namespace callis::logs
