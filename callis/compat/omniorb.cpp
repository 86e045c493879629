// SPDX-License-Identifier: Apache-2.0
// Namespace omniORB. Times of calls for all ORBs are policies of their ORBPolicyManagers: an initializer sets them
// for ORBs that come later.
#include <callis/base/log.h>
#include <callis/interceptors.h>
#include <callis/messaging/make_policy.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/policy_overrides.h>

#include <omniORB4/CORBA.h>
#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace omniORB::inline callis_compat {

namespace {

using callis::LogLevel;

constexpr TimeBase::TimeT kUnitsOfMillisecond = 10'000;  // of 100 ns
constexpr TimeBase::TimeT kUnitsTo1970 = 0x01b2'1dd2'1381'4000;  // from the 15th of October 1582

// The limit of this thread's calls.
using ThreadLimit = std::optional<callis::orb::ThreadPolicyScope>;
ThreadLimit& limit_of_thread() {
  thread_local ThreadLimit limit;
  return limit;
}

LogLevel level_of(CORBA::ULong level) {
  return level == 0   ? LogLevel::Error
         : level == 1 ? LogLevel::Warning
         : level < 10 ? LogLevel::Info
         : level < 25 ? LogLevel::Debug
                      : LogLevel::Trace;
}

// The policies of all ORBs, by kind.
struct Limits {
  std::mutex mutex;
  CORBA::Policy_var call, connect;
  bool told = false;  // ORBs that come later know
};
Limits& limits() {
  static Limits all;
  return all;
}

void add_policy(CORBA::Object_ptr manager, CORBA::Policy_ptr policy) {
  const CORBA::PolicyManager_var to = CORBA::PolicyManager::_narrow(manager);
  if (CORBA::is_nil(to.in()) || CORBA::is_nil(policy)) return;
  CORBA::PolicyList list;
  list.length(1);
  list[0] = CORBA::Policy::_duplicate(policy);
  to->set_policy_overrides(list, CORBA::ADD_OVERRIDE);
}

class LaterOrbs final : public virtual PortableInterceptor::ORBInitializer, public virtual CORBA::LocalObject {
 public:
  void pre_init(PortableInterceptor::ORBInitInfo_ptr) override {}
  void post_init(PortableInterceptor::ORBInitInfo_ptr info) override {
    const CORBA::Object_var manager = info->resolve_initial_references("ORBPolicyManager");
    const std::lock_guard lock(limits().mutex);
    add_policy(manager.in(), limits().call.in());
    add_policy(manager.in(), limits().connect.in());
  }
};

void set_for_all(CORBA::Policy_var Limits::*which, CORBA::Policy_ptr policy) {
  Limits& all = limits();
  const std::lock_guard lock(all.mutex);
  all.*which = policy;
  if (!std::exchange(all.told, true)) {
    const PortableInterceptor::ORBInitializer_var later = new LaterOrbs;
    PortableInterceptor::register_orb_initializer(later.in());
  }
  if (const auto core = callis::orb::default_orb(); core.get()) {
    const CORBA::Object_var manager = core->resolve_initial_references("ORBPolicyManager");
    add_policy(manager.in(), policy);
  }
}

void give_line(LogLevel, std::string_view text, void* function) {
  const std::string line = std::string(text) + '\n';
  (*static_cast<logFunction*>(function))(line.c_str());
}

}  // namespace

const TraceLevel& TraceLevel::operator=(CORBA::ULong level) const {
  callis::set_log_level(level_of(level));
  return *this;
}

TraceLevel::operator CORBA::ULong() const {
  switch (callis::log_level()) {
    case LogLevel::Trace: return 25;
    case LogLevel::Debug: return 10;
    case LogLevel::Info: return 2;
    case LogLevel::Warning: return 1;
    default: return 0;
  }
}

const TraceInvocations& TraceInvocations::operator=(CORBA::Boolean on) const {
  if (on && traceLevel < 10) traceLevel = 10;
  return *this;
}

void logs(CORBA::ULong level, const char* message) { callis::log(level_of(level), message); }

