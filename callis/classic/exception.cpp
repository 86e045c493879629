// SPDX-License-Identifier: Apache-2.0
// The standard exceptions are forty classes that differ in their names alone, so their code is here once, and a
// table says what each class is called, how its objects are made, and what the C++ runtime is to catch them as.
#include <callis/base/text.h>
#include <callis/classic/exception.h>
#include <callis/classic/explanations.h>
#include <callis/classic/made_exceptions.h>
#include <algorithm>
#include <atomic>
#include <cstring>
#include <cxxabi.h>
#include <new>
#include <typeinfo>

namespace callis::classic {

struct SharedText::Body {
  std::atomic<std::uint32_t> count;
  std::uint32_t size;
  char* characters() { return reinterpret_cast<char*>(this + 1); }  // and a NUL
};

SharedText::SharedText(const SharedText& o) noexcept : body_(o.body_) {
  if (body_) body_->count.fetch_add(1, std::memory_order_relaxed);
}

SharedText::~SharedText() {
  if (body_ && body_->count.fetch_sub(1, std::memory_order_acq_rel) == 1) ::operator delete(body_);
}

SharedText SharedText::make(std::initializer_list<std::string_view> parts) {
  std::size_t size = 0;
  for (const std::string_view part : parts) size += part.size();
  SharedText text;
  text.body_ = new (::operator new(sizeof(Body) + size + 1)) Body{{1}, static_cast<std::uint32_t>(size)};
  char* to = text.body_->characters();
  for (const std::string_view part : parts) to = std::copy(part.begin(), part.end(), to);
  *to = 0;
  return text;
}

std::string_view SharedText::view() const noexcept {
  return body_ ? std::string_view(body_->characters(), body_->size) : std::string_view();
}

namespace {

struct Row {
  const char* name;
  const std::type_info* type;
};

constexpr Row kRows[] = {
#define X(NAME) {#NAME, &typeid(CORBA::NAME)},
#include <callis/classic/system_exceptions.inc>
#undef X
};

const Row& row(Standard which) { return kRows[static_cast<unsigned>(which)]; }

// The repository ids differ in the names alone: they are written when one is wanted first.
constexpr std::string_view kBeforeName = "IDL:omg.org/CORBA/", kAfterName = ":1.0";

class RepositoryIds {
 public:
  RepositoryIds() noexcept {
    for (std::size_t i = 0; i < std::size(kRows); ++i) {
      char* to = texts_[i];
      for (const std::string_view part : {kBeforeName, std::string_view(kRows[i].name), kAfterName})
        to = std::copy(part.begin(), part.end(), to);
      *to = 0;
    }
  }
  const char* of(Standard which) const noexcept { return texts_[static_cast<unsigned>(which)]; }

