// SPDX-License-Identifier: Apache-2.0
// Namespace omniORB: what omniORB's programs set there, as far as callis has the meaning.
// docs/guide/from-omniorb.md says of each name what became of it.
#pragma once
#include <callis/base/cxx20.h>
#include <callis/deadline.h>
#include <callis/omniorb.h>

namespace omniORB::inline callis_compat {

// Lets ORB_init know those of omniORB's options that mean nothing here: the log names each, with what to use instead.
// Done by including this file.
bool know_options();
[[maybe_unused]] static const bool options_known = know_options();

// callis throws it never: an error inside of the ORB is CORBA::INTERNAL.
class fatalException {
 public:
  fatalException(const char* file, int line, const char* message) : file_(file), line_(line), message_(message) {}
  const char* file() const { return file_; }
  int line() const { return line_; }
  const char* errmsg() const { return message_; }

 private:
  const char* file_;
  int line_;
  const char* message_;
};

// --- Messages ---

// The level of callis's log: 0 errors, 1 warnings, from 2 information, from 10 calls, from 25 everything. Reads as
// the least number of that level. -ORBLog and -ORBtraceLevel set the same.
struct TraceLevel {
  const TraceLevel& operator=(CORBA::ULong level) const;
  operator CORBA::ULong() const;
};
inline constexpr TraceLevel traceLevel;
// Variables that callis does not look at: its log has the time, the thread and each exception where -ORBLogFormat and
// -ORBLog ask for them.
inline CORBA::Boolean traceExceptions = false, traceInvocationReturns = false, traceThreadId = false,
                      traceTime = false, traceLocking = false;
// true: at least traceLevel 10. false changes nothing.
struct TraceInvocations {
  const TraceInvocations& operator=(CORBA::Boolean on) const;
  operator CORBA::Boolean() const { return traceLevel >= 10; }
};
inline constexpr TraceInvocations traceInvocations;

inline bool trace(CORBA::ULong level) { return traceLevel >= level; }
// Writes the line into callis's log if traceLevel is at least that level.
void logs(CORBA::ULong level, const char* message);
[[gnu::format(printf, 2, 3)]] void logf(CORBA::ULong level, const char* format, ...);
using logFunction = void (*)(const char* message);
// Gives each line of the log, with a line feed, to the function; nullptr restores the standard error stream. Call
// before threads start.
void setLogFunction(logFunction function);

// --- Times of calls, in milliseconds; 0: no limit ---

// Both are for the default ORB, and for all ORBs that ORB_init makes from now on.
void setClientCallTimeout(CORBA::ULong milliseconds);
void setClientConnectTimeout(CORBA::ULong milliseconds);
// Limits the calls of this thread from now on; 0 takes the limit away.
void setClientThreadCallTimeout(CORBA::ULong milliseconds);
// The same by a moment, in seconds and nanoseconds since 1970 as omni_thread::get_time() has them; two zeros take the
// limit away. Calls after that moment are TIMEOUT at once.
void setClientThreadCallDeadline(unsigned long seconds, unsigned long nanoseconds);
// Limits the calls by this variable. Other references to the object keep their limits, where omniORB's all have the
// same.
CORBA::Object_ptr with_call_timeout(CORBA::Object_ptr object, CORBA::ULong milliseconds);
template <class X>
void setClientCallTimeout(callis::classic::ReferenceVar<X>& object, CORBA::ULong milliseconds) {
  const CORBA::Object_var limited = with_call_timeout(object.in(), milliseconds);
  object = X::_unchecked_narrow(limited.in());
}
[[gnu::error("give omniORB::setClientCallTimeout the _var: a limit belongs to a reference, not to the object")]]
void setClientCallTimeout(CORBA::Object_ptr object, CORBA::ULong milliseconds);

// --- Names without a meaning here: the compiler warns, and they do nothing ---

#define CALLIS_COMPAT_HANDLER(type, name, exception)                                                       \
  using type = CORBA::Boolean (*)(void* cookie, CORBA::ULong retries, const CORBA::exception&);            \
  [[gnu::warning("callis calls no handler: catch the exception where you call, and call again")]]         \
  void name(void* cookie, type handler);                                                                   \
  [[gnu::warning("callis calls no handler: catch the exception where you call, and call again")]]         \
  void name(CORBA::Object_ptr object, void* cookie, type handler);
CALLIS_COMPAT_HANDLER(transientExceptionHandler_t, installTransientExceptionHandler, TRANSIENT)
CALLIS_COMPAT_HANDLER(timeoutExceptionHandler_t, installTimeoutExceptionHandler, TIMEOUT)
CALLIS_COMPAT_HANDLER(commFailureExceptionHandler_t, installCommFailureExceptionHandler, COMM_FAILURE)
CALLIS_COMPAT_HANDLER(systemExceptionHandler_t, installSystemExceptionHandler, SystemException)
#undef CALLIS_COMPAT_HANDLER

// callis has one main thread without being told: the one in ORB::run() (docs/guide/threads.md).
inline void setMainThread() {}
const char* versionString();

}  // namespace omniORB::inline callis_compat

namespace CORBA::inline callis_orb {

// ORB_init with options by name, without "-ORB"; the last pair is null. The command line comes after these options,
// and counts more.
ORB_ptr ORB_init(int& argc, char** argv, const char* orb_id, const char* options[][2]);

}  // namespace CORBA::inline callis_orb
