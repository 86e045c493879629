// SPDX-License-Identifier: Apache-2.0
// TypeCodes made by the ORB's create operations, and the rules of their parameters.
#include <callis/typecode/create.h>
#include <callis/typecode/internal/any_value.h>
#include <callis/typecode/internal/builder.h>
#include <cctype>
#include <cstring>
#include <set>

namespace callis::typecode {

namespace {

using CORBA::COMPLETED_NO;
using CORBA::OMGVMCID;

[[noreturn]] void bad_param(CORBA::ULong minor, const char* why) {
  classic::raise<CORBA::BAD_PARAM>(OMGVMCID | minor, COMPLETED_NO, why);
}

bool is_identifier(const char* s) {
  const auto* c = reinterpret_cast<const unsigned char*>(s);
  if (!std::isalpha(*c) && *c != '_') return false;
  for (++c; *c; ++c)
    if (!std::isalnum(*c) && *c != '_') return false;
  return true;
}

// "format:rest" (CORBA 3.3 part 1, 14.7).
const char* checked_id(const char* id) {
  const char* const colon = id ? std::strchr(id, ':') : nullptr;
  if (!colon || colon == id || !colon[1]) bad_param(16, "not a repository id");
  return id;
}

const char* checked_name(const char* name) {
  if (!name || (*name && !is_identifier(name))) bad_param(15, "not an identifier");
  return name;
}

// Identifiers that differ in case alone are the same.
class MemberNames {
 public:
  const char* operator()(const char* name) {
    if (!name || (*name && !is_identifier(name))) bad_param(17, "a member's name is not an identifier");
    std::string folded(name);
    for (char& c : folded) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (!folded.empty() && !seen_.insert(std::move(folded)).second) bad_param(17, "two members with one name");
    return name;
  }

 private:
  std::set<std::string> seen_;
};

// What may be a member, an element, the content of an alias or box.
const TypeCode& stored(const TypeCode* t) {
  if (!t) bad_param(13, "a nil TypeCode");
  const Word kind = View(strip_aliases(*t)).kind();
  if (kind == CORBA::tk_null || kind == CORBA::tk_void || kind == CORBA::tk_except)
    classic::raise<CORBA::BAD_TYPECODE>(OMGVMCID | 2, COMPLETED_NO, "no value can be of that type");
  return *t;
}

// A type that stands for itself in what it contains: through sequences and values only.
bool contains_itself(const Builder& b, Word self, Word type, std::set<Word>& seen) {
  if ((type & 3) != 1 || !seen.insert(type).second) return false;
  const Word kind = b.kind(type);
  const Word* const e = b.entry_of(type);
  const auto leads_back = [&](Word to) { return to == self || contains_itself(b, self, to, seen); };
  if (kind == CORBA::tk_alias) return leads_back(e[3]);
  if (kind == CORBA::tk_array) return leads_back(e[2]);
  if (kind != CORBA::tk_struct && kind != CORBA::tk_union && kind != CORBA::tk_except) return false;
  for (Word i = 0; i < e[3]; ++i)
    if (leads_back(kind == CORBA::tk_union ? e[7 + 4 * i] : e[5 + 2 * i])) return true;
  return false;
}

TypeCode_ptr finish(Builder& b, Word root) {
  std::set<Word> seen;
  if (contains_itself(b, root, root, seen))
    classic::raise<CORBA::BAD_TYPECODE>(OMGVMCID | 2, COMPLETED_NO, "a type that is a part of itself");
  const TypeCode_ptr t = b.finish(root);
  if (!t) classic::throw_no_memory();
  return t;
}

TypeCode_ptr structure(CORBA::TCKind kind, const char* id, const char* name, const CORBA::StructMemberSeq& members) {
  Builder b;
  Copier copy(b, false);
  const Word self = b.reserve(kind);
  std::vector<Word> w{entry(kind), b.text(checked_id(id)), b.text(checked_name(name)), members.length()};
  copy.resolve(id, self);
  MemberNames names;
  for (const CORBA::StructMember& m : members) {
    w.push_back(b.text(names(m.name)));
    w.push_back(copy(stored(m.type)));
  }
  b.fill(self, w);
  return finish(b, self);
}

TypeCode_ptr contained(CORBA::TCKind kind, const char* id, const char* name, TypeCode_ptr of) {
  Builder b;
  Copier copy(b, false);
  const Word self = b.reserve(kind);
  checked_id(id);
  checked_name(name);
  if (kind == CORBA::tk_value_box) copy.resolve(id, self);
  b.fill(self, std::vector<Word>{entry(kind), b.text(id), b.text(name), copy(stored(of))});
  return finish(b, self);
}

TypeCode_ptr repeated(CORBA::TCKind kind, CORBA::ULong length, TypeCode_ptr of) {
  Builder b;
  Copier copy(b, false);
  const Word self = b.reserve(kind);
  b.fill(self, std::vector<Word>{Word{kind}, length, copy(stored(of))});
  return finish(b, self);
}

// The bits of an integer, character, boolean or enum in an Any, with its sign.
std::uint64_t bits_of(const CORBA::Any& any, Word kind) {
  const void* const at = fits_in_slot(kind) ? &any.callis_slot().value : any.value();
  if (!at) classic::throw_no_memory();
  const auto read = [at]<class T>(T v) {
    std::memcpy(&v, at, sizeof v);
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(v));
  };
  switch (kind) {
    case CORBA::tk_boolean:
    case CORBA::tk_char:
    case CORBA::tk_octet: return read(std::uint8_t{});
    case CORBA::tk_short: return read(std::int16_t{});
    case CORBA::tk_ushort: return read(std::uint16_t{});
    case CORBA::tk_long: return read(std::int32_t{});
    case CORBA::tk_longlong:
    case CORBA::tk_ulonglong: return read(std::uint64_t{});
    default: return read(std::uint32_t{});
  }
}

}  // namespace

