// SPDX-License-Identifier: Apache-2.0
// Everything read comes from the peer. This file is compiled with exceptions for its containers; bad_alloc does not
// leave it.
#include <callis/marshal/internal/layout.h>
#include <callis/marshal/type_description.h>
#include <map>
#include <new>
#include <set>
#include <string>

namespace callis::marshal {

namespace {

// TCKind (CORBA 3.3 part 1, 8.11.1).
enum Tc : std::uint32_t {
  Null, Void, Short, Long, UShort, ULong, Float, Double, Boolean, Char, Octet, Any, TypeCode, Principal, ObjRef,
  Struct, Union, Enum, String, Sequence, Array, Alias, Except, LongLong, ULongLong, LongDouble,
  Last = 36,
  Indirection = 0xffffffff,
};

// The kinds without parameters; Op for the others.
Kind simple_kind(std::uint32_t tc) {
  switch (tc) {
    case Tc::Void: return Kind::Void;
    case Tc::Short: return Kind::Short;
    case Tc::Long: return Kind::Long;
    case Tc::UShort: return Kind::UShort;
    case Tc::ULong: return Kind::ULong;
    case Tc::Float: return Kind::Float;
    case Tc::Double: return Kind::Double;
    case Tc::Boolean: return Kind::Boolean;
    case Tc::Char: return Kind::Char;
    case Tc::Octet: return Kind::Octet;
    case Tc::LongLong: return Kind::LongLong;
    case Tc::ULongLong: return Kind::ULongLong;
    case Tc::LongDouble: return Kind::LongDouble;
    default: return Kind::Op;
  }
}

}  // namespace

class TypeReader {
 public:
  TypeReader(TypeDescription& to, const Byte* first, LinkOf link_of, void* context)
      : t_(to), first_(first), link_of_(link_of), context_(context) {}
  bool read(cdr::Decoder& d) {
    return type(d, t_.type_);
  }

 private:
  // What an entry adds up to, nested entries included but for what lies in sequences.
  struct Sum {
    std::size_t weight, bytes;
  };

  bool type(cdr::Decoder& d, Word& out);
  bool parameters(cdr::Decoder& d, std::uint32_t tc, std::size_t at, Word& out);
  bool indirection(cdr::Decoder& d, Word& out);
  bool reference(cdr::Decoder& d, Word& out);
  bool enumeration(cdr::Decoder& d, Word& out);
  bool structure(cdr::Decoder& d, std::size_t at, bool exception, Word& out);
  bool sequence(cdr::Decoder& d, std::size_t at, Word& out);
  bool array(cdr::Decoder& d, Word& out);
  bool string(cdr::Decoder& d, Word& out);
  bool element(cdr::Decoder& d, Word& out) {
    return type(d, out) && (is_value(out) || fail(d, Fault::BadValue));
  }

  Word resolved(Word w) const { return kind_of(w) == Kind::Ref ? t_.words_[payload_of(w)] : w; }
  // Void and exceptions stand for themselves only.
  bool is_value(Word w) const {
    const Kind k = kind_of(resolved(w));
    return k != Kind::Void && k != Kind::Exception;
  }
  Word entry(std::initializer_list<Word> words);
  bool sum(cdr::Decoder& d, Word type, std::size_t times, Sum& s) const;
  Word link(std::string_view id);
  using Pairs = std::set<std::pair<Word, Word>>;
  bool same(Word a, Word b, Pairs& supposed) const;
  static bool fail(cdr::Decoder& d, Fault f) {
    d.set_fault(f);
    return false;
  }

