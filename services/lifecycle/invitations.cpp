// SPDX-License-Identifier: Apache-2.0
#include <services/lifecycle/invitations.h>
#include <services/lifecycle/trust.h>
#include <charconv>

namespace callis::life_cycle {

namespace {

constexpr std::size_t kPartDigits = 8;

std::string digits_of(std::uint32_t n) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(n >> shift & 0xff);
  return hexadecimal(bytes);
}

bool parse_digits(std::string_view digits, std::uint32_t& n) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n, 16);
  return error == std::errc() && end == digits.data() + digits.size();
}

bool same_digits(std::string_view a, std::string_view b) {  // in the same time, wherever they differ
  unsigned char differs = a.size() != b.size();
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) differs |= static_cast<unsigned char>(a[i] ^ b[i]);
  return differs == 0;
}

}  // namespace

Invitations::Invitations(Time now) : began_(now), key_(new_identity()) {}

std::uint32_t Invitations::seconds_at(Time now) const {
  return static_cast<std::uint32_t>(std::chrono::duration_cast<std::chrono::seconds>(now - began_).count());
}

std::string Invitations::id_of(std::uint32_t seconds, std::uint32_t number) const {
  const std::string words = digits_of(seconds) + digits_of(number);
  return words + hexadecimal(std::string_view(hmac_sha256(key_, words)).substr(0, kPartDigits));
}

std::string Invitations::invite(Time now) {
  std::uint32_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    number = ++number_;
  }
  return id_of(seconds_at(now), number);
}

bool Invitations::is_given(const std::string& id, std::uint32_t now) const {
  std::uint32_t then = 0, number = 0;
  const std::string_view digits = id;
  if (digits.size() != kIdentityBytes || !parse_digits(digits.substr(0, kPartDigits), then) ||
      !parse_digits(digits.substr(kPartDigits, kPartDigits), number) || !same_digits(id, id_of(then, number)))
    return false;
  return now - then <= kGoodFor.count();  // unsigned: the counter of seconds may begin anew
}

bool Invitations::good(const std::string& id, Time now) const {
  if (!is_given(id, seconds_at(now))) return false;
  const std::lock_guard lock(mutex_);
  return used_.count(id) == 0;
}

bool Invitations::use(const std::string& id, Time now) {
  const std::uint32_t seconds = seconds_at(now);
  if (!is_given(id, seconds)) return false;
  const std::lock_guard lock(mutex_);
  while (!in_order_.empty() && seconds - in_order_.front().first > kGoodFor.count() + 1) {
    used_.erase(in_order_.front().second);
    in_order_.pop_front();
  }
  if (!used_.insert(id).second) return false;
  in_order_.emplace_back(seconds, id);
  return true;
}

std::size_t Invitations::remembered() const {
  const std::lock_guard lock(mutex_);
  return used_.size();
}

}  // namespace callis::life_cycle
