// SPDX-License-Identifier: Apache-2.0
// The little of ACE that programs for TAO use, for those who have no ACE: macros, types and ACE_Time_Value. All of it
// is written from ACE's documents, over the C++ standard library and POSIX. Leave this folder
// out of the -I options if you have ACE (Debian: libace-dev): ACE stays ACE.
#pragma once
#if defined(ACE_CONFIG_ALL_H) || defined(ACE_CONFIG_LITE_H) || defined(ACE_EXPORT_H)
#error "callis/compat/ace and ACE's own headers in one program: leave one of both out of the -I options"
#endif
#include <sys/time.h>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <new>

#define CALLIS_ACE_SHIM 1
#define ACE_MAJOR_VERSION 7
#define ACE_MINOR_VERSION 0
#define ACE_BEGIN_VERSIONED_NAMESPACE_DECL
#define ACE_END_VERSIONED_NAMESPACE_DECL
#define ACE_HAS_THREADS 1
#define ACE_LACKS_PRAGMA_ONCE_NOT

using ACE_TCHAR = char;
using ACE_ANTI_TCHAR = wchar_t;
#define ACE_TEXT(text) text
#define ACE_LIB_TEXT(text) text
#define ACE_TEXT_ALWAYS_CHAR(text) (text)
#define ACE_TEXT_CHAR_TO_TCHAR(text) (text)
#define ACE_TEXT_TO_TCHAR_IN(text) (text)
#define ACE_TEXT_ALWAYS_WCHAR(text) L##text
#define ACE_TMAIN main
#define ACE_MAIN main
#define ACE_DIRECTORY_SEPARATOR_STR "/"
#define ACE_DIRECTORY_SEPARATOR_CHAR '/'

using ACE_INT8 = std::int8_t;
using ACE_INT16 = std::int16_t;
using ACE_INT32 = std::int32_t;
using ACE_INT64 = std::int64_t;
using ACE_UINT8 = std::uint8_t;
using ACE_UINT16 = std::uint16_t;
using ACE_UINT32 = std::uint32_t;
using ACE_UINT64 = std::uint64_t;
using ACE_Byte = unsigned char;
using ACE_HANDLE = int;
using ACE_hrtime_t = ACE_UINT64;
using ACE_timer_t = double;
using ACE_thread_t = unsigned long;
using ACE_hthread_t = unsigned long;
using ACE_exitcode = int;
#define ACE_INVALID_HANDLE (-1)
#define ACE_STDIN 0
#define ACE_STDOUT 1
#define ACE_STDERR 2
#define MAXPATHLEN_OF_ACE 4096
#define ACE_UINT64_FORMAT_SPECIFIER "%Q"
#define ACE_INT64_FORMAT_SPECIFIER "%q"
#define ACE_SIZE_T_FORMAT_SPECIFIER "%B"
#define ACE_SSIZE_T_FORMAT_SPECIFIER "%b"
#define ACE_U64_TO_U32(n) static_cast<ACE_UINT32>(n)
#define ACE_HRTIME_TO_U64(n) (n)

#define ACE_UNUSED_ARG(name) static_cast<void>(name)
#define ACE_NOTREACHED(code)
#define ACE_DECLARE_NEW_CORBA_ENV
#define ACE_TRACE(text)
#define ACE_ASSERT(condition) (static_cast<void>(sizeof(condition)))
#define ACE_CHECK
#define ACE_CHECK_RETURN(value)
#define ACE_SET_BITS(word, bits) (word |= (bits))
#define ACE_CLR_BITS(word, bits) (word &= ~(bits))
#define ACE_BIT_ENABLED(word, bit) (((word) & (bit)) != 0)
#define ACE_BIT_DISABLED(word, bit) (((word) & (bit)) == 0)
#define ACE_MIN(a, b) ((b) < (a) ? (b) : (a))
#define ACE_MAX(a, b) ((a) < (b) ? (b) : (a))
#define ACE_static_cast(type, value) static_cast<type>(value)
#define ACE_const_cast(type, value) const_cast<type>(value)
#define ACE_reinterpret_cast(type, value) reinterpret_cast<type>(value)
#define ACE_dynamic_cast(type, value) dynamic_cast<type>(value)
#define ACE_Export
#define ACE_Proper_Export_Flag
#define ACE_Proper_Import_Flag
#define ACE_EXPORT_SINGLETON_DECLARATION(name)
#define ACE_IMPORT_SINGLETON_DECLARATION(name)
#define ACE_ALLOC_HOOK_DECLARE
#define ACE_UNIMPLEMENTED_FUNC(function) function = delete;
#define ACE_THROW_SPEC(exceptions)
#define ACE_DEFAULT_TIMEOUT 5

