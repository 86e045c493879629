// SPDX-License-Identifier: Apache-2.0
// CORBA::Exception and what derives from it (C++ mapping 1.3, 4.19; CORBA 3.3 part 1, 7.4.3 and A.5).
//
// All derive from std::exception, so that a program that catches only that still prints something useful.
// Copying never throws.
//
// A UserException holds nothing but its vtable pointer: the members of a generated exception start right
// after it, which is what the marshaling engine relies on (callis/marshal/memory.h).
#pragma once
#include <callis/classic/types.h>
#include <cstdio>
#include <exception>
#include <initializer_list>
#include <iosfwd>
#include <new>
#include <string_view>
#include <utility>

namespace callis::compat {
class ExceptionInfo;
}

namespace callis::classic {

// Names the standard system exceptions; an index into their table.
enum class Standard : unsigned char {
#define X(NAME) NAME,
#include <callis/classic/system_exceptions.inc>
#undef X
};

// Characters that copies share; never changed once made. Nothing here throws but make().
class SharedText final {
 public:
  SharedText() noexcept = default;
  SharedText(const SharedText& o) noexcept;
  SharedText& operator=(SharedText o) noexcept {
    std::swap(body_, o.body_);
    return *this;
  }
  ~SharedText();

  // The parts, one after the other.
  static SharedText make(std::initializer_list<std::string_view> parts);
  std::string_view view() const noexcept;  // empty when nothing was made
  const char* c_str() const noexcept { return view().data(); }

 private:
  struct Body;
  Body* body_ = nullptr;
};

}  // namespace callis::classic

namespace CORBA::inline callis_orb {

class Exception : public std::exception {
 public:
  Exception() noexcept = default;
  Exception(const Exception&) noexcept = default;
  Exception& operator=(const Exception&) noexcept = default;
  ~Exception() override;

  // Throws a copy of the most derived object.
  [[noreturn]] virtual void _raise() const = 0;
  // "TRANSIENT", and "IDL:omg.org/CORBA/TRANSIENT:1.0"; static storage.
  virtual const char* _name() const noexcept = 0;
  virtual const char* _rep_id() const noexcept = 0;
  // A copy by new; the caller owns it.
  virtual Exception* _duplicate() const = 0;
  // The repository id, unless a class knows better.
  const char* what() const noexcept override;

  // TAO's: both have the text of what(). Declared for programs that link callis::compat_tao, which defines them.
  void _tao_print_exception(const char* info, std::FILE* to = stderr) const;
  callis::compat::ExceptionInfo _info() const;
};

// what(), as text of the stream.
template <class C, class Traits>
std::basic_ostream<C, Traits>& operator<<(std::basic_ostream<C, Traits>& to, const Exception& e) {
  return to << e.what();
}

class UserException : public Exception {
 public:
  UserException() noexcept = default;
  UserException(const UserException&) noexcept = default;
  UserException& operator=(const UserException&) noexcept = default;
  ~UserException() override;

  static UserException* _downcast(Exception* e) { return dynamic_cast<UserException*>(e); }
  static const UserException* _downcast(const Exception* e) { return dynamic_cast<const UserException*>(e); }
  static UserException* _narrow(Exception* e) { return _downcast(e); }
};
static_assert(sizeof(UserException) == sizeof(void*));

enum CompletionStatus : ULong { COMPLETED_YES, COMPLETED_NO, COMPLETED_MAYBE };

// Upper 20 bits of the minor codes that the OMG has assigned (CORBA 3.3 part 1, A.5).
inline constexpr ULong OMGVMCID = 0x4f4d0000;

class SystemException : public Exception {
 public:
  SystemException(const SystemException&) noexcept = default;
  SystemException& operator=(const SystemException&) noexcept = default;
  ~SystemException() override;

  ULong minor() const noexcept { return minor_; }
  void minor(ULong code) { minor_ = code; }
  CompletionStatus completed() const noexcept { return completed_; }
  void completed(CompletionStatus status) { completed_ = status; }

  // Free text for people: what was refused, by whom, which address. What came from a peer in it is made printable
  // (callis/base/text.h), as is what is given here.
  std::string_view detail() const noexcept { return detail_.view(); }
  // Sets the text, as the constructors with a text do. A server sends such a text to the client (CORBA 3.0.3, 13.7.1,
  // ExceptionDetailMessage; -ORBExceptionTexts). It never sends texts that the ORB has made, which tell of addresses.
  void detail(std::string_view text) { set_detail(text, true); }

  // "CORBA::TRANSIENT minor 0x4f4d0001 COMPLETED_NO: <detail>". Valid until this object changes; not to be
  // called by two threads at once on one object.
  const char* what() const noexcept override;

