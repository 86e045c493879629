// SPDX-License-Identifier: Apache-2.0
// Values of Anys, where they lie in memory (callis/marshal/memory.h).
#include <callis/marshal/memory.h>
#include <callis/typecode/kinds.h>
#include <services/constraints/any_properties.h>
#include <algorithm>
#include <cstring>

namespace callis::constraints {

namespace {

constexpr int kMostAliases = 64;

// Without aliases. TypeCodes come from peers; the ORB has checked their form.
CORBA::TypeCode_var plain(CORBA::TypeCode_ptr type) {
  CORBA::TypeCode_var out = CORBA::TypeCode::_duplicate(type);
  for (int i = 0; i < kMostAliases && out->kind() == CORBA::tk_alias; ++i) out = out->content_type();
  return out;
}

template<class T>
T load(const void* memory) {
  T out;
  std::memcpy(&out, memory, sizeof out);
  return out;
}

std::size_t size_of(CORBA::TCKind kind) {
  switch (kind) {
    case CORBA::tk_boolean:
    case CORBA::tk_char:
    case CORBA::tk_octet: return 1;
    case CORBA::tk_short:
    case CORBA::tk_ushort: return 2;
    case CORBA::tk_long:
    case CORBA::tk_ulong:
    case CORBA::tk_float: return 4;
    case CORBA::tk_longlong:
    case CORBA::tk_ulonglong:
    case CORBA::tk_double: return 8;
    case CORBA::tk_longdouble: return sizeof(CORBA::LongDouble);
    case CORBA::tk_string: return sizeof(char*);
    default: return 0;
  }
}

Value simple(CORBA::TCKind kind, const void* memory) {
  switch (kind) {
    case CORBA::tk_boolean: return Value::boolean(load<unsigned char>(memory) != 0);
    case CORBA::tk_char: return Value::text({static_cast<const char*>(memory), 1});
    case CORBA::tk_octet: return Value::integer(load<unsigned char>(memory));
    case CORBA::tk_short: return Value::integer(load<std::int16_t>(memory));
    case CORBA::tk_ushort: return Value::integer(load<std::uint16_t>(memory));
    case CORBA::tk_long: return Value::integer(load<std::int32_t>(memory));
    case CORBA::tk_ulong: return Value::integer(load<std::uint32_t>(memory));
    case CORBA::tk_longlong: return Value::integer(load<std::int64_t>(memory));
    case CORBA::tk_ulonglong: return Value::number(load<std::uint64_t>(memory));
    case CORBA::tk_float: return Value::real(static_cast<double>(load<float>(memory)));
    case CORBA::tk_double: return Value::real(load<double>(memory));
    case CORBA::tk_longdouble:
      return Value::real(static_cast<double>(static_cast<long double>(load<CORBA::LongDouble>(memory))));
    case CORBA::tk_string: {
      const auto* const text = load<const char*>(memory);
      return Value::text(text ? std::string_view(text) : std::string_view());
    }
    default: return Value::other();
  }
}

Type simple_type(CORBA::TCKind kind) {
  switch (kind) {
    case CORBA::tk_boolean: return Type::Boolean;
    case CORBA::tk_char:
    case CORBA::tk_string: return Type::Text;
    default: return size_of(kind) != 0 ? Type::Number : Type::Other;
  }
}

bool has_elements(CORBA::TCKind kind) { return kind == CORBA::tk_sequence || kind == CORBA::tk_array; }

}  // namespace

Type type_of(CORBA::TypeCode_ptr type) {
  const CORBA::TypeCode_var behind = plain(type);
  if (!has_elements(behind->kind())) return simple_type(behind->kind());
  const CORBA::TypeCode_var element = plain(CORBA::TypeCode_var(behind->content_type()).in());
  switch (simple_type(element->kind())) {
    case Type::Boolean: return Type::Booleans;
    case Type::Number: return Type::Numbers;
    case Type::Text: return Type::Texts;
    default: return Type::Other;
  }
}

class Decoded::Elements final : public Sequence {
 public:
  Elements(CORBA::TCKind kind, const void* begin, std::size_t size) : kind_(kind), begin_(begin), size_(size) {}
  std::size_t size() const override { return size_; }
  Value at(std::size_t i) const override {
    return simple(kind_, static_cast<const char*>(begin_) + i * size_of(kind_));
  }

 private:
  const CORBA::TCKind kind_;
  const void* const begin_;
  const std::size_t size_;
};

Decoded::Decoded(const CORBA::Any& any) : value_(Value::other()) {
  struct Shared {
    CORBA::Any any;
    std::optional<Elements> elements;
  };
  const CORBA::TypeCode_var type = plain(CORBA::TypeCode_var(any.type()).in());
  const CORBA::TCKind kind = type->kind();
  if (!has_elements(kind) && size_of(kind) == 0) return;
  const auto shared = std::make_shared<Shared>(Shared{any, {}});
  const void* const memory = shared->any.value();
  if (!memory) return;
  if (has_elements(kind)) {
    const CORBA::TypeCode_var element = plain(CORBA::TypeCode_var(type->content_type()).in());
    if (size_of(element->kind()) == 0) return;
    if (kind == CORBA::tk_array) {
      shared->elements.emplace(element->kind(), memory, type->length());
    } else {
      const auto header = load<marshal::SequenceHeader>(memory);
      shared->elements.emplace(element->kind(), header.buffer, header.length);
    }
    value_ = Value::sequence(*shared->elements);
  } else {
    value_ = simple(kind, memory);
    if (value_.kind() != Kind::Text) return;
  }
  kept_ = shared;
}

void AnyProperties::put(std::string_view name, const CORBA::Any& value) {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found != names_.end()) values_[static_cast<std::size_t>(found - names_.begin())] = Decoded(value);
}

}  // namespace callis::constraints
