// SPDX-License-Identifier: Apache-2.0
// A table of definitions, whose column `body` is to_bytes(), one of the stems of their ids, and one with the next
// number.
// Ids of a deep module all have its name: without stems a megabyte of IDL would be gigabytes of the file.
#include <callis/base/text.h>
#include <services/ifr/sqlite_store.h>

namespace callis::ifr {

using services::StoreFailed;
using services::sqlite::ask;
using services::sqlite::Failed;
using services::sqlite::run;
using services::sqlite::Statement;

namespace {

// Version 2 has stems, and pages with checksums.
const services::sqlite::FileKind kKind{0x63616c49, "callis ifr", 2};  // "calI"

// An id with a stem is "\x01NUMBER/REST" in the file. Ids are from clients, so others that begin so are
// escaped: "\x01/ID".
constexpr char kStem = '\x01';
constexpr std::size_t kShortStem = 16;  // not worth a row

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
    if (file_.version() < 2) run(db, "CREATE TABLE stem(number INTEGER PRIMARY KEY, text BLOB NOT NULL) STRICT");
    file_.ready();
  } catch (const Failed& failed) {
    throw file_.explained(failed, "opening the store");
  }
}

SqliteStore::~SqliteStore() = default;

std::string SqliteStore::stored_id(const std::string& id) {
  const std::size_t slash = id.rfind('/');
  if (slash == std::string::npos || slash < kShortStem)
    return id.starts_with(kStem) ? std::string{kStem, '/'} + id : id;
  const auto [found, fresh] = numbers_.try_emplace(id.substr(0, slash), stems_.size());
  if (fresh) stems_.push_back(found->first);
  return kStem + std::to_string(found->second) + id.substr(slash);
}

std::string SqliteStore::full_id(const std::string& stored) const {
  if (!stored.starts_with(kStem)) return stored;
  const std::size_t slash = stored.find('/');
  if (slash == 1) return stored.substr(2);
  std::uint64_t number = 0;
  if (slash == std::string::npos || stems_.empty() ||
      !parse_decimal(std::string_view(stored).substr(1, slash - 1), stems_.size() - 1, number))
    throw file_.damaged("an id has a stem that is not there");
  return stems_[number] + stored.substr(slash);
}

void SqliteStore::read_stems() {
  Statement rows(file_.database(), "SELECT number, text FROM stem ORDER BY number");
  while (rows.step()) {
    if (rows.number(0) != static_cast<std::int64_t>(stems_.size())) throw file_.damaged("a stem of ids is missing");
    stems_.push_back(rows.bytes(1));
    numbers_.emplace(stems_.back(), stems_.size() - 1);
  }
  stems_kept_ = stems_.size();
}

void SqliteStore::read(Model& model) {
  try {
    read_stems();
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
      d.id = full_id(rows.bytes(3));
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
        const std::string id = stored_id(d->id), body = to_bytes(*d);
        put.bind(1, d->number).bind(2, static_cast<std::uint64_t>(d->kind)).bind(3, d->container).bind(4, id);
        put.bind(5, d->name).bind(6, d->version).bind_bytes(7, body).run();
      }
      Statement stem(db, "INSERT INTO stem VALUES(?, ?)");
      for (std::size_t n = stems_kept_; n < stems_.size(); ++n)
        stem.bind(1, std::uint64_t{n}).bind_bytes(2, stems_[n]).run();
      Statement drop(db, "DELETE FROM definition WHERE number=?");
      for (const Number n : removed) drop.bind(1, n).run();
      Statement count(db, "UPDATE next SET number=?");
      count.bind(1, next).run();
    }
    run(db, "COMMIT");
    stems_kept_ = stems_.size();
  } catch (const Failed& failed) {
    services::sqlite::roll_back(db);
    for (; stems_.size() > stems_kept_; stems_.pop_back()) numbers_.erase(stems_.back());
    services::raise(file_.explained(failed, "writing to the store"));
  }
}

}  // namespace callis::ifr
