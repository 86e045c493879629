// SPDX-License-Identifier: Apache-2.0
#include <callis/classic/exception.h>
#include <cstdio>

namespace CORBA {

Exception::~Exception() = default;
const char* Exception::what() const noexcept { return _rep_id(); }
UserException::~UserException() = default;
SystemException::~SystemException() = default;

void SystemException::detail(std::string_view text) {
  detail_ = text.empty() ? nullptr : std::make_shared<const std::string>(text);
}

const char* SystemException::what() const noexcept {
  static const char* const kStatus[] = {"COMPLETED_YES", "COMPLETED_NO", "COMPLETED_MAYBE"};
  try {
    char code[16];
    std::snprintf(code, sizeof code, "0x%08x", static_cast<unsigned>(minor_));
    std::string text = std::string("CORBA::") + _name() + " minor " + code + " ";
    text += completed_ <= COMPLETED_MAYBE ? kStatus[completed_] : "COMPLETED_?";
    if (detail_) text += ": " + *detail_;
    what_ = std::make_shared<const std::string>(std::move(text));
    return what_->c_str();
  } catch (...) {  // no memory for the text
    return _rep_id();
  }
}

#define X(NAME)                                                                                \
  void NAME::_raise() const { throw *this; }                                                   \
  const char* NAME::_name() const noexcept { return #NAME; }                                   \
  const char* NAME::_rep_id() const noexcept { return "IDL:omg.org/CORBA/" #NAME ":1.0"; }     \
  Exception* NAME::_duplicate() const { return new NAME(*this); }
#include <callis/classic/system_exceptions.inc>
#undef X

}  // namespace CORBA

namespace callis::classic {

namespace {

struct Factory {
  const char* name;
  CORBA::SystemException* (*make)(CORBA::ULong, CORBA::CompletionStatus);
};

template <class E>
CORBA::SystemException* make(CORBA::ULong minor, CORBA::CompletionStatus completed) {
  return new E(minor, completed);
}

constexpr Factory kFactories[] = {
#define X(NAME) {#NAME, make<CORBA::NAME>},
#include <callis/classic/system_exceptions.inc>
#undef X
};

}  // namespace

std::unique_ptr<CORBA::SystemException> make_system_exception(std::string_view id, CORBA::ULong minor,
                                                              CORBA::CompletionStatus completed) {
  constexpr std::string_view kPrefix = "IDL:omg.org/CORBA/", kSuffix = ":1.0";
  if (id.size() > kPrefix.size() + kSuffix.size() && id.starts_with(kPrefix) && id.ends_with(kSuffix)) {
    const auto name = id.substr(kPrefix.size(), id.size() - kPrefix.size() - kSuffix.size());
    for (const Factory& f : kFactories)
      if (name == f.name) return std::unique_ptr<CORBA::SystemException>(f.make(minor, completed));
  }
  return std::make_unique<CORBA::UNKNOWN>(CORBA::OMGVMCID | 2, completed);
}

void throw_system_exception(std::string_view id, CORBA::ULong minor, CORBA::CompletionStatus completed,
                            std::string_view detail) {
  const auto e = make_system_exception(id, minor, completed);
  if (!detail.empty()) e->detail(detail);
  e->_raise();
  __builtin_unreachable();  // GCC forgets [[noreturn]] of a virtual function
}

void throw_no_memory() { throw CORBA::NO_MEMORY(0, CORBA::COMPLETED_NO); }
void throw_bad_param(const char* detail) { throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, detail); }

}  // namespace callis::classic
