// SPDX-License-Identifier: Apache-2.0
// TypeCodes that have members or elements. Everything read comes from the peer.
#include <callis/marshal/internal/type_reader.h>
#include <algorithm>

namespace callis::marshal {

// Whether two types are the same, supposing that pairs already under comparison are: recursive types end there.
bool TypeReader::same(Word a, Word b, Pairs& supposed) const {
  if (a == b) return true;
  if (kind_of(a) != Kind::Ref || kind_of(b) != Kind::Ref) return false;
  if (!supposed.emplace(a, b).second) return true;
  const Word* x = t_.words_.data() + payload_of(a);
  const Word* y = t_.words_.data() + payload_of(b);
  if (*x != *y) return false;
  Word first = 1;
  switch (kind_of(*x)) {
    case Kind::Struct: break;
    case Kind::Union: {
      first = 4;
      const Word labels = first + payload_of(*x);
      if (!same(x[1], y[1], supposed) || !std::equal(x + 2, x + 4, y + 2) ||
          !std::equal(x + labels, x + labels + std::size_t{3} * x[3], y + labels))
        return false;
      break;
    }
    case Kind::String: case Kind::WString: return x[1] == y[1];
    default: return x[1] == y[1] && same(x[2], y[2], supposed);  // sequence, array
  }
  for (Word i = 0; i < payload_of(*x); ++i)
    if (!same(x[first + i], y[first + i], supposed)) return false;
  return true;
}

bool TypeReader::structure(cdr::Decoder& d, std::size_t at, bool exception, Word& out) {
  const std::string id(d.get_string());
  d.get_string();
  const std::uint32_t n = d.count(9, sizeof(Word));
  if (!d.ok()) return false;
  // The place first: members may lead back here.
  const auto place = static_cast<Word>(t_.words_.size());
  const Word first = place + (exception ? 2 : 1);
  const Word ref = type_word(Kind::Ref, place);
  t_.words_.resize(first + n);
  t_.words_[place] = type_word(exception ? Kind::Exception : Kind::Struct, n);
  if (exception) {
    t_.words_[place + 1] = link(Kind::Exception, id);
  }
  known_[at] = ref;
  Sum s{1, 0};
  for (std::uint32_t i = 0; i < n; ++i) {
    d.get_string();
    Word member = 0;
    if (!d.ok() || !element(d, member) || !sum(d, member, 1, s)) return false;
    t_.words_[first + i] = member;
  }
  if ((total_ += s.weight) > 8 * kMaxTypeWeight) return fail(d, Fault::LimitExceeded);
  sums_[ref] = s;
  out = ref;
  deduplicate(id, out);
  return true;
}

// The struct or union with that repository id that is the same, if it has been read before.
void TypeReader::deduplicate(const std::string& id, Word& ref) {
  const auto [begin, end] = structs_.equal_range(id);
  int looks = 4;
  for (auto known = begin; known != end && looks != 0; ++known, --looks) {
    Pairs supposed;
    if (!same(known->second, ref, supposed)) continue;
    ref = known->second;
    return;
  }
  structs_.emplace(id, ref);
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
bool TypeReader::lines_of_union(cdr::Decoder& d, std::uint32_t n, std::uint32_t otherwise, const Resolved& discriminator,
                                UnionLines& to, Sum& s) {
  std::string last;
  std::size_t greatest = 0;  // member, in bytes
  for (std::uint32_t i = 0; i < n; ++i) {
    UnionLines::Line line{};
    if (!label(d, discriminator, line.label)) return false;
    const std::string name(d.get_string());
    Word type = 0;
    if (!d.ok() || !element(d, type)) return false;
    if (i == 0 || name != last || type != to.members.back()) {
      to.members.push_back(type);
      Sum with{s.weight + 1, 0};
      if (!sum(d, type, 1, with)) return false;
      s.weight = with.weight;
      greatest = std::max(greatest, with.bytes);
    }
    last = name;
    line.member = static_cast<Word>(to.members.size() - 1);
    if (i == otherwise) to.otherwise = line.member;
    else to.lines.push_back(line);
  }
  s.bytes += greatest;
  std::sort(to.lines.begin(), to.lines.end(), [](const auto& x, const auto& y) { return x.label < y.label; });
  const auto twice = std::adjacent_find(to.lines.begin(), to.lines.end(),
                                        [](const auto& x, const auto& y) { return x.label == y.label; });
  return twice == to.lines.end() || fail(d, Fault::BadValue);
}

bool TypeReader::one_of(cdr::Decoder& d, std::size_t at, Word& out) {
  const std::string id(d.get_string());
  d.get_string();
  Word discriminator = 0;
  if (!d.ok() || !type(d, discriminator)) return false;
  const auto otherwise = d.get<std::int32_t>();
  const std::uint32_t n = d.count(10, 4 * sizeof(Word));
  if (!d.ok()) return false;
  if (n == 0 || otherwise >= static_cast<std::int64_t>(n)) return fail(d, Fault::BadValue);
  // The place first, with room for as many members as there are lines.
  const auto place = static_cast<Word>(t_.words_.size());
  const Word ref = type_word(Kind::Ref, place);
  t_.words_.resize(place + 4 + std::size_t{4} * n);
  t_.words_[place] = type_word(Kind::Union, 0);
  known_[at] = ref;
  Sum s{1 + std::size_t{n}, 16};
  UnionLines u;
  if (!lines_of_union(d, n, otherwise < 0 ? kNoDefault : static_cast<Word>(otherwise), resolve(t_.unit(), discriminator), u, s))
    return false;
  if ((total_ += s.weight) > 8 * kMaxTypeWeight) return fail(d, Fault::LimitExceeded);
  Word* to = t_.words_.data() + place;
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
  sums_[ref] = s;
  out = ref;
  deduplicate(id, out);
  return true;
}

// A value is a link; what it is made of is read for its form only, and for indirections.
bool TypeReader::value(cdr::Decoder& d, std::size_t at, bool boxed, Word& out) {
  if (!linked(d, Kind::Value, out)) return false;
  known_[at] = out;
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
  const std::uint32_t n = d.count(11, 1);
  for (std::uint32_t i = 0; i < n; ++i) {
    d.get_string();
    if (!d.ok() || !element(d, type)) return false;
    if (d.get_ushort() > 1) return fail(d, Fault::BadValue);
  }
  return d.ok();
}

bool TypeReader::sequence(cdr::Decoder& d, std::size_t at, Word& out) {
  // The place first, as for structs; where the same sequence is known already, it stays unused.
  const auto place = static_cast<Word>(t_.words_.size());
  out = type_word(Kind::Ref, place);
  t_.words_.insert(t_.words_.end(), {type_word(Kind::Sequence), 0, 0});
  known_[at] = out;
  Word of = 0;
  if (!element(d, of)) return false;
  const std::uint32_t bound = d.get_ulong();
  if (!d.ok()) return false;
  t_.words_[place + 1] = bound;
  t_.words_[place + 2] = of;
  out = shared_.try_emplace({type_word(Kind::Sequence), bound, of}, out).first->second;
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
  if (!element(d, of)) return false;
  std::uint64_t n = d.get_ulong();
  if (!d.ok()) return false;
  if (n == 0) return fail(d, Fault::BadValue);
  if (kind == tc::Array) {
    const Word* const inner = t_.words_.data() + payload_of(of);
    n *= inner[1];
    of = inner[2];
  }
  Sum s{1, 0};
  if (n > kMaxNativeTypeBytes) return fail(d, Fault::LimitExceeded);
  if (!sum(d, of, n, s)) return false;
  if ((total_ += s.weight) > 8 * kMaxTypeWeight) return fail(d, Fault::LimitExceeded);
  out = entry({type_word(Kind::Array), static_cast<Word>(n), of});
  sums_[out] = s;
  return true;
}

}  // namespace callis::marshal
