// SPDX-License-Identifier: Apache-2.0
// Orphans: contexts that no name leads to from the root, never bound or unbound since, also those that are bound in
// each other alone. They are found by going through all names, on snapshots, so nobody waits for it. None goes by
// itself: a client that keeps the reference may bind it yet, or use it as a root of its own. Any thread.
#pragma once
#include <services/common/operation_time.h>
#include <services/naming/directory.h>

namespace callis::naming {

struct Orphans {
  std::vector<Model::Search::Found> some;
  std::size_t all = 0;
};
// Up to `most` of those that were there before `before`, empty ones alone if `empty` says so. NO_RESOURCES when the
// time is over; TRANSIENT when somebody else searches, or all names were read anew meanwhile.
Orphans find_orphans(Model& model, std::size_t most, Model::Time before, bool empty,
                     services::OperationTime& time);

// Destroys up to `most` of those, with what is bound in them if with_bindings. How many are gone.
std::size_t remove_orphans(Directory& directory, std::size_t most, Model::Time before, bool with_bindings,
                           services::OperationTime& time);

}  // namespace callis::naming
