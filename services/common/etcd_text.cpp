// SPDX-License-Identifier: Apache-2.0
// Checks texts from etcd's gateway before anything believes them.
#include <callis/base/text.h>
#include <services/common/etcd_text.h>
#include <services/common/store_failed.h>
#include <algorithm>
#include <array>
#include <stdexcept>

namespace callis::services::etcd {

namespace {

constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::size_t kMostPrefix = 200, kMostEndpoints = 16;

bool is_endpoint(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  std::uint64_t port = 0;
  if (colon == std::string_view::npos || colon == 0 || !parse_decimal(text.substr(colon + 1), 65535, port) ||
      port == 0)
    return false;
  const std::string_view host = text.substr(0, colon);
  const bool v6 = host.front() == '[' && host.back() == ']' && host.size() > 2;
  return std::all_of(host.begin(), host.end(), [&](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return letter || c == '.' || c == '-' || c == '_' || (v6 && (c == ':' || c == '[' || c == ']'));
  });
}

// Without looking at what is right in between: brackets, and values by what separates them.
bool is_bounded(std::string_view text, std::size_t most_values) {
  std::size_t depth = 0, values = 1;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_text) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_text = false;
      continue;
    }
    if (c == '"') in_text = true;
    if (c == '[' || c == '{') {
      if (++depth > kMostNesting || ++values > most_values) return false;
    } else if (c == ']' || c == '}') {
      if (depth-- == 0) return false;
    } else if (c == ',' && ++values > most_values) {
      return false;
    }
  }
  return true;
}

}  // namespace

Json parse(std::string_view text, std::size_t most_values) {
  if (!is_bounded(text, most_values)) return Json(Json::value_t::discarded);
  return Json::parse(text, nullptr, false);
}

std::string words_of(std::string_view text) {
  const bool cut = text.size() > kMostWords;
  const Printable printable(text.substr(0, kMostWords));
  return std::string(std::string_view(printable)) + (cut ? "..." : "");
}

Address parse_address(const std::string& where) {
  const auto wrong = [&](const std::string& why) {
    throw StoreFailed(StoreFailed::Unknown, where + ": " + why + "; write etcd:HOST:PORT[,HOST:PORT...][/PREFIX]");
  };
  std::string rest = where.substr(where.find(':') + 1);
  Address out;
  if (const std::size_t slash = rest.find('/'); slash != std::string::npos) {
    out.prefix = rest.substr(slash + 1);
    rest.resize(slash);
    while (out.prefix.ends_with('/')) out.prefix.pop_back();
    if (out.prefix.empty() || out.prefix.starts_with('/') || out.prefix.size() > kMostPrefix)
      wrong("the prefix is empty, begins with two slashes, or has more than 200 bytes");
  }
  for (std::size_t at = 0; at <= rest.size();) {
    const std::size_t comma = std::min(rest.find(',', at), rest.size());
    const std::string one = rest.substr(at, comma - at);
    if (!is_endpoint(one)) wrong("'" + one + "' is no HOST:PORT");
    out.endpoints.push_back(one);
    at = comma + 1;
  }
  if (out.endpoints.size() > kMostEndpoints) wrong("there are more than 16 endpoints");
  return out;
}

std::string to_base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) three = three << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += k <= n ? kDigits[three >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::string from_base64(std::string_view text) {
  static const std::array<signed char, 256> values = [] {
    std::array<signed char, 256> out{};
    out.fill(-1);
    for (int i = 0; i < 64; ++i) out[static_cast<unsigned char>(kDigits[i])] = static_cast<signed char>(i);
    return out;
  }();
  if (text.size() % 4 != 0) throw std::invalid_argument("base64 of a wrong length");
  std::string out;
  out.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const bool last = i + 4 == text.size();
    const std::size_t padded = !last ? 0 : text[i + 2] == '=' ? 2 : text[i + 3] == '=' ? 1 : 0;
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const int value =
          k >= 4 - padded ? (text[i + k] == '=' ? 0 : -1) : values[static_cast<unsigned char>(text[i + k])];
      if (value < 0) throw std::invalid_argument("no base64");
      three = three << 6 | static_cast<std::uint32_t>(value);
    }
    for (std::size_t k = 0; k < 3 - padded; ++k) out += static_cast<char>(three >> (16 - 8 * k) & 0xff);
  }
  return out;
}

std::string end_of(std::string_view prefix) {
  std::string out(prefix);
  while (!out.empty() && out.back() == '\xff') out.pop_back();
  if (out.empty()) return std::string(1, '\0');  // to the last key
  out.back() = static_cast<char>(static_cast<unsigned char>(out.back()) + 1);
  return out;
}

std::uint64_t number(const Json& object, const char* member) {
  const auto found = object.find(member);
  if (found == object.end()) return 0;
  if (found->is_number_unsigned()) return found->get<std::uint64_t>();
  std::uint64_t out = 0;
  if (!found->is_string() || !parse_decimal(found->get_ref<const std::string&>(), INT64_MAX, out))
    throw std::invalid_argument(std::string(member) + " is no number");
  return out;
}

std::string bytes(const Json& object, const char* member) {
  const auto found = object.find(member);
  if (found == object.end()) return {};
  if (!found->is_string()) throw std::invalid_argument(std::string(member) + " is no text");
  return from_base64(found->get_ref<const std::string&>());
}

Json range_of(std::string_view prefix) {
  return {{"key", to_base64(prefix)}, {"range_end", to_base64(end_of(prefix))}};
}

}  // namespace callis::services::etcd
