// SPDX-License-Identifier: Apache-2.0
// A store in a file: what is wrong with a file is said, and nothing of it is lost.
#include <fcntl.h>
#include <services/common/sqlite_store.h>
#include <services/common/testing/folder.h>
#include <services/common/testing/reading.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <thread>

namespace callis::services::testing {
namespace {

const StoreKind kKind{"test", 1, {}};

struct SqliteStoreFile : ::testing::Test {
  Folder folder;
  const std::string path = folder / "store.db";

  void fill(int pairs = 200) const {
    SqliteStore store(path, kKind);
    Transaction all;
    for (int i = 0; i < pairs; ++i) {
      all.puts.emplace_back("k" + std::to_string(i), std::string(100, 'v'));
      if (all.puts.size() == kMaxChanges || i == pairs - 1) store.commit(std::exchange(all, {}));
    }
  }
  StoreFailed problem(const StoreOptions& options = {}) const {
    return failure([&] { SqliteStore(path, kKind, options); });
  }
  // Executes a statement as the service's own SQLite would, which keeps the pages' checksums.
  void execute(const std::string& text) const {
    const sqlite::Database db = sqlite::open(path);
    char* error = nullptr;
    EXPECT_EQ(sqlite3_exec(db.get(), text.c_str(), nullptr, nullptr, &error), SQLITE_OK) << error;
  }
};

bool has(const StoreFailed& failed, const std::string& part) {
  return std::string(failed.what()).find(part) != std::string::npos;
}

TEST_F(SqliteStoreFile, IsOneProcessesAtATime) {
  SqliteStore first(path, kKind);
  EXPECT_EQ(problem().kind(), StoreFailed::InUse);
  EXPECT_TRUE(has(problem(), "another process uses this store")) << problem().what();
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      SqliteStore second(path, kKind);
    } catch (const StoreFailed& failed) {
      ::_exit(failed.kind() == StoreFailed::InUse ? 0 : 1);
    }
    ::_exit(2);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(SqliteStoreFile, OfAnotherProgramIsRefusedAndLeftAlone) {
  execute("CREATE TABLE mine(a); INSERT INTO mine VALUES(1)");
  std::string before = bytes_of(path);
  EXPECT_EQ(problem().kind(), StoreFailed::Foreign);
  EXPECT_TRUE(has(problem(), "no store of callis"));
  EXPECT_EQ(bytes_of(path), before);
  StoreOptions aside;
  aside.keep_damaged_aside = true;
  EXPECT_EQ(problem(aside).kind(), StoreFailed::Foreign);
  EXPECT_EQ(bytes_of(path), before);
  before = "this is no database, but a text of some length, which is more than the head of one has";
  set_bytes(path, before);
  EXPECT_EQ(problem(aside).kind(), StoreFailed::Foreign);
  EXPECT_EQ(bytes_of(path), before);
}

TEST_F(SqliteStoreFile, OfANewerProgramIsRefusedAndLeftAlone) {
  fill();
  execute("PRAGMA user_version=7");
  const std::string before = bytes_of(path);
  EXPECT_EQ(problem().kind(), StoreFailed::Foreign);
  EXPECT_TRUE(has(problem(), "version 7")) << problem().what();
  EXPECT_EQ(bytes_of(path), before);
}

TEST_F(SqliteStoreFile, OfOlderTablesIsMigratedInOneStep) {
  fill(3);
  std::vector<SchemaStep> steps(schema_steps().begin(), schema_steps().end());
  const auto now = static_cast<std::int64_t>(steps.size());
  steps.push_back({"ALTER TABLE store ADD COLUMN note TEXT NOT NULL DEFAULT 'new'"});
  steps.push_back({"UPDATE store SET note='newer'", "no SQL at all"});
  // A step that fails leaves the file as it was.
  EXPECT_EQ(failure([&] { SqliteStore(path, kKind, {}, steps); }).kind(), StoreFailed::Unknown);
  EXPECT_EQ(all_of(*std::make_unique<SqliteStore>(path, kKind)).size(), 3u);
  steps.back().pop_back();
  {
    SqliteStore migrated(path, kKind, {}, steps);
    EXPECT_EQ(all_of(migrated).size(), 3u);
    migrated.commit(put("k3", ""));
  }
  const sqlite::Database db = sqlite::open(path);
  EXPECT_EQ(sqlite::ask(db.get(), "PRAGMA user_version"), now + 2);
  EXPECT_EQ(sqlite::ask(db.get(), "SELECT note='newer' FROM store"), 1);
}

TEST_F(SqliteStoreFile, ThatIsTornIsSaidAndKeptAsideOnlyWhenAsked) {
  fill(2000);
  const std::string whole = bytes_of(path);
  std::string torn = whole.substr(0, whole.size() / 2);
  set_bytes(path, torn);
  EXPECT_EQ(problem().kind(), StoreFailed::Damaged) << problem().what();
  EXPECT_EQ(bytes_of(path), torn);
  StoreOptions aside;
  aside.keep_damaged_aside = true;
  {
    SqliteStore fresh(path, kKind, aside);
    EXPECT_TRUE(all_of(fresh).empty());
    fresh.commit(put("new", "1"));
  }
  int kept = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    if (entry.path().string().find(".damaged-") != std::string::npos && bytes_of(entry.path()) == torn) ++kept;
  EXPECT_EQ(kept, 1);
  SqliteStore again(path, kKind, aside);
  EXPECT_EQ(all_of(again).size(), 1u);
}

TEST_F(SqliteStoreFile, WhoseBytesAreSpoiledIsNeverSilentlyEmptied) {
  fill(300);
  const std::string whole = bytes_of(path);
  const All want = all_of(*std::make_unique<SqliteStore>(path, kKind));
  for (std::size_t at = 0; at < whole.size(); at += 811) {
    std::string spoiled = whole;
    for (std::size_t i = at; i < std::min(at + 40, spoiled.size()); ++i) spoiled[i] = static_cast<char>(~spoiled[i]);
    set_bytes(path, spoiled);
    try {
      SqliteStore store(path, kKind);
      EXPECT_EQ(all_of(store).size(), want.size()) << at;
    } catch (const StoreFailed&) {  // said: fine
      EXPECT_EQ(bytes_of(path), spoiled) << at;
    }
  }
  // Empty, with a log: SQLite itself would drop the log.
  set_bytes(path, "");
  set_bytes(path + "-wal", whole);
  EXPECT_EQ(problem().kind(), StoreFailed::Damaged);
  EXPECT_EQ(bytes_of(path + "-wal"), whole);
}

TEST_F(SqliteStoreFile, WithoutItsFirstRowOrOlderThanItsPairsIsDamaged) {
  fill(3);
  const std::string whole = bytes_of(path);
  for (const char* damage : {"DELETE FROM store", "UPDATE store SET revision=0", "UPDATE store SET revision=-1"}) {
    execute(damage);
    EXPECT_EQ(problem().kind(), StoreFailed::Damaged) << damage;
    set_bytes(path, whole);
  }
}

TEST_F(SqliteStoreFile, ThatCannotBeWrittenIsSaid) {
  fill(3);
  EXPECT_EQ(failure([&] { SqliteStore(folder / "no/such/folder/x.db", kKind); }).kind(), StoreFailed::Unknown);
  EXPECT_NO_THROW(failure([&] { SqliteStore("/", kKind); }));
  ASSERT_EQ(::chmod(path.c_str(), 0444), 0);
  ASSERT_EQ(::chmod(folder.path().c_str(), 0555), 0);
  const bool root = ::geteuid() == 0;  // may do all: be nobody meanwhile
  ASSERT_EQ(::seteuid(root ? 65534 : ::geteuid()), 0);
  const StoreFailed read_only = problem();
  const StoreFailed in_folder = failure([&] { SqliteStore(folder / "new.db", kKind); });
  ASSERT_EQ(::seteuid(root ? 0 : ::geteuid()), 0);
  ::chmod(folder.path().c_str(), 0755);
  EXPECT_EQ(read_only.kind(), StoreFailed::ReadOnly) << read_only.what();
  EXPECT_EQ(in_folder.kind(), StoreFailed::ReadOnly) << in_folder.what();
}

TEST_F(SqliteStoreFile, ThatIsFullRefusesTheChangeAndGoesOnWithRoom) {
  SqliteStore store(path, kKind);
  store.commit(put("a", "1"));
  store.limit_pages(20);
  std::size_t taken = 0;
  StoreFailed full(StoreFailed::Unknown, "");
  for (; taken < 100; ++taken) {
    try {
      store.commit(put("k" + std::to_string(taken), std::string(8000, 'v')));
    } catch (const StoreFailed& failed) {
      full = failed;
      break;
    }
  }
  EXPECT_EQ(full.kind(), StoreFailed::Full) << full.what();
  EXPECT_FALSE(full.maybe_applied());
  EXPECT_LT(taken, 20u);
  EXPECT_EQ(all_of(store).size(), taken + 1);
  EXPECT_TRUE(store.commit(put("a", "2")).applied);  // no further page
  store.limit_pages(1'000'000);
  EXPECT_TRUE(store.commit(put("big", std::string(8000, 'v'))).applied);
  EXPECT_EQ(all_of(store).size(), taken + 2);
}

// Many writers meet in one group; those that do not fit fail, each of the others is there.
TEST_F(SqliteStoreFile, OfAGroupOnlyTheTransactionsFailThatDoNotFit) {
  constexpr int kThreads = 8;
  std::map<std::string, bool> done;
  std::mutex mutex;
  {
    SqliteStore store(path, kKind);
    store.limit_pages(60);
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < 30; ++i) {
          const std::string key = std::to_string(t) + "/" + std::to_string(i);
          const std::size_t size = t % 2 ? 20'000 : 10;
          bool applied = false;
          try {
            applied = store.commit(put(key, std::string(size, 'v'))).applied;
          } catch (const StoreFailed& failed) {
            EXPECT_EQ(failed.kind(), StoreFailed::Full) << failed.what();
          }
          const std::lock_guard lock(mutex);
          done[key] = applied;
        }
      });
    for (std::thread& each : threads) each.join();
  }
  SqliteStore store(path, kKind);
  const All all = all_of(store);
  std::size_t applied = 0, small = 0;
  for (const auto& [key, is] : done) {
    EXPECT_EQ(all.count(key), is ? 1u : 0u) << key;
    applied += is;
    small += is && all.at(key).size() == 10;
  }
  EXPECT_LT(applied, done.size());
  EXPECT_GT(small, 100u);  // most of 120
}