void logf(CORBA::ULong level, const char* format, ...) {
  if (!trace(level)) return;
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  logs(level, text);
}

void setLogFunction(logFunction function) {
  static logFunction current = nullptr;
  current = function;
  if (function) callis::set_log_sink(&give_line, &current);
  else callis::set_log_sink(nullptr, nullptr);
}

void setClientCallTimeout(CORBA::ULong milliseconds) {
  set_for_all(&Limits::call, callis::messaging::make_roundtrip_timeout(milliseconds * kUnitsOfMillisecond));
}

void setClientConnectTimeout(CORBA::ULong milliseconds) {
  set_for_all(&Limits::connect, callis::messaging::make_connection_timeout(milliseconds * kUnitsOfMillisecond));
}

void setClientThreadCallTimeout(CORBA::ULong milliseconds) {
  ThreadLimit& limit = limit_of_thread();
  limit.reset();
  if (milliseconds == 0) return;
  const CORBA::Policy_var policy = callis::messaging::make_roundtrip_timeout(milliseconds * kUnitsOfMillisecond);
  limit.emplace(policy.in());
}

void setClientThreadCallDeadline(unsigned long seconds, unsigned long nanoseconds) {
  ThreadLimit& limit = limit_of_thread();
  limit.reset();
  if (seconds == 0 && nanoseconds == 0) return;
  TimeBase::UtcT moment{};
  moment.time = kUnitsTo1970 + seconds * (kUnitsOfMillisecond * 1'000) + nanoseconds / 100;
  CORBA::Any value;
  value <<= moment;
  constexpr CORBA::PolicyType kType = Messaging::REPLY_END_TIME_POLICY_TYPE;
  const CORBA::Policy_var policy = callis::orb::find_policy_factory(kType)(kType, value);
  limit.emplace(policy.in());
}

CORBA::Object_ptr with_call_timeout(CORBA::Object_ptr object, CORBA::ULong milliseconds) {
  if (CORBA::is_nil(object)) return CORBA::Object::_nil();
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = callis::messaging::make_roundtrip_timeout(milliseconds * kUnitsOfMillisecond);
  return object->_set_policy_overrides(policies, CORBA::ADD_OVERRIDE);
}

#define CALLIS_COMPAT_HANDLER(type, name)              \
  void name(void*, type) {}                            \
  void name(CORBA::Object_ptr, void*, type) {}
CALLIS_COMPAT_HANDLER(transientExceptionHandler_t, installTransientExceptionHandler)
CALLIS_COMPAT_HANDLER(timeoutExceptionHandler_t, installTimeoutExceptionHandler)
CALLIS_COMPAT_HANDLER(commFailureExceptionHandler_t, installCommFailureExceptionHandler)
CALLIS_COMPAT_HANDLER(systemExceptionHandler_t, installSystemExceptionHandler)
#undef CALLIS_COMPAT_HANDLER

const char* versionString() { return "callis"; }

}  // namespace omniORB::inline callis_compat

namespace CORBA::inline callis_orb {

ORB_ptr ORB_init(int& argc, char** argv, const char* orb_id, const char* options[][2]) {
  std::vector<std::string> words;
  for (; options && (*options)[0]; ++options) {
    words.push_back(std::string("-ORB") + (*options)[0]);
    words.push_back((*options)[1] ? (*options)[1] : "");
  }
  std::vector<char*> all;
  if (argc > 0) all.push_back(argv[0]);
  const std::size_t first = all.size();
  for (std::string& word : words) all.push_back(word.data());
  for (int i = 1; i < argc; ++i) all.push_back(argv[i]);
  int count = static_cast<int>(all.size());
  all.push_back(nullptr);
  ORB_var orb = ORB_init(count, all.data(), orb_id);
  // ORB_init has taken the options out.
  for (std::size_t i = first; i < static_cast<std::size_t>(count); ++i) argv[i] = all[i];
  if (argv && count < argc) argv[count] = nullptr;
  argc = count;
  return orb._retn();
}

}  // namespace CORBA::inline callis_orb
