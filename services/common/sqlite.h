// SPDX-License-Identifier: Apache-2.0
// SQLite's C interface with an end for each thing that begins, and exceptions. One thread at a time uses a database
// and its statements.
#pragma once
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace callis::services::sqlite {

// A call of SQLite did not do what it was asked for.
class Failed final : public std::exception {
 public:
  Failed(int code, int os_error, std::string words) : code_(code), os_error_(os_error), words_(std::move(words)) {}
  int code() const noexcept { return code_; }  // SQLITE_FULL, SQLITE_IOERR_FSYNC: an extended result code
  int primary_code() const noexcept { return code_ & 0xff; }  // SQLITE_FULL, SQLITE_IOERR
  int os_error() const noexcept { return os_error_; }         // the errno of the system call behind it, or 0
  const char* what() const noexcept override { return words_.c_str(); }

 private:
  int code_, os_error_;
  std::string words_;
};

struct Close {
  void operator()(sqlite3* database) const noexcept;
};
using Database = std::unique_ptr<sqlite3, Close>;

// Makes the file if there is none. Pages are read and written through checked_pages(). Throws Failed.
Database open(const std::string& path);

// A prepared statement. All functions but the destructor throw Failed.
class Statement final {
 public:
  Statement(sqlite3* database, std::string_view text);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // Parameters count from 1. The bytes must last until the statement has run.
  Statement& bind(int at, std::uint64_t number);
  Statement& bind(int at, std::string_view text);
  Statement& bind_bytes(int at, std::string_view bytes);
  // Returns whether there is a row.
  bool step();
  // Runs to the end, without rows. Then the statement may be bound and run again.
  void run();
  void reset() noexcept;
  // Columns count from 0.
  std::int64_t number(int at);
  std::string bytes(int at);

 private:
  [[noreturn]] void fail();

  sqlite3* const database_;
  sqlite3_stmt* statement_ = nullptr;
};

// Runs one statement, without parameters. Its rows are passed over.
void run(sqlite3* database, std::string_view text);
// Returns the first column of the first row; 0 if there is no row.
std::int64_t ask(sqlite3* database, std::string_view text);
// Rolls back an open transaction, if any. Never throws.
void roll_back(sqlite3* database) noexcept;

// Takes the lock on the file for as long as the database is open, and begins a transaction, in which the head of the
// file is read. Throws Failed; SQLITE_BUSY if another process has the file open.
void lock(sqlite3* database);
// After that transaction: changes go to a log beside the file (WAL), on the disk with each commit (FULL).
void write_durably(sqlite3* database);
// Returns the first fault that PRAGMA quick_check finds; empty if there is none.
std::string damage(sqlite3* database);

}  // namespace callis::services::sqlite
