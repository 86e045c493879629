// SPDX-License-Identifier: Apache-2.0
// Definitions in a file: all that was committed is there again; a file that is not right is left alone.
#include <services/ifr/sqlite_store.h>
#include <services/ifr/testing/files.h>
#include <sqlite3.h>

namespace callis::ifr::testing {
namespace {

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string problem(const std::string& path) {
  try {
    SqliteStore store(path);
    Model model;
    store.read(model);
  } catch (const services::StoreFailed& failed) {
    return failed.what();
  }
  return "";
}

// As the repository's own SQLite would, which keeps the pages' checksums.
void execute(const std::string& path, const std::string& text) {
  const services::sqlite::Database db = services::sqlite::open(path);
  char* error = nullptr;
  EXPECT_EQ(sqlite3_exec(db.get(), text.c_str(), nullptr, nullptr, &error), SQLITE_OK) << error;
}

struct SqliteStoreTest : ::testing::Test {
  Folder folder;
  const std::string path = folder / "store.db";

  void fill() {
    Fixture f;
    SqliteStore store(path);
    store.read(f.model);
    ASSERT_EQ(f.feed(all_kinds(), &store), "");
  }
};

TEST_F(SqliteStoreTest, GivesBackAllThatWasCommitted) {
  Fixture before;
  {
    SqliteStore store(path);
    store.read(before.model);
    ASSERT_EQ(before.feed(all_kinds(), &store), "");
    ASSERT_EQ(before.feed("#pragma prefix \"example.org\"\nmodule Kinds { struct Gone { long a; }; };", &store), "");
    Change change(before.model);
    before.model.remove(before.named("Kinds::Gone").number);
    change.commit(&store);
  }
  Fixture after;
  SqliteStore store(path);
  store.read(after.model);
  ASSERT_EQ(after.model.size(), before.model.size());
  for (const auto& [number, d] : before.model.all()) {
    const Definition& other = after.model.at(number);
    EXPECT_TRUE(other.says_the_same(d)) << d.id;
    EXPECT_EQ(other.container, d.container);
    EXPECT_EQ(other.contents, d.contents) << d.id;
  }
  ASSERT_EQ(after.feed("struct Later { long a; };", &store), "");
  EXPECT_GT(after.named("Later").number, before.model.by_id("IDL:example.org/Kinds/Inner/Keyword:1.0"));
}

// Each id has the names of all modules around it.
TEST_F(SqliteStoreTest, OfAFewKilobytesOfDeepIdlIsNotAThousandTimesAsLarge) {
  std::string idl, end;
  for (int i = 0; i < 20; ++i) {
    idl += "module " + std::string(100, static_cast<char>('a' + i)) + " {\n";
    end += "};\n";
  }
  for (int i = 0; i < 2'000; ++i) idl += "typedef long t" + std::to_string(i) + ";\n";
  idl += end;
  Fixture before;
  {
    SqliteStore store(path);
    store.read(before.model);
    ASSERT_EQ(before.feed(idl, &store), "");
  }
  EXPECT_LT(bytes_of(path).size(), 16 * idl.size());
  Fixture after;
  SqliteStore store(path);
  store.read(after.model);
  ASSERT_EQ(after.model.size(), before.model.size());
  for (const auto& [number, d] : before.model.all()) EXPECT_EQ(after.model.at(number).id, d.id);
  EXPECT_EQ(after.feed("struct Later { long a; };", &store), "");
}

// Version 1 has neither checksums nor stems.
TEST_F(SqliteStoreTest, OfVersion1IsMigrated) {
  fill();
  Fixture before;
  {
    SqliteStore store(path);
    store.read(before.model);
  }
  const std::string old = folder / "old.db";
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(old.c_str(), &db), SQLITE_OK);
  const auto run = [&](const std::string& text) {
    ASSERT_EQ(sqlite3_exec(db, text.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  };
  run("CREATE TABLE definition(number INTEGER PRIMARY KEY, kind INTEGER NOT NULL, container INTEGER NOT NULL, "
      "id TEXT NOT NULL, name TEXT NOT NULL, version TEXT NOT NULL, body BLOB NOT NULL) STRICT");
  run("CREATE TABLE next(number INTEGER NOT NULL) STRICT");
  run("ATTACH '" + path + "' AS new");
  run("INSERT INTO definition SELECT * FROM new.definition");
  run("INSERT INTO next SELECT * FROM new.next");
  for (const auto& [number, d] : before.model.all())
    run("UPDATE definition SET id='" + d.id + "' WHERE number=" + std::to_string(number));
  run("PRAGMA application_id=1667329097; PRAGMA user_version=1");
  sqlite3_close(db);
  Fixture after;
  SqliteStore store(old);
  store.read(after.model);
  ASSERT_EQ(after.model.size(), before.model.size());
  for (const auto& [number, d] : before.model.all()) EXPECT_EQ(after.model.at(number).id, d.id);
}

TEST_F(SqliteStoreTest, IsOneProcessesAtATime) {
  SqliteStore first(path);
  EXPECT_NE(problem(path).find("another process uses this store"), std::string::npos);
}

TEST_F(SqliteStoreTest, OfAnotherVersionIsSaidAndLeftAlone) {
  fill();
  execute(path, "PRAGMA user_version=3");
  const std::string before = bytes_of(path);
  EXPECT_NE(problem(path).find("schema version 3"), std::string::npos);
  EXPECT_EQ(bytes_of(path), before);
}

TEST_F(SqliteStoreTest, OfAnotherProgramIsSaidAndLeftAlone) {
  execute(path, "CREATE TABLE mine(a); INSERT INTO mine VALUES(1)");
  const std::string before = bytes_of(path);
  EXPECT_NE(problem(path).find("no store of callis ifr"), std::string::npos);
  EXPECT_EQ(bytes_of(path), before);
  std::ofstream(folder / "text") << "this is no database, but a text of some length, which is more than a head";
  EXPECT_NE(problem(folder / "text").find("not a database"), std::string::npos);
  EXPECT_NE(problem(folder / "no/such/folder/x.db"), "");
  EXPECT_NE(problem("/"), "");
}

TEST_F(SqliteStoreTest, ThatIsDamagedIsSaid) {
  fill();
  const std::string whole = bytes_of(path);
  for (const char* damage :
       {"DELETE FROM definition WHERE name='Point'", "UPDATE definition SET kind=99 WHERE name='Point'",
        "UPDATE definition SET body=x'00' WHERE name='Point'",
        "UPDATE definition SET container=number WHERE name='Point'",
        "UPDATE definition SET id='IDL:example.org/Kinds/Node:1.0' WHERE name='Point'",
        "UPDATE definition SET number=3 WHERE name='Keyword'", "DELETE FROM stem", "DELETE FROM next",
        "UPDATE next SET number=70"}) {
    execute(path, damage);
    EXPECT_NE(problem(path).find("damaged"), std::string::npos) << damage;
    std::ofstream(path, std::ios::binary | std::ios::trunc) << whole;
  }
  EXPECT_EQ(problem(path), "");
  // Whatever bytes are overwritten: an answer, not a crash.
  for (std::size_t at = 0; at < whole.size(); at += 509) {
    std::string spoiled = whole;
    for (std::size_t i = at; i < std::min(at + 40, spoiled.size()); ++i) spoiled[i] = static_cast<char>(~spoiled[i]);
    std::ofstream(path, std::ios::binary | std::ios::trunc) << spoiled;
    (void)problem(path);
  }
  // Half of a file.
  std::ofstream(path, std::ios::binary | std::ios::trunc) << whole.substr(0, whole.size() / 2);
  EXPECT_NE(problem(path), "");
}

TEST_F(SqliteStoreTest, ThatCannotBeWrittenRefusesTheChange) {
  fill();
  Fixture f;
  SqliteStore store(path);
  store.read(f.model);
  // No room: SQLite's own bound.
  const std::size_t before = f.model.size();
  std::string idl;
  for (int i = 0; i < 3000; ++i) idl += "struct S" + std::to_string(i) + " { long a; };\n";
  store.limit_pages(40);
  EXPECT_EQ(refusal([&] { f.feed(idl, &store); }), "NO_RESOURCES 0");
  EXPECT_EQ(f.model.size(), before);
  store.limit_pages(1'000'000);
  EXPECT_EQ(f.feed("struct Small { long a; };", &store), "");
}

}  // namespace
}  // namespace callis::ifr::testing
