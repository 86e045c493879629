// SPDX-License-Identifier: Apache-2.0
// ACE_DEBUG, ACE_ERROR and their kin: lines by ACE's format letters, to standard error. A letter is ACE's, not
// printf's: %d is an int, %l the line, %P the process, %t the thread, %m errno's text, %p the same after a text.
#pragma once
#include <ace/base.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>

enum ACE_Log_Priority {
  LM_SHUTDOWN = 1,
  LM_TRACE = 2,
  LM_DEBUG = 4,
  LM_INFO = 8,
  LM_NOTICE = 16,
  LM_WARNING = 32,
  LM_STARTUP = 64,
  LM_ERROR = 128,
  LM_CRITICAL = 256,
  LM_ALERT = 512,
  LM_EMERGENCY = 1024,
  LM_MAX = 1024
};

// One for each thread, made at its first line.
class ACE_Log_Msg {
 public:
  enum {
    STDERR = 1,
    LOGGER = 2,
    OSTREAM = 4,
    MSG_CALLBACK = 8,
    VERBOSE = 16,
    VERBOSE_LITE = 32,
    SILENT = 64,
    SYSLOG = 128,
    CUSTOM = 256
  };
  enum MASK_TYPE { PROCESS = 0, THREAD = 1 };

  static ACE_Log_Msg* instance() {
    static thread_local ACE_Log_Msg one;
    return &one;
  }

  int open(const ACE_TCHAR* program, unsigned long flags = STDERR, const ACE_TCHAR* = nullptr) {
    const std::lock_guard lock(shared().mutex);
    shared().program = program ? program : "";
    shared().flags = flags;
    return 0;
  }
  static void program_name_of(const char* name) { shared().program = name; }
  static const char* program_name() { return shared().program.c_str(); }
  static void enable_debug_messages(ACE_Log_Priority p = LM_DEBUG) { shared().mask |= bits(p); }
  static void disable_debug_messages(ACE_Log_Priority p = LM_DEBUG) { shared().mask &= ~bits(p); }

  void set(const char* file, int line, int status, int error) {
    file_ = file;
    line_ = line;
    status_ = status;
    errno_ = error;
  }
  // For the next line: its arguments may ask for what was set before.
  void conditional_set(const char* file, int line, int status, int error) { next_ = {file, line, status, error}; }
  int op_status() const { return status_; }
  void op_status(int s) { status_ = s; }
  int errnum() const { return errno_; }
  const char* file() const { return file_; }
  int linenum() const { return line_; }
  unsigned long flags() const { return shared().flags; }
  void set_flags(unsigned long f) { shared().flags |= f; }
  void clr_flags(unsigned long f) { shared().flags &= ~f; }
  unsigned long priority_mask(MASK_TYPE = THREAD) const { return shared().mask; }
  unsigned long priority_mask(unsigned long mask, MASK_TYPE = THREAD) { return shared().mask.exchange(mask); }
  bool log_priority_enabled(ACE_Log_Priority p) const { return (shared().mask & bits(p)) != 0; }
  int inc() { return ++depth_; }
  int dec() { return --depth_; }

  ssize_t log(ACE_Log_Priority priority, const ACE_TCHAR* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const ssize_t written = log(format, priority, arguments);
    va_end(arguments);
    return written;
  }
  ssize_t log(const ACE_TCHAR* format, ACE_Log_Priority priority, va_list arguments) {
    if (next_.file) set(next_.file, next_.line, next_.status, next_.error);
    next_ = {};
    if (!log_priority_enabled(priority) || (flags() & SILENT)) return 0;
    bool ends = false;
    va_list copy;  // as an array of its own, of which a reference can be passed
    va_copy(copy, arguments);
    const std::string line = text_of(priority, format, copy, ends);
    va_end(copy);
    {
      const std::lock_guard lock(shared().mutex);
      std::fwrite(line.data(), 1, line.size(), stderr);
      std::fflush(stderr);
    }
    if (ends) std::abort();
    return static_cast<ssize_t>(line.size());
  }

