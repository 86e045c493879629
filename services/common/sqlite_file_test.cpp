// SPDX-License-Identifier: Apache-2.0
// The guards of every file of a store: modes, checksums of pages, a bound on the disk. tests/stores/ has the table of
// damage for whole services.
#include <gtest/gtest.h>
#include <services/common/sqlite_pages.h>
#include <services/common/sqlite_store.h>
#include <services/common/testing/folder.h>
#include <services/common/testing/reading.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

namespace callis::services::testing {
namespace {

const StoreKind kFileKind{"test", 1, {}};
const sqlite::FileKind kFile{0x74657374, "callis test", 2};
constexpr std::size_t kPage = 4096;

mode_t mode_of(const std::string& path) {
  struct stat s {};
  return ::lstat(path.c_str(), &s) == 0 ? s.st_mode & 07777 : 0;
}

std::uint64_t bytes_on_disk(const std::string& path) {
  std::uint64_t out = 0;
  for (const char* part : {"", "-wal", "-journal"}) {
    struct stat s {};
    if (::lstat((path + part).c_str(), &s) == 0) out += static_cast<std::uint64_t>(s.st_size);
  }
  return out;
}

// A table of so many rows of 1,000 bytes.
void make(const std::string& path, int rows, const sqlite::FileKind& kind = kFile) {
  sqlite::StoreFile file(path, kind, {});
  sqlite::run(file.database(), "CREATE TABLE t(n INTEGER PRIMARY KEY, text TEXT)");
  for (int i = 0; i < rows; ++i)
    sqlite::run(file.database(), "INSERT INTO t VALUES(" + std::to_string(i) + ", printf('%.1000c', 'x'))");
  file.ready();
}

// Makes a file as an older program has written it, by SQLite alone.
void make_unchecked(const std::string& path, int rows) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
  const std::string text =
      "CREATE TABLE t(n INTEGER PRIMARY KEY, text TEXT); PRAGMA application_id=1952805748; PRAGMA user_version=1;"
      "WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n + 1 < " +
      std::to_string(rows) + ") INSERT INTO t SELECT n, printf('%.1000c', 'x') FROM c";
  ASSERT_EQ(sqlite3_exec(db, text.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  sqlite3_close(db);
}

TEST(StoreFileModes, AreTheOwnersAloneWhateverTheUmask) {
  const Folder folder;
  const std::string path = folder / "store.db";
  for (const mode_t mask : {0u, 022u, 0777u}) {
    const mode_t before = ::umask(mask);
    SqliteStore store(path + std::to_string(mask), kFileKind);
    store.commit(put("k", "v"));
    ::umask(before);
    EXPECT_EQ(mode_of(path + std::to_string(mask)), 0600u);
    EXPECT_EQ(mode_of(path + std::to_string(mask) + "-wal"), 0600u);
  }
}

TEST(StoreFileModes, AreNarrowedWhereAnOlderProgramHasLeftThemWide) {
  const Folder folder;
  const std::string path = folder / "store.db";
  make(path, 3);
  ASSERT_EQ(::chmod(path.c_str(), 0666), 0);
  { SqliteStore other(folder / "other.db", kFileKind); }
  const sqlite::StoreFile file(path, kFile, {});
  EXPECT_EQ(mode_of(path), 0600u);
}

TEST(StoreFileModes, OfAnotherProgramsFileStay) {
  const Folder folder;
  const std::string path = folder / "text";
  set_bytes(path, std::string(5'000, 'x'));
  ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
  EXPECT_EQ(failure([&] { sqlite::StoreFile(path, kFile, {}); }).kind(), StoreFailed::Foreign);
  EXPECT_EQ(mode_of(path), 0644u);
}

// Each bit of a page in turn, as many as are tried in some tenths of a second.
TEST(PageChecksums, FindEveryBitThatHasChanged) {
  const Folder folder;
  const std::string path = folder / "store.db";
  make(path, 20);
  const std::string whole = bytes_of(path);
  ASSERT_EQ(whole.size() % kPage, 0u);
  for (std::size_t at = 0; at < whole.size(); at += 61) {
    std::string spoiled = whole;
    spoiled[at] = static_cast<char>(spoiled[at] ^ 1 << (at % 8));
    set_bytes(path, spoiled);
    EXPECT_THROW(sqlite::StoreFile(path, kFile, {}), StoreFailed) << at;
    ASSERT_EQ(bytes_of(path), spoiled);
  }
  set_bytes(path, whole);
  EXPECT_NO_THROW(sqlite::StoreFile(path, kFile, {}));
}

// The file stands for an archive that is too large to be read whole at the start.
TEST(PageChecksums, MakeReadingADamagedPageAnErrorInAFileThatIsNotReadWhole) {
  const Folder folder;
  const std::string path = folder / "store.db";
  sqlite::FileKind lazy = kFile;
  lazy.read_whole_bytes = 0;
  make(path, 1'000, lazy);
  const std::string whole = bytes_of(path);
  ASSERT_GT(whole.size(), 100 * kPage);
  for (std::size_t page = 2; page < whole.size() / kPage; page += 23) {
    std::string spoiled = whole;
    spoiled.replace(page * kPage, kPage, std::string(kPage, '\0'));
    set_bytes(path, spoiled);
    std::string words;
    std::int64_t seen = 0;
    StoreFailed::Kind kind = StoreFailed::Unknown;
    try {
      sqlite::StoreFile file(path, lazy, {});
      file.ready();
      try {
        sqlite::Statement rows(file.database(), "SELECT n FROM t ORDER BY n");
        while (rows.step()) EXPECT_EQ(rows.number(0), seen++);
      } catch (const sqlite::Failed& failed) {
        kind = file.explained(failed, "reading").kind();
      }
    } catch (const StoreFailed& failed) {
      kind = failed.kind();
    }
    EXPECT_EQ(kind, StoreFailed::Damaged) << page << ": " << seen << " rows, and then the end";
  }
}

TEST(PageChecksums, AreGivenToAnOlderFileWhichKeepsItsRows) {
  const Folder folder;
  const std::string path = folder / "store.db";
  make_unchecked(path, 500);
  EXPECT_EQ(bytes_of(path)[20], 0);
  {
    sqlite::StoreFile file(path, kFile, {});
    EXPECT_EQ(file.version(), 1);
    file.ready();
  }
  EXPECT_EQ(bytes_of(path)[20], sqlite::kPageChecksumBytes);
  sqlite::StoreFile again(path, kFile, {});
  EXPECT_EQ(again.version(), 2);
  EXPECT_EQ(sqlite::ask(again.database(), "SELECT count(*) FROM t WHERE length(text) = 1000"), 500);
}

TEST(PageChecksums, AreNotGivenToAnOlderFileThatIsDamaged) {
  const Folder folder;
  const std::string path = folder / "store.db";
  make_unchecked(path, 500);
  std::string spoiled = bytes_of(path);
  spoiled.replace(50 * kPage, kPage, std::string(kPage, '\0'));
  set_bytes(path, spoiled);
  EXPECT_EQ(failure([&] { sqlite::StoreFile(path, kFile, {}); }).kind(), StoreFailed::Damaged);
  EXPECT_EQ(bytes_of(path), spoiled);
}

TEST(MaxDisk, BoundsAFileWithItsLogAndReadingGoesOn) {
  const Folder folder;
  const std::string path = folder / "store.db";
  StoreOptions options;
  options.max_disk_bytes = 8u << 20;
  SqliteStore store(path, kFileKind, options);
  const std::string value(100'000, 'v');
  std::size_t taken = 0;
  StoreFailed full(StoreFailed::Unknown, "");
  std::uint64_t most = 0;
  for (; taken < 200; ++taken) {
    try {
      store.commit(put("k" + std::to_string(taken), value));
    } catch (const StoreFailed& failed) {
      full = failed;
      break;
    }
    most = std::max(most, bytes_on_disk(path));
  }
  EXPECT_EQ(full.kind(), StoreFailed::Full) << full.what();
  EXPECT_NE(std::string(full.what()).find("--max-disk (8 MiB)"), std::string::npos) << full.what();
  EXPECT_GT(taken, 30u);
  EXPECT_LE(most, options.max_disk_bytes);
  EXPECT_EQ(all_of(store).size(), taken);
  for (std::size_t i = 0; i < 10; ++i) store.commit(erase("k" + std::to_string(i)));
  EXPECT_TRUE(store.commit(put("again", value)).applied) << "there is room again";
}

TEST(MaxDisk, BoundsTheLogOfOneTransaction) {
  const Folder folder;
  const std::string path = folder / "store.db";
  StoreOptions options;
  options.max_disk_bytes = 8u << 20;
  sqlite::StoreFile file(path, kFile, options);
  sqlite::run(file.database(), "CREATE TABLE t(n INTEGER PRIMARY KEY, text TEXT)");
  sqlite::run(file.database(), "INSERT INTO t VALUES(1, printf('%.3000000c', 'x'))");
  file.ready();
  // Each rewrites the same pages: the file stays as it is, a log without a bound would not.
  for (int i = 0; i < 40; ++i) {
    sqlite::run(file.database(), "UPDATE t SET text=printf('%.3000000c', '" + std::to_string(i % 10) + "')");
    EXPECT_LE(bytes_on_disk(path), options.max_disk_bytes);
  }
  file.limit_pages(1'000'000);  // so that the log alone stands in the way
  try {
    sqlite::run(file.database(), "INSERT INTO t VALUES(2, printf('%.6000000c', 'x'))");
    ADD_FAILURE() << "6 MB fit into a log of 4 MiB";
  } catch (const sqlite::Failed& failed) {
    sqlite::roll_back(file.database());
    EXPECT_EQ(failed.primary_code(), SQLITE_FULL);
  }
  EXPECT_LE(bytes_on_disk(path), options.max_disk_bytes);
  EXPECT_EQ(sqlite::ask(file.database(), "SELECT length(text) FROM t"), 3'000'000);
}

TEST(MaxDisk, IsAQuarterOfTheFileSystemUnlessSaid) {
  EXPECT_GE(sqlite::default_max_disk("/proc/none"), 64u << 20);
  const Folder folder;
  EXPECT_GE(sqlite::default_max_disk(folder / "store.db"), 64u << 20);
}

// The file is as kill -9 in the first transaction leaves it, with pages, and with its journal beside it.
TEST(StoreFile, BeginsAnewWhereItsFirstTransactionWasKilled) {
  const Folder folder;
  const std::string path = folder / "store.db", killed = folder / "killed.db";
  sqlite::StoreFile file(path, kFile, {});
  sqlite::run(file.database(), "CREATE TABLE t(n INTEGER PRIMARY KEY, text TEXT)");
  sqlite::run(file.database(), "INSERT INTO t VALUES(1, printf('%.6000000c', 'x'))");
  for (const char* part : {"", "-journal"}) set_bytes(killed + part, bytes_of(path + part));
  ASSERT_GT(bytes_of(killed).size(), 100 * kPage);
  ASSERT_GT(bytes_of(killed + "-journal").size(), 0u);
  {
    sqlite::StoreFile again(killed, kFile, {});
    EXPECT_EQ(again.version(), 0);
    sqlite::run(again.database(), "CREATE TABLE t(n INTEGER PRIMARY KEY, text TEXT)");
    again.ready();
  }
  sqlite::StoreFile third(killed, kFile, {});
  EXPECT_EQ(third.version(), 2);
}

TEST(StoreFile, HasNoNameThatMeansSomethingElseToSqlite) {
  const Folder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  for (const char* name : {":memory:", "file:x?mode=memory"}) {
    { SqliteStore(name, kFileKind).commit(put("k", "v")); }
    EXPECT_TRUE(std::filesystem::exists(folder / name)) << name;
    EXPECT_EQ(all_of(*std::make_unique<SqliteStore>(name, kFileKind)).size(), 1u) << name;
  }
  std::filesystem::current_path(before);
  EXPECT_THROW(SqliteStore("", kFileKind), StoreFailed);
}

}  // namespace
}  // namespace callis::services::testing
