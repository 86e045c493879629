// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/ior/internal/printable.h>
#include <callis/ior/internal/text_reader.h>
#include <callis/ior/text.h>

namespace callis::ior {
namespace {

constexpr std::string_view kIorScheme = "ior:";
constexpr std::string_view kCorbalocScheme = "corbaloc:";
constexpr std::string_view kCorbanameScheme = "corbaname:";

bool parse_hex(TextReader& r, Part digits, Ior& out) {
  constexpr auto kProblem = TextProblem::SpecificPart;
  const std::size_t n = digits.size();
  if (n == 0) return r.fail(kProblem, digits.data(), "no digits after IOR:");
  if (n / 2 > r.limits.max_message_bytes) return r.fail(kProblem, digits.data(), "the reference is too long");
  Bytes bytes((n + 1) / 2);
  for (std::size_t i = 0; i < n; ++i) {
    const int v = hex_value(digits[i]);
    if (v < 0) return r.fail_quoting(kProblem, digits.data() + i, "' is not a hexadecimal digit");
    bytes[i / 2] = static_cast<Byte>(bytes[i / 2] << 4 | v);
  }
  if (n % 2 != 0) return r.fail(kProblem, digits.data() + n, "an odd number of hexadecimal digits");
  cdr::Budget budget = cdr::Budget::of(r.limits, bytes.size());
  cdr::Decoder d = cdr::Decoder::of_encapsulation(bytes, budget);
  if (decode(d, out, r.limits)) return true;
  return r.fail(kProblem, digits.data(),
                concat({"the digits are not a reference (", fault_name(d.fault()), ")"}).c_str());
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

}  // namespace

bool TextReader::fail(TextProblem problem, const char* at, const char* reason) {
  error.problem = problem;
  error.offset = static_cast<std::size_t>(at - start);
  error.reason = reason;
  return false;
}

bool TextReader::fail_quoting(TextProblem problem, const char* at, const char* reason) {
  std::string text = "'";
  append_escaped(text, {at, 1}, 1);
  text += reason;
  return fail(problem, at, text.c_str());
}

std::string TextError::text() const { return concat({"at offset ", Decimal(offset), ": ", reason}); }

ParsedReference parse_reference(std::string_view text, const Limits& limits) {
  Part all = text;
  while (all.size() != 0 && is_blank(all.front())) all = from(all, 1);
  while (all.size() != 0 && is_blank(all.back())) all.remove_suffix(1);
  TextReader reader{text.data(), limits, {}};
  if (has_prefix(all, kIorScheme)) {
    Ior ior;
    if (parse_hex(reader, from(all, kIorScheme.size()), ior)) return ior;
    return std::move(reader.error);
  }
  const bool name = has_prefix(all, kCorbanameScheme);
  if (name || has_prefix(all, kCorbalocScheme)) {
    if (CALLIS_HAS(urls))
      return parse_url(from(all, name ? kCorbanameScheme.size() : kCorbalocScheme.size()), name, text.data(), limits);
    (void)reader.fail(TextProblem::Scheme, all.data(),
                      "this program is linked without the feature urls, see small-programs.md");
  } else if (all.empty()) {
    (void)reader.fail(TextProblem::Scheme, all.data(), "the reference is empty");
  } else {
    (void)reader.fail(TextProblem::Scheme, all.data(), "the scheme is none of IOR:, corbaloc: and corbaname:");
  }
  return std::move(reader.error);
}

std::string to_text(const Ior& ior) {
  Buffer b;
  cdr::Encoder e(b, ByteOrder::Big);
  e.put_octet(static_cast<std::uint8_t>(ByteOrder::Big));
  encode(e, ior);
  e.finish();
  std::string s = "IOR:";
  s.reserve(4 + 2 * b.size());
  append_hex(s, b.view(), b.size());
  return s;
}

}  // namespace callis::ior
