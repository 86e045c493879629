// SPDX-License-Identifier: Apache-2.0
// The statements that a store's file runs over and over, prepared once.
#pragma once
#include <services/common/kind.h>
#include <services/common/sqlite_store.h>

namespace callis::services {

class SqliteStore::Statements {
 public:
  explicit Statements(sqlite3* db)
      : begin(db, "BEGIN IMMEDIATE"),
        commit(db, "COMMIT"),
        changed(db, "SELECT changed FROM pair WHERE key=?"),
        put(db,
            "INSERT INTO pair VALUES(?, ?, ?) ON CONFLICT(key) DO UPDATE SET value=excluded.value, "
            "changed=excluded.changed"),
        put_new(db, "INSERT INTO pair VALUES(?, ?, ?) ON CONFLICT(key) DO NOTHING"),
        erase(db, "DELETE FROM pair WHERE key=? RETURNING 1"),
        revision(db, "UPDATE store SET revision=?"),
        from(db, "SELECT key, value, changed FROM pair WHERE key>=? ORDER BY key") {}

  sqlite::Statement begin, commit, changed, put, put_new, erase, revision, from;
};

}  // namespace callis::services
