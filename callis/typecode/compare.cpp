// SPDX-License-Identifier: Apache-2.0
// equal() and equivalent(), also of types that contain themselves.
#include <callis/typecode/internal/cache.h>
#include <callis/typecode/internal/view.h>
#include <cstring>
#include <map>
#include <new>
#include <utility>
#include <vector>

namespace callis::typecode {

namespace {

// An array of arrays is one of all elements.
struct Elements {
  std::uint64_t count;
  const TypeCode* type;
};
Elements elements_of(const View& array) {
  Elements e{array.length(), &strip_aliases(array.content())};
  for (View v(*e.type); v.kind() == CORBA::tk_array; v = View(*e.type)) {
    e.count *= v.length();  // of what has a value, which is bounded
    e.type = &strip_aliases(v.content());
  }
  return e;
}

// What decides.
enum class Sameness {
  Equal,       // everything, names and aliases too
  Equivalent,  // repository ids where both have one, else what they are made of; aliases do not count
  Form,        // what values are made of: those of one are read as those of the other. Bounds and the numbers of
         // enumerators do not count, since each value is held to them.
};

class Comparison {
 public:
  explicit Comparison(Sameness how) : how_(how), exact_(how == Sameness::Equal) {}
  bool same(const TypeCode& x, const TypeCode& y) {
    if (!alike(x, y)) return false;
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      const View a(*waiting_[i].first), b(*waiting_[i].second);
      if (how_ == Sameness::Form ? !forms(a, b) : !parameters(a, b)) return false;
    }
    return true;
  }

 private:
  // Whether they may be the same; what they consist of is compared later, in a loop.
  bool alike(const TypeCode& x, const TypeCode& y);
  bool parameters(const View& a, const View& b);
  bool members(const View& a, const View& b);
  bool forms(const View& a, const View& b);
  bool unions(const View& a, const View& b);
  // Names count for equality alone.
  bool names(const char* a, const char* b) const { return !exact_ || std::strcmp(a, b) == 0; }

