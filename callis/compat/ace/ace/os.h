// SPDX-License-Identifier: Apache-2.0
// Namespace ACE_OS: the system's functions under ACE's names. Each does what the function of that name does in POSIX,
// or in the C library.
#pragma once
#include <ace/base.h>
#include <fcntl.h>
#include <netdb.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cctype>
#include <cmath>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <string>

namespace ACE_OS {

// Files and texts
using ::fclose;
using ::fdopen;
using ::fflush;
using ::fgets;
using ::fileno;
using ::fopen;
using ::fprintf;
using ::fputs;
using ::fread;
using ::freopen;
using ::fseek;
using ::ftell;
using ::fwrite;
using ::perror;
using ::printf;
using ::puts;
using ::rename;
using ::rewind;
using ::snprintf;
using ::sprintf;
using ::tempnam;
using ::vfprintf;
using ::vprintf;
using ::vsnprintf;
using ::vsprintf;
// Memory and strings
using ::memchr;
using ::memcmp;
using ::memcpy;
using ::memmove;
using ::memset;
using ::strcasecmp;
using ::strcat;
using ::strcmp;
using ::strcpy;
using ::strcspn;
using ::strdup;
using ::strerror;
using ::strlen;
using ::strncasecmp;
using ::strncat;
using ::strncmp;
using ::strncpy;
using ::strnlen;
using ::strspn;
using ::strtok;
using ::strtok_r;
using ::wcscmp;
using ::wcscpy;
using ::wcslen;
using ::wcsncmp;
inline const char* strchr(const char* s, int c) { return ::strchr(s, c); }
inline char* strchr(char* s, int c) { return ::strchr(s, c); }
inline const char* strrchr(const char* s, int c) { return ::strrchr(s, c); }
inline char* strrchr(char* s, int c) { return ::strrchr(s, c); }
inline const char* strstr(const char* s, const char* t) { return ::strstr(s, t); }
inline char* strstr(char* s, const char* t) { return ::strstr(s, t); }
inline char* strsncpy(char* to, const char* from, std::size_t room) {
  if (room) ::snprintf(to, room, "%s", from);
  return to;
}
// Numbers and characters
using ::abort;
using ::abs;
using ::atexit;
using ::atof;
using ::atoi;
using ::atol;
using ::calloc;
using ::ceil;
using ::exit;
using ::floor;
using ::free;
using ::getenv;
using ::malloc;
using ::mkstemp;
using ::putenv;
using ::qsort;
using ::rand;
using ::rand_r;
using ::realloc;
using ::realpath;
using ::setenv;
using ::srand;
using ::strtod;
using ::strtol;
using ::strtoll;
using ::strtoul;
using ::strtoull;
using ::system;
using ::unsetenv;
inline int ace_isalnum(int c) { return std::isalnum(c); }
inline int ace_isalpha(int c) { return std::isalpha(c); }
inline int ace_isdigit(int c) { return std::isdigit(c); }
inline int ace_isprint(int c) { return std::isprint(c); }
inline int ace_isspace(int c) { return std::isspace(c); }
inline int ace_isupper(int c) { return std::isupper(c); }
inline int ace_islower(int c) { return std::islower(c); }
inline int ace_isxdigit(int c) { return std::isxdigit(c); }
inline int ace_tolower(int c) { return std::tolower(c); }
inline int ace_toupper(int c) { return std::toupper(c); }
// Time
using ::asctime;
using ::ctime;
using ::difftime;
using ::gmtime;
using ::gmtime_r;
using ::localtime;
using ::localtime_r;
using ::mktime;
using ::nanosleep;
using ::strftime;
using ::time;
inline ACE_hrtime_t gethrtime() {
  return static_cast<ACE_hrtime_t>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
}
inline int sleep(unsigned seconds) { return static_cast<int>(::sleep(seconds)); }
inline int sleep(const ACE_Time_Value& t) {
  const timespec span = t;
  return ::nanosleep(&span, nullptr);
}
// Processes, files and the machine
using ::access;
using ::chdir;
using ::close;
using ::dup;
using ::dup2;
using ::execv;
using ::execvp;
using ::fork;
using ::fstat;
using ::ftruncate;
using ::getcwd;
using ::getgid;
using ::getpid;
using ::getppid;
using ::getuid;
using ::gethostbyname;
using ::isatty;
using ::kill;
using ::lseek;
using ::mkdir;
using ::open;
using ::pipe;
using ::raise;
using ::read;
using ::rmdir;
using ::sigaction;
using ::sigaddset;
using ::sigemptyset;
using ::signal;
using ::stat;
using ::umask;
using ::uname;
using ::unlink;
using ::waitpid;
using ::write;
inline int hostname(char* name, std::size_t room) { return ::gethostname(name, room); }
inline int last_error() { return errno; }
inline void last_error(int e) { errno = e; }
inline long num_processors() { return ::sysconf(_SC_NPROCESSORS_CONF); }
inline long num_processors_online() { return ::sysconf(_SC_NPROCESSORS_ONLN); }
inline long sysconf(int name) { return ::sysconf(name); }
// Threads
inline ACE_thread_t thr_self() { return ::pthread_self(); }
inline void thr_yield() { ::sched_yield(); }

}  // namespace ACE_OS
using ACE_stat = struct stat;
using ACE_utsname = struct utsname;