 private:
  static unsigned long bits(ACE_Log_Priority p) { return static_cast<unsigned long>(p); }
  struct Shared {
    std::mutex mutex;
    std::string program = program_invocation_short_name;
    std::atomic<unsigned long> flags{STDERR};
    std::atomic<unsigned long> mask{~0UL};
  };
  static Shared& shared() {
    static Shared s;
    return s;
  }

  static const char* name_of(ACE_Log_Priority priority) {
    switch (priority) {
      case LM_SHUTDOWN: return "LM_SHUTDOWN";
      case LM_TRACE: return "LM_TRACE";
      case LM_DEBUG: return "LM_DEBUG";
      case LM_INFO: return "LM_INFO";
      case LM_NOTICE: return "LM_NOTICE";
      case LM_WARNING: return "LM_WARNING";
      case LM_STARTUP: return "LM_STARTUP";
      case LM_ERROR: return "LM_ERROR";
      case LM_CRITICAL: return "LM_CRITICAL";
      case LM_ALERT: return "LM_ALERT";
      case LM_EMERGENCY: return "LM_EMERGENCY";
    }
    return "<unknown>";
  }

  template <class T>
  static void put(std::string& to, const std::string& flags, const char* letters, T value) {
    char text[512];
    const std::string format = '%' + flags + letters;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const int n = std::snprintf(text, sizeof text, format.c_str(), value);
    if (n < static_cast<int>(sizeof text)) {
      if (n > 0) to.append(text, static_cast<std::size_t>(n));
      return;
    }
    std::string more(static_cast<std::size_t>(n) + 1, '\0');
    std::snprintf(more.data(), more.size(), format.c_str(), value);
#pragma GCC diagnostic pop
    more.pop_back();
    to += more;
  }

  static std::string time_of_day(bool date) {
    const auto now = std::chrono::system_clock::now();
    const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
    const auto micro = now.time_since_epoch() / std::chrono::microseconds(1) % 1'000'000;
    std::tm parts{};
    ::localtime_r(&seconds, &parts);
    char text[64], all[80];
    std::strftime(text, sizeof text, date ? "%Y-%m-%d %H:%M:%S" : "%H:%M:%S", &parts);
    std::snprintf(all, sizeof all, "%s.%06ld", text, static_cast<long>(micro));
    return all;
  }

  std::string text_of(ACE_Log_Priority priority, const char* format, va_list& a, bool& ends) const {
    std::string to;
    if (flags() & (VERBOSE | VERBOSE_LITE)) to += time_of_day(true) + "@" + name_of(priority) + "@";
    for (const char* at = format ? format : ""; *at; ++at) {
      if (*at != '%') {
        to += *at;
        continue;
      }
      std::string f;
      while (at[1] && std::strchr("-+ #0123456789.*", at[1])) {
        ++at;
        if (*at == '*') f += std::to_string(va_arg(a, int));
        else f += *at;
      }
      switch (*++at) {
        case '\0': return to;
        case '%': to += '%'; break;
        case 'A': put(to, f, "f", va_arg(a, double)); break;
        case 'a': ends = true; break;
        case '{': const_cast<ACE_Log_Msg*>(this)->inc(); break;
        case '}': const_cast<ACE_Log_Msg*>(this)->dec(); break;
        case '$': to += '\n'; [[fallthrough]];
        case 'I': to.append(static_cast<std::size_t>(depth_ > 0 ? depth_ : 0) * 3, ' '); break;
        case 'l': put(to, f, "d", line_); break;
        case 'N': put(to, f, "s", file_); break;
        case 'n': put(to, f, "s", program_name()); break;
        case 'P': put(to, f, "d", static_cast<int>(::getpid())); break;
        case 't': put(to, f, "ld", ::syscall(SYS_gettid)); break;
        case 'D':
        case 'T': put(to, f, "s", time_of_day(*at == 'D').c_str()); break;
        case '#': va_arg(a, const void*); break;
        case 'M': put(to, f, "s", name_of(priority)); break;
        case 'm': put(to, f, "s", std::strerror(errno_)); break;
        case 'p': {
          const char* const what = va_arg(a, const char*);
          put(to, f, "s", (std::string(what ? what : "(null)") + ": " + std::strerror(errno_)).c_str());
          break;
        }
        case 'S': put(to, f, "s", ::strsignal(va_arg(a, int))); break;
        case 's':
        case 'C': {
          const char* const text = va_arg(a, const char*);
          put(to, f, "s", text ? text : "(null)");
          break;
        }
        case 'Z':
        case 'W': {
          const wchar_t* const text = va_arg(a, const wchar_t*);
          put(to, f, "ls", text ? text : L"(null)");
          break;
        }
        case 'c': put(to, f, "c", va_arg(a, int)); break;
        case 'z':
        case 'w': put(to, f, "lc", static_cast<wint_t>(va_arg(a, int))); break;
        case 'd':
        case 'i':
        case 'R': put(to, f, "d", va_arg(a, int)); break;
        case 'u': put(to, f, "u", va_arg(a, unsigned)); break;
        case 'o': put(to, f, "o", va_arg(a, unsigned)); break;
        case 'x': put(to, f, "x", va_arg(a, unsigned)); break;
        case 'X': put(to, f, "X", va_arg(a, unsigned)); break;
        case 'e': put(to, f, "e", va_arg(a, double)); break;
        case 'E': put(to, f, "E", va_arg(a, double)); break;
        case 'f': put(to, f, "f", va_arg(a, double)); break;
        case 'F': put(to, f, "F", va_arg(a, double)); break;
        case 'g': put(to, f, "g", va_arg(a, double)); break;
        case 'G': put(to, f, "G", va_arg(a, double)); break;
        case 'Q': put(to, f, "llu", va_arg(a, unsigned long long)); break;
        case 'q': put(to, f, "lld", va_arg(a, long long)); break;
        case 'b': put(to, f, "zd", va_arg(a, ssize_t)); break;
        case 'B': put(to, f, "zu", va_arg(a, std::size_t)); break;
        case ':': put(to, f, "ld", static_cast<long>(va_arg(a, std::time_t))); break;
        case '@': put(to, f, "p", va_arg(a, void*)); break;
        case 'r': va_arg(a, void (*)())(); break;
        case '?': break;
        default: to += '%', to += *at;
      }
    }
    return to;
  }