// A real disk that is full, in its small form: the process may not write files beyond a size (ulimit -f).
TEST_F(SqliteStoreFile, GoesOnAfterTheSystemHadNoRoom) {
  SqliteStore store(path, kKind);
  store.commit(put("a", "1"));
  struct rlimit before {};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  struct rlimit small = before;
  small.rlim_cur = 100'000;
  ::setrlimit(RLIMIT_FSIZE, &small);
  std::size_t taken = 0;
  StoreFailed full(StoreFailed::Unknown, "");
  for (; taken < 100; ++taken) {
    try {
      store.commit(put("k" + std::to_string(taken), std::string(8000, 'v')));
    } catch (const StoreFailed& failed) {
      full = failed;
      break;
    }
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(full.kind(), StoreFailed::Full) << full.what();
  EXPECT_FALSE(full.maybe_applied());
  EXPECT_GT(taken, 0u);
  EXPECT_EQ(all_of(store).size(), taken + 1);
  EXPECT_TRUE(store.commit(put("later", std::string(8000, 'v'))).applied);
  ::signal(SIGXFSZ, handler);
  EXPECT_EQ(all_of(store).size(), taken + 2);
}

// A disk of a megabyte, with something else on it that is taken away later.
TEST_F(SqliteStoreFile, GoesOnWhenAFullDiskHasRoomAgain) {
  const std::string disk = folder / "disk", other = disk + "/other";
  ASSERT_EQ(::mkdir(disk.c_str(), 0755), 0);
  if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=1m") != 0)
    GTEST_SKIP() << "a small disk cannot be mounted here: not root, or a container";
  set_bytes(other, std::string(400'000, 'x'));
  All want;
  {
    SqliteStore store(disk + "/store.db", kKind);
    StoreFailed full(StoreFailed::Unknown, "");
    for (int i = 0; i < 300; ++i) {
      const std::string key = "k" + std::to_string(i);
      try {
        store.commit(put(key, std::string(8000, 'v')));
        want[key] = std::string(8000, 'v');
      } catch (const StoreFailed& failed) {
        full = failed;
        break;
      }
    }
    EXPECT_EQ(full.kind(), StoreFailed::Full) << full.what();
    EXPECT_FALSE(full.maybe_applied());
    EXPECT_EQ(all_of(store), want);
    std::filesystem::remove(other);
    EXPECT_TRUE(store.commit(put("later", "v")).applied);
    want["later"] = "v";
  }
  EXPECT_EQ(all_of(*std::make_unique<SqliteStore>(disk + "/store.db", kKind)), want);
  ::umount(disk.c_str());
}

TEST_F(SqliteStoreFile, TellsAWatcherThatIsTooFarBehindThatItHasLostChanges) {
  Follower follower;
  SqliteStore store(path, kKind);
  for (std::size_t i = 0; i < History::kMostTransactions + 10; ++i) store.commit(put("a", std::to_string(i)));
  store.watch(1, follower);
  EXPECT_TRUE(follower.wait_for([](const Follower& f) { return f.lost_times() == 1; }));
  store.commit(put("b", "2"));
  EXPECT_TRUE(follower.wait_until_it_has({{"b", "2"}}));
}

}  // namespace
}  // namespace callis::services::testing
