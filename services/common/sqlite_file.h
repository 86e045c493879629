// SPDX-License-Identifier: Apache-2.0
// StoreFile: a file of SQLite in which a service keeps its own, with what every such file is guarded by.
//
//   the names ── is it a file, is its log there without it, whose is it ──┐
//   the head  ── is it a database, of this program, of a version it knows ─┼─→ refused, with nothing written
//   the lock  ── does another process have it ─────────────────────────────┤
//   the pages ── does each have its checksum and its place ────────────────┘
//        └─→ older files get checksums → migrations (the owner's) → ready(): changes are written from here on
//
// The file, its log (-wal) and its journal are readable by their owner alone, whatever the umask. No more is on the
// disk than StoreOptions::max_disk_bytes. One process at a time: the file is locked as long as this lives. One thread
// at a time.
#pragma once
#include <services/common/sqlite.h>
#include <services/common/store.h>

namespace callis::services::sqlite {

// Whose files they are, and of which version.
struct FileKind {
  std::int64_t application;  // of the file's application_id
  std::string program;       // "callis logging": for words
  std::int64_t newest;       // the newest version (user_version) of its tables; pages have checksums from 2 on
  // Larger files are not read whole when they are opened: a page that is damaged is found when it is read.
  std::uint64_t read_whole_bytes = UINT64_MAX;
  unsigned checkpoint_pages = 1000;  // how large the log becomes before it goes into the file
  std::uint64_t kept_log_bytes = 16u << 20;
};

inline constexpr std::int64_t kPagesCheckedSince = 2;

class StoreFile final {
 public:
  // Makes the file if there is none, or an empty one. Afterwards a transaction is open, in which the owner makes or
  // migrates the tables. accept: looks at existing tables before a file of an older version is changed, and throws
  // StoreFailed if they are not the owner's. Throws StoreFailed; then the file is as it was.
  StoreFile(const std::string& path, const FileKind& kind, const StoreOptions& options,
            const std::function<void(sqlite3*)>& accept = {});
  ~StoreFile();
  StoreFile(const StoreFile&) = delete;
  StoreFile& operator=(const StoreFile&) = delete;

  sqlite3* database() const { return database_.get(); }
  // Returns the version of the tables as they were found; 0 if there are none.
  std::int64_t version() const { return version_; }
  // Commits with the newest version. From here on changes go to the log, and are on the disk with each commit.
  // Throws Failed.
  void ready();
  // The failure as its operator reads it: the file, what was tried, what to do.
  StoreFailed explained(const Failed& failed, const char* tried) const;
  // "FILE: the store is damaged: WHY; ..."
  StoreFailed damaged(const std::string& why) const;
  // The file gets no more pages of 4 KiB than these; tests make it full by that.
  void limit_pages(std::uint64_t pages);

 private:
  void check_names();
  void make();
  void check_head();
  void check_tables();
  void add_checksums();
  void narrow_modes();
  void bound_disk();

  const std::string said_;  // the path as its operator wrote it
  const FileKind kind_;
  const std::uint64_t max_disk_bytes_;
  std::string path_;  // absolute, without symbolic links
  bool made_ = false, checked_ = false;  // whether pages have checksums
  std::int64_t version_ = 0;
  Database database_;
};

// Renames the file, with its log, to FILE.damaged-YYYYMMDD-HHMMSS, and logs that. Throws StoreFailed.
void keep_aside(const std::string& path);

// A quarter of the file system that holds the file, and 64 MiB at least.
std::uint64_t default_max_disk(const std::string& path);

}  // namespace callis::services::sqlite
