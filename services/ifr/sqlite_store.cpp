// SPDX-License-Identifier: Apache-2.0
// A table of definitions, whose column `body` is to_bytes(), and one with the next number. The file says whose it is
// by SQLite's application_id, and which version of this schema by its user_version.
#include <services/ifr/refuse.h>
#include <services/ifr/sqlite_store.h>
#include <sqlite3.h>

namespace callis::ifr {

namespace {

constexpr int kApplication = 0x63616c49;  // "calI"
constexpr int kSchema = 1;

class Statement {
 public:
  Statement(sqlite3* database, const char* text) : database_(database) {
    if (sqlite3_prepare_v2(database, text, -1, &statement_, nullptr) != SQLITE_OK) fail();
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(int at, std::uint64_t n) {
    if (sqlite3_bind_int64(statement_, at, static_cast<sqlite3_int64>(n)) != SQLITE_OK) fail();
    return *this;
  }
  Statement& bind(int at, const std::string& text) {
    if (sqlite3_bind_text64(statement_, at, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8) != SQLITE_OK)
      fail();
    return *this;
  }
  Statement& bind_bytes(int at, const std::string& bytes) {
    if (sqlite3_bind_blob64(statement_, at, bytes.data(), bytes.size(), SQLITE_TRANSIENT) != SQLITE_OK) fail();
    return *this;
  }
  // Whether there is a row.
  bool step() {
    const int result = sqlite3_step(statement_);
    if (result != SQLITE_ROW && result != SQLITE_DONE) fail();
    return result == SQLITE_ROW;
  }
  void run() {
    step();
    sqlite3_reset(statement_);
  }
  std::int64_t number(int at) { return sqlite3_column_int64(statement_, at); }
  std::string bytes(int at) {
    const void* const data = sqlite3_column_blob(statement_, at);
    const int size = sqlite3_column_bytes(statement_, at);
    return data ? std::string(static_cast<const char*>(data), static_cast<std::size_t>(size)) : std::string();
  }

  [[noreturn]] void fail() const { throw BadStore{sqlite3_errmsg(database_)}; }

 private:
  sqlite3* const database_;
  sqlite3_stmt* statement_ = nullptr;
};

void run(sqlite3* database, const char* text) {
  Statement statement(database, text);
  while (statement.step()) {}
}

std::int64_t ask(sqlite3* database, const char* text) {
  Statement statement(database, text);
  return statement.step() ? statement.number(0) : 0;
}

}  // namespace

void SqliteStore::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

SqliteStore::SqliteStore(const std::string& path) : path_(path) {
  sqlite3* opened = nullptr;
  const int result = sqlite3_open_v2(path.c_str(), &opened,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  database_.reset(opened);
  try {
    if (result != SQLITE_OK) throw BadStore{opened ? sqlite3_errmsg(opened) : "there is no memory"};
    prepare_file();
  } catch (const BadStore& bad) {
    throw BadStore{path + ": " + bad.why};
  }
}

SqliteStore::~SqliteStore() = default;

void SqliteStore::prepare_file() {
  sqlite3* const db = database_.get();
  sqlite3_busy_timeout(db, 0);
  run(db, "PRAGMA locking_mode=EXCLUSIVE");
  run(db, "PRAGMA trusted_schema=OFF");
  // Takes the lock, which is kept; reads the head of the file.
  try {
    run(db, "BEGIN EXCLUSIVE");
  } catch (const BadStore&) {
    if (sqlite3_errcode(db) == SQLITE_BUSY) throw BadStore{"another process uses this store"};
    throw;
  }
  const std::int64_t application = ask(db, "PRAGMA application_id"), schema = ask(db, "PRAGMA user_version");
  if (ask(db, "SELECT count(*) FROM sqlite_schema") == 0 && application == 0 && schema == 0) {
    run(db, ("PRAGMA application_id=" + std::to_string(kApplication)).c_str());
    run(db, ("PRAGMA user_version=" + std::to_string(kSchema)).c_str());
    run(db,
        "CREATE TABLE definition(number INTEGER PRIMARY KEY, kind INTEGER NOT NULL, container INTEGER NOT NULL, "
        "id TEXT NOT NULL, name TEXT NOT NULL, version TEXT NOT NULL, body BLOB NOT NULL) STRICT");
    run(db, "CREATE TABLE next(number INTEGER NOT NULL) STRICT");
    run(db, ("INSERT INTO next VALUES(" + std::to_string(kFirstCreated) + ")").c_str());
    run(db, "COMMIT");
  } else {
    if (application != kApplication) throw BadStore{"this is a database, but not one of callis ifr"};
    if (schema != kSchema)
      throw BadStore{"this store has schema version " + std::to_string(schema) + "; this callis ifr knows version " +
                     std::to_string(kSchema) + " only"};
    run(db, "COMMIT");
    Statement check(db, "PRAGMA quick_check(1)");
    if (!check.step() || check.bytes(0) != "ok") throw BadStore{"the store is damaged: " + check.bytes(0)};
  }
  run(db, "PRAGMA journal_mode=WAL");
  run(db, "PRAGMA synchronous=FULL");
}

void SqliteStore::limit_pages(std::uint64_t pages) {
  run(database_.get(), ("PRAGMA max_page_count=" + std::to_string(pages)).c_str());
}

void SqliteStore::read(Model& model) {
  try {
    std::vector<Definition> all;
    Statement rows(database_.get(), "SELECT number, kind, container, id, name, version, body FROM definition");
    while (rows.step()) {
      Definition d;
      d.number = static_cast<Number>(rows.number(0));
      const std::int64_t kind = rows.number(1);
      if (kind <= 0 || kind > static_cast<int>(kLastKind))
        throw BadStore{"definition " + std::to_string(d.number) + " is of an unknown kind"};
      d.kind = static_cast<Kind>(kind);
      d.container = static_cast<Number>(rows.number(2));
      d.id = rows.bytes(3);
      d.name = rows.bytes(4);
      d.version = rows.bytes(5);
      if (!from_bytes(rows.bytes(6), d)) throw BadStore{"definition " + std::to_string(d.number) + " cannot be read"};
      all.push_back(std::move(d));
    }
    const std::int64_t next = ask(database_.get(), "SELECT number FROM next");
    if (next < static_cast<std::int64_t>(kFirstCreated)) throw BadStore{"the next number is missing"};
    if (const std::string why = model.load(std::move(all), static_cast<Number>(next)); !why.empty())
      throw BadStore{why};
  } catch (const BadStore& bad) {
    throw BadStore{path_ + ": the store is damaged: " + bad.why};
  }
}

void SqliteStore::write(const std::vector<const Definition*>& changed, const std::vector<Number>& removed,
                        Number next) {
  sqlite3* const db = database_.get();
  try {
    run(db, "BEGIN IMMEDIATE");
    {
      Statement put(db, "INSERT OR REPLACE INTO definition VALUES(?,?,?,?,?,?,?)");
      for (const Definition* d : changed) {
        if (d->number < kFirstCreated) continue;
        put.bind(1, d->number).bind(2, static_cast<std::uint64_t>(d->kind)).bind(3, d->container).bind(4, d->id);
        put.bind(5, d->name).bind(6, d->version).bind_bytes(7, to_bytes(*d)).run();
      }
      Statement drop(db, "DELETE FROM definition WHERE number=?");
      for (const Number n : removed) drop.bind(1, n).run();
      Statement count(db, "UPDATE next SET number=?");
      count.bind(1, next).run();
    }
    run(db, "COMMIT");
  } catch (const BadStore& bad) {
    sqlite3_exec(db, "ROLLBACK", nullptr, nullptr, nullptr);
    refuse<CORBA::PERSIST_STORE>(0, "the store does not take the change: " + bad.why);
  }
}

}  // namespace callis::ifr
