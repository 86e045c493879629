// SPDX-License-Identifier: Apache-2.0
// What clients make a naming service keep, and whom they make it wait for: memory, contexts without a name, calls to
// other services.
#include <services/naming/orphans.h>
#include <services/naming/testing/serving.h>
#include <gtest/gtest.h>
#include <thread>

namespace callis::naming {
namespace {

using namespace std::chrono_literals;
using services::Change;
using services::MemoryBound;
using services::OperationTime;
using testing::Cluster;
using testing::Member;
using testing::name_of;
using testing::Serving;

constexpr Component kOne{"a", ""}, kOther{"b", ""};
const Model::Time kNow = Model::Time::max();

// --- memory ---

TEST(NamingMemory, is_counted_as_long_as_anybody_has_the_binding) {
  MemoryBound bound({.all = 1u << 20, .each = 1u << 20});
  Model model(&bound);
  const Change root{context_key(kRoot), std::string(kOpen), 1};
  model.apply({&root, 1});
  const std::size_t before = bound.held();
  EXPECT_GT(before, 0u) << "what the store has counts, too";
  Model::Holds holds;
  holds.binding = model.take_binding(kOne, 1'000);
  EXPECT_GE(bound.held(), before + 1'000);
  const Change in{binding_key(kRoot, kOne), object_value(std::string(1'000, 'r')), 2};
  model.apply({&in, 1}, std::move(holds));
  EXPECT_GE(bound.held(), before + 1'000);
  EXPECT_LT(bound.held(), before + 2'000) << "it is counted once";
  BindingTable snapshot;
  ASSERT_TRUE(model.list(kRoot, snapshot));
  const Change out{binding_key(kRoot, kOne), std::nullopt, 3};
  model.apply({&out, 1});
  EXPECT_GE(bound.held(), before + 1'000) << "an iterator has it";
  snapshot = {};
  EXPECT_EQ(bound.held(), before);
  EXPECT_THROW((void)model.take_binding(kOne, 2u << 20), CORBA::NO_RESOURCES);
}

TEST(NamingMemory, counts_twice_what_a_store_in_memory_has_once_more) {
  MemoryBound bound({.all = 1u << 20, .each = 1u << 20});
  EXPECT_GE(Model(&bound, true).take_binding(kOne, 1'000).bytes(), 2'000u);
}

TEST(NamingMemory, of_a_binding_that_a_shared_store_has_told_becomes_its_clients) {
  MemoryBound bound({.all = 1u << 20, .each = 1u << 20});
  Model model(&bound);
  const Change root{context_key(kRoot), std::string(kOpen), 1};
  const Change all[] = {{context_key(7), std::string(kOpen), 2}, {binding_key(kRoot, kOne), local_value(7), 2}};
  model.apply({&root, 1});
  Model::Holds holds{bound.take_for("x", 50), bound.take_for("x", 50), 7};
  model.apply(all);
  model.charge(all[1].key, 2, std::move(holds));
  EXPECT_EQ(bound.clients(), 2u) << "x, and nobody with the root";
  const auto x = bound.take_for("x", 0);
  EXPECT_EQ(model.orphans_of(x), 0u);
  const Change unbound{all[1].key, std::nullopt, 3};
  model.apply({&unbound, 1});
  EXPECT_EQ(model.orphans_of(x), 1u);
  EXPECT_EQ(model.orphans_of({}), 0u);
}

TEST(NamingMemory, that_is_used_up_refuses_binds_and_serves_all_else) {
  MemoryBound bound({.all = 1u << 20, .each = 1u << 20});
  ServiceOptions options;
  options.memory = &bound;
  Serving s(options);
  ior::Ior large{"IDL:x:1.0", {}};
  for (int i = 0; i < 4; ++i) large.profiles.push_back({7777, ior::Bytes(60'000, 1)});
  const CORBA::Object_var object = s.client->string_to_object(ior::to_text(large).c_str());
  int bound_names = 0;
  try {
    for (; bound_names < 100; ++bound_names)
      s.root->bind(name_of("n" + std::to_string(bound_names)), object.in());
    ADD_FAILURE() << "all were bound";
  } catch (const CORBA::NO_RESOURCES& e) {
    EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
  }
  EXPECT_EQ(bound_names, 4);
  EXPECT_NO_THROW(CORBA::Object_var(s.root->resolve(name_of("n0"))));
  s.root->bind(name_of("small"), s.object().in());
  CosNaming::BindingList_var list;
  CosNaming::BindingIterator_var rest;
  s.root->list(0, list.out(), rest.out());
  EXPECT_FALSE(CORBA::is_nil(rest.in()));
  rest->destroy();
  s.root->unbind(name_of("n1"));
  EXPECT_NO_THROW(s.root->bind(name_of("n1"), object.in()));
}

// --- contexts that no name leads to ---

struct Named {
  Cluster cluster;
  Watching watching;
  Member store{cluster, false};
  OperationTime time{10min};

  std::size_t orphans_of(Directory& directory) { return find_orphans(directory.model(), 0, kNow, false, time).all; }
  static Answer bind(Directory& directory, Number in, const Component& name, Number to) {
    return directory.bind(in, {&name, 1}, {Binding::Kind::Local, {}, to}, false);
  }
};

TEST(Orphans, are_what_no_name_leads_to) {
  Named n;
  Directory directory(n.store, n.watching);
  EXPECT_EQ(n.orphans_of(directory), 0u);
  const Number one = directory.new_context();
  const auto found = find_orphans(directory.model(), 10, kNow, false, n.time);
  ASSERT_EQ(found.some.size(), 1u);
  EXPECT_EQ(found.some[0].number, one);
  EXPECT_EQ(find_orphans(directory.model(), 10, found.some[0].since - 1s, false, n.time).all, 0u) << "too young";
  Named::bind(directory, kRoot, kOne, one);
  const Number below = directory.bind_new_context(one, {&kOther, 1}).made;
  EXPECT_NE(below, kRoot);
  EXPECT_EQ(n.orphans_of(directory), 0u);
  EXPECT_EQ(directory.unbind(kRoot, {&kOne, 1}).kind, Answer::Kind::Done);
  EXPECT_EQ(n.orphans_of(directory), 2u) << "with what is bound in it alone";
  Directory again(n.store, n.watching);
  EXPECT_EQ(n.orphans_of(again), 2u) << "a restart knows them";
  EXPECT_EQ(again.model().orphans(), 1u) << "a binding leads to the other";
}

TEST(Orphans, in_a_circle_are_orphans_and_can_be_removed) {
  Named n;
  Directory directory(n.store, n.watching);
  const Number one = directory.new_context(), other = directory.new_context(), self = directory.new_context(),
               empty = directory.new_context();
  Named::bind(directory, one, kOne, other);
  Named::bind(directory, other, kOther, one);
  Named::bind(directory, self, kOne, self);
  EXPECT_EQ(n.orphans_of(directory), 4u);
  EXPECT_EQ(remove_orphans(directory, 10, kNow, false, n.time), 1u);
  EXPECT_EQ(directory.model().state(empty).changed, 0u);
  EXPECT_EQ(remove_orphans(directory, 10, kNow, false, n.time), 0u) << "others have bindings";
  EXPECT_EQ(remove_orphans(directory, 2, kNow, true, n.time), 2u);
  EXPECT_EQ(remove_orphans(directory, 10, kNow, true, n.time), 1u);
  EXPECT_EQ(directory.model().contexts(), 1u);
  EXPECT_EQ(directory.model().bindings(), 0u);
  EXPECT_EQ(n.cluster.pairs.size(), 2u) << "the identity and the root";
}

TEST(Orphans, of_one_client_are_bounded_but_contexts_with_names_are_not) {
  Named n;
  Directory directory(n.store, n.watching, {.orphans = 3});
  Number last = kRoot;
  for (int i = 0; i < 3; ++i) last = directory.new_context();
  EXPECT_THROW((void)directory.new_context(), Refused);
  EXPECT_EQ(Named::bind(directory, kRoot, kOne, last).kind, Answer::Kind::Done);
  EXPECT_NO_THROW((void)directory.new_context());
  EXPECT_THROW((void)directory.new_context(), Refused);
  int made = 0;
  try {
    for (; made < 10; ++made) {
      EXPECT_EQ(directory.bind_new_context(kRoot, {&kOther, 1}).kind, Answer::Kind::Done);
      EXPECT_EQ(directory.unbind(kRoot, {&kOther, 1}).kind, Answer::Kind::Done);
    }
    ADD_FAILURE() << "unbound contexts are orphans, too";
  } catch (const Refused&) {
    EXPECT_EQ(made, 3);
  }
  EXPECT_EQ(remove_orphans(directory, 4, kNow, false, n.time), 4u);
  EXPECT_NO_THROW((void)directory.new_context());
}

TEST(Orphans, that_are_bound_while_they_are_searched_are_none) {
  Named n;
  Directory directory(n.store, n.watching);
  const Number one = directory.new_context();
  BindingTable table;
  Model::Search search(directory.model());
  EXPECT_TRUE(search.reach(kRoot, table));
  EXPECT_FALSE(search.reach(kRoot, table));
  EXPECT_FALSE(search.reach(99, table));
  EXPECT_THROW(Model::Search(directory.model()), CORBA::TRANSIENT) << "nobody waits for a search";
  Named::bind(directory, kRoot, kOne, one);
  const Number meanwhile = directory.new_context();
  const std::vector<Number> bound = search.bound_meanwhile();
  ASSERT_EQ(bound.size(), 1u);
  EXPECT_TRUE(search.reach(bound[0], table));
  std::size_t unreached = 0;
  for (std::size_t part = 0; part < Model::kParts; ++part)
    search.unreached(part, [&](const Model::Search::Found&) { ++unreached; });
  EXPECT_EQ(unreached, 0u) << meanwhile;
  EXPECT_TRUE(search.holds());
  n.watching.lost();
  EXPECT_TRUE(search.holds()) << "its store is not shared";
}

// Bindings, contexts and unbound contexts come and go meanwhile; ThreadSanitizer sees this, too.
TEST(Orphans, are_removed_while_others_list_and_change_names) {
  for (const bool shared : {false, true}) {
    Cluster cluster;
    Watching watching;
    Member store(cluster, shared);
    MemoryBound bound;
    Directory directory(store, watching, {}, &bound);
    std::atomic<bool> end{false};
    std::thread lists([&] {
      while (!end) {
        BindingTable table;
        directory.list(kRoot, table);
        std::size_t n = 0;
        for (BindingTable::Cursor each(table); each.at(); each.next()) n += each.at()->is_context() || true;
        EXPECT_EQ(n, table.size());
      }
    });
    std::thread removes([&] {
      while (!end) {
        OperationTime time(1min);
        remove_orphans(directory, 10, kNow, true, time);
      }
    });
    for (int i = 0; i < 300; ++i) {
      const std::string id = std::to_string(i % 50), context = "c" + id;
      const Component name[] = {{id, ""}}, named[] = {{context, ""}};
      EXPECT_EQ(directory.bind(kRoot, name, {Binding::Kind::Object, "r", 0}, true).kind, Answer::Kind::Done);
      if (i % 10 != 0) continue;
      EXPECT_EQ(directory.bind_new_context(kRoot, named).kind, Answer::Kind::Done);
      EXPECT_EQ(directory.unbind(kRoot, named).kind, Answer::Kind::Done);
    }
    end = true;
    lists.join();
    removes.join();
    OperationTime time(1min);
    while (remove_orphans(directory, 10, kNow, true, time) != 0) {
    }
    EXPECT_EQ(directory.model().contexts(), 1u);
    EXPECT_EQ(directory.model().orphans(), 0u);
    EXPECT_EQ(directory.model().bindings(), 50u);
  }
}

TEST(Orphans, are_told_to_the_operator_and_removed_for_him) {
  Serving s;
  const auto administration = [&](Serving& of) {
    const auto parsed = ior::parse_reference(of.ior);
    const ior::Ior& read = std::get<ior::Ior>(parsed);
    const ior::Address at = ior::parse_iiop(read.profiles.at(0).data).value().address;
    const CORBA::Object_var object = of.client->string_to_object(
        ("corbaloc::127.0.0.1:" + std::to_string(at.port) + "/" + Administration::kKey).c_str());
    return CallisNaming::Administration::_narrow(object.in());
  };
  const CallisNaming::Administration_var operates = administration(s);
  ASSERT_FALSE(CORBA::is_nil(operates.in()));
  for (int i = 0; i < 5; ++i) CosNaming::NamingContext_var(s.root->new_context());
  CORBA::ULongLong all = 0;
  CallisNaming::OrphanList_var some = operates->orphans(2, all);
  EXPECT_EQ(all, 5u);
  ASSERT_EQ(some->length(), 2u);
  EXPECT_EQ(some[0].bindings, 0u);
  EXPECT_LT(some[0].age_s, 1'000u);
  some[0].reference->bind(name_of("x"), s.object().in());
  EXPECT_EQ(operates->remove_orphans(100'000, true), 0u) << "none is so old";
  EXPECT_EQ(operates->remove_orphans(~0ull, true), 0u);
  EXPECT_EQ(operates->remove_orphans(0, false), 4u);
  EXPECT_EQ(operates->remove_orphans(0, true), 1u);
  EXPECT_THROW(some[0].reference->resolve(name_of("x")), CORBA::OBJECT_NOT_EXIST);
  ServiceOptions options;
  options.readonly = true;
  Serving readonly(options);
  EXPECT_THROW(CallisNaming::Administration_var(administration(readonly))->remove_orphans(0, true),
               CORBA::NO_PERMISSION);
}

// --- calls to other services ---

struct FederationTurns : ::testing::Test {
  using Turn = Federation::Turn;
  MemoryBound bound;
  Federation federation{5s, &bound};
  const OperationTime none{0s};  // waits for no turn
  std::vector<std::unique_ptr<Turn>> turns;

  bool begin(const std::string& server, const std::string& client) {
    turns.push_back(std::make_unique<Turn>(federation, server, none, bound.take_for(client, 0)));
    return bool(*turns.back());
  }
};

TEST_F(FederationTurns, of_a_server_that_hangs_are_not_those_of_others) {
  for (std::size_t i = 0; i < Federation::kMostToOne; ++i) ASSERT_TRUE(begin("hangs:1", "x" + std::to_string(i)));
  EXPECT_FALSE(begin("hangs:1", "y"));
  EXPECT_TRUE(begin("good:1", "y"));
  turns.erase(turns.begin());
  EXPECT_TRUE(begin("hangs:1", "y"));
}

TEST_F(FederationTurns, of_a_client_with_many_servers_are_not_those_of_others) {
  for (std::size_t i = 0; i < Federation::kMostForOne; ++i) ASSERT_TRUE(begin("s:" + std::to_string(i), "x"));
  EXPECT_FALSE(begin("other:1", "x"));
  EXPECT_TRUE(begin("other:1", "y"));
  EXPECT_TRUE(begin("other:1", "")) << "nobody has no bound of his own";
  turns.clear();
  EXPECT_TRUE(begin("other:1", "x"));
  EXPECT_EQ(bound.clients(), 1u);
}

TEST_F(FederationTurns, are_bounded_in_all) {
  for (std::size_t i = 0; i < Federation::kMostAtOnce; ++i)
    ASSERT_TRUE(begin("s:" + std::to_string(i / 10), "x" + std::to_string(i / 10)));
  EXPECT_FALSE(begin("other:1", "y"));
}

TEST_F(FederationTurns, go_by_the_address_in_a_reference) {
  const CORBA::ORB_var orb = testing::new_orb({}, "federation-turns");
  const auto server = [&](const char* url) {
    const CORBA::Object_var object = orb->string_to_object(url);
    return Federation::server_of(object.in());
  };
  EXPECT_EQ(server("corbaloc::a.example:1/x"), server("corbaloc::a.example:1/y"));
  EXPECT_NE(server("corbaloc::a.example:1/x"), server("corbaloc::a.example:2/x"));
  EXPECT_EQ(server("corbaloc:uiop:1.2@/a/socket|x"), server("corbaloc:uiop:1.2@/a/socket|y"));
  EXPECT_NE(server("corbaloc:uiop:1.2@/a/socket|x"), server("corbaloc:uiop:1.2@/another|x"));
  EXPECT_EQ(Federation::server_of(nullptr), "");
  orb->destroy();
}

}  // namespace
}  // namespace callis::naming
