// SPDX-License-Identifier: Apache-2.0
// Names: their components, and their text (Naming Service 1.3, 2.4 and 2.5.3).
//
// A stringified name has '/' between its components, and '.' between the id and the kind of each. A backslash stands
// before each '/', '.' and backslash that is part of an id or a kind. "a" is an id without a kind, ".k" a kind
// without an id, "." neither; "a." is no name.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace callis::naming {

// Bytes without a NUL, in the code set of the process.
struct Component {
  std::string_view id, kind;
  friend bool operator==(const Component&, const Component&) = default;
};
using Path = std::span<const Component>;

// What a name may have at most; more is IMP_LIMIT.
inline constexpr std::size_t kMostComponents = 1024;
inline constexpr std::size_t kMostComponentBytes = 32'000;  // id and kind of one component together; by the store

// A name that owns its components.
struct OwnedName {
  struct Part {
    std::string id, kind;
    friend bool operator==(const Part&, const Part&) = default;
  };
  std::vector<Part> parts;

  // Views, as long as this lives unchanged.
  std::vector<Component> components() const;
};

// False: text is no stringified name.
[[nodiscard]] bool parse_name(std::string_view text, OwnedName& out);
std::string to_text(Path name);
std::string to_text(const Component& component);

// A stringified name as it stands behind the '#' of a corbaname URL (2.5.3.2).
std::string escape_for_url(std::string_view name);

}  // namespace callis::naming
