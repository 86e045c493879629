// SPDX-License-Identifier: Apache-2.0
// Opening a store's file: whose it is, whether it is whole, and its way to the newest schema. A file that is not
// right is left as it is, unless its owner has asked to have it kept aside.
#include <callis/base/log.h>
#include <fcntl.h>
#include <services/common/sqlite_statements.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>

namespace callis::services {

namespace {

constexpr std::int64_t kApplication = 0x63616c53;  // "calS"

std::int64_t size_of_file(const std::string& path) {
  struct stat s {};
  return ::stat(path.c_str(), &s) == 0 ? static_cast<std::int64_t>(s.st_size) : -1;
}

bool begins_as_database(const std::string& path) {
  char head[16] = {};
  std::ifstream file(path, std::ios::binary);
  file.read(head, sizeof head);
  return file && std::memcmp(head, "SQLite format 3", sizeof head) == 0;
}

// False: it is there, and this user must not write in it. SQLite does not tell.
bool may_write_folder(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const int result = ::faccessat(AT_FDCWD, folder.empty() ? "." : folder.c_str(), W_OK | X_OK, AT_EACCESS);
  return result == 0 || (errno != EACCES && errno != EROFS && errno != EPERM);
}

// A new file is there after a crash only when its folder's entry is.
void sync_folder(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const int fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

}  // namespace

StoreFailed SqliteStore::explained(const sqlite::Failed& failed, const char* tried) const {
  const auto say = [&](StoreFailed::Kind kind, const std::string& what_to_do) {
    std::string why = failed.what();
    if (failed.os_error() != 0) why += std::string(" (") + std::strerror(failed.os_error()) + ")";
    return StoreFailed(kind, path_ + ": " + tried + ": " + why + what_to_do);
  };
  const int os = failed.os_error();
  switch (failed.primary_code()) {
    case SQLITE_FULL: return say(StoreFailed::Full, "; nothing is lost: make room on the disk and try again");
    case SQLITE_IOERR:
      if (os == ENOSPC || os == EDQUOT || os == EFBIG)
        return say(StoreFailed::Full, "; nothing is lost: make room on the disk and try again");
      return say(os == EROFS ? StoreFailed::ReadOnly : StoreFailed::Unknown, "");
    case SQLITE_READONLY:
    case SQLITE_PERM: return say(StoreFailed::ReadOnly, "; this user must be able to write the file and its folder");
    case SQLITE_CANTOPEN:
      return say(may_write_folder(path_) ? StoreFailed::Unknown : StoreFailed::ReadOnly,
                 "; is the folder there, and may this user write in it?");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return StoreFailed(StoreFailed::InUse, path_ +
                                                 ": another process uses this store; stop it, or give this one a "
                                                 "file of its own");
    case SQLITE_CORRUPT:
      return say(StoreFailed::Damaged, "; the file is as it was: take a copy, then restore a backup");
    case SQLITE_NOTADB:
      return StoreFailed(StoreFailed::Foreign, path_ + ": this file is no database of SQLite; it is as it was");
    default: return say(StoreFailed::Unknown, "");
  }
}

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
    prepare_file(kind, schema);
  } catch (const StoreFailed& failed) {
    statements_.reset();
    database_.reset();
    if (failed.kind() != StoreFailed::Damaged || !options.keep_damaged_aside) throw;
    log(LogLevel::Error, failed.what());
    keep_aside();
    prepare_file(kind, schema);
  }
}