TypeCode_ptr create_struct_tc(const char* id, const char* name, const CORBA::StructMemberSeq& members) {
  return structure(CORBA::tk_struct, id, name, members);
}

TypeCode_ptr create_exception_tc(const char* id, const char* name, const CORBA::StructMemberSeq& members) {
  return structure(CORBA::tk_except, id, name, members);
}

TypeCode_ptr create_union_tc(const char* id, const char* name, TypeCode_ptr discriminator,
                             const CORBA::UnionMemberSeq& members) {
  checked_id(id);
  checked_name(name);
  if (!discriminator) bad_param(13, "a nil TypeCode");
  const TypeCode& by = strip_aliases(*discriminator);
  const Word kind = View(by).kind();
  if (!is_discriminator(kind)) bad_param(20, "no union can be switched by that type");
  Builder b;
  Copier copy(b, false);
  const Word self = b.reserve(CORBA::tk_union);
  copy.resolve(id, self);
  std::vector<Word> w{entry(CORBA::tk_union), b.text(id),           b.text(name),
                      members.length(),       copy(*discriminator), ~Word{0}};
  MemberNames names;
  std::set<std::uint64_t> labels;
  const char* before = nullptr;
  for (CORBA::ULong i = 0; i < members.length(); ++i) {
    const CORBA::UnionMember& m = members[i];
    const TypeCode& labeled = type_of(m.label.callis_slot());
    std::uint64_t label = 0;
    // An octet 0 marks the default member (8.11.3).
    if (View(labeled).kind() == CORBA::tk_octet && kind != CORBA::tk_octet &&
        bits_of(m.label, CORBA::tk_octet) == 0) {
      if (w[5] != ~Word{0}) bad_param(18, "two default members");
      w[5] = i;
    } else {
      if (!const_cast<TypeCode&>(by).equivalent(const_cast<TypeCode_ptr>(&labeled)))
        bad_param(19, "a label of another type than the discriminator");
      label = bits_of(m.label, kind);
      if (!labels.insert(label).second) bad_param(18, "two members with one label");
    }
    // A member with several labels is there once for each of them.
    const char* const own = m.name;
    const bool repeated_name = before && own && std::strcmp(before, own) == 0;
    w.push_back(b.text(repeated_name ? own : names(own)));
    before = own;
    w.insert(w.end(), {copy(stored(m.type)), static_cast<Word>(label), static_cast<Word>(label >> 32)});
  }
  b.fill(self, w);
  return finish(b, self);
}

