// SPDX-License-Identifier: Apache-2.0
// Result codes become exceptions, with the errno that was behind them.
#include <services/common/sqlite.h>
#include <services/common/sqlite_pages.h>
#include <sqlite3.h>

namespace callis::services::sqlite {

void Close::operator()(sqlite3* database) const noexcept { sqlite3_close_v2(database); }

namespace {

// sqlite3_system_errno() does not have that of each write: the files themselves do, the database and its log.
int os_error_of(sqlite3* database) {
  if (const int known = sqlite3_system_errno(database)) return known;
  for (const int which : {SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER}) {
    sqlite3_file* file = nullptr;
    int error = 0;
    if (sqlite3_file_control(database, "main", which, &file) == SQLITE_OK && file && file->pMethods &&
        file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &error) == SQLITE_OK && error != 0)
      return error;
  }
  return 0;
}

Failed failure_of(sqlite3* database) {
  const int code = sqlite3_extended_errcode(database);
  const std::string words = sqlite3_errmsg(database);
  const bool of_system = (code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN;
  return Failed(code, of_system ? os_error_of(database) : 0, words);
}

}  // namespace

Database open(const std::string& path) {
  sqlite3* opened = nullptr;
  constexpr int kHow = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  const int result = sqlite3_open_v2(path.c_str(), &opened, kHow, checked_pages());
  Database out(opened);
  if (!opened) throw Failed(SQLITE_NOMEM, 0, "there is no memory");
  if (result != SQLITE_OK) throw failure_of(opened);
  sqlite3_extended_result_codes(opened, 1);
  sqlite3_busy_timeout(opened, 0);
  return out;
}

Statement::Statement(sqlite3* database, std::string_view text) : database_(database) {
  if (sqlite3_prepare_v2(database, text.data(), static_cast<int>(text.size()), &statement_, nullptr) != SQLITE_OK)
    fail();
}
Statement::~Statement() { sqlite3_finalize(statement_); }

Statement& Statement::bind(int at, std::uint64_t number) {
  if (sqlite3_bind_int64(statement_, at, static_cast<sqlite3_int64>(number)) != SQLITE_OK) fail();
  return *this;
}
Statement& Statement::bind(int at, std::string_view text) {
  if (sqlite3_bind_text64(statement_, at, text.data() ? text.data() : "", text.size(), SQLITE_STATIC, SQLITE_UTF8) !=
      SQLITE_OK)
    fail();
  return *this;
}
Statement& Statement::bind_bytes(int at, std::string_view bytes) {
  if (sqlite3_bind_blob64(statement_, at, bytes.data() ? bytes.data() : "", bytes.size(), SQLITE_STATIC) != SQLITE_OK)
    fail();
  return *this;
}
bool Statement::step() {
  const int result = sqlite3_step(statement_);
  if (result != SQLITE_ROW && result != SQLITE_DONE) fail();
  return result == SQLITE_ROW;
}
void Statement::run() {
  step();
  reset();
}
void Statement::reset() noexcept { sqlite3_reset(statement_); }
std::int64_t Statement::number(int at) { return sqlite3_column_int64(statement_, at); }
std::string Statement::bytes(int at) {
  const void* const data = sqlite3_column_blob(statement_, at);
  const int size = sqlite3_column_bytes(statement_, at);
  return data ? std::string(static_cast<const char*>(data), static_cast<std::size_t>(size)) : std::string();
}

// Reads the failure before the reset, which makes the statement fit for another run.
void Statement::fail() {
  const Failed failed = failure_of(database_);
  reset();
  throw failed;
}

void run(sqlite3* database, std::string_view text) {
  Statement statement(database, text);
  while (statement.step()) {}
}

std::int64_t ask(sqlite3* database, std::string_view text) {
  Statement statement(database, text);
  return statement.step() ? statement.number(0) : 0;
}

void roll_back(sqlite3* database) noexcept { sqlite3_exec(database, "ROLLBACK", nullptr, nullptr, nullptr); }

void lock(sqlite3* database) {
  run(database, "PRAGMA locking_mode=EXCLUSIVE");
  run(database, "PRAGMA trusted_schema=OFF");
  run(database, "BEGIN EXCLUSIVE");
}

void write_durably(sqlite3* database) {
  run(database, "PRAGMA journal_mode=WAL");
  run(database, "PRAGMA synchronous=FULL");
}

std::string damage(sqlite3* database) {
  Statement check(database, "PRAGMA quick_check(1)");
  if (!check.step()) return "quick_check says nothing";
  const std::string said = check.bytes(0);
  return said == "ok" ? std::string() : said;
}

}  // namespace callis::services::sqlite
