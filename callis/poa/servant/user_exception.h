// SPDX-License-Identifier: Apache-2.0
// The members that every user exception class has (C++ mapping 1.3, 4.19).
#pragma once
#include <callis/classic/exception.h>

// In the public part of class NAME, which derives from CORBA::UserException.
#define CALLIS_USER_EXCEPTION(NAME, ID)                              \
  [[noreturn]] void _raise() const override { throw *this; }         \
  CALLIS_USER_EXCEPTION_BUT_RAISE(NAME, ID)

// An exception without members.
#define CALLIS_EMPTY_USER_EXCEPTION(NAME, ID)                                       \
  class NAME final : public CORBA::UserException {                                  \
   public:                                                                          \
    [[noreturn]] void _raise() const override { callis::classic::raise<NAME>(); }   \
    CALLIS_USER_EXCEPTION_BUT_RAISE(NAME, ID)                                       \
  };

#define CALLIS_USER_EXCEPTION_BUT_RAISE(NAME, ID)                                                    \
  const char* _name() const noexcept override { return #NAME; }                                      \
  const char* _rep_id() const noexcept override { return ID; }                                       \
  CORBA::Exception* _duplicate() const override { return new NAME(*this); }                          \
  static NAME* _downcast(CORBA::Exception* e) { return dynamic_cast<NAME*>(e); }                     \
  static const NAME* _downcast(const CORBA::Exception* e) { return dynamic_cast<const NAME*>(e); }   \
  static NAME* _narrow(CORBA::Exception* e) { return _downcast(e); }