  [[noreturn]] void _raise() const final;
  const char* _name() const noexcept final;
  const char* _rep_id() const noexcept final;
  Exception* _duplicate() const final;

  // For the ORB: sets a text of its own, and whether detail() is the application's.
  void _callis_detail(std::string_view text) { set_detail(text, false); }
  bool _callis_has_own_detail() const noexcept { return own_detail_; }

  // Once for all the classes below.
  static void operator delete(SystemException* e, std::destroying_delete_t);

  static SystemException* _downcast(Exception* e) { return dynamic_cast<SystemException*>(e); }
  static const SystemException* _downcast(const Exception* e) { return dynamic_cast<const SystemException*>(e); }
  static SystemException* _narrow(Exception* e) { return _downcast(e); }

  // TAO's minor codes, which it makes of a place in its code and of errno. callis::compat_tao defines both.
  static ULong _tao_errno(int error);
  static ULong _tao_minor_code(unsigned location, int error);

 protected:
  SystemException(callis::classic::Standard which, ULong code, CompletionStatus status) noexcept;
  SystemException(callis::classic::Standard which, ULong code, CompletionStatus status, std::string_view detail_text);

 private:
  void set_detail(std::string_view text, bool own);
  // Makes an exception of the same class and contents in memory for one.
  SystemException* copy_to(void* memory) const noexcept;

  ULong minor_;
  CompletionStatus completed_;
  callis::classic::Standard which_;  // the same in all of a class
  bool own_detail_ = false;          // detail_ is the application's
  callis::classic::SharedText detail_;
  mutable callis::classic::SharedText what_;  // made by what()
};

// The classes differ in their names alone; what they do is done by SystemException, from a table.
#define X(NAME)                                                                                            \
  class NAME final : public SystemException {                                                              \
   public:                                                                                                 \
    static constexpr callis::classic::Standard kWhich = callis::classic::Standard::NAME;                   \
    explicit NAME(ULong minor_code = 0, CompletionStatus status = COMPLETED_NO) noexcept                   \
        : SystemException(kWhich, minor_code, status) {}                                                   \
    NAME(ULong minor_code, CompletionStatus status, std::string_view detail_text)                          \
        : SystemException(kWhich, minor_code, status, detail_text) {}                                      \
    NAME(const NAME&) noexcept = default;                                                                  \
    NAME& operator=(const NAME&) noexcept = default;                                                       \
    ~NAME() override;                                                                                      \
    static NAME* _downcast(Exception* e) { return dynamic_cast<NAME*>(e); }                                \
    static const NAME* _downcast(const Exception* e) { return dynamic_cast<const NAME*>(e); }              \
    static NAME* _narrow(Exception* e) { return _downcast(e); }                                            \
  };
#include <callis/classic/system_exceptions.inc>
#undef X

}  // namespace CORBA::inline callis_orb

namespace callis::classic {

// A standard exception that is not allocated.
class LocalStandard final {
 public:
  LocalStandard(Standard which, CORBA::ULong minor, CORBA::CompletionStatus completed) noexcept;
  ~LocalStandard();
  LocalStandard(const LocalStandard&) = delete;
  LocalStandard& operator=(const LocalStandard&) = delete;
  operator const CORBA::SystemException&() const noexcept { return *exception_; }

 private:
  alignas(CORBA::SystemException) unsigned char memory_[sizeof(CORBA::SystemException)];
  CORBA::SystemException* exception_;
};

// Throws the one with that repository id (made_exceptions.h), with the detail text given.
[[noreturn]] void throw_system_exception(std::string_view repository_id, CORBA::ULong minor,
                                         CORBA::CompletionStatus completed, std::string_view detail = {});

// throw E(minor, completed, detail), in few bytes of code: raise<CORBA::MARSHAL>(4, CORBA::COMPLETED_NO).
[[noreturn]] void raise_standard(Standard which, CORBA::ULong minor, CORBA::CompletionStatus completed,
                                 std::string_view detail = {});
template <class E>
[[noreturn]] inline void raise(CORBA::ULong minor, CORBA::CompletionStatus completed, std::string_view detail = {}) {
  raise_standard(E::kWhich, minor, completed, detail);
}
// throw E(), for exceptions without members.
template <class E>
[[noreturn, gnu::noinline, gnu::cold]] void raise() {
  throw E();
}

// For the mapping's own classes; COMPLETED_NO.
[[noreturn]] void throw_no_memory();
[[noreturn]] void throw_bad_param(const char* detail);

// The factory that an orb::ExceptionLink wants.
template <class E>
CORBA::UserException* create_exception() {
  return new E;
}

}  // namespace callis::classic
