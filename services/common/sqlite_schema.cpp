// SPDX-License-Identifier: Apache-2.0
// The tables of a store's file, as steps from version to version. A step that was released is never changed.
#include <services/common/sqlite_store.h>

namespace callis::services {

std::span<const SchemaStep> schema_steps() {
  static const SchemaStep steps[] = {
      // To version 1.
      {"CREATE TABLE store(one INTEGER PRIMARY KEY CHECK(one = 1), kind TEXT NOT NULL, schema INTEGER NOT NULL, "
       "revision INTEGER NOT NULL) STRICT",
       "CREATE TABLE pair(key BLOB PRIMARY KEY, value BLOB NOT NULL, changed INTEGER NOT NULL) STRICT, WITHOUT "
       "ROWID"},
      // To version 2: the same tables, in pages with checksums (sqlite_file.h).
      {},
  };
  return steps;
}

}  // namespace callis::services