void SqliteStore::prepare_file(const StoreKind& kind, std::span<const SchemaStep> schema) {
  // SQLite would take an empty file as a new one, and drop its log.
  const std::int64_t before = size_of_file(path_);
  if (before <= 0 && size_of_file(path_ + "-wal") > 0)
    throw StoreFailed(StoreFailed::Damaged, path_ + ": the file is empty or gone, but its log " + path_ +
                                                "-wal is there; restore the file");
  const char* tried = "opening the store";
  try {
    database_ = sqlite::open(path_);
    sqlite3* const db = database_.get();
    if (sqlite3_db_readonly(db, "main") == 1)
      throw StoreFailed(StoreFailed::ReadOnly, path_ + ": this user may read the file, but not write it");
    // Closing a file that is refused must not write it.
    sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    sqlite::lock(db);
    const std::int64_t application = sqlite::ask(db, "PRAGMA application_id");
    const std::int64_t version = sqlite::ask(db, "PRAGMA user_version");
    const bool empty = application == 0 && version == 0 && sqlite::ask(db, "SELECT count(*) FROM sqlite_schema") == 0;
    if (!empty) {
      if (application != kApplication)
        throw StoreFailed(StoreFailed::Foreign,
                          path_ + ": this is a database, but no store of callis; it is as it was");
      if (version < 1 || version > static_cast<std::int64_t>(schema.size()))
        throw StoreFailed(StoreFailed::Foreign, path_ + ": this store's tables are of version " +
                                                    std::to_string(version) + "; this program knows versions up to " +
                                                    std::to_string(schema.size()) + ": use a newer one");
      if (const std::string wrong = sqlite::damage(db); !wrong.empty())
        throw StoreFailed(StoreFailed::Damaged, path_ + ": the store is damaged: " + wrong +
                                                    "; the file is as it was: take a copy, then restore a backup");
    }
    tried = "bringing the store to this program's schema";
    if (empty) sqlite::run(db, "PRAGMA application_id=" + std::to_string(kApplication));
    migrate_tables(version, schema);
    take_kind(kind);
    sqlite::run(db, "COMMIT");
    tried = "turning on the store's log";
    sqlite::write_durably(db);
    sqlite::run(db, "PRAGMA journal_size_limit=16777216");
    sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr);
    statements_ = std::make_unique<Statements>(db);
  } catch (const sqlite::Failed& failed) {
    if (failed.primary_code() == SQLITE_NOTADB && begins_as_database(path_))
      throw StoreFailed(StoreFailed::Damaged, path_ + ": the store is damaged: its head cannot be read");
    throw explained(failed, tried);
  }
  if (before < 0) sync_folder(path_);
}

void SqliteStore::migrate_tables(std::int64_t version, std::span<const SchemaStep> schema) {
  sqlite3* const db = database_.get();
  const auto newest = static_cast<std::int64_t>(schema.size());
  if (version == newest) return;
  if (version > 0)
    log(LogLevel::Info, {path_, ": migrating the store's tables from version ", std::to_string(version), " to ",
                         std::to_string(newest)});
  for (std::int64_t at = version; at < newest; ++at)
    for (const std::string_view statement : schema[static_cast<std::size_t>(at)]) sqlite::run(db, statement);
  sqlite::run(db, "PRAGMA user_version=" + std::to_string(newest));
}

void SqliteStore::take_kind(const StoreKind& kind) {
  sqlite3* const db = database_.get();
  sqlite::Statement row(db, "SELECT kind, schema, revision FROM store");
  if (!row.step()) {
    if (sqlite::ask(db, "SELECT count(*) FROM pair") != 0)
      throw StoreFailed(StoreFailed::Damaged,
                        path_ + ": the store is damaged: the row that says whose it is is missing");
    sqlite::Statement make(db, "INSERT INTO store VALUES(1, ?, ?, 0)");
    make.bind(1, kind.name).bind(2, std::uint64_t{kind.schema}).run();
    return;
  }
  const std::string holds = row.bytes(0);
  const std::int64_t schema = row.number(1), revision = row.number(2);
  row.reset();
  check_kind(path_, kind, holds, schema);
  if (revision < 0 || revision < sqlite::ask(db, "SELECT max(changed) FROM pair"))
    throw StoreFailed(StoreFailed::Damaged, path_ + ": the store is damaged: its revision is older than its pairs");
  revision_ = static_cast<Revision>(revision);
  if (schema < static_cast<std::int64_t>(kind.schema)) migrate_values(kind, static_cast<unsigned>(schema));
}

void SqliteStore::migrate_values(const StoreKind& kind, unsigned from) {
  sqlite3* const db = database_.get();
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

// The log goes with its file: SQLite would otherwise write it into the new one.
void SqliteStore::keep_aside() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char when[32];
  std::strftime(when, sizeof when, "%Y%m%d-%H%M%S", &parts);
  std::string aside = path_ + ".damaged-" + when;
  for (int n = 2; size_of_file(aside) >= 0; ++n) aside = path_ + ".damaged-" + when + "-" + std::to_string(n);
  for (const char* const part : {"-wal", "-journal", "-shm", ""})
    if (::rename((path_ + part).c_str(), (aside + part).c_str()) != 0 && errno != ENOENT)
      throw StoreFailed(StoreFailed::Damaged, path_ + part + ": is damaged, and cannot be renamed to " + aside +
                                                  part + ": " + std::strerror(errno));
  log(LogLevel::Error, {path_, ": the damaged store is kept as ", aside, "; a new one is begun"});
}

}  // namespace callis::services
