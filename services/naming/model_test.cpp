// SPDX-License-Identifier: Apache-2.0
// The model: how the store's keys and values are read, whatever stands in them.
#include <services/naming/model.h>
#include <gtest/gtest.h>

namespace callis::naming {
namespace {

using services::Change;
using services::Pair;

Model& with_root(Model& model) {
  const Change root{context_key(kRoot), std::string(kOpen), 1};
  model.apply({&root, 1});
  return model;
}
const Component kA{"a", ""};

TEST(Model, takes_a_context_and_what_is_in_it_in_any_order) {
  Model model;
  const Change all[] = {{binding_key(7, kA), object_value("r"), 3},
                        {context_key(7), std::string(kOpen), 3},
                        {binding_key(kRoot, kA), local_value(7), 3}};
  with_root(model).apply(all);
  const Component path[] = {kA, kA};
  const Walk walk = model.walk(kRoot, path);
  ASSERT_EQ(walk.kind, Walk::Kind::Here);
  EXPECT_EQ(walk.context, 7u);
  EXPECT_EQ(walk.context_changed, 3u);
  EXPECT_EQ(walk.binding->reference, "r");
  EXPECT_EQ(model.bindings(), 2u);
  EXPECT_EQ(model.contexts(), 2u);
}

TEST(Model, passes_over_what_is_none_of_its_keys_and_values) {
  Model model;
  with_root(model);
  const std::string good = binding_key(kRoot, kA);
  std::vector<Change> bad{{"x", "y", 2},
                          {"c/xyz", "open", 2},
                          {good.substr(0, good.size() - 1), object_value("r"), 2},  // no NUL
                          {"n/0000000000000000", "or", 2},
                          {good, "", 2},
                          {good, "?", 2},
                          {good, "l12", 2},
                          {binding_key(99, kA), object_value("r"), 2}};  // of no context
  model.apply(bad);
  EXPECT_EQ(model.bindings(), 0u);
  EXPECT_EQ(model.contexts(), 1u);
  for (Change& c : bad) c.value.reset();
  model.apply(bad);
  EXPECT_EQ(model.contexts(), 1u);
}

TEST(Model, counts_what_goes_with_a_context) {
  Model model;
  const Change in[] = {{binding_key(kRoot, kA), object_value("r"), 2}};
  with_root(model).apply(in);
  EXPECT_EQ(model.bindings(), 1u);
  model.apply(in);
  EXPECT_EQ(model.bindings(), 1u);
  const Change out[] = {{context_key(kRoot), std::nullopt, 3}};
  model.apply(out);
  EXPECT_EQ(model.bindings(), 0u);
  EXPECT_EQ(model.walk(kRoot, {&kA, 1}).kind, Walk::Kind::NoContext);
}

TEST(Model, is_replaced_whole) {
  Model model;
  const Change in[] = {{binding_key(kRoot, kA), object_value("old"), 2}};
  with_root(model).apply(in);
  std::vector<Pair> pairs{{binding_key(kRoot, {"b", ""}), object_value("new"), 9}, {context_key(kRoot), "open", 1}};
  model.replace(std::move(pairs));
  BindingTable all;
  ASSERT_TRUE(model.list(kRoot, all));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all.any()->component().id, "b");
  EXPECT_EQ(all.any()->changed, 9u);
}

TEST(Model, keeps_a_binding_for_who_has_it) {
  Model model;
  const Change in[] = {{binding_key(kRoot, kA), object_value("old"), 2}};
  with_root(model).apply(in);
  const BindingPtr had = model.walk(kRoot, {&kA, 1}).binding;
  const Change out[] = {{binding_key(kRoot, kA), std::nullopt, 3}};
  model.apply(out);
  EXPECT_EQ(had->reference, "old");
}

}  // namespace
}  // namespace callis::naming
