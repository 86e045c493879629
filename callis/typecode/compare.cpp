// SPDX-License-Identifier: Apache-2.0
#include <callis/typecode/internal/view.h>
#include <cstring>
#include <set>
#include <utility>

namespace callis::typecode {

namespace {

class Comparison {
 public:
  explicit Comparison(bool exact) : exact_(exact) {}
  bool same(const TypeCode& x, const TypeCode& y);

 private:
  bool parameters(const View& a, const View& b);
  bool members(const View& a, const View& b);
  // Names count for equality alone.
  bool names(const char* a, const char* b) const { return !exact_ || std::strcmp(a, b) == 0; }

  // Types that come from peers may contain themselves in cycles of different lengths, which meet after a long way only;
  // those that have not until then differ.
  static constexpr unsigned kMaxNested = 4096;
  static constexpr std::size_t kMaxPairs = 1u << 20;

  const bool exact_;
  unsigned depth_ = 0;
  // Pairs already under comparison are supposed to be the same: recursive types end there.
  std::set<std::pair<const TypeCode*, const TypeCode*>> supposed_;
};

bool Comparison::same(const TypeCode& x, const TypeCode& y) {
  const TypeCode& a = exact_ ? x : strip_aliases(x);
  const TypeCode& b = exact_ ? y : strip_aliases(y);
  if (&a == &b) return true;
  const View v(a), w(b);
  const Word kind = v.kind();
  if (kind != w.kind()) return false;
  if (is_simple(kind)) return true;
  if (has_id(kind)) {
    const bool equal_ids = std::strcmp(v.id(), w.id()) == 0;
    if (exact_ && !equal_ids) return false;
    if (!exact_ && *v.id() && *w.id()) return equal_ids;
  }
  if (!supposed_.emplace(&a, &b).second) return true;
  if (depth_ == kMaxNested || supposed_.size() > kMaxPairs) return false;
  ++depth_;
  const bool alike = parameters(v, w);
  --depth_;
  return alike;
}

bool Comparison::parameters(const View& a, const View& b) {
  const Word kind = a.kind();
  if (kind == kRecursive) return std::strcmp(a.id(), b.id()) == 0;
  if (!has_id(kind)) return a.length() == b.length() && (!has_content(kind) || same(a.content(), b.content()));
  if (!names(a.name(), b.name())) return false;
  if (has_content(kind)) return same(a.content(), b.content());
  return !has_members(kind) || (a.count() == b.count() && members(a, b));
}

bool Comparison::members(const View& a, const View& b) {
  const Word kind = a.kind();
  if (kind == CORBA::tk_enum) {
    const char *x = a.member_name(0), *y = b.member_name(0);
    for (Word i = 0; exact_ && i < a.count(); ++i, x += std::strlen(x) + 1, y += std::strlen(y) + 1)
      if (!names(x, y)) return false;
    return true;
  }
  if (kind == CORBA::tk_union && (a.default_index() != b.default_index() || !same(a.discriminator(), b.discriminator())))
    return false;
  if (is_value_kind(kind)) {
    if (a.modifier() != b.modifier() || !a.base() != !b.base()) return false;
    if (a.base() && !same(*a.base(), *b.base())) return false;
  }
  for (Word i = 0; i < a.count(); ++i) {
    if (!names(a.member_name(i), b.member_name(i))) return false;
    if (kind == CORBA::tk_union && i != a.default_index() && a.label(i) != b.label(i)) return false;
    if (is_value_kind(kind) && a.visibility(i) != b.visibility(i)) return false;
    if (!same(a.member_type(i), b.member_type(i))) return false;
  }
  return true;
}

bool compare(const TypeCode& a, TypeCode_ptr b, bool exact) {
  if (!b) classic::raise<CORBA::BAD_PARAM>(CORBA::OMGVMCID | 13, CORBA::COMPLETED_NO, "a nil TypeCode");
  return &a == b || Comparison(exact).same(a, *b);
}

}  // namespace

}  // namespace callis::typecode

namespace CORBA {

Boolean TypeCode::equal(TypeCode_ptr other) const { return callis::typecode::compare(*this, other, true); }
Boolean TypeCode::equivalent(TypeCode_ptr other) const { return callis::typecode::compare(*this, other, false); }

}  // namespace CORBA
