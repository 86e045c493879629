// SPDX-License-Identifier: Apache-2.0
// Opening a store's file. The file itself is looked at through SQLite's own handle alone: closing another one would
// take the locks of this process from it.
#include <callis/base/log.h>
#include <fcntl.h>
#include <services/common/sd_notify.h>
#include <services/common/sqlite_file.h>
#include <services/common/sqlite_pages.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>

namespace callis::services::sqlite {

namespace {

constexpr std::uint64_t kPageBytes = 4096, kLeastDisk = 64u << 20, kMostLog = 256u << 20;
constexpr std::size_t kHeadBytes = 100;  // of SQLite's format
constexpr const char* kParts[] = {"", "-wal", "-journal", "-shm"};

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

// -1: there is none.
std::int64_t size_of(const std::string& path) {
  struct stat s {};
  return ::lstat(path.c_str(), &s) == 0 ? static_cast<std::int64_t>(s.st_size) : -1;
}

// Returns false if the folder is there, but this user must not write in it. SQLite does not tell.
bool may_write_folder(const std::string& path) {
  const int result = ::faccessat(AT_FDCWD, folder_of(path).c_str(), W_OK | X_OK, AT_EACCESS);
  return result == 0 || (errno != EACCES && errno != EROFS && errno != EPERM);
}

// A new file is there after a crash only when its folder's entry is.
void sync_folder(const std::string& path) {
  const int fd = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

std::uint32_t big_endian(const char* at) {
  std::uint32_t out = 0;
  for (int i = 0; i < 4; ++i) out = out << 8 | static_cast<unsigned char>(at[i]);
  return out;
}

// Returns whether a journal belongs to a database's first transaction, which was killed. After its rollback the file
// is empty.
bool begins_from_nothing(const std::string& journal) {
  char head[20] = {};
  std::ifstream file(journal, std::ios::binary);
  file.read(head, sizeof head);
  return file && big_endian(head + 16) == 0;
}

[[noreturn]] void cannot_find(const std::string& path, int error) {
  const bool forbidden = error == EACCES || error == EROFS || error == EPERM;
  throw StoreFailed(forbidden ? StoreFailed::ReadOnly : StoreFailed::Unknown,
                    path + ": opening the store: unable to open database file (" + std::strerror(error) +
                        "); is the folder there, and may this user write in it?");
}

std::string real_path(const std::string& path) {
  struct Free {
    void operator()(char* text) const noexcept { std::free(text); }
  };
  const auto real = [](const std::string& of) {
    return std::unique_ptr<char, Free>(::realpath(of.c_str(), nullptr));
  };
  if (path.empty()) throw StoreFailed(StoreFailed::Unknown, "the name of the store is empty");
  if (const auto found = real(path)) return found.get();
  if (errno != ENOENT) cannot_find(path, errno);
  struct stat s {};
  if (::lstat(path.c_str(), &s) == 0)
    throw StoreFailed(StoreFailed::Foreign, path + ": this is a symbolic link to a file that is not there");
  const auto folder = real(folder_of(path));
  if (!folder) cannot_find(path, errno);
  const std::string name = path.substr(path.rfind('/') + 1);
  if (name.empty()) cannot_find(path, ENOENT);
  return std::string(folder.get()) + "/" + name;
}

}  // namespace

std::uint64_t default_max_disk(const std::string& path) {
  struct statvfs s {};
  if (::statvfs(folder_of(path).c_str(), &s) != 0) return kLeastDisk;
  return std::max<std::uint64_t>(kLeastDisk, std::uint64_t{s.f_blocks} * s.f_frsize / 4);
}

StoreFailed StoreFile::damaged(const std::string& why) const {
  return {StoreFailed::Damaged,
          said_ + ": the store is damaged: " + why + "; the file is as it was: take a copy, then restore a backup"};
}

StoreFailed StoreFile::explained(const Failed& failed, const char* tried) const {
  const auto say = [&](StoreFailed::Kind kind, const std::string& what_to_do) {
    std::string why = failed.what();
    if (failed.os_error() != 0) why += std::string(" (") + std::strerror(failed.os_error()) + ")";
    return StoreFailed(kind, said_ + ": " + tried + ": " + why + what_to_do);
  };
  const int os = failed.os_error();
  const std::string make_room = "; nothing is lost: make room on the disk, or raise --max-disk (" +
                                std::to_string(max_disk_bytes_ >> 20) + " MiB), and try again";
  switch (failed.primary_code()) {
    case SQLITE_FULL: return say(StoreFailed::Full, make_room);
    case SQLITE_IOERR:
      if (failed.code() == SQLITE_IOERR_DATA) return damaged("a page has not the checksum of its bytes");
      if (os == ENOSPC || os == EDQUOT || os == EFBIG) return say(StoreFailed::Full, make_room);
      return say(os == EROFS ? StoreFailed::ReadOnly : StoreFailed::Unknown, "");
    case SQLITE_READONLY:
    case SQLITE_PERM: return say(StoreFailed::ReadOnly, "; this user must be able to write the file and its folder");
    case SQLITE_CANTOPEN:
      return say(may_write_folder(path_) ? StoreFailed::Unknown : StoreFailed::ReadOnly,
                 "; is the folder there, and may this user write in it?");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {StoreFailed::InUse,
              said_ + ": another process uses this store; stop it, or give this one a file of its own"};
    case SQLITE_CORRUPT:
      return say(StoreFailed::Damaged, "; the file is as it was: take a copy, then restore a backup");
    case SQLITE_NOTADB:
      return {StoreFailed::Foreign, said_ + ": this file is not a database of SQLite; it is as it was"};
    default: return say(StoreFailed::Unknown, "");
  }
}

StoreFile::StoreFile(const std::string& path, const FileKind& kind, const StoreOptions& options,
                     const std::function<void(sqlite3*)>& accept)
    : said_(path),
      kind_(kind),
      max_disk_bytes_(options.max_disk_bytes != 0 ? options.max_disk_bytes : default_max_disk(path)),
      path_(real_path(path)) {
  const char* tried = "opening the store";
  bool made_log = false;
  // SQLite makes an empty log as soon as it has the lock.
  const auto leave = [&] {
    if (made_log && size_of(path_ + "-wal") == 0) ::unlink((path_ + "-wal").c_str());
  };
  try {
    check_names();
    const bool has_log = size_of(path_ + "-wal") >= 0;
    database_ = open(path_);
    sqlite3* const db = database_.get();
    if (sqlite3_db_readonly(db, "main") == 1)
      throw StoreFailed(StoreFailed::ReadOnly, said_ + ": this user may read the file, but not write it");
    // Closing a file that is refused must not write it.
    sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    check_head();
    lock(db);
    made_log = !has_log;
    check_tables();
    if (accept && version_ != 0) accept(db);
    narrow_modes();
    if (!checked_) {
      tried = "giving checksums to the store's pages";
      add_checksums();
    }
    if (version_ == 0) run(db, "PRAGMA application_id=" + std::to_string(kind_.application));
  } catch (const Failed& failed) {
    leave();
    throw explained(failed, tried);
  } catch (const StoreFailed&) {
    leave();
    throw;
  }
}

StoreFile::~StoreFile() = default;

// Refuses paths that are no plain files: they may hang, or be another's. Also refuses a log without its file, which
// SQLite would drop.
void StoreFile::check_names() {
  bool there = false;
  for (const char* const part : kParts) {
    struct stat s {};
    const std::string name = path_ + part;
    if (::lstat(name.c_str(), &s) != 0) {
      if (errno != ENOENT) cannot_find(said_ + part, errno);
      continue;
    }
    if (!S_ISREG(s.st_mode))
      throw StoreFailed(StoreFailed::Foreign, said_ + part + ": this is no file to keep things in");
    if (part[0] != '\0') continue;
    there = true;
    // SQLite takes a byte for nothing.
    if (s.st_size > 0 && s.st_size < static_cast<off_t>(kHeadBytes))
      throw StoreFailed(StoreFailed::Foreign, said_ + ": this file is not a database of SQLite; it is as it was");
  }
  if (size_of(path_) <= 0) {
    if (size_of(path_ + "-wal") > 0)
      throw StoreFailed(StoreFailed::Damaged, said_ + ": the file is empty or gone, but its log " + said_ +
                                                  "-wal is there; restore the file");
    if (size_of(path_ + "-journal") > 0 && !begins_from_nothing(path_ + "-journal"))
      throw StoreFailed(StoreFailed::Damaged, said_ + ": the file is empty or gone, but its journal " + said_ +
                                                  "-journal is there; restore the file");
  }
  if (!there) make();
}

void StoreFile::make() {
  const int fd = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0 && errno != EEXIST) cannot_find(said_, errno);
  if (fd < 0) return;
  ::fchmod(fd, 0600);  // the umask may have left less
  ::close(fd);
  made_ = true;
}

// Before SQLite looks at the file, since it would bring another program's journal or log into it.
void StoreFile::check_head() {
  sqlite3_file* file = nullptr;
  sqlite3_int64 size = 0;
  char head[kHeadBytes] = {};
  if (sqlite3_file_control(database_.get(), "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || !file ||
      !file->pMethods || file->pMethods->xFileSize(file, &size) != SQLITE_OK)
    throw StoreFailed(StoreFailed::Unknown, said_ + ": the file does not say how large it is");
  if (size == 0) {  // a new one
    begin_checksums(database_.get());
    return;
  }
  file->pMethods->xRead(file, head, kHeadBytes, 0);  // what a short file does not have is zero
  const std::int64_t application = big_endian(head + 68), version = big_endian(head + 60);
  const bool begun = size_of(path_ + "-journal") > 0 && begins_from_nothing(path_ + "-journal");
  const bool is_empty = std::all_of(head, head + kHeadBytes, [](char c) { return c == 0; });
  if (begun && is_empty) return;  // a first transaction that was killed before the head was written
  if (std::memcmp(head, "SQLite format 3", 16) != 0) {
    if (application == kind_.application) throw damaged("its head cannot be read");
    throw StoreFailed(StoreFailed::Foreign, said_ + ": this file is not a database of SQLite; it is as it was");
  }
  const bool may_be_new = application == 0 && version == 0 && size_of(path_ + "-wal") <= 0 &&
                          (size_of(path_ + "-journal") <= 0 || begun);
  if (application != kind_.application && !may_be_new)
    throw StoreFailed(StoreFailed::Foreign,
                      said_ + ": this is a database, but no store of " + kind_.program + "; it is as it was");
  if (version > kind_.newest)
    throw StoreFailed(StoreFailed::Foreign, said_ + ": this store has schema version " + std::to_string(version) +
                                                "; this program knows versions up to " +
                                                std::to_string(kind_.newest) + ": use a newer one");
  // If there is a log, the first page may be in the log, and half written in the file.
  if (size_of(path_ + "-wal") > 0) return;
  const bool counted = big_endian(head + 24) == big_endian(head + 92);
  if (counted && static_cast<std::uint64_t>(size) < std::uint64_t{big_endian(head + 28)} * kPageBytes)
    throw damaged("it is shorter than its head says");
  char page[kPageBytes];
  const int result = file->pMethods->xRead(file, page, kPageBytes, 0);
  if (result == SQLITE_IOERR_DATA || result == SQLITE_IOERR_SHORT_READ)
    throw damaged("its first page has not the checksum of its bytes");
  if (result != SQLITE_OK) throw StoreFailed(StoreFailed::Unknown, said_ + ": the file's first page cannot be read");
}

// Asks again what the head has said, for the log may have changed it.
void StoreFile::check_tables() {
  sqlite3* const db = database_.get();
  const std::int64_t application = ask(db, "PRAGMA application_id");
  version_ = ask(db, "PRAGMA user_version");
  int reserved = -1;
  sqlite3_file_control(db, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
  checked_ = reserved == kPageChecksumBytes;
  if (application == 0 && version_ == 0 && ask(db, "SELECT count(*) FROM sqlite_schema") == 0) return;
  if (application != kind_.application)
    throw StoreFailed(StoreFailed::Foreign,
                      said_ + ": this is a database, but no store of " + kind_.program + "; it is as it was");
  if (version_ < 1 || version_ > kind_.newest)
    throw StoreFailed(StoreFailed::Foreign, said_ + ": this store has schema version " + std::to_string(version_) +
                                                "; this program knows versions up to " +
                                                std::to_string(kind_.newest) + ": use a newer one");
  if (version_ >= kPagesCheckedSince && !checked_)
    throw damaged("its pages have no checksums any more");
  const auto bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, size_of(path_)));
  if (bytes <= kind_.read_whole_bytes || !checked_)
    if (const std::string wrong = damage(db); !wrong.empty()) throw damaged(wrong);
}

// Only once the file is known to be this program's. SQLite gives its log the mode of the file.
void StoreFile::narrow_modes() {
  for (const char* const part : kParts) {
    const std::string name = path_ + part;
    struct stat s {};
    if (::lstat(name.c_str(), &s) != 0 || (s.st_mode & 0077) == 0) continue;
    if (s.st_uid != ::geteuid())
      throw StoreFailed(StoreFailed::Foreign, said_ + part + ": this file belongs to user " +
                                                  std::to_string(s.st_uid) +
                                                  ", and others may read it; give it to this program's user");
    if (::chmod(name.c_str(), s.st_mode & 0600) != 0)
      throw StoreFailed(StoreFailed::ReadOnly,
                        said_ + part + ": others may read this file, and that cannot be changed: " +
                            std::strerror(errno));
  }
}

// Pages get the room for checksums by being written anew: to the log, as one transaction, and then to the file.
void StoreFile::add_checksums() {
  sqlite3* const db = database_.get();
  const auto bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, size_of(path_)));
  log(LogLevel::Info, {said_, ": giving checksums to the store's pages, ", std::to_string(bytes >> 20), " MiB"});
  notify("EXTEND_TIMEOUT_USEC=" + std::to_string(60'000'000 + bytes / 4));  // systemd waits: 4 MB a second
  run(db, "COMMIT");
  run(db, "PRAGMA journal_mode=WAL");
  int reserved = kPageChecksumBytes;
  sqlite3_file_control(db, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
  run(db, "VACUUM");
  run(db, "PRAGMA wal_checkpoint(TRUNCATE)");
  run(db, "BEGIN EXCLUSIVE");
}

