// SPDX-License-Identifier: Apache-2.0
// Checksums of pages: a layer between SQLite and its files (a VFS). Each page of a database that reserves
// kPageChecksumBytes at the end of its pages has there a checksum of its bytes and its number. SQLite's log (WAL) has
// checksums of its own.
//
//   SQLite ── xWrite(page) ──→ checksum put ──→ file        also by a checkpoint, which copies the log to the file
//   SQLite ←─ xRead(page) ───← checksum looked at ← file    wrong, cut or all zeros: SQLITE_IOERR_DATA
//
// A page is looked at whenever it is read, so that no damage is taken for "nothing is there". What is never read is
// not looked at: free pages. A page that an older copy of itself has replaced is not found.
//
// The layer also bounds the log. Files that do not reserve these bytes are passed through. One thread at a time uses
// a file; the functions below may be called by any.
#pragma once
#include <cstdint>

struct sqlite3;

namespace callis::services::sqlite {

inline constexpr int kPageChecksumBytes = 8;

// The layer's name, for sqlite3_open_v2(). nullptr: SQLite has no memory.
const char* checked_pages() noexcept;

// Makes a new database, which is empty yet, one whose pages have checksums. Returns SQLite's result code.
int begin_checksums(sqlite3* database) noexcept;

// The log of a database that was opened through the layer gets no more bytes than these; a transaction beyond them
// fails with SQLITE_FULL. 0: as many as there is room for.
void limit_log(sqlite3* database, std::int64_t bytes) noexcept;

}  // namespace callis::services::sqlite
