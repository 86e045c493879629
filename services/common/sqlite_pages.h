// SPDX-License-Identifier: Apache-2.0
// Checksums of pages: a layer between SQLite and its files (a VFS). Each page of a database that reserves
// kPageChecksumBytes at the end of its pages has there a checksum of its bytes and its number. SQLite's log (WAL) has
// checksums of its own.
//
//   SQLite ── xWrite(page) ──→ checksum put ──→ file        also by a checkpoint, which copies the log to the file
//   SQLite ←─ xRead(page) ───← checksum looked at ← file    wrong, cut or all zeros: SQLITE_IOERR_DATA
//
// A page is checked whenever it is read, so that no damage is taken for "nothing is there". Free pages are never
// read, and so never checked. An older copy in a page's place is not found.
//
// The layer also bounds the log. Files that do not reserve these bytes are passed through. One thread at a time uses
// a file; any thread may call the functions below.
#pragma once
#include <cstdint>

struct sqlite3;

namespace callis::services::sqlite {

inline constexpr int kPageChecksumBytes = 8;

// Returns the layer's name, for sqlite3_open_v2(); nullptr if SQLite has no memory.
const char* checked_pages() noexcept;

// Gives checksums to the pages of a new database, which must be empty. Returns SQLite's result code.
int begin_checksums(sqlite3* database) noexcept;

// Bounds the bytes of the log of a database that was opened through the layer. A transaction beyond them fails with
// SQLITE_FULL. 0: no bound but the room on the disk.
void limit_log(sqlite3* database, std::int64_t bytes) noexcept;

}  // namespace callis::services::sqlite
