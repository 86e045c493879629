// SPDX-License-Identifier: Apache-2.0
// TypeCodes that have members or elements. Everything read comes from the peer.
#include <callis/marshal/internal/type_reader.h>
#include <algorithm>

namespace callis::marshal {

bool TypeReader::structure(cdr::Decoder& d, Word at, bool exception, Word& out) {
  const std::string_view id = d.get_string();
  d.get_string();
  const std::uint32_t n = d.count(9, 0);
  if (!d.ok()) return false;
  // The place first: members may lead back here.
  const Word first = exception ? 2 : 1;
  const Frame frame = begin(type_word(exception ? Kind::Exception : Kind::Op), first + n, at);
  if (exception) words(frame.place)[1] = link(Kind::Exception, id);
  for (std::uint32_t i = 0; i < n; ++i) {
    d.get_string();
    Word m = 0;
    if (!d.ok() || !member(d, m)) return false;
    words(frame.place)[first + i] = m;
  }
  *words(frame.place) = type_word(exception ? Kind::Exception : Kind::Struct, n);
  out = finish(frame, id, first + n);
  return within_limits(d, out);
}

// The value of a label, as descriptors have it.
bool TypeReader::label(cdr::Decoder& d, const Resolved& discriminator, std::uint64_t& out) {
  switch (discriminator.kind) {
    case Kind::WChar: out = static_cast<std::uint32_t>(d.get_wchar()); break;
    case Kind::Boolean: out = d.get_boolean(); break;
    case Kind::Octet: case Kind::Char: out = d.get_octet(); break;
    case Kind::Short: out = static_cast<std::uint64_t>(std::int64_t{d.get<std::int16_t>()}); break;
    case Kind::UShort: out = d.get_ushort(); break;
    case Kind::Long: out = static_cast<std::uint64_t>(std::int64_t{d.get<std::int32_t>()}); break;
    case Kind::ULong: out = d.get_ulong(); break;
    case Kind::Enum:
      out = d.get_ulong();
      if (out >= discriminator.payload) return fail(d, Fault::BadValue);
      break;
    case Kind::LongLong: case Kind::ULongLong: out = d.get_ulonglong(); break;
    default: return fail(d, Fault::BadValue);
  }
  return d.ok();
}

// otherwise: the line of the default member.
bool TypeReader::lines_of_union(cdr::Decoder& d, std::uint32_t n, std::uint32_t otherwise,
                                const Resolved& discriminator, UnionLines& to) {
  std::string_view last;
  for (std::uint32_t i = 0; i < n; ++i) {
    UnionLines::Line line{};
    work_.step();
    if (!label(d, discriminator, line.label)) return false;
    const std::string_view name = d.get_string();
    Word type = 0;
    if (!d.ok() || !member(d, type)) return false;
    if (i == 0 || name != last || type != to.members.back()) to.members.push_back(type);
    last = name;
    line.member = static_cast<Word>(to.members.size() - 1);
    if (i == otherwise) to.otherwise = line.member;
    else to.lines.push_back(line);
  }
  std::sort(to.lines.begin(), to.lines.end(), [](const auto& x, const auto& y) { return x.label < y.label; });
  const auto twice = std::adjacent_find(to.lines.begin(), to.lines.end(),
                                        [](const auto& x, const auto& y) { return x.label == y.label; });
  return twice == to.lines.end() || fail(d, Fault::BadValue);
}

bool TypeReader::one_of(cdr::Decoder& d, Word at, Word& out) {
  const std::string_view id = d.get_string();
  d.get_string();
  Word discriminator = 0;
  if (!d.ok() || !type(d, discriminator)) return false;
  const auto otherwise = d.get<std::int32_t>();
  const std::uint32_t n = d.count(10, 0);
  if (!d.ok()) return false;
  if (n == 0 || otherwise >= static_cast<std::int64_t>(n)) return fail(d, Fault::BadValue);
  // The place first, with room for as many members as there are lines.
  const Frame frame = begin(type_word(Kind::Op), 4 + std::size_t{4} * n, at);
  UnionLines u(&work_);
  if (!lines_of_union(d, n, otherwise < 0 ? kNoDefault : static_cast<Word>(otherwise),
                      resolve(t_.unit(), discriminator), u))
    return false;
  Word* to = words(frame.place);
  *to++ = type_word(Kind::Union, static_cast<Word>(u.members.size()));
  *to++ = discriminator;
  *to++ = u.otherwise;
  *to++ = static_cast<Word>(u.lines.size());
  to = std::copy(u.members.begin(), u.members.end(), to);
  for (const auto& line : u.lines) {
    *to++ = static_cast<Word>(line.label);
    *to++ = static_cast<Word>(line.label >> 32);
    *to++ = line.member;
  }
  out = finish(frame, id, static_cast<Word>(to - words(frame.place)));
  return within_limits(d, out);
}

// A value is a link; what it is made of is read for its form only, and for indirections.
bool TypeReader::value(cdr::Decoder& d, Word at, bool boxed, Word& out) {
  if (!linked(d, Kind::Value, out)) return false;
  set_known(at, out);
  Word ignored = 0;
  return boxed ? element(d, ignored) : state(d);
}

// The modifier, the base or tk_null, the members with their visibility.
bool TypeReader::state(cdr::Decoder& d) {
  Word type = 0;
  if (d.get_ushort() > 3) return fail(d, Fault::BadValue);  // VM_TRUNCATABLE is the last
  cdr::Decoder ahead = d;
  if (ahead.get_ulong() == tc::Null) d = ahead;
  else if (!element(d, type) || (kind_of(type) != Kind::Value && !fail(d, Fault::BadValue))) return false;
  const std::uint32_t n = d.count(11, 0);
  for (std::uint32_t i = 0; i < n; ++i) {
    d.get_string();
    if (!d.ok() || !element(d, type)) return false;
    if (d.get_ushort() > 1) return fail(d, Fault::BadValue);
  }
  return d.ok();
}

bool TypeReader::sequence(cdr::Decoder& d, Word at, Word& out) {
  // The place first, as for structs; where the same sequence is known already, it stays unused.
  const Frame frame = begin(type_word(Kind::Sequence), 3, at);
  Word of = 0;
  if (!element(d, of)) return false;
  const std::uint32_t bound = d.get_ulong();
  if (!d.ok()) return false;
  words(frame.place)[1] = bound;
  words(frame.place)[2] = of;
  out = finish(frame, {}, 3);
  return true;
}

bool TypeReader::array(cdr::Decoder& d, Word& out) {
  std::uint32_t kind = 0;
  {
    // Dimensions of one array follow each other without an alias between.
    cdr::Decoder ahead = d;
    kind = ahead.get_ulong();
  }
  Word of = 0;
  if (!member(d, of)) return false;
  std::uint64_t n = d.get_ulong();
  if (!d.ok()) return false;
  if (n == 0) return fail(d, Fault::BadValue);
  if (kind == tc::Array) {
    const Word* const inner = words(payload_of(of));
    n *= inner[1];
    of = inner[2];
  }
  if (n > kMaxNativeTypeBytes) return fail(d, Fault::LimitExceeded);
  out = entry({type_word(Kind::Array), static_cast<Word>(n), of});
  return within_limits(d, out);
}

}  // namespace callis::marshal
