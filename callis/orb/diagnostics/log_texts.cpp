// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/classic/exception.h>
#include <callis/orb/diagnostics/log_texts.h>
#include <algorithm>

namespace callis::orb {

std::string short_key(ByteView key) {
  constexpr std::size_t kMost = 40;
  std::string text;
  for (const Byte b : key.first(std::min(key.size(), kMost))) {
    const auto c = static_cast<unsigned char>(b);
    if (c > ' ' && c <= '~' && c != '%') text += static_cast<char>(c);
    else text += {'%', "0123456789abcdef"[c >> 4], "0123456789abcdef"[c & 15]};
  }
  if (key.size() > kMost) text += concat({"... (", Decimal(key.size()), " bytes)"});
  return text;
}

std::string time_since(TimePoint began) {
  const auto us = std::chrono::duration_cast<std::chrono::microseconds>(Clock::steady().now() - began).count();
  const auto n = us > 0 ? static_cast<std::uint64_t>(us) : 0;
  const std::string part = std::to_string(1000 + n % 1000);
  return concat({Decimal(n / 1000), ".", std::string_view(part).substr(1), " ms"});
}

std::string outcome_of(const CORBA::Exception& e) {
  const bool system = CORBA::SystemException::_downcast(&e) != nullptr;
  return concat({system ? "system exception " : "user exception ", e.what()});
}

}  // namespace callis::orb
