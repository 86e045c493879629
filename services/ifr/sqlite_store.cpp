// SPDX-License-Identifier: Apache-2.0
// A table of definitions, whose column `body` is to_bytes(), and one with the next number.
#include <services/ifr/sqlite_store.h>

namespace callis::ifr {

using services::StoreFailed;
using services::sqlite::ask;
using services::sqlite::Failed;
using services::sqlite::run;
using services::sqlite::Statement;

namespace {

// Version 2 has the tables of version 1, in pages with checksums.
const services::sqlite::FileKind kKind{0x63616c49, "callis ifr", 2};  // "calI"

}  // namespace

SqliteStore::SqliteStore(const std::string& path, const services::StoreOptions& options)
    : file_(path, kKind, options) {
  sqlite3* const db = file_.database();
  try {
    if (file_.version() == 0) {
      run(db,
          "CREATE TABLE definition(number INTEGER PRIMARY KEY, kind INTEGER NOT NULL, container INTEGER NOT NULL, "
          "id TEXT NOT NULL, name TEXT NOT NULL, version TEXT NOT NULL, body BLOB NOT NULL) STRICT");
      run(db, "CREATE TABLE next(number INTEGER NOT NULL) STRICT");
      run(db, "INSERT INTO next VALUES(" + std::to_string(kFirstCreated) + ")");
    }
    file_.ready();
  } catch (const Failed& failed) {
    throw file_.explained(failed, "opening the store");
  }
}

SqliteStore::~SqliteStore() = default;

void SqliteStore::read(Model& model) {
  try {
    std::vector<Definition> all;
    Statement rows(file_.database(), "SELECT number, kind, container, id, name, version, body FROM definition");
    while (rows.step()) {
      Definition d;
      d.number = static_cast<Number>(rows.number(0));
      const std::int64_t kind = rows.number(1);
      if (kind <= 0 || kind > static_cast<int>(kLastKind))
        throw file_.damaged("definition " + std::to_string(d.number) + " is of an unknown kind");
      d.kind = static_cast<Kind>(kind);
      d.container = static_cast<Number>(rows.number(2));
      d.id = rows.bytes(3);
      d.name = rows.bytes(4);
      d.version = rows.bytes(5);
      if (!from_bytes(rows.bytes(6), d))
        throw file_.damaged("definition " + std::to_string(d.number) + " cannot be read");
      all.push_back(std::move(d));
    }
    const std::int64_t next = ask(file_.database(), "SELECT number FROM next");
    if (next < static_cast<std::int64_t>(kFirstCreated)) throw file_.damaged("the next number is missing");
    if (const std::string why = model.load(std::move(all), static_cast<Number>(next)); !why.empty())
      throw file_.damaged(why);
  } catch (const Failed& failed) {
    throw file_.explained(failed, "reading the store");
  }
}

void SqliteStore::write(const std::vector<const Definition*>& changed, const std::vector<Number>& removed,
                        Number next) {
  sqlite3* const db = file_.database();
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
    services::raise(file_.explained(failed, "writing to the store"));
  }
}

}  // namespace callis::ifr
