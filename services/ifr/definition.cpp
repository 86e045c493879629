// SPDX-License-Identifier: Apache-2.0
// The stored form: numbers as 8 bytes, the least significant first; texts and lists behind their length. The order of
// the fields is that of for_each_field().
#include <services/ifr/definition.h>

namespace callis::ifr {

namespace {

template<class D, class F>
bool for_each_field(D& d, F&& field) {
  return field(d.type) && field(d.bound) && field(d.scale) && field(d.mode) && field(d.members) && field(d.words) &&
         field(d.bases) && field(d.base) && field(d.supported) && field(d.exceptions) && field(d.set_exceptions) &&
         field(d.initializers) && field(d.value);
}

class Writer {
 public:
  std::string out;

  bool operator()(std::uint64_t n) {
    for (int i = 0; i < 8; ++i) out += static_cast<char>(n >> (8 * i) & 0xff);
    return true;
  }
  bool operator()(std::uint32_t n) { return (*this)(std::uint64_t{n}); }
  bool operator()(std::int32_t n) { return (*this)(static_cast<std::uint64_t>(std::int64_t{n})); }
  bool operator()(const std::string& s) {
    (*this)(std::uint64_t{s.size()});
    out += s;
    return true;
  }
  bool operator()(const Member& m) {
    return (*this)(m.name) && (*this)(m.type) && (*this)(m.mode) && (*this)(m.label);
  }
  bool operator()(const Initializer& i) { return (*this)(i.name) && (*this)(i.members) && (*this)(i.exceptions); }
  template<class T>
  bool operator()(const std::vector<T>& all) {
    (*this)(std::uint64_t{all.size()});
    for (const T& one : all) (*this)(one);
    return true;
  }
};

// From a file that may be spoiled.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  bool at_end() const { return rest_.empty(); }

  bool operator()(std::uint64_t& n) {
    if (rest_.size() < 8) return false;
    n = 0;
    for (int i = 0; i < 8; ++i)
      n |= std::uint64_t{static_cast<unsigned char>(rest_[static_cast<std::size_t>(i)])} << (8 * i);
    rest_.remove_prefix(8);
    return true;
  }
  bool operator()(std::uint32_t& n) {
    std::uint64_t wide = 0;
    if (!(*this)(wide) || wide > UINT32_MAX) return false;
    n = static_cast<std::uint32_t>(wide);
    return true;
  }
  bool operator()(std::int32_t& n) {
    std::uint64_t wide = 0;
    if (!(*this)(wide)) return false;
    const auto s = static_cast<std::int64_t>(wide);
    if (s < INT32_MIN || s > INT32_MAX) return false;
    n = static_cast<std::int32_t>(s);
    return true;
  }
  bool operator()(std::string& s) {
    std::uint64_t size = 0;
    if (!(*this)(size) || size > rest_.size()) return false;
    s = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return true;
  }
  bool operator()(Member& m) { return (*this)(m.name) && (*this)(m.type) && (*this)(m.mode) && (*this)(m.label); }
  bool operator()(Initializer& i) { return (*this)(i.name) && (*this)(i.members) && (*this)(i.exceptions); }
  template<class T>
  bool operator()(std::vector<T>& all) {
    std::uint64_t size = 0;
    // Each takes 8 bytes at least.
    if (!(*this)(size) || size > rest_.size() / 8) return false;
    all.resize(size);
    for (T& one : all)
      if (!(*this)(one)) return false;
    return true;
  }

 private:
  std::string_view rest_;
};

}  // namespace

std::string to_bytes(const Definition& d) {
  Writer writer;
  for_each_field(d, writer);
  return std::move(writer.out);
}

bool from_bytes(std::string_view bytes, Definition& d) {
  Reader reader(bytes);
  return for_each_field(d, reader) && reader.at_end();
}

bool Definition::says_the_same(const Definition& o) const {
  return kind == o.kind && id == o.id && name == o.name && version == o.version && to_bytes(*this) == to_bytes(o);
}

bool is_typedef(Kind k) {
  switch (k) {
    case Kind::Alias:
    case Kind::Struct:
    case Kind::Union:
    case Kind::Enum:
    case Kind::ValueBox:
    case Kind::Native: return true;
    default: return false;
  }
}

bool is_type(Kind k) {
  switch (k) {
    case Kind::Primitive:
    case Kind::String:
    case Kind::Wstring:
    case Kind::Fixed:
    case Kind::Sequence:
    case Kind::Array:
    case Kind::Value: return true;
    default: return is_typedef(k) || is_interface(k);
  }
}

bool is_contained(Kind k) {
  switch (k) {
    case Kind::Attribute:
    case Kind::Constant:
    case Kind::Exception:
    case Kind::Module:
    case Kind::Operation:
    case Kind::Value:
    case Kind::ValueMember: return true;
    default: return is_typedef(k) || is_interface(k);
  }
}

bool is_container(Kind k) {
  switch (k) {
    case Kind::Repository:
    case Kind::Module:
    case Kind::Value:
    case Kind::Struct:
    case Kind::Union:
    case Kind::Exception: return true;
    default: return is_interface(k);
  }
}

std::string_view kind_word(Kind k) {
  static constexpr std::string_view kWords[] = {
      "nothing",        "anything",    "attribute",    "constant",       "exception",
      "interface",      "module",      "operation",    "type",           "typedef",
      "struct",         "union",       "enum",         "primitive type", "string",
      "sequence",       "array",       "repository",   "wstring",        "fixed",
      "valuetype",      "boxed value", "state member", "native",         "abstract interface",
      "local interface"};
  const auto i = static_cast<std::size_t>(k);
  return i < std::size(kWords) ? kWords[i] : "component";
}

std::vector<Number> references(const Definition& d) {
  std::vector<Number> out;
  const auto add = [&out](const std::vector<Number>& all) { out.insert(out.end(), all.begin(), all.end()); };
  if (d.type != kNone) out.push_back(d.type);
  if (d.base != kNone) out.push_back(d.base);
  for (const Member& m : d.members) out.push_back(m.type);
  add(d.bases);
  add(d.supported);
  add(d.exceptions);
  add(d.set_exceptions);
  for (const Initializer& i : d.initializers) {
    for (const Member& m : i.members) out.push_back(m.type);
    add(i.exceptions);
  }
  return out;
}

}  // namespace callis::ifr
