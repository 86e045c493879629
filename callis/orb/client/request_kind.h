// SPDX-License-Identifier: Apache-2.0
// The kind of a request: requests of one kind differ only in their sizes, ids and keys.
#pragma once
#include <callis/orb/client/reference.h>
#include <callis/orb/endpoint/request_templates.h>

namespace callis::orb {

// operation is CallOperation::identity.
inline RequestTemplates::Kind kind_of(const Reference& to, const Path& path, const void* operation) {
  static_assert(alignof(Path) >= 4);
  if (to.addressing() == 0 && path.version == giop::kGiop12) [[likely]]
    return {0, operation, path.object_key.size(), to.serial(), path.object_key};
  return {to.serial(), operation, reinterpret_cast<std::uintptr_t>(&path) | (to.addressing() & 3u), 0, {}};
}

}  // namespace callis::orb