  const Sameness how_;
  const bool exact_;
  // Types that were found the same, or are under comparison and supposed to be, so that recursive types end there.
  // They are sets, of which each type names another member, the last itself. A look at two types makes two sets one,
  // so there are no more looks than types, whatever ways lead to them.
  const TypeCode* set_of(const TypeCode* t);
  std::map<const TypeCode*, const TypeCode*> supposed_;
  std::vector<std::pair<const TypeCode*, const TypeCode*>> waiting_;
};

const TypeCode* Comparison::set_of(const TypeCode* t) {
  auto at = supposed_.try_emplace(t, t).first;
  while (at->second != at->first) {
    const auto next = supposed_.find(at->second);
    at->second = next->second;  // a shorter way for the next time
    at = next;
  }
  return at->first;
}

bool Comparison::alike(const TypeCode& x, const TypeCode& y) {
  const TypeCode& a = exact_ ? x : strip_aliases(x);
  const TypeCode& b = exact_ ? y : strip_aliases(y);
  if (&a == &b) return true;
  const View v(a), w(b);
  const Word kind = v.kind();
  if (kind != w.kind()) return false;
  if (is_simple(kind)) return true;
  const TypeCode* const set = set_of(&a);
  const TypeCode* const other = set_of(&b);
  if (set == other) return true;
  supposed_[set] = other;
  if (has_id(kind) && how_ != Sameness::Form) {
    const bool equal_ids = std::strcmp(v.id(), w.id()) == 0;
    if (exact_ && !equal_ids) return false;
    if (!exact_ && *v.id() && *w.id()) return equal_ids;
  }
  waiting_.push_back({&a, &b});
  return true;
}

// Values are not looked into: they say themselves of what class they are.
bool Comparison::forms(const View& a, const View& b) {
  switch (a.kind()) {
    case CORBA::tk_struct:
    case CORBA::tk_except:
      if (a.count() != b.count()) return false;
      for (Word i = 0; i < a.count(); ++i)
        if (!alike(a.member_type(i), b.member_type(i))) return false;
      return true;
    case CORBA::tk_union: return alike(a.discriminator(), b.discriminator()) && unions(a, b);
    case CORBA::tk_sequence: return alike(a.content(), b.content());
    case CORBA::tk_array: {
      const Elements x = elements_of(a), y = elements_of(b);
      return x.count == y.count && alike(*x.type, *y.type);
    }
    case CORBA::tk_fixed: return a.length() == b.length();
    case kRecursive: return false;
    default: return true;
  }
}

// The same member for each label, and for all others.
bool Comparison::unions(const View& a, const View& b) {
  using Labels = std::map<std::uint64_t, const TypeCode*>;
  const auto labels_of = [](const View& v) {
    Labels all;
    for (Word i = 0; i < v.count(); ++i)
      if (i != v.default_index()) all.emplace(v.label(i), &v.member_type(i));
    return all;
  };
  const auto otherwise = [](const View& v) {
    return v.default_index() < v.count() ? &v.member_type(v.default_index()) : nullptr;
  };
  const Labels x = labels_of(a), y = labels_of(b);
  const TypeCode *const p = otherwise(a), *const q = otherwise(b);
  const auto one = [this](const TypeCode* m, const TypeCode* n) { return m && n ? alike(*m, *n) : m == n; };
  const auto covered = [](const Labels& by, std::uint64_t label, const TypeCode* rest) {
    const auto at = by.find(label);
    return at == by.end() ? rest : at->second;
  };
  for (const auto& [label, member] : x)
    if (!one(member, covered(y, label, q))) return false;
  for (const auto& [label, member] : y)
    if (x.count(label) == 0 && !one(p, member)) return false;
  return one(p, q);
}

bool Comparison::parameters(const View& a, const View& b) {
  const Word kind = a.kind();
  if (kind == kRecursive) return std::strcmp(a.id(), b.id()) == 0;
  if (!has_id(kind)) return a.length() == b.length() && (!has_content(kind) || alike(a.content(), b.content()));
  if (!names(a.name(), b.name())) return false;
  if (has_content(kind)) return alike(a.content(), b.content());
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
  if (kind == CORBA::tk_union &&
      (a.default_index() != b.default_index() || !alike(a.discriminator(), b.discriminator())))
    return false;
  if (is_value_kind(kind)) {
    if (a.modifier() != b.modifier() || !a.base() != !b.base()) return false;
    if (a.base() && !alike(*a.base(), *b.base())) return false;
  }
  for (Word i = 0; i < a.count(); ++i) {
    if (!names(a.member_name(i), b.member_name(i))) return false;
    if (kind == CORBA::tk_union && i != a.default_index() && a.label(i) != b.label(i)) return false;
    if (is_value_kind(kind) && a.visibility(i) != b.visibility(i)) return false;
    if (!alike(a.member_type(i), b.member_type(i))) return false;
  }
  return true;
}

bool compare(const TypeCode& a, TypeCode_ptr b, bool exact) {
  if (!b) classic::raise<CORBA::BAD_PARAM>(CORBA::OMGVMCID | 13, CORBA::COMPLETED_NO, "a nil TypeCode");
  return &a == b || Comparison(exact ? Sameness::Equal : Sameness::Equivalent).same(a, *b);
}

}  // namespace

bool same_form(const TypeCode& a, const TypeCode& b) { return Comparison(Sameness::Form).same(a, b); }

Fault differs(const TypeCode& sent, const TypeCode& as) noexcept try {
  return same_form(sent, as) ? Fault::None : Fault::BadValue;
} catch (const std::bad_alloc&) {
  return Fault::OutOfMemory;
}

}  // namespace callis::typecode

namespace CORBA::inline callis_orb {

Boolean TypeCode::equal(TypeCode_ptr other) const { return callis::typecode::compare(*this, other, true); }
Boolean TypeCode::equivalent(TypeCode_ptr other) const { return callis::typecode::compare(*this, other, false); }

}  // namespace CORBA::inline callis_orb
