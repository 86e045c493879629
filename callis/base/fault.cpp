// SPDX-License-Identifier: Apache-2.0
#include <callis/base/fault.h>
#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace callis {
namespace {

constexpr std::string_view name_of(Fault f) {
  switch (f) {
    case Fault::None: return "None";
    case Fault::Truncated: return "Truncated";
    case Fault::BadCount: return "BadCount";
    case Fault::BadBound: return "BadBound";
    case Fault::BadString: return "BadString";
    case Fault::BadBoolean: return "BadBoolean";
    case Fault::BadEnum: return "BadEnum";
    case Fault::BadEncapsulation: return "BadEncapsulation";
    case Fault::BadReference: return "BadReference";
    case Fault::BadValue: return "BadValue";
    case Fault::TooDeep: return "TooDeep";
    case Fault::BudgetExceeded: return "BudgetExceeded";
    case Fault::LimitExceeded: return "LimitExceeded";
    case Fault::BadMagic: return "BadMagic";
    case Fault::BadVersion: return "BadVersion";
    case Fault::BadMessageType: return "BadMessageType";
    case Fault::BadHeader: return "BadHeader";
    case Fault::BadFragment: return "BadFragment";
    case Fault::ConnectRefused: return "ConnectRefused";
    case Fault::ConnectTimeout: return "ConnectTimeout";
    case Fault::ResolveFailed: return "ResolveFailed";
    case Fault::ConnectionLost: return "ConnectionLost";
    case Fault::ConnectionClosed: return "ConnectionClosed";
    case Fault::DeadlinePassed: return "DeadlinePassed";
    case Fault::TransportFailed: return "TransportFailed";
    case Fault::OutOfMemory: return "OutOfMemory";
    case Fault::NullPointer: return "NullPointer";
    case Fault::BadText: return "BadText";
    case Fault::Unsupported: return "Unsupported";
    case Fault::BadCharacter: return "BadCharacter";
    case Fault::WideInGiop10: return "WideInGiop10";
    case Fault::NoWideCodeSet: return "NoWideCodeSet";
    case Fault::CodeSetsIncompatible: return "CodeSetsIncompatible";
    case Fault::NotTrusted: return "NotTrusted";
    case Fault::NoValueFactory: return "NoValueFactory";
    case Fault::LocalObject: return "LocalObject";
    case Fault::Rejected: return "Rejected";
  }
  return "?";
}

constexpr std::size_t count() {
  std::size_t n = 0;
  while (name_of(static_cast<Fault>(n)) != "?") ++n;
  return n;
}

// The names in the order of the enumeration, each with a NUL, and "?" for what is none.
constexpr std::size_t kCount = count();
constexpr std::size_t kSize = [] {
  std::size_t size = 0;
  for (std::size_t i = 0; i <= kCount; ++i) size += name_of(static_cast<Fault>(i)).size() + 1;
  return size;
}();
constexpr std::array<char, kSize> kNames = [] {
  std::array<char, kSize> names{};
  auto to = names.begin();
  for (std::size_t i = 0; i <= kCount; ++i) {
    const std::string_view name = name_of(static_cast<Fault>(i));
    to = std::copy(name.begin(), name.end(), to) + 1;
  }
  return names;
}();

}  // namespace

const char* fault_name(Fault f) noexcept {
  const char* name = kNames.data();
  for (std::size_t n = std::min(static_cast<std::size_t>(f), kCount); n != 0; --n) name += std::strlen(name) + 1;
  return name;
}

}  // namespace callis