void StoreFile::ready() {
  sqlite3* const db = database_.get();
  if (version_ != kind_.newest) run(db, "PRAGMA user_version=" + std::to_string(kind_.newest));
  run(db, "COMMIT");
  write_durably(db);
  run(db, "PRAGMA journal_size_limit=" + std::to_string(kind_.kept_log_bytes));
  bound_disk();
  sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr);
  if (made_) sync_folder(path_);
}

// The log takes up to half, since a transaction is there as a whole before it is in the file.
void StoreFile::bound_disk() {
  const std::uint64_t of_log = std::min(max_disk_bytes_ / 2, kMostLog);
  const std::uint64_t pages = std::min<std::uint64_t>((max_disk_bytes_ - of_log) / kPageBytes, 0xfffffffe);
  const std::uint64_t checkpoint =
      std::min<std::uint64_t>(kind_.checkpoint_pages, std::max<std::uint64_t>(1, of_log / 4 / kPageBytes));
  limit_pages(pages);
  limit_log(database_.get(), static_cast<std::int64_t>(of_log));
  run(database_.get(), "PRAGMA wal_autocheckpoint=" + std::to_string(checkpoint));
}

void StoreFile::limit_pages(std::uint64_t pages) {
  run(database_.get(), "PRAGMA max_page_count=" + std::to_string(pages));
}

// The log goes with its file: SQLite would otherwise write it into the new one.
void keep_aside(const std::string& path) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char when[32];
  std::strftime(when, sizeof when, "%Y%m%d-%H%M%S", &parts);
  const std::string real = real_path(path);
  std::string aside = real + ".damaged-" + when;
  for (int n = 2; size_of(aside) >= 0; ++n) aside = real + ".damaged-" + when + "-" + std::to_string(n);
  for (const char* const part : {"-wal", "-journal", "-shm", ""})
    if (::rename((real + part).c_str(), (aside + part).c_str()) != 0 && errno != ENOENT)
      throw StoreFailed(StoreFailed::Damaged, path + part + ": is damaged, and cannot be renamed to " + aside + part +
                                                  ": " + std::strerror(errno));
  log(LogLevel::Error, {path, ": the damaged store is kept as ", aside, "; a new one is begun"});
}

}  // namespace callis::services::sqlite
