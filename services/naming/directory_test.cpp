// SPDX-License-Identifier: Apache-2.0
// The rules of contexts and bindings, with a store of its own and with one that two instances share.
#include <services/naming/directory.h>
#include <services/naming/testing/cluster.h>
#include <gtest/gtest.h>
#include <atomic>

namespace callis::naming {
namespace {

using Kind = Answer::Kind;
using testing::Cluster;
using testing::Member;

// An instance; a name is given as text.
struct Instance {
  Watching watching;
  Member store;
  Directory directory;

  explicit Instance(Cluster& cluster, bool shared, const Bounds& bounds = {})
      : store(cluster, shared), directory(store, watching, bounds) {}

  template <class F>
  Answer with(const char* text, F&& f) {
    OwnedName name;
    EXPECT_TRUE(parse_name(text, name));
    const auto components = name.components();
    return f(Path(components));
  }
  Answer bind(const char* name, std::string_view reference = "r", bool replace = false, Number from = kRoot) {
    return with(name, [&](Path p) {
      return directory.bind(from, p, {Binding::Kind::Object, reference, 0}, replace);
    });
  }
  Answer bind_context(const char* name, Number context, bool replace = false) {
    return with(name, [&](Path p) { return directory.bind(kRoot, p, {Binding::Kind::Local, {}, context}, replace); });
  }
  Answer bind_foreign(const char* name) {
    return with(name, [&](Path p) { return directory.bind(kRoot, p, {Binding::Kind::Foreign, "f", 0}, false); });
  }
  Answer resolve(const char* name, Number from = kRoot) {
    return with(name, [&](Path p) { return directory.resolve(from, p); });
  }
  Answer unbind(const char* name) {
    return with(name, [&](Path p) { return directory.unbind(kRoot, p); });
  }
  Answer mkdir(const char* name, Number from = kRoot) {
    return with(name, [&](Path p) { return directory.bind_new_context(from, p); });
  }
  std::size_t listed(Number context = kRoot) {
    BindingTable all;
    EXPECT_TRUE(directory.list(context, all));
    return all.size();
  }
};

class DirectoryRules : public ::testing::TestWithParam<bool> {
 protected:
  Cluster cluster;
  Instance one{cluster, GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Stores, DirectoryRules, ::testing::Bool(),
                         [](const auto& given) { return given.param ? "shared" : "own"; });

TEST_P(DirectoryRules, what_is_bound_is_resolved_until_it_is_unbound) {
  EXPECT_EQ(one.bind("a.k", "ref").kind, Kind::Done);
  const Answer found = one.resolve("a.k");
  ASSERT_EQ(found.kind, Kind::Done);
  EXPECT_EQ(found.binding->reference, "ref");
  EXPECT_EQ(one.resolve("a").kind, Kind::NotFound);  // another kind
  EXPECT_EQ(one.unbind("a.k").kind, Kind::Done);
  EXPECT_EQ(one.resolve("a.k").kind, Kind::NotFound);
  EXPECT_EQ(one.unbind("a.k").kind, Kind::NotFound);
  EXPECT_EQ(one.directory.model().bindings(), 0u);
}

TEST_P(DirectoryRules, ids_and_kinds_may_be_empty_and_of_any_bytes) {
  constexpr const char* kNames[] = {".", ".k", "a", "a.k", "\xff\x01 \n.\\/", "a\\.k"};
  for (const char* name : kNames) EXPECT_EQ(one.bind(name, name).kind, Kind::Done);
  for (const char* name : kNames)
    EXPECT_EQ(one.resolve(name).binding->reference, name);
  EXPECT_EQ(one.listed(), 6u);
}

TEST_P(DirectoryRules, bind_refuses_a_name_that_is_bound_and_rebind_replaces_it) {
  ASSERT_EQ(one.bind("a", "1").kind, Kind::Done);
  EXPECT_EQ(one.bind("a", "2").kind, Kind::AlreadyBound);
  EXPECT_EQ(one.bind("a", "3", true).kind, Kind::Done);
  EXPECT_EQ(one.resolve("a").binding->reference, "3");
  EXPECT_EQ(one.bind("b", "1", true).kind, Kind::Done);
  EXPECT_EQ(one.mkdir("a").kind, Kind::AlreadyBound);
}

TEST_P(DirectoryRules, rebind_keeps_objects_and_contexts_apart) {
  const Number context = one.mkdir("c").made;
  ASSERT_EQ(one.bind("o").kind, Kind::Done);
  Answer a = one.bind("c", "r", true);
  EXPECT_EQ(a.kind, Kind::NotFound);
  EXPECT_EQ(a.why, Why::NotObject);
  a = one.bind_context("o", context, true);
  EXPECT_EQ(a.kind, Kind::NotFound);
  EXPECT_EQ(a.why, Why::NotContext);
  EXPECT_EQ(one.bind_context("c", kRoot, true).kind, Kind::Done);
  EXPECT_EQ(one.resolve("c/c/c").binding->number, kRoot);  // a circle
}

TEST_P(DirectoryRules, names_lead_through_contexts_and_say_where_they_end) {
  ASSERT_EQ(one.mkdir("a").kind, Kind::Done);
  ASSERT_EQ(one.mkdir("a/b").kind, Kind::Done);
  ASSERT_EQ(one.bind("a/b/c", "ref").kind, Kind::Done);
  EXPECT_EQ(one.resolve("a/b/c").binding->reference, "ref");
  Answer a = one.resolve("a/x/c");
  EXPECT_EQ(a.kind, Kind::NotFound);
  EXPECT_EQ(a.why, Why::MissingNode);
  EXPECT_EQ(a.at, 1u);
  a = one.resolve("a/b/c/d/e");
  EXPECT_EQ(a.why, Why::NotContext);
  EXPECT_EQ(a.at, 2u);
  a = one.bind("a/b/x/y");
  EXPECT_EQ(a.why, Why::MissingNode);
  EXPECT_EQ(a.at, 2u);
  ASSERT_EQ(one.bind_foreign("a/f").kind, Kind::Done);
  a = one.resolve("a/f/x/y");
  EXPECT_EQ(a.kind, Kind::Foreign);
  EXPECT_EQ(a.at, 2u);
  EXPECT_EQ(one.resolve("a/f").kind, Kind::Done);
}

TEST_P(DirectoryRules, contexts_are_destroyed_when_they_are_empty) {
  const Number made = one.mkdir("a").made;
  ASSERT_EQ(one.bind("a/x").kind, Kind::Done);
  EXPECT_EQ(one.directory.destroy(made).kind, Kind::NotEmpty);
  EXPECT_EQ(one.resolve("a/x").kind, Kind::Done);
  ASSERT_EQ(one.unbind("a/x").kind, Kind::Done);
  EXPECT_EQ(one.directory.destroy(made).kind, Kind::Done);
  EXPECT_EQ(one.directory.destroy(made).kind, Kind::NoContext);
  EXPECT_EQ(one.bind("y", "r", false, made).kind, Kind::NoContext);
  // The binding to it stays, and is none to a context any more.
  EXPECT_EQ(one.resolve("a").kind, Kind::Done);
  const Answer through = one.bind("a/y");
  EXPECT_EQ(through.kind, Kind::NotFound);
  EXPECT_EQ(through.why, Why::NotContext);
  EXPECT_EQ(through.at, 0u);
}

TEST_P(DirectoryRules, contexts_without_a_name_exist) {
  const Number made = one.directory.new_context();
  EXPECT_EQ(one.bind("x", "r", false, made).kind, Kind::Done);
  EXPECT_EQ(one.listed(made), 1u);
  EXPECT_EQ(one.listed(kRoot), 0u);
}

TEST_P(DirectoryRules, another_life_finds_all_that_was_acknowledged) {
  ASSERT_EQ(one.mkdir("a").kind, Kind::Done);
  ASSERT_EQ(one.bind("a/x", "ref").kind, Kind::Done);
  ASSERT_EQ(one.bind("gone").kind, Kind::Done);
  ASSERT_EQ(one.unbind("gone").kind, Kind::Done);
  Instance later(cluster, GetParam());
  EXPECT_EQ(later.directory.identity(), one.directory.identity());
  EXPECT_EQ(later.resolve("a/x").binding->reference, "ref");
  EXPECT_EQ(later.listed(), 1u);
}

TEST_P(DirectoryRules, what_the_store_does_not_take_has_not_happened) {
  ASSERT_EQ(one.bind("a", "1").kind, Kind::Done);
  cluster.fail = true;
  EXPECT_THROW(one.bind("b"), services::StoreFailed);
  EXPECT_THROW(one.bind("a", "2", true), services::StoreFailed);
  cluster.fail = false;
  EXPECT_EQ(one.resolve("a").binding->reference, "1");
  EXPECT_EQ(one.resolve("b").kind, Kind::NotFound);
  EXPECT_EQ(one.bind("b").kind, Kind::Done);
}

TEST_P(DirectoryRules, more_than_may_be_is_refused) {
  Instance small(cluster, GetParam(), {.contexts = 2, .bindings = 3});
  ASSERT_EQ(small.mkdir("c").kind, Kind::Done);
  EXPECT_THROW(small.mkdir("d"), Refused);
  EXPECT_THROW(small.directory.new_context(), Refused);
  ASSERT_EQ(small.bind("x").kind, Kind::Done);
  ASSERT_EQ(small.bind("y").kind, Kind::Done);
  EXPECT_THROW(small.bind("z"), Refused);
  EXPECT_EQ(small.bind("y", "2", true).kind, Kind::Done);
}

// One of many binds of a name succeeds, and a context that is destroyed under them takes none with it.
TEST_P(DirectoryRules, threads_that_want_the_same_do_not_break_rules) {
  const Number made = one.mkdir("c").made;
  std::atomic<int> bound{0}, destroyed{0}, lost{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        bound += one.bind(("n" + std::to_string(i)).c_str()).kind == Kind::Done;
        const std::string mine = "t" + std::to_string(t);
        if (one.bind(mine.c_str(), "r", false, made).kind == Kind::Done) {
          if (one.resolve(mine.c_str(), made).kind != Kind::Done) ++lost;
          one.with(mine.c_str(), [&](Path p) { return one.directory.unbind(made, p); });
        }
        if (t == 0) destroyed += one.directory.destroy(made).kind == Kind::Done;
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(bound, 50);
  EXPECT_LE(destroyed, 1);  // when nothing was bound in it just then
  EXPECT_EQ(one.directory.destroy(made).kind, destroyed == 1 ? Kind::NoContext : Kind::Done);
  EXPECT_EQ(lost, 0);
}

// --- two instances on one store ---

struct TwoInstances : ::testing::Test {
  Cluster cluster;
  Instance a{cluster, true}, b{cluster, true};
};

TEST_F(TwoInstances, see_each_others_changes_though_they_are_told_late) {
  b.store.hold();
  ASSERT_EQ(a.mkdir("c").kind, Kind::Done);
  ASSERT_EQ(a.bind("c/x", "ref").kind, Kind::Done);
  std::thread later([&] { b.store.let_go(); });
  EXPECT_EQ(b.resolve("c/x").kind, Kind::Done);  // waits for what has been acknowledged elsewhere
  later.join();
}

TEST_F(TwoInstances, bind_a_name_once) {
  b.store.hold();
  ASSERT_EQ(a.bind("x", "a").kind, Kind::Done);
  std::thread later([&] { b.store.let_go(); });
  EXPECT_EQ(b.bind("x", "b").kind, Kind::AlreadyBound);
  later.join();
  EXPECT_EQ(b.resolve("x").binding->reference, "a");
}

TEST_F(TwoInstances, do_not_destroy_a_context_that_the_other_has_bound_into) {
  const Number made = a.mkdir("c").made;
  ASSERT_EQ(b.resolve("c").kind, Kind::Done);
  b.store.hold();
  ASSERT_EQ(a.bind("c/x", "ref").kind, Kind::Done);
  std::thread later([&] { b.store.let_go(); });
  EXPECT_EQ(b.directory.destroy(made).kind, Kind::NotEmpty);
  later.join();
  EXPECT_EQ(b.resolve("c/x").kind, Kind::Done);
  EXPECT_EQ(a.bind("c/y").kind, Kind::Done);  // no mark is left
}

TEST_F(TwoInstances, do_not_bind_into_a_context_that_the_other_has_destroyed) {
  const Number made = a.mkdir("c").made;
  ASSERT_EQ(b.resolve("c").kind, Kind::Done);
  b.store.hold();
  ASSERT_EQ(a.directory.destroy(made).kind, Kind::Done);
  std::thread later([&] { b.store.let_go(); });
  EXPECT_EQ(b.bind("x", "r", false, made).kind, Kind::NoContext);
  later.join();
  for (const auto& [key, pair] : cluster.pairs) EXPECT_FALSE(key.starts_with(bindings_prefix(made)));
}

TEST_F(TwoInstances, take_away_the_mark_of_one_that_was_killed) {
  const Number made = a.mkdir("c").made;
  const auto state = a.directory.model().state(made);
  services::Transaction mark;  // as destroy() makes it; then the instance dies
  mark.conditions.push_back({context_key(made), state.changed});
  mark.puts.emplace_back(context_key(made), kClosing);
  ASSERT_TRUE(a.store.commit(mark).applied);
  EXPECT_EQ(b.bind("c/x").kind, Kind::Done);
  EXPECT_EQ(cluster.pairs.at(context_key(made)).value, kOpen);
  EXPECT_EQ(b.directory.destroy(made).kind, Kind::NotEmpty);
}

TEST_F(TwoInstances, read_all_anew_when_changes_were_missed) {
  ASSERT_EQ(a.bind("old").kind, Kind::Done);
  ASSERT_EQ(b.resolve("old").kind, Kind::Done);
  b.store.hold();
  ASSERT_EQ(a.unbind("old").kind, Kind::Done);
  ASSERT_EQ(a.bind("new").kind, Kind::Done);
  b.watching.lost();
  EXPECT_EQ(b.resolve("new").kind, Kind::Done);
  EXPECT_EQ(b.resolve("old").kind, Kind::NotFound);
  b.store.let_go();  // what has been read already changes nothing
  EXPECT_EQ(b.bind("old").kind, Kind::Done);
  EXPECT_EQ(b.listed(), 2u);
}

TEST_F(TwoInstances, give_up_when_the_store_does_not_tell) {
  Instance c(cluster, true, {.patience = std::chrono::milliseconds(50)});
  c.store.hold();
  ASSERT_EQ(a.bind("x").kind, Kind::Done);
  try {
    (void)c.resolve("x");
    ADD_FAILURE() << "resolved";
  } catch (const Refused& refused) {
    EXPECT_EQ(refused.kind, Refused::Kind::Late);
  }
  c.store.let_go();
}

TEST_F(TwoInstances, keep_the_rules_under_load) {
  const Number made = a.mkdir("c").made;
  ASSERT_EQ(b.resolve("c").kind, Kind::Done);
  std::atomic<int> bound{0}, lost{0};
  std::vector<std::thread> threads;
  for (Instance* each : {&a, &b})
    for (int t = 0; t < 2; ++t)
      threads.emplace_back([&, each, t] {
        for (int i = 0; i < 30; ++i) {
          bound += each->bind(("n" + std::to_string(i)).c_str()).kind == Kind::Done;
          const std::string mine = (each == &a ? "a" : "b") + std::to_string(t);
          if (each->bind(mine.c_str(), "r", false, made).kind != Kind::Done) continue;
          Instance* const other = each == &a ? &b : &a;
          if (other->resolve(mine.c_str(), made).kind != Kind::Done) ++lost;
          each->with(mine.c_str(), [&](Path p) { return each->directory.unbind(made, p); });
          if (t == 0) (void)each->directory.destroy(made);
        }
      });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(bound, 30);
  EXPECT_EQ(lost, 0);
}

}  // namespace
}  // namespace callis::naming
