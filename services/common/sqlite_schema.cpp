// SPDX-License-Identifier: Apache-2.0
// The tables of a store's file, as steps from version to version. A step that was released is never changed.
#include <services/common/sqlite_store.h>

namespace callis::services {

std::span<const SchemaStep> schema_steps() {
  static const SchemaStep steps[] = {
      // The step to version 1 makes the tables.
      {"CREATE TABLE store(one INTEGER PRIMARY KEY CHECK(one = 1), kind TEXT NOT NULL, schema INTEGER NOT NULL, "
       "revision INTEGER NOT NULL) STRICT",
       "CREATE TABLE pair(key BLOB PRIMARY KEY, value BLOB NOT NULL, changed INTEGER NOT NULL) STRICT, WITHOUT "
       "ROWID"},
      // Version 2 has the same tables, in pages with checksums (sqlite_file.h).
      {},
  };
  return steps;
}

}  // namespace callis::services
