// SPDX-License-Identifier: Apache-2.0
// print(): over the descriptor, since a plan has forgotten which four bytes are a float.
#include <callis/marshal/internal/layout.h>
#include <callis/marshal/internal/program.h>
#include <callis/marshal/memory.h>
#include <callis/marshal/values.h>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <utility>

namespace callis::marshal {

namespace {

constexpr int kMaxDepth = 64;  // values of the application may nest deeper than decoded ones

class Printer {
 public:
  Printer(const Unit& unit, std::span<char> room) : unit_(unit), room_(room) {}
  void value(Word type, const Byte* at);
  std::size_t finish();

 private:
  [[gnu::format(printf, 2, 3)]] void text(const char* format, ...);
  template <class T>
  void floating(const char* format, T value);
  void character(unsigned char c, char quote);
  void string(const char* s);
  void wide(std::uint32_t c, char quote);
  void wide_string(const wchar_t* s);
  void one_of(const UnionView& view, const Byte* at);
  // n values, size bytes apart, in brackets; a struct's when members is not nullptr.
  void list(const Word* members, Word element, const Byte* at, std::uint32_t n, const char* brackets,
            StructLayout layout);

  const Unit& unit_;
  std::span<char> room_;
  std::size_t used_ = 0;  // beyond room_.size(): full
  int depth_ = 0;
};

void Printer::text(const char* format, ...) {
  if (used_ >= room_.size()) return;
  va_list arguments;
  va_start(arguments, format);
  const int n = std::vsnprintf(room_.data() + used_, room_.size() - used_, format, arguments);
  va_end(arguments);
  used_ += n > 0 ? static_cast<std::size_t>(n) : 0;
}

std::size_t Printer::finish() {
  if (room_.empty()) return 0;
  if (used_ < room_.size()) {
    room_[used_] = 0;
    return used_;
  }
  const std::size_t n = room_.size() - 1, dots = n < 3 ? n : 3;
  std::memset(room_.data() + n - dots, '.', dots);
  room_[n] = 0;
  return n;
}

// The locale of the program may have another decimal point, of several bytes even.
template <class T>
void Printer::floating(const char* format, T value) {
  char number[64];
  std::snprintf(number, sizeof number, format, value);
  char* end = number;
  bool pointed = false;
  for (const char* at = number; *at != 0; ++at) {
    const bool usual = std::strchr("0123456789+-einfa", *at) != nullptr;
    if (usual) *end++ = *at;
    else if (!std::exchange(pointed, true)) *end++ = '.';
  }
  *end = 0;
  text("%s", number);
}

void Printer::character(unsigned char c, char quote) {
  if (c == quote || c == '\\') text("\\%c", c);
  else if (c >= ' ' && c <= '~') text("%c", c);
  else text("\\x%02x", c);
}

void Printer::string(const char* s) {
  if (!s) return text("null");
  text("\"");
  for (; *s && used_ < room_.size(); ++s) character(static_cast<unsigned char>(*s), '"');
  text("\"");
}

void Printer::wide(std::uint32_t c, char quote) {
  if (c < 0x7f) character(static_cast<unsigned char>(c), quote);
  else text(c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
}

void Printer::wide_string(const wchar_t* s) {
  if (!s) return text("null");
  text("L\"");
  for (; *s && used_ < room_.size(); ++s) wide(static_cast<std::uint32_t>(*s), '"');
  text("\"");
}

// {discriminator: member}, {discriminator} when it selects none.
void Printer::one_of(const UnionView& view, const Byte* at) {
  const Layout tag = layout_of(unit_, view.discriminator()), area = member_area(unit_, view);
  std::uint64_t mask = 0, d = 0;
  std::memcpy(&d, at, tag.size);
  if (kNativeOrder == ByteOrder::Big) d >>= 64 - 8 * tag.size;
  std::memset(&mask, 0xff, tag.size);
  if (kNativeOrder == ByteOrder::Big) mask >>= 64 - 8 * tag.size;
  Word member = view.default_member();
  for (Word i = 0; i < view.label_count(); ++i)
    if ((view.label(i) & mask) == d) member = view.selected(i);
  text("{");
  value(view.discriminator(), at);
  if (depth_ == kMaxDepth) {
    text(": ...");
  } else if (member != kNoDefault) {
    text(": ");
    ++depth_;
    value(view.member(member), at + align_up(tag.size, area.alignment));
    --depth_;
  }
  text("}");
}

void Printer::list(const Word* members, Word element, const Byte* at, std::uint32_t n, const char* brackets,
                   StructLayout layout) {
  text("%c", brackets[0]);
  if (depth_ == kMaxDepth) text("..."), n = 0;
  ++depth_;
  for (std::uint32_t i = 0; i < n && used_ < room_.size(); ++i) {
    if (i != 0) text(", ");
    const Word type = members ? members[i] : element;
    value(type, at + layout.add(layout_of(unit_, type)));
  }
  --depth_;
  text("%c", brackets[1]);
}

void Printer::value(Word type, const Byte* at) {
  const Resolved r = resolve(unit_, type);
  const Word* const e = unit_.words + r.entry;
  switch (r.kind) {
    case Kind::Boolean: return text(*at ? "TRUE" : "FALSE");
    case Kind::Octet: return text("%u", *at);
    case Kind::Char:
      text("'");
      character(*at, '\'');
      return text("'");
    case Kind::Short: return text("%d", load<std::int16_t>(at));
    case Kind::UShort: return text("%u", load<std::uint16_t>(at));
    case Kind::Long: return text("%d", load<std::int32_t>(at));
    case Kind::ULong: return text("%u", load<std::uint32_t>(at));
    case Kind::LongLong: return text("%lld", static_cast<long long>(load<std::int64_t>(at)));
    case Kind::ULongLong: return text("%llu", static_cast<unsigned long long>(load<std::uint64_t>(at)));
    case Kind::Float: return floating("%.9g", static_cast<double>(load<float>(at)));
    case Kind::Double: return floating("%.17g", load<double>(at));
    case Kind::LongDouble: return floating("%.21Lg", read<long double>(at, 0));
    case Kind::Enum: return text("#%u", load<std::uint32_t>(at));
    case Kind::String: return string(read<const char*>(at, 0));
    case Kind::WChar:
      text("L'");
      wide(load<std::uint32_t>(at), '\'');
      return text("'");
    case Kind::WString: return wide_string(read<const wchar_t*>(at, 0));
    case Kind::Fixed: {
      char number[cdr::kFixedText];
      cdr::fixed_text(read<FixedValue>(at, 0), number);
      return text("%s", number);
    }
    case Kind::Any: return text("any");
    case Kind::TypeCode: return text(read<const void*>(at, 0) ? "TypeCode" : "nil");
    case Kind::Abstract: case Kind::Value: return text(read<const void*>(at, 0) ? "value" : "null");
    case Kind::Union: return one_of({e}, at);
    case Kind::ObjRef: return text(read<const void*>(at, 0) ? "reference" : "nil");
    case Kind::Struct: return list(e + 1, 0, at, r.payload, "{}", {});
    case Kind::Exception: {
      StructLayout layout;
      layout.add({sizeof(void*), alignof(void*)});
      return list(e + 2, 0, at, r.payload, "{}", layout);
    }
    case Kind::Array: return list(nullptr, e[2], at, e[1], "[]", {});
    case Kind::Sequence: {
      const auto s = read<SequenceHeader>(at, 0);
      return list(nullptr, e[2], static_cast<const Byte*>(s.buffer), s.buffer ? s.length : 0, "[]", {});
    }
    default: return;
  }
}

}  // namespace

std::size_t print(const Unit& unit, Word type, const void* value, std::span<char> room) {
  Printer p(unit, room);
  p.value(type, static_cast<const Byte*>(value));
  return p.finish();
}

}  // namespace callis::marshal
