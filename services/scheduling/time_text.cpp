// SPDX-License-Identifier: Apache-2.0
#include <services/scheduling/checked.h>
#include <services/scheduling/time_text.h>

namespace callis::scheduling {

namespace {

struct Unit {
  std::string_view name;
  std::int64_t nanoseconds;
};
// From large to small.
constexpr Unit kUnits[] = {
    {"min", 60'000'000'000}, {"s", 1'000'000'000}, {"ms", 1'000'000}, {"us", 1'000}, {"ns", 1}};

// digits with `decimals` of them behind the point, in units of `unit`. Negative: not a whole number.
std::int64_t whole(std::int64_t digits, int decimals, std::int64_t unit) {
  std::int64_t divisor = 1;
  for (; decimals > 0; --decimals) {
    if (unit % 10 == 0)
      unit /= 10;
    else
      divisor *= 10;
  }
  const std::int64_t all = times(digits, unit);
  return all == kNever ? kNever : all % divisor == 0 ? all / divisor : -1;
}

// The period of digits / 10^decimals times a second, rounded down; 0 for none.
std::int64_t period_of(std::int64_t digits, int decimals) {
  std::int64_t second = 1'000'000'000;
  for (; decimals > 0; --decimals) second *= 10;
  return digits == 0 ? 0 : second / digits;
}

}  // namespace

std::optional<Time> parse_time(std::string_view text) {
  std::int64_t digits = 0;
  int decimals = 0;
  bool point = false, any = false;
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '.' && !point) {
      point = true;
    } else if (c >= '0' && c <= '9') {
      if (digits > kLongestTime.count() || decimals == 9) return std::nullopt;
      digits = digits * 10 + (c - '0');
      decimals += point ? 1 : 0;
      any = true;
    } else {
      break;
    }
  }
  if (!any || (point && decimals == 0)) return std::nullopt;
  while (at < text.size() && text[at] == ' ') ++at;
  const std::string_view unit = text.substr(at);
  std::int64_t out = -1;
  if (unit.empty()) {
    out = point ? -1 : digits;
  } else if (unit == "Hz") {
    out = digits == 0 ? -1 : period_of(digits, decimals);
    if (out == 0) out = -1;
  } else {
    for (const Unit& u : kUnits)
      if (u.name == unit) out = whole(digits, decimals, u.nanoseconds);
  }
  if (out < 0 || out > kLongestTime.count()) return std::nullopt;
  return Time(out);
}

std::string time_text(Time time) {
  const std::int64_t n = time.count();
  if (n == 0) return "0";
  if (n >= kNever) return "endless";
  for (const Unit& u : kUnits) {
    if (n < u.nanoseconds || u.name == "min") continue;
    const std::int64_t thousandth = u.nanoseconds / 1000;
    if (thousandth > 0 && n % thousandth != 0) continue;
    std::string out = std::to_string(n / u.nanoseconds);
    const std::int64_t rest = thousandth > 0 ? n % u.nanoseconds / thousandth : 0;
    if (rest != 0) {
      std::string decimals = std::to_string(1000 + rest).substr(1);
      while (decimals.back() == '0') decimals.pop_back();
      out += "." + decimals;
    }
    return out + std::string(u.name);
  }
  return std::to_string(n) + "ns";
}

}  // namespace callis::scheduling