#define ACE_NEW(pointer, constructor)                \
  do {                                               \
    pointer = new (std::nothrow) constructor;        \
    if (pointer == nullptr) {                        \
      errno = ENOMEM;                                \
      return;                                        \
    }                                                \
  } while (0)
#define ACE_NEW_RETURN(pointer, constructor, result) \
  do {                                               \
    pointer = new (std::nothrow) constructor;        \
    if (pointer == nullptr) {                        \
      errno = ENOMEM;                                \
      return result;                                 \
    }                                                \
  } while (0)
#define ACE_NEW_NORETURN(pointer, constructor) (pointer = new (std::nothrow) constructor)
#define ACE_NEW_THROW_EX(pointer, constructor, exception)   \
  do {                                                      \
    pointer = new (std::nothrow) constructor;               \
    if (pointer == nullptr) throw exception;                \
  } while (0)

// A span or a moment, in microseconds; a negative one has both parts negative, or zero.
class ACE_Time_Value {
 public:
  constexpr ACE_Time_Value() noexcept = default;
  explicit constexpr ACE_Time_Value(std::time_t sec, long usec = 0) noexcept { set(sec, usec); }
  explicit constexpr ACE_Time_Value(const timeval& t) noexcept { set(t.tv_sec, t.tv_usec); }
  explicit constexpr ACE_Time_Value(const timespec& t) noexcept { set(t.tv_sec, t.tv_nsec / 1000); }
  template <class Rep, class Period>
  explicit constexpr ACE_Time_Value(const std::chrono::duration<Rep, Period>& d) noexcept {
    micro_ = std::chrono::duration_cast<std::chrono::microseconds>(d).count();
  }

  static const ACE_Time_Value zero;
  static const ACE_Time_Value max_time;

  constexpr void set(std::time_t sec, long usec) noexcept { micro_ = static_cast<long long>(sec) * kMillion + usec; }
  constexpr std::time_t sec() const noexcept { return micro_ / kMillion; }
  constexpr void sec(std::time_t s) noexcept { micro_ = static_cast<long long>(s) * kMillion + micro_ % kMillion; }
  constexpr long usec() const noexcept { return static_cast<long>(micro_ % kMillion); }
  constexpr void usec(long u) noexcept { micro_ = micro_ / kMillion * kMillion + u; }
  constexpr unsigned long msec() const noexcept { return static_cast<unsigned long>(micro_ / 1000); }
  constexpr ACE_UINT64 get_msec() const noexcept { return static_cast<ACE_UINT64>(micro_ / 1000); }
  void msec(long ms) noexcept { micro_ = ms * 1000LL; }
  void msec(ACE_UINT64& ms) const noexcept { ms = get_msec(); }
  void to_usec(ACE_UINT64& us) const noexcept { us = static_cast<ACE_UINT64>(micro_); }
  double to_double() const noexcept { return static_cast<double>(micro_) / kMillion; }
  operator timeval() const noexcept { return {sec(), usec()}; }
  operator timespec() const noexcept { return {sec(), usec() * 1000}; }
  // The moment that lies so far ahead.
  ACE_Time_Value to_absolute_time() const;

  ACE_Time_Value& operator+=(const ACE_Time_Value& o) noexcept { return micro_ += o.micro_, *this; }
  ACE_Time_Value& operator-=(const ACE_Time_Value& o) noexcept { return micro_ -= o.micro_, *this; }
  ACE_Time_Value& operator+=(std::time_t seconds) noexcept { return micro_ += seconds * kMillion, *this; }
  ACE_Time_Value& operator*=(double d) noexcept {
    micro_ = static_cast<long long>(static_cast<double>(micro_) * d);
    return *this;
  }
  friend ACE_Time_Value operator+(ACE_Time_Value a, const ACE_Time_Value& b) noexcept { return a += b; }
  friend ACE_Time_Value operator-(ACE_Time_Value a, const ACE_Time_Value& b) noexcept { return a -= b; }
  friend ACE_Time_Value operator*(ACE_Time_Value a, double d) noexcept { return a *= d; }
  friend constexpr auto operator<=>(const ACE_Time_Value& a, const ACE_Time_Value& b) noexcept = default;

 private:
  static constexpr long long kMillion = 1'000'000;
  long long micro_ = 0;
};
inline constexpr ACE_Time_Value ACE_Time_Value::zero{};
inline constexpr ACE_Time_Value ACE_Time_Value::max_time{LONG_MAX / 1'000'001, 0};

namespace ACE_OS {
inline ACE_Time_Value gettimeofday() {
  return ACE_Time_Value(std::chrono::system_clock::now().time_since_epoch());
}
}  // namespace ACE_OS
inline ACE_Time_Value ACE_Time_Value::to_absolute_time() const { return ACE_OS::gettimeofday() + *this; }
