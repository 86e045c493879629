// SPDX-License-Identifier: Apache-2.0
// TypeCodes from the tables of generated code.
#include <callis/typecode/internal/builder.h>
#include <callis/typecode/of_descriptor.h>
#include <callis/value/link.h>

namespace callis::typecode {

namespace {

using marshal::Kind;
using marshal::Unit;

// What stands between the last '/' or ':' before the version and that.
std::string_view name_in(std::string_view id) {
  const std::size_t end = id.rfind(':');
  if (end == id.npos || end == 0) return {};
  const std::size_t before = id.find_last_of("/:", end - 1);
  return id.substr(before + 1, end - before - 1);
}

// All links begin with the repository id.
const char* id_of(const void* link) { return *static_cast<const char* const*>(link); }

class DescriptorReader {
 public:
  Word type(const Unit& unit, Word w);
  TypeCode_ptr finish(Word root) { return to_.finish(root); }

 private:
  Word entry_at(const Unit& unit, Word index);
  void described(const Unit& unit, const Word* at, Word self);
  Word named(Kind kind, const void* link);
  void value(const value::ValueLink& link, Word self);
  void head(std::vector<Word>& w, CORBA::TCKind kind, const void* link, const char* id);
  // Members without names.
  void members(const Unit& unit, const Word* types, Word count, std::vector<Word>& w);
  std::vector<Word> union_words(const Unit& unit, const Word* at);
  Word enumeration(Word count);