  TypeDescription& t_;
  const Byte* const first_;
  const LinkOf link_of_;
  void* const context_;
  std::map<std::size_t, Word> known_;         // by the offset of the TCKind; structs and sequences already while they are read
  std::map<std::vector<Word>, Word> shared_;  // sequences, arrays, strings: the entry's words
  std::multimap<std::string, Word> structs_;  // complete ones, by repository id
  std::map<Word, Sum> sums_;                  // of structs and arrays that are complete
  std::size_t total_ = 0;  // weights of all entries: what building the plan may cost
};

Word TypeReader::entry(std::initializer_list<Word> words) {
  const auto known = shared_.find(words);
  if (known != shared_.end()) return known->second;
  const Word ref = type_word(Kind::Ref, static_cast<Word>(t_.words_.size()));
  t_.words_.insert(t_.words_.end(), words);
  return shared_[words] = ref;
}

// Adds a member, so many times. A struct that is not complete can be a member of itself through a sequence only.
bool TypeReader::sum(cdr::Decoder& d, Word type, std::size_t times, Sum& s) const {
  const Kind k = kind_of(resolved(type));
  if (k == Kind::Struct || k == Kind::Array) {
    const auto known = sums_.find(type);
    if (known == sums_.end()) return fail(d, Fault::BadValue);
    s.weight += known->second.weight;
  } else {
    ++s.weight;
  }
  // Its parts have been bounded, so this overflows nowhere. 16: whatever padding.
  s.bytes += times * layout_of(t_.unit(), type).size + 16;
  return (s.weight <= kMaxTypeWeight && s.bytes <= kMaxNativeTypeBytes) || fail(d, Fault::LimitExceeded);
}

Word TypeReader::link(std::string_view id) {
  const void* const l = link_of_ && id != "IDL:omg.org/CORBA/Object:1.0" ? link_of_(context_, id) : nullptr;
  if (!l) return kNoLink;
  for (std::size_t i = 0; i < t_.links_.size(); ++i)
    if (t_.links_[i] == l) return static_cast<Word>(i);
  t_.links_.push_back(l);
  return static_cast<Word>(t_.links_.size() - 1);
}

bool TypeReader::type(cdr::Decoder& d, Word& out) {
  if (!d.align(4)) return false;
  const auto at = static_cast<std::size_t>(d.cursor() - first_);
  const std::uint32_t tc = d.get_ulong();
  if (!d.ok()) return false;
  if (tc == Tc::Indirection) return indirection(d, out);
  if (tc > Tc::Last) return fail(d, Fault::BadValue);
  if (simple_kind(tc) != Kind::Op) {
    out = type_word(simple_kind(tc));
  } else if (tc == Tc::String) {
    if (!string(d, out)) return false;
  } else {
    if (tc != Tc::ObjRef && (tc < Tc::Struct || tc > Tc::Except || tc == Tc::Union)) return fail(d, Fault::Unsupported);
    if (!d.enter()) return false;
    cdr::Decoder inside = d.get_encapsulation(kMaxTypeCodeBytes);
    if (!parameters(inside, tc, at, out)) {
      d.set_fault(inside.fault());
      return false;
    }
    d.leave();
  }
  known_[at] = out;
  return true;
}

// A type that stands earlier in the same TypeCode, or a struct or sequence around this one.
bool TypeReader::indirection(cdr::Decoder& d, Word& out) {
  const auto at = d.cursor() - first_;
  const auto offset = static_cast<std::int32_t>(d.get_ulong());
  if (!d.ok()) return false;
  const auto target = at + offset;
  const auto known = target >= 0 ? known_.find(static_cast<std::size_t>(target)) : known_.end();
  if (known == known_.end()) return fail(d, Fault::BadValue);
  out = known->second;
  return true;
}

// From an encapsulation; at: of the TCKind.
bool TypeReader::parameters(cdr::Decoder& d, std::uint32_t tc, std::size_t at, Word& out) {
  switch (tc) {
    case Tc::ObjRef: return reference(d, out);
    case Tc::Struct: return structure(d, at, false, out);
    case Tc::Except: return (at == 0 && structure(d, at, true, out)) || fail(d, Fault::BadValue);
    case Tc::Enum: return enumeration(d, out);
    case Tc::Sequence: return sequence(d, at, out);
    case Tc::Array: return array(d, out);
    default:  // Alias: id, name, type
      d.get_string();
      d.get_string();
      return element(d, out);
  }
}

bool TypeReader::reference(cdr::Decoder& d, Word& out) {
  const std::string_view id = d.get_string();
  d.get_string();
  if (!d.ok()) return false;
  out = type_word(Kind::ObjRef, link(id));
  return true;
}

bool TypeReader::enumeration(cdr::Decoder& d, Word& out) {
  d.get_string();
  d.get_string();
  const std::uint32_t n = d.count(5, 1);
  for (std::uint32_t i = 0; i < n && d.ok(); ++i) d.get_string();
  if (d.ok() && n == 0) d.set_fault(Fault::BadValue);
  out = type_word(Kind::Enum, n);
  return d.ok();
}

bool TypeReader::string(cdr::Decoder& d, Word& out) {
  const std::uint32_t bound = d.get_ulong();
  if (!d.ok()) return false;
  out = bound < kBigBound ? type_word(Kind::String, bound) : entry({type_word(Kind::String, kBigBound), bound});
  return true;
}

// Whether two types are the same, supposing that pairs already under comparison are: recursive types end there.
bool TypeReader::same(Word a, Word b, Pairs& supposed) const {
  if (a == b) return true;
  if (kind_of(a) != Kind::Ref || kind_of(b) != Kind::Ref) return false;
  if (!supposed.emplace(a, b).second) return true;
  const Word* x = t_.words_.data() + payload_of(a);
  const Word* y = t_.words_.data() + payload_of(b);
  if (*x != *y) return false;
  if (kind_of(*x) != Kind::Struct) return x[1] == y[1] && (kind_of(*x) == Kind::String || same(x[2], y[2], supposed));
  for (Word i = 1; i <= payload_of(*x); ++i)
    if (!same(x[i], y[i], supposed)) return false;
  return true;
}

bool TypeReader::structure(cdr::Decoder& d, std::size_t at, bool exception, Word& out) {
  const std::string id(d.get_string());
  d.get_string();
  const std::uint32_t n = d.count(9, sizeof(Word));
  if (!d.ok()) return false;
  if (n == 0 && !exception) return fail(d, Fault::BadValue);
  // The place first: members may lead back here.
  const auto place = static_cast<Word>(t_.words_.size());
  const Word first = place + (exception ? 2 : 1);
  const Word ref = type_word(Kind::Ref, place);
  t_.words_.resize(first + n);
  t_.words_[place] = type_word(exception ? Kind::Exception : Kind::Struct, n);
  if (exception) {
    t_.words_[place + 1] = link(id);
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
  const auto [begin, end] = structs_.equal_range(id);
  int looks = 4;
  for (auto known = begin; known != end && looks != 0; ++known, --looks) {
    Pairs supposed;
    if (!same(known->second, ref, supposed)) continue;
    out = known->second;
    return true;
  }
  structs_.emplace(id, ref);
  return true;
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
  std::uint32_t tc = 0;
  {
    // Dimensions of one array follow each other without an alias between.
    cdr::Decoder ahead = d;
    tc = ahead.get_ulong();
  }
  Word of = 0;
  if (!element(d, of)) return false;
  std::uint64_t n = d.get_ulong();
  if (!d.ok()) return false;
  if (n == 0) return fail(d, Fault::BadValue);
  if (tc == Tc::Array) {
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

std::shared_ptr<const TypeDescription> read_type_code(cdr::Decoder& d, LinkOf link_of, void* context) try {
  if (!d.align(4)) return nullptr;
  auto t = std::make_shared<TypeDescription>();
  TypeReader reader(*t, d.cursor(), link_of, context);
  cdr::Decoder ahead = d;
  if (!reader.read(ahead)) {
    d.set_fault(ahead.fault());
    return nullptr;
  }
  d = ahead;
  return t;
} catch (const std::bad_alloc&) {
  d.set_fault(Fault::OutOfMemory);
  return nullptr;
}

}  // namespace callis::marshal
