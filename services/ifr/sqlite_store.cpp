// SPDX-License-Identifier: Apache-2.0
// A table of definitions, whose column `body` is to_bytes(), and one with the next number. The file says whose it is
// by SQLite's application_id, and which version of this schema by its user_version.
#include <services/ifr/refuse.h>
#include <services/ifr/sqlite_store.h>
#include <sqlite3.h>

namespace callis::ifr {

using services::sqlite::ask;
using services::sqlite::Failed;
using services::sqlite::run;
using services::sqlite::Statement;

namespace {

constexpr int kApplication = 0x63616c49;  // "calI"
constexpr int kSchema = 1;

}  // namespace

SqliteStore::SqliteStore(const std::string& path) : path_(path) {
  try {
    database_ = services::sqlite::open(path);
    prepare_file();
  } catch (const BadStore& bad) {
    throw BadStore{path + ": " + bad.why};
  } catch (const Failed& failed) {
    throw BadStore{path + ": " + failed.what()};
  }
}

SqliteStore::~SqliteStore() = default;

void SqliteStore::prepare_file() {
  sqlite3* const db = database_.get();
  try {
    services::sqlite::lock(db);
  } catch (const Failed& failed) {
    if (failed.primary_code() == SQLITE_BUSY) throw BadStore{"another process uses this store"};
    throw;
  }
  const std::int64_t application = ask(db, "PRAGMA application_id"), schema = ask(db, "PRAGMA user_version");
  if (ask(db, "SELECT count(*) FROM sqlite_schema") == 0 && application == 0 && schema == 0) {
    run(db, "PRAGMA application_id=" + std::to_string(kApplication));
    run(db, "PRAGMA user_version=" + std::to_string(kSchema));
    run(db,
        "CREATE TABLE definition(number INTEGER PRIMARY KEY, kind INTEGER NOT NULL, container INTEGER NOT NULL, "
        "id TEXT NOT NULL, name TEXT NOT NULL, version TEXT NOT NULL, body BLOB NOT NULL) STRICT");
    run(db, "CREATE TABLE next(number INTEGER NOT NULL) STRICT");
    run(db, "INSERT INTO next VALUES(" + std::to_string(kFirstCreated) + ")");
    run(db, "COMMIT");
  } else {
    if (application != kApplication) throw BadStore{"this is a database, but not one of callis ifr"};
    if (schema != kSchema)
      throw BadStore{"this store has schema version " + std::to_string(schema) + "; this callis ifr knows version " +
                     std::to_string(kSchema) + " only"};
    run(db, "COMMIT");
    if (const std::string wrong = services::sqlite::damage(db); !wrong.empty())
      throw BadStore{"the store is damaged: " + wrong};
  }
  services::sqlite::write_durably(db);
}

void SqliteStore::limit_pages(std::uint64_t pages) {
  run(database_.get(), "PRAGMA max_page_count=" + std::to_string(pages));
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
  } catch (const Failed& failed) {
    throw BadStore{path_ + ": the store is damaged: " + failed.what()};
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
  } catch (const Failed& failed) {
    services::sqlite::roll_back(db);
    refuse<CORBA::PERSIST_STORE>(0, std::string("the store does not take the change: ") + failed.what());
  }
}

}  // namespace callis::ifr
