// SPDX-License-Identifier: Apache-2.0
// The store of records: what it keeps, whose file it is, and what a full disk leaves of it.
#include <gtest/gtest.h>
#include <services/common/testing/folder.h>
#include <services/logging/archive.h>
#include <sqlite3.h>
#include <atomic>
#include <fstream>
#include <thread>

namespace callis::logs::testing {
namespace {

using services::StoreFailed;
using services::testing::Folder;

StoreFailed::Kind kind_of_failure(const std::string& path) {
  try {
    Archive archive(path);
  } catch (const StoreFailed& failed) {
    EXPECT_NE(std::string(failed.what()).find(path), std::string::npos) << failed.what();
    return failed.kind();
  }
  ADD_FAILURE() << "it opened " << path;
  return StoreFailed::Unknown;
}

void append(Archive& archive, LogId log, std::size_t count, const std::string& info = "text", bool sync = false) {
  archive.change(sync, [&](Archive::Batch& batch) {
    for (std::size_t i = 0; i < count; ++i) batch.append(log, 1'000 + i, info, "");
  });
}

TEST(Archive, finds_the_first_record_of_a_moment_also_where_others_are_missing) {
  Archive archive("memory");
  archive.change(false, [](Archive::Batch& batch) {
    batch.make(7, "settings");
    for (TimeT i = 0; i < 1'000; ++i) batch.append(7, 10 * i, "x", "");
    for (RecordId id = 200; id < 400; ++id) batch.erase(7, id);
  });
  EXPECT_EQ(archive.first_at(7, 0), 1u);
  EXPECT_EQ(archive.first_at(7, 1'000), 101u);
  EXPECT_EQ(archive.first_at(7, 1'001), 102u);
  EXPECT_EQ(archive.read(7, archive.first_at(7, 2'500), 1).front().id, 400u);
  EXPECT_EQ(archive.first_at(7, 1'000'000), 1'001u);
  EXPECT_EQ(archive.first_at(8, 5), 1u) << "there is no such log";
}

TEST(Archive, does_not_let_times_of_a_log_go_back) {
  Archive archive("memory");
  archive.change(false, [](Archive::Batch& batch) {
    batch.make(1, "");
    batch.append(1, 500, "a", "");
    batch.append(1, 400, "b", "");
  });
  EXPECT_EQ(archive.find(1, 2)->time, 500u);
}

TEST(Archive, keeps_logs_apart) {
  Archive archive("memory");
  archive.change(false, [](Archive::Batch& batch) {
    for (const LogId log : {1u, 2u, 0xffffffffu}) batch.make(log, "");
    batch.append(1, 1, "one", "");
    batch.append(0xffffffff, 1, "last", "");
  });
  EXPECT_EQ(archive.tally(2).records, 0u);
  EXPECT_TRUE(archive.read(2, 0).empty());
  EXPECT_EQ(archive.read(1, 0).size(), 1u);
  archive.change(false, [](Archive::Batch& batch) { EXPECT_TRUE(batch.drop(1)); });
  EXPECT_EQ(archive.find(0xffffffff, 1)->info, "last");
}

TEST(Archive, undoes_a_job_that_does_not_fit_and_keeps_those_beside_it) {
  const Folder folder;
  Archive archive(folder / "a.db");
  archive.change(true, [](Archive::Batch& batch) { batch.make(1, ""); });
  archive.limit_pages(60);
  std::size_t kept = 0;
  try {
    for (;; ++kept) append(archive, 1, 1, std::string(20'000, 'x'));
  } catch (const StoreFailed& failed) {
    EXPECT_EQ(failed.kind(), StoreFailed::Full) << failed.what();
  }
  EXPECT_GT(kept, 2u);
  EXPECT_EQ(archive.tally(1).records, kept);
  EXPECT_EQ(archive.tally(1).next, kept + 1);
  archive.change(false, [](Archive::Batch& batch) { batch.erase_oldest(1); });
  append(archive, 1, 1, std::string(20'000, 'y'));
  EXPECT_EQ(archive.tally(1).records, kept) << "there was room again";
}

TEST(Archive, hands_what_a_job_throws_to_its_caller_alone) {
  Archive archive("memory");
  archive.change(false, [](Archive::Batch& batch) { batch.make(1, ""); });
  EXPECT_THROW(archive.change(false, [](Archive::Batch&) { throw 5; }), int);
  append(archive, 1, 1);
  EXPECT_EQ(archive.tally(1).records, 1u);
}

TEST(Archive, writes_what_waits_in_one_transaction) {
  const Folder folder;
  Archive archive(folder / "a.db");
  archive.change(true, [](Archive::Batch& batch) { batch.make(1, ""); });
  const std::uint64_t before = archive.groups();
  std::atomic<bool> held{false};
  std::atomic<int> begun{0};
  std::thread first([&] {
    archive.change(true, [&](Archive::Batch&) {
      held = true;
      while (begun < 8) std::this_thread::yield();
    });
  });
  while (!held) std::this_thread::yield();
  std::vector<std::thread> others;
  for (int i = 0; i < 8; ++i)
    others.emplace_back([&] {
      ++begun;
      append(archive, 1, 10, "text", true);
    });
  first.join();
  for (std::thread& each : others) each.join();
  EXPECT_EQ(archive.tally(1).records, 80u);
  EXPECT_LE(archive.groups() - before, 9u);
}

TEST(Archive, refuses_files_that_are_not_its_own_and_leaves_them) {
  const Folder folder;
  std::ofstream(folder / "text") << "this is no database of SQLite, but a text that is long enough to be looked at\n";
  EXPECT_EQ(kind_of_failure(folder / "text"), StoreFailed::Foreign);
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open((folder / "other.db").c_str(), &other), SQLITE_OK);
  sqlite3_exec(other, "CREATE TABLE t(a)", nullptr, nullptr, nullptr);
  sqlite3_close(other);
  EXPECT_EQ(kind_of_failure(folder / "other.db"), StoreFailed::Foreign);
  EXPECT_EQ(kind_of_failure(folder / "no/such/folder.db"), StoreFailed::Unknown);
}

TEST(Archive, is_of_one_program_at_a_time) {
  const Folder folder;
  Archive mine(folder / "a.db");
  EXPECT_EQ(kind_of_failure(folder / "a.db"), StoreFailed::InUse);
}

TEST(Archive, refuses_a_file_of_a_newer_version) {
  const Folder folder;
  { Archive made(folder / "a.db"); }
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open((folder / "a.db").c_str(), &other), SQLITE_OK);
  sqlite3_exec(other, "PRAGMA user_version=3", nullptr, nullptr, nullptr);
  sqlite3_close(other);
  EXPECT_EQ(kind_of_failure(folder / "a.db"), StoreFailed::Foreign);
}

}  // namespace
}  // namespace callis::logs::testing