 private:
  static constexpr std::size_t kSize = [] {
    std::size_t longest = 0;
    for (const Row& r : kRows) longest = std::max(longest, std::string_view(r.name).size());
    return kBeforeName.size() + longest + kAfterName.size() + 1;
  }();
  char texts_[std::size(kRows)][kSize];
};

const char* repository_id(Standard which) noexcept {
  static const RepositoryIds ids;
  return ids.of(which);
}

// One function for all classes: what they do not share is in a few bytes of each.
CORBA::SystemException* make(Standard which, void* memory, CORBA::ULong minor, CORBA::CompletionStatus completed) {
  switch (which) {
#define X(NAME)                                                                          \
  case Standard::NAME:                                                                   \
    static_assert(sizeof(CORBA::NAME) == sizeof(CORBA::SystemException) &&               \
                  alignof(CORBA::NAME) == alignof(CORBA::SystemException));              \
    return new (memory) CORBA::NAME(minor, completed);
#include <callis/classic/system_exceptions.inc>
#undef X
  }
  __builtin_unreachable();
}

void destroy(void* exception) { static_cast<CORBA::SystemException*>(exception)->~SystemException(); }

// Itanium C++ ABI 2.4.3: what a throw expression calls, when the static type is known.
[[noreturn]] void throw_made(void* exception, Standard which) {
  abi::__cxa_throw(exception, const_cast<std::type_info*>(row(which).type), destroy);
}

}  // namespace

std::unique_ptr<CORBA::SystemException> make_system_exception(std::string_view id, CORBA::ULong minor,
                                                              CORBA::CompletionStatus completed) {
  for (std::size_t i = 0; i < std::size(kRows); ++i) {
    const auto which = static_cast<Standard>(i);
    if (id == repository_id(which)) return make_standard(which, minor, completed);
  }
  return make_standard(Standard::UNKNOWN, CORBA::OMGVMCID | 2, completed);
}

std::unique_ptr<CORBA::SystemException> make_standard(Standard which, CORBA::ULong minor,
                                                      CORBA::CompletionStatus completed) {
  void* const memory = ::operator new(sizeof(CORBA::SystemException));
  return std::unique_ptr<CORBA::SystemException>(make(which, memory, minor, completed));
}

LocalStandard::LocalStandard(Standard which, CORBA::ULong minor, CORBA::CompletionStatus completed) noexcept
    : exception_(make(which, memory_, minor, completed)) {}
LocalStandard::~LocalStandard() { exception_->~SystemException(); }

void throw_system_exception(std::string_view id, CORBA::ULong minor, CORBA::CompletionStatus completed,
                            std::string_view detail) {
  const auto e = make_system_exception(id, minor, completed);
  e->_callis_detail(detail);
  e->_raise();
}

void raise_standard(Standard which, CORBA::ULong minor, CORBA::CompletionStatus completed, std::string_view detail) {
  void* const memory = abi::__cxa_allocate_exception(sizeof(CORBA::SystemException));
  CORBA::SystemException* e = make(which, memory, minor, completed);
  try {
    e->_callis_detail(detail);
  } catch (...) {  // no memory for the text: the exception alone
  }
  throw_made(e, which);
}

void throw_no_memory() { raise_standard(Standard::NO_MEMORY, 0, CORBA::COMPLETED_NO); }
void throw_bad_param(const char* detail) { raise_standard(Standard::BAD_PARAM, 0, CORBA::COMPLETED_NO, detail); }

}  // namespace callis::classic

namespace CORBA::inline callis_orb {

using namespace callis::classic;

Exception::~Exception() = default;
const char* Exception::what() const noexcept {
  return CALLIS_HAS(exception_members) ? callis::classic::text_of_user_exception(*this) : _rep_id();
}
UserException::~UserException() = default;

SystemException::SystemException(Standard which, ULong code, CompletionStatus status) noexcept
    : minor_(code), completed_(status), which_(which) {}
SystemException::SystemException(Standard which, ULong code, CompletionStatus status, std::string_view detail_text)
    : SystemException(which, code, status) {
  detail(detail_text);
}
SystemException::~SystemException() = default;
void SystemException::operator delete(SystemException* e, std::destroying_delete_t) {
  e->~SystemException();
  ::operator delete(e);
}
void SystemException::set_detail(std::string_view text, bool own) {
  detail_ = text.empty() ? SharedText() : SharedText::make({callis::Printable(text)});
  own_detail_ = own;
}

const char* SystemException::what() const noexcept {
  static constexpr std::string_view kStatus[] = {" COMPLETED_YES", " COMPLETED_NO", " COMPLETED_MAYBE",
                                                 " COMPLETED_?"};
  char code[] = "0x00000000";
  for (int i = 0; i < 8; ++i) code[9 - i] = "0123456789abcdef"[minor_ >> 4 * i & 15];
  try {
    std::string_view text = detail();
    if (text.empty() && CALLIS_HAS(minor_sentences)) text = callis::classic::minor_sentence(_name(), minor_);
    what_ = SharedText::make({"CORBA::", _name(), " minor ", {code, 10}, kStatus[std::min<unsigned>(completed_, 3)],
                              text.empty() ? "" : ": ", text});
    return what_.c_str();
  } catch (...) {  // no memory for the text
    return _rep_id();
  }
}

const char* SystemException::_name() const noexcept { return row(which_).name; }
const char* SystemException::_rep_id() const noexcept { return repository_id(which_); }

SystemException* SystemException::copy_to(void* memory) const noexcept {
  SystemException* copy = make(which_, memory, minor_, completed_);
  copy->detail_ = detail_;
  copy->own_detail_ = own_detail_;
  return copy;
}

void SystemException::_raise() const {
  throw_made(copy_to(abi::__cxa_allocate_exception(sizeof(SystemException))), which_);
}
Exception* SystemException::_duplicate() const { return copy_to(::operator new(sizeof(SystemException))); }

#define X(NAME) NAME::~NAME() = default;
#include <callis/classic/system_exceptions.inc>
#undef X

}  // namespace CORBA::inline callis_orb