TypeCode_ptr create_enum_tc(const char* id, const char* name, const CORBA::EnumMemberSeq& members) {
  Builder b;
  std::vector<Word> w{entry(CORBA::tk_enum), b.text(checked_id(id)), b.text(checked_name(name)), members.length()};
  if (members.length() == 0) classic::throw_bad_param("an enum without members");
  w.push_back(b.texts_begin());
  MemberNames names;
  for (const char* m : members) b.texts_add(names(m));
  const Word self = b.reserve(CORBA::tk_enum);
  b.fill(self, w);
  return finish(b, self);
}

TypeCode_ptr create_alias_tc(const char* id, const char* name, TypeCode_ptr original) {
  return contained(CORBA::tk_alias, id, name, original);
}
TypeCode_ptr create_value_box_tc(const char* id, const char* name, TypeCode_ptr boxed) {
  return contained(CORBA::tk_value_box, id, name, boxed);
}

TypeCode_ptr create_named_tc(CORBA::TCKind kind, const char* id, const char* name) {
  checked_id(id);
  checked_name(name);
  if (kind == CORBA::tk_objref && std::strcmp(id, View(*CORBA::_tc_Object).id()) == 0 &&
      std::strcmp(name, View(*CORBA::_tc_Object).name()) == 0)
    return CORBA::_tc_Object;
  Builder b;
  return finish(b, b.add({entry(kind), b.text(id), b.text(name)}));
}

namespace {

TypeCode_ptr bounded(CORBA::TCKind kind, Word parameter) {
  if (parameter == 0) return basic_type(kind);
  Builder b;
  return finish(b, b.add({Word{kind}, parameter}));
}

}  // namespace

TypeCode_ptr create_string_tc(CORBA::ULong bound) { return bounded(CORBA::tk_string, bound); }
TypeCode_ptr create_wstring_tc(CORBA::ULong bound) { return bounded(CORBA::tk_wstring, bound); }

TypeCode_ptr create_fixed_tc(CORBA::UShort digits, CORBA::Short scale) {
  if (digits == 0 || digits > 31 || scale < 0 || scale > static_cast<CORBA::Short>(digits))
    classic::throw_bad_param("fixed: 1 to 31 digits, and a scale of at most as many");
  return bounded(CORBA::tk_fixed, digits | static_cast<Word>(scale) << 16);
}

TypeCode_ptr create_sequence_tc(CORBA::ULong bound, TypeCode_ptr element) {
  return repeated(CORBA::tk_sequence, bound, element);
}

TypeCode_ptr create_array_tc(CORBA::ULong length, TypeCode_ptr element) {
  if (length == 0) classic::throw_bad_param("an array without elements");
  return repeated(CORBA::tk_array, length, element);
}

TypeCode_ptr create_value_tc(const char* id, const char* name, CORBA::ValueModifier modifier, TypeCode_ptr base,
                             const CORBA::ValueMemberSeq& members) {
  checked_id(id);
  checked_name(name);
  if (modifier < CORBA::VM_NONE || modifier > CORBA::VM_TRUNCATABLE) classic::throw_bad_param("no value modifier");
  const bool has_base = base && View(*base).kind() != CORBA::tk_null;
  if (has_base && !is_value_kind(View(strip_aliases(*base)).kind()))
    classic::raise<CORBA::BAD_TYPECODE>(OMGVMCID | 2, COMPLETED_NO, "the base of a value is no value");
  Builder b;
  Copier copy(b, false);
  const Word self = b.reserve(CORBA::tk_value);
  std::vector<Word> w{entry(CORBA::tk_value), b.text(id), b.text(name), members.length(), static_cast<Word>(modifier),
                      has_base ? copy(strip_aliases(*base)) : basic(CORBA::tk_null)};
  copy.resolve(id, self);
  MemberNames names;
  for (const CORBA::ValueMember& m : members) {
    if (m.access != CORBA::PRIVATE_MEMBER && m.access != CORBA::PUBLIC_MEMBER)
      classic::throw_bad_param("no visibility");
    w.push_back(b.text(names(m.name)));
    w.push_back(copy(stored(m.type)));
    w.push_back(static_cast<Word>(m.access));
  }
  b.fill(self, w);
  return finish(b, self);
}

TypeCode_ptr create_recursive_tc(const char* id) {
  Builder b;
  return finish(b, b.add({kRecursive, b.text(checked_id(id))}));
}

}  // namespace callis::typecode
