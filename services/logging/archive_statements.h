// SPDX-License-Identifier: Apache-2.0
// The statements that an archive runs over and over, prepared once. A record's key has its log's slot above the id.
#pragma once
#include <services/logging/archive.h>

namespace callis::logs {

inline constexpr unsigned kIdBits = 43;
inline constexpr std::uint64_t kMostSlots = 1u << 20;

inline std::uint64_t key_of(std::uint64_t slot, RecordId id) { return slot << kIdBits | id; }
inline RecordId id_of(std::int64_t key) { return static_cast<RecordId>(key) & kLastRecord; }

class Archive::Statements {
 public:
  using Statement = services::sqlite::Statement;
  explicit Statements(sqlite3* db)
      : begin(db, "BEGIN IMMEDIATE"),
        commit(db, "COMMIT"),
        make(db, "INSERT INTO log VALUES(?, ?, ?, 0, 0, 1, 0, 0)"),
        set(db, "UPDATE log SET settings=? WHERE slot=?"),
        drop(db, "DELETE FROM log WHERE slot=?"),
        empty(db, "DELETE FROM record WHERE key BETWEEN ? AND ?"),
        tally(db, "UPDATE log SET records=?, bytes=?, next=?, newest=?, lap=? WHERE slot=?"),
        append(db, "INSERT INTO record VALUES(?, ?, ?, ?)"),
        erase(db, "DELETE FROM record WHERE key=?"),
        size(db, "SELECT key, time, length(info) + length(attributes) FROM record WHERE key BETWEEN ? AND ? LIMIT 1"),
        length(db, "SELECT length(attributes) FROM record WHERE key=?"),
        attributes(db, "UPDATE record SET attributes=? WHERE key=?"),
        up(db, "SELECT key, time, info, attributes FROM record WHERE key BETWEEN ? AND ? ORDER BY key LIMIT ?"),
        ids_up(db, "SELECT key FROM record WHERE key BETWEEN ? AND ? ORDER BY key LIMIT ?"),
        ids_down(db, "SELECT key FROM record WHERE key BETWEEN ? AND ? ORDER BY key DESC LIMIT ?") {}

  Statement begin, commit, make, set, drop, empty, tally, append, erase, size, length, attributes, up, ids_up,
      ids_down;
};

}  // namespace callis::logs
