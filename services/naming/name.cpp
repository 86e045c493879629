// SPDX-License-Identifier: Apache-2.0
#include <services/naming/name.h>

namespace callis::naming {

std::vector<Component> OwnedName::components() const {
  std::vector<Component> out;
  out.reserve(parts.size());
  for (const Part& p : parts) out.push_back({p.id, p.kind});
  return out;
}

namespace {

// Reads one component, up to a '/' or the end. False: it is none.
bool read_component(std::string_view& rest, OwnedName::Part& out, bool& more) {
  bool in_kind = false, any = false;
  std::string* to = &out.id;
  std::size_t i = 0;
  for (; i < rest.size() && rest[i] != '/'; ++i) {
    any = true;
    const char c = rest[i];
    if (c == '\\') {
      if (++i == rest.size()) return false;
      if (rest[i] != '/' && rest[i] != '.' && rest[i] != '\\') return false;
      *to += rest[i];
    } else if (c == '.') {
      if (in_kind) return false;
      in_kind = true;
      to = &out.kind;
    } else {
      *to += c;
    }
  }
  // "a." would be another text for "a"; "." is the component without id and kind.
  if (!any || (in_kind && out.kind.empty() && !out.id.empty())) return false;
  more = i < rest.size();
  rest.remove_prefix(more ? i + 1 : i);
  return true;
}

void append(std::string& to, std::string_view part) {
  for (const char c : part) {
    if (c == '/' || c == '.' || c == '\\') to += '\\';
    to += c;
  }
}

void append(std::string& to, const Component& c) {
  append(to, c.id);
  if (!c.kind.empty() || c.id.empty()) to += '.';
  append(to, c.kind);
}

}  // namespace

bool parse_name(std::string_view text, OwnedName& out) {
  out.parts.clear();
  for (bool more = true; more;) {
    OwnedName::Part part;
    if (!read_component(text, part, more)) return false;
    out.parts.push_back(std::move(part));
  }
  return true;
}

std::string to_text(const Component& component) {
  std::string out;
  append(out, component);
  return out;
}

std::string to_text(Path name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (i != 0) out += '/';
    append(out, name[i]);
  }
  return out;
}

std::string escape_for_url(std::string_view name) {
  constexpr std::string_view kPlain = ";/:?@&=+$,-_.!~*'()";
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const char c : name) {
    const auto b = static_cast<unsigned char>(c);
    if ((b >= '0' && b <= '9') || (b >= 'A' && b <= 'Z') || (b >= 'a' && b <= 'z') ||
        kPlain.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += '%';
      out += kDigits[b >> 4];
      out += kDigits[b & 15];
    }
  }
  return out;
}

}  // namespace callis::naming