  struct Next {
    const char* file = nullptr;
    int line = 0, status = 0, error = 0;
  };
  Next next_;
  const char* file_ = "";
  int line_ = 0, status_ = 0, errno_ = 0, depth_ = 0;
};

#define ACE_LOG_MSG ACE_Log_Msg::instance()
#define CALLIS_ACE_LOG(words, status)                                              \
  do {                                                                             \
    const int callis_ace_errno = errno;                                            \
    ACE_Log_Msg* const callis_ace_log = ACE_Log_Msg::instance();                   \
    callis_ace_log->conditional_set(__FILE__, __LINE__, status, callis_ace_errno); \
    callis_ace_log->log words;                                                     \
    errno = callis_ace_errno;                                                      \
  } while (0)
#define ACE_LOG_RETURN_OF(words, status, result) \
  do {                                           \
    CALLIS_ACE_LOG(words, status);               \
    return result;                               \
  } while (0)
#define ACE_DEBUG(words) CALLIS_ACE_LOG(words, 0)
#define ACE_ERROR(words) CALLIS_ACE_LOG(words, -1)
#define ACE_RETURN(value) return value
#define ACE_ERROR_RETURN(words, result) ACE_LOG_RETURN_OF(words, result, result)
#define ACE_DEBUG_RETURN(words, result) ACE_LOG_RETURN_OF(words, result, result)
#define ACE_ERROR_BREAK(words) \
  {                            \
    ACE_ERROR(words);          \
    break;                     \
  }
#define ACE_ERROR_INIT(value, flags)
#define ACE_LOG_MSG_NAME ACE_Log_Msg
#define ACE_HEX_DUMP(words)
#define ACELIB_DEBUG(words) ACE_DEBUG(words)
#define ACELIB_ERROR(words) ACE_ERROR(words)
#define ACELIB_ERROR_RETURN(words, result) ACE_ERROR_RETURN(words, result)
#define ORBSVCS_DEBUG(words) ACE_DEBUG(words)
#define ORBSVCS_ERROR(words) ACE_ERROR(words)
#define TAOLIB_DEBUG(words) ACE_DEBUG(words)
#define TAOLIB_ERROR(words) ACE_ERROR(words)