  Builder to_;
  // By the entry or the link.
  std::map<const void*, Word> known_;
};

Word DescriptorReader::type(const Unit& unit, Word w) {
  const Word payload = marshal::payload_of(w);
  switch (marshal::kind_of(w)) {
    case Kind::Void: return basic(CORBA::tk_void);
    case Kind::Boolean: return basic(CORBA::tk_boolean);
    case Kind::Octet: return basic(CORBA::tk_octet);
    case Kind::Char: return basic(CORBA::tk_char);
    case Kind::Short: return basic(CORBA::tk_short);
    case Kind::UShort: return basic(CORBA::tk_ushort);
    case Kind::Long: return basic(CORBA::tk_long);
    case Kind::ULong: return basic(CORBA::tk_ulong);
    case Kind::LongLong: return basic(CORBA::tk_longlong);
    case Kind::ULongLong: return basic(CORBA::tk_ulonglong);
    case Kind::Float: return basic(CORBA::tk_float);
    case Kind::Double: return basic(CORBA::tk_double);
    case Kind::LongDouble: return basic(CORBA::tk_longdouble);
    case Kind::WChar: return basic(CORBA::tk_wchar);
    case Kind::Any: return basic(CORBA::tk_any);
    case Kind::TypeCode: return basic(CORBA::tk_TypeCode);
    case Kind::Enum: return enumeration(payload);
    case Kind::String: return payload == 0 ? basic(CORBA::tk_string) : to_.add({CORBA::tk_string, payload});
    case Kind::WString: return payload == 0 ? basic(CORBA::tk_wstring) : to_.add({CORBA::tk_wstring, payload});
    case Kind::Fixed: return to_.add({CORBA::tk_fixed, (payload & 0xff) | payload >> 8 << 16});
    case Kind::ObjRef:
    case Kind::Abstract:
    case Kind::Value:
      return named(marshal::kind_of(w), payload == marshal::kNoLink ? nullptr : unit.links[payload]);
    default: return entry_at(unit, payload);
  }
}

Word DescriptorReader::enumeration(Word count) {
  const Word names = to_.texts_begin();
  for (Word i = 0; i < count; ++i) to_.texts_add("");
  return to_.add({CORBA::tk_enum, 0, 0, count, names});
}

Word DescriptorReader::entry_at(const Unit& unit, Word index) {
  const Word* const at = unit.words + index;
  if (const auto known = known_.find(at); known != known_.end()) return known->second;
  switch (marshal::kind_of(*at)) {
    case Kind::String: return to_.add({CORBA::tk_string, at[1]});
    case Kind::WString: return to_.add({CORBA::tk_wstring, at[1]});
    default: break;
  }
  Word kind = CORBA::tk_struct;
  switch (marshal::kind_of(*at)) {
    case Kind::Union: kind = CORBA::tk_union; break;
    case Kind::Exception: kind = CORBA::tk_except; break;
    case Kind::Sequence: kind = CORBA::tk_sequence; break;
    case Kind::Array: kind = CORBA::tk_array; break;
    default: break;
  }
  const Word self = known_[at] = to_.reserve(kind);
  described(unit, at, self);
  return self;
}

void DescriptorReader::described(const Unit& unit, const Word* at, Word self) {
  std::vector<Word> w;
  const Word count = marshal::payload_of(*at);
  switch (marshal::kind_of(*at)) {
    case Kind::Union: w = union_words(unit, at); break;
    case Kind::Exception:
      head(w, CORBA::tk_except, nullptr, id_of(unit.links[at[1]]));
      members(unit, at + 2, count, w);
      break;
    case Kind::Sequence: w = {CORBA::tk_sequence, at[1], type(unit, at[2])}; break;
    case Kind::Array: w = {CORBA::tk_array, at[1], type(unit, at[2])}; break;
    default:
      w = {entry(CORBA::tk_struct), 0, 0};
      members(unit, at + 1, count, w);
  }
  to_.fill(self, w);
}

void DescriptorReader::members(const Unit& unit, const Word* types, Word count, std::vector<Word>& w) {
  w.push_back(count);
  for (Word i = 0; i < count; ++i) {
    const Word of_member = type(unit, types[i]);
    w.insert(w.end(), {0, of_member});
  }
}

// A TypeCode has a member for each label.
std::vector<Word> DescriptorReader::union_words(const Unit& unit, const Word* at) {
  const Word count = marshal::payload_of(*at), otherwise = at[2], labels = at[3];
  const Word *const types = at + 4, *const end = types + count + 3 * std::size_t{labels};
  std::vector<Word> rows;
  Word default_row = marshal::kNoDefault, n = 0;
  for (Word m = 0; m < count; ++m) {
    const Word of_member = type(unit, types[m]);
    for (const Word* label = types + count; label != end; label += 3) {  // low word, high word, member
      if (label[2] != m) continue;
      rows.insert(rows.end(), {0, of_member, label[0], label[1]});
      ++n;
    }
    if (m != otherwise) continue;
    default_row = n++;
    rows.insert(rows.end(), {0, of_member, 0, 0});
  }
  std::vector<Word> w{entry(CORBA::tk_union), 0, 0, n, type(unit, at[1]), default_row};
  w.insert(w.end(), rows.begin(), rows.end());
  return w;
}

void DescriptorReader::head(std::vector<Word>& w, CORBA::TCKind kind, const void* link, const char* id) {
  w = {entry(kind, to_.link(link)), to_.text(id), to_.text(name_in(id))};
}

Word DescriptorReader::named(Kind kind, const void* link) {
  if (!link)
    return basic(kind == Kind::ObjRef  ? CORBA::tk_objref
                 : kind == Kind::Value ? CORBA::tk_value
                                       : CORBA::tk_abstract_interface);
  if (const auto known = known_.find(link); known != known_.end()) return known->second;
  if (kind == Kind::Value) {
    const auto& of_value = *static_cast<const value::ValueLink*>(link);
    const Word self = known_[link] =
        to_.reserve(of_value.flags & value::kBox ? CORBA::tk_value_box : CORBA::tk_value);
    value(of_value, self);
    return self;
  }
  const CORBA::TCKind tc = kind == Kind::ObjRef ? CORBA::tk_objref : CORBA::tk_abstract_interface;
  const Word self = known_[link] = to_.reserve(tc);
  std::vector<Word> w;
  head(w, tc, link, id_of(link));
  to_.fill(self, w);
  return self;
}

void DescriptorReader::value(const value::ValueLink& link, Word self) {
  std::vector<Word> w;
  if (link.flags & value::kBox) {
    head(w, CORBA::tk_value_box, &link, link.repository_id);
    w.push_back(type(*link.unit, link.state));
    return to_.fill(self, w);
  }
  head(w, CORBA::tk_value, &link, link.repository_id);
  CORBA::ValueModifier modifier = CORBA::VM_NONE;
  if (link.flags & value::kAbstract) modifier = CORBA::VM_ABSTRACT;
  else if (link.flags & value::kCustom) modifier = CORBA::VM_CUSTOM;
  else if (link.flags & value::kTruncatable) modifier = CORBA::VM_TRUNCATABLE;
  const Word* const state = link.state ? link.unit->words + marshal::payload_of(link.state) : nullptr;
  const Word count = state ? marshal::payload_of(*state) : 0;
  const Word base = link.base ? named(Kind::Value, link.base) : basic(CORBA::tk_null);
  w.insert(w.end(), {count, static_cast<Word>(modifier), base});
  for (Word i = 0; i < count; ++i) {
    const Word of_member = type(*link.unit, state[1 + i]);
    w.insert(w.end(), {0, of_member, static_cast<Word>(CORBA::PRIVATE_MEMBER)});
  }
  to_.fill(self, w);
}

}  // namespace

TypeCode_ptr type_of_descriptor(const Unit& unit, Word type) {
  TypeCode_ptr made = nullptr;
  try {
    DescriptorReader reader;
    made = reader.finish(reader.type(unit, type));
  } catch (const std::bad_alloc&) {
  }
  if (!made) classic::throw_no_memory();
  return made;
}

}  // namespace callis::typecode
