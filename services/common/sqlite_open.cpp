// SPDX-License-Identifier: Apache-2.0
// Checks the kind of a store, and brings its tables to the newest schema. A faulty file stays unchanged
// (sqlite_file.h), unless its owner has asked for it to be kept aside.
#include <callis/base/log.h>
#include <services/common/sqlite_statements.h>

namespace callis::services {

namespace {

constexpr std::int64_t kApplication = 0x63616c53;  // "calS"

}  // namespace

SqliteStore::SqliteStore(const std::string& path, const StoreKind& kind, const StoreOptions& options)
    : SqliteStore(path, kind, options, schema_steps()) {}

SqliteStore::SqliteStore(const std::string& path, const StoreKind& kind, const StoreOptions& options,
                         std::span<const SchemaStep> schema)
    : path_(path), history_(0), group_([this](Group group) { write(group); }) {
  open_file(kind, options, schema);
  history_.start_at(revision_);
}

SqliteStore::~SqliteStore() = default;

void SqliteStore::open_file(const StoreKind& kind, const StoreOptions& options, std::span<const SchemaStep> schema) {
  try {
    prepare_file(kind, options, schema);
  } catch (const StoreFailed& failed) {
    statements_.reset();
    file_.reset();
    if (failed.kind() != StoreFailed::Damaged || !options.keep_damaged_aside) throw;
    log(LogLevel::Error, failed.what());
    sqlite::keep_aside(path_);
    prepare_file(kind, options, schema);
  }
}

void SqliteStore::prepare_file(const StoreKind& kind, const StoreOptions& options,
                               std::span<const SchemaStep> schema) {
  const auto accept = [&](sqlite3* db) {
    sqlite::Statement row(db, "SELECT kind, schema FROM store");
    if (row.step()) check_kind(path_, kind, row.bytes(0), row.number(1));
  };
  file_ = std::make_unique<sqlite::StoreFile>(
      path_, sqlite::FileKind{kApplication, "callis", static_cast<std::int64_t>(schema.size())}, options, accept);
  const char* tried = "bringing the store to this program's schema";
  try {
    migrate_tables(file_->version(), schema);
    take_kind(kind);
    tried = "turning on the store's log";
    file_->ready();
    statements_ = std::make_unique<Statements>(file_->database());
  } catch (const sqlite::Failed& failed) {
    throw file_->explained(failed, tried);
  }
}

void SqliteStore::migrate_tables(std::int64_t version, std::span<const SchemaStep> schema) {
  sqlite3* const db = file_->database();
  const auto newest = static_cast<std::int64_t>(schema.size());
  if (version == newest) return;
  if (version > 0)
    log(LogLevel::Info, {path_, ": migrating the store's tables from version ", std::to_string(version), " to ",
                         std::to_string(newest)});
  for (std::int64_t at = version; at < newest; ++at)
    for (const std::string_view statement : schema[static_cast<std::size_t>(at)]) sqlite::run(db, statement);
}

void SqliteStore::take_kind(const StoreKind& kind) {
  sqlite3* const db = file_->database();
  sqlite::Statement row(db, "SELECT kind, schema, revision FROM store");
  if (!row.step()) {
    if (sqlite::ask(db, "SELECT count(*) FROM pair") != 0)
      throw file_->damaged("the row that says whose it is is missing");
    sqlite::Statement make(db, "INSERT INTO store VALUES(1, ?, ?, 0)");
    make.bind(1, kind.name).bind(2, std::uint64_t{kind.schema}).run();
    return;
  }
  const std::int64_t schema = row.number(1), revision = row.number(2);
  row.reset();
  if (revision < 0 || revision < sqlite::ask(db, "SELECT max(changed) FROM pair"))
    throw file_->damaged("its revision is older than its pairs");
  revision_ = static_cast<Revision>(revision);
  if (schema < static_cast<std::int64_t>(kind.schema)) migrate_values(kind, static_cast<unsigned>(schema));
}

void SqliteStore::migrate_values(const StoreKind& kind, unsigned from) {
  sqlite3* const db = file_->database();
  log(LogLevel::Info, {path_, ": migrating what the store holds from schema ", std::to_string(from), " to ",
                       std::to_string(kind.schema)});
  const Revision now = ++revision_;
  std::vector<Pair> all;
  {
    sqlite::Statement rows(db, "SELECT key, value, changed FROM pair");
    while (rows.step()) all.push_back({rows.bytes(0), rows.bytes(1), static_cast<Revision>(rows.number(2))});
  }
  sqlite::run(db, "DELETE FROM pair");
  sqlite::Statement put(db, "INSERT INTO pair VALUES(?, ?, ?)");
  for (Pair& pair : all)
    if (const std::optional<Pair> to = migrated(kind, from, std::move(pair)))
      put.bind_bytes(1, to->key).bind_bytes(2, to->value).bind(3, now).run();
  sqlite::Statement update(db, "UPDATE store SET schema=?, revision=?");
  update.bind(1, std::uint64_t{kind.schema}).bind(2, now).run();
}

}  // namespace callis::services
