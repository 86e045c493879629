// SPDX-License-Identifier: Apache-2.0
// The table of a context's bindings, and snapshots of it.
#include <services/naming/binding_table.h>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <thread>

namespace callis::naming {
namespace {

std::shared_ptr<Binding> binding(const std::string& id, const std::string& kind, const std::string& reference) {
  auto out = std::make_shared<Binding>();
  out->id_bytes = static_cast<std::uint32_t>(id.size());
  out->name = id + '\0' + kind;
  out->reference = reference;
  return out;
}

std::map<std::string, std::string> all_of(const BindingTable& table) {
  std::map<std::string, std::string> out;
  for (BindingTable::Cursor each(table); each.at(); each.next()) {
    EXPECT_EQ(each.left(), table.size() - out.size());
    EXPECT_TRUE(out.emplace(each.at()->name, each.at()->reference).second) << "twice";
  }
  EXPECT_EQ(out.size(), table.size());
  return out;
}

TEST(BindingTable, has_what_a_map_has_after_the_same_changes) {
  BindingTable table;
  std::map<std::string, std::string> map;
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::string id = std::to_string(random() % 3'000), kind = random() % 2 ? "k" : "";
    const std::string name = id + '\0' + kind;
    if (random() % 3 != 0) {
      const BindingPtr before = table.put(binding(id, kind, std::to_string(i)));
      const auto found = map.find(name);
      EXPECT_EQ(before != nullptr, found != map.end());
      EXPECT_EQ(before ? before->reference : "", found != map.end() ? found->second : "");
      map[name] = std::to_string(i);
    } else {
      EXPECT_EQ(table.erase({id, kind}) != nullptr, map.erase(name) == 1);
    }
  }
  EXPECT_EQ(all_of(table), map);
  for (const auto& [name, reference] : map) {
    const std::size_t nul = name.find('\0');
    const BindingPtr* const found =
        table.find({std::string_view(name).substr(0, nul), std::string_view(name).substr(nul + 1)});
    ASSERT_NE(found, nullptr);
    EXPECT_EQ((*found)->reference, reference);
  }
  for (const auto& [name, reference] : map) {
    const std::size_t nul = name.find('\0');
    EXPECT_NE(table.erase({std::string_view(name).substr(0, nul), std::string_view(name).substr(nul + 1)}), nullptr);
  }
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.any(), nullptr);
}

TEST(BindingTable, is_gone_through_from_its_first_binding_to_its_last) {
  BindingTable table;
  EXPECT_EQ(BindingTable::Cursor(table).at(), nullptr);
  EXPECT_EQ(BindingTable::Cursor().at(), nullptr);
  table.put(binding("a", "", "1"));
  BindingTable::Cursor one(table);
  EXPECT_EQ(one.at()->reference, "1");
  one.next();
  EXPECT_EQ(one.at(), nullptr);
  EXPECT_EQ(one.left(), 0u);
}

TEST(Snapshots, stay_as_they_are_while_the_table_changes) {
  BindingTable table;
  for (int i = 0; i < 1'000; ++i) table.put(binding(std::to_string(i), "", "old"));
  const BindingTable before = table;
  const auto all = all_of(before);
  for (int i = 0; i < 500; ++i) table.put(binding(std::to_string(i), "", "new"));
  for (int i = 500; i < 900; ++i) table.erase({std::to_string(i), ""});
  for (int i = 1'000; i < 2'000; ++i) table.put(binding(std::to_string(i), "", "more"));
  EXPECT_EQ(all_of(before), all);
  EXPECT_EQ(table.size(), 1'600u);
  EXPECT_EQ((*table.find({"0", ""}))->reference, "new");
  EXPECT_EQ((*before.find({"0", ""}))->reference, "old");
}

// The probe: whoever copies a binding's pointer counts at it.
TEST(Snapshots, of_many_bindings_cost_no_more_than_of_one) {
  BindingTable table;
  std::vector<std::shared_ptr<Binding>> all;
  for (int i = 0; i < 10'000; ++i) table.put(all.emplace_back(binding(std::to_string(i), "", "")));
  const BindingTable snapshot = table;
  BindingTable::Cursor half(table);
  for (int i = 0; i < 5'000; ++i) half.next();
  for (const auto& b : all) ASSERT_EQ(b.use_count(), 2) << "the table's and this test's";
  table.put(binding("more", "", ""));
  std::size_t copied = 0;
  for (const auto& b : all) copied += b.use_count() > 2;
  EXPECT_LE(copied, 13u) << "one leaf";
}

TEST(Snapshots, are_used_by_other_threads_while_the_table_changes) {
  BindingTable table;
  for (int i = 0; i < 2'000; ++i) table.put(binding(std::to_string(i), "", "old"));
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([snapshot = table]() mutable {
      for (int n = 0; n < 20; ++n) {
        std::size_t old = 0;
        for (BindingTable::Cursor each(snapshot); each.at(); each.next()) old += each.at()->reference == "old";
        EXPECT_EQ(old, 2'000u);
      }
      snapshot = {};
    });
  for (int i = 0; i < 2'000; ++i) table.put(binding(std::to_string(i), "", "new"));
  for (std::thread& t : threads) t.join();
  for (int i = 0; i < 2'000; ++i) table.erase({std::to_string(i), ""});
  EXPECT_TRUE(table.empty());
}

}  // namespace
}  // namespace callis::naming
