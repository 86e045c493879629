// SPDX-License-Identifier: Apache-2.0
// Every strategy finds every one of its names, and nothing by any other.
#include <gtest/gtest.h>
#include "demultiplexer.h"
#include "names.h"

namespace bench::demux {
namespace {

std::vector<Target> targets(std::size_t n) {
  std::vector<Target> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i].id = i;
  return all;
}

template<class Table>
void finds_its_own_and_refuses_others(const Names& names, const char* strategy) {
  SCOPED_TRACE(strategy);
  auto all = targets(names.size());
  Table table(names, all.data());
  for (std::size_t i = 0; i < names.size(); ++i) ASSERT_EQ(table.find(table.key(i)), &all[i]) << names[i];
  for (const std::string& wrong :
       {std::string(), std::string("nothing"), std::string("get_name_x"), std::string("4294967296"),
        std::string("-1"), std::string(1000, 'a'), names[0].substr(1)})
    EXPECT_EQ(table.find(wrong), nullptr) << wrong;
  const std::string last = table.key(names.size() - 1);
  EXPECT_EQ(table.find(last + 'x'), nullptr);
  EXPECT_EQ(table.find(last.substr(0, last.size() - 1) + '\xff'), nullptr);
}

TEST(DemuxStrategies, find_every_operation_and_no_other) {
  for (const std::size_t n : {1u, 10u, 500u})
    for_each_strategy([n]<class S>() {
      finds_its_own_and_refuses_others<typename S::template Operations<Target>>(operation_names(n), S::kName);
    });
}

TEST(DemuxStrategies, find_every_object_and_no_other) {
  for (const std::size_t n : {1u, 100u, 10000u})
    for_each_strategy([n]<class S>() {
      finds_its_own_and_refuses_others<typename S::template Objects<Target>>(object_names(n), S::kName);
    });
}

TEST(DemuxStrategies, names_are_distinct) {
  for (Names names : {operation_names(500), object_names(10000), idl_operation_names(500)}) {
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  }
}

TEST(DemuxStrategies, find_adapters_at_every_depth) {
  for (const std::size_t depth : {1u, 5u, 50u})
    for_each_strategy([depth]<class S>() {
      SCOPED_TRACE(S::kName);
      std::vector<std::size_t> way, other;
      for (std::size_t i = 0; i < depth; ++i) way.push_back(i % kSiblings), other.push_back(kSiblings - 1);
      Adapter<S> root;
      Adapter<S>* const a = &root.make(way, adapter_names(kSiblings));
      Adapter<S>* const b = &root.make(other, adapter_names(kSiblings));
      EXPECT_EQ(root.find(root.path(way)), a);
      EXPECT_EQ(root.find(root.path(other)), b);
      EXPECT_EQ(root.find(root.path({})), &root);
      std::string wrong = root.path(way);
      wrong.back() ^= '\x40';
      EXPECT_EQ(root.find(wrong), nullptr);
    });
}

TEST(DemuxStrategies, an_active_objects_key_is_stale_once_it_has_ended) {
  auto all = targets(3);
  SlotTable<Target> table(object_names(3), all.data());
  const std::string old = table.key(1);
  table.retire(1);
  EXPECT_EQ(table.find(old), nullptr) << "nobody is there";
  table.activate(1);
  EXPECT_EQ(table.find(old), nullptr) << "a successor is there";
  EXPECT_EQ(table.find(table.key(1)), &all[1]);
  EXPECT_EQ(table.find(table.key(0)), &all[0]);
}

TEST(DemuxStrategies, an_active_operations_key_is_stale_once_it_has_ended) {
  auto all = targets(3);
  ActiveOperations<Target> table(operation_names(3), all.data());
  const std::string old = table.key(2);
  table.retire(2);
  EXPECT_EQ(table.find(old), nullptr);
  table.activate(2);
  EXPECT_EQ(table.find(old), nullptr);
  EXPECT_EQ(table.find(table.key(2)), &all[2]);
}

TEST(Demultiplexer, leads_each_request_to_its_servant_and_method) {
  for (const std::size_t depth : {0u, 3u})
    for_each_strategy([depth]<class S>() {
      SCOPED_TRACE(S::kName);
      Demultiplexer<S> demux({20, 30, std::vector<std::size_t>(depth, 5)});
      for (std::size_t i = 0; i < 30; ++i) {
        const Request r = demux.request(i, i % 20);
        const Found found = demux.find(bytes_of(r.key), r.operation);
        ASSERT_EQ(found.servant, &demux.population().servants[i]);
        ASSERT_EQ(found.method, &demux.population().methods[i % 20]);
      }
    });
}

TEST(Demultiplexer, refuses_what_is_not_there) {
  for_each_strategy([]<class S>() {
    SCOPED_TRACE(S::kName);
    Demultiplexer<S> demux({2, 2, {1, 2}});
    const Request r = demux.request(1, 1);
    EXPECT_EQ(demux.find({}, r.operation).servant, nullptr);
    for (std::size_t n = 0; n < r.key.size(); ++n) {
      const Found found = demux.find(bytes_of(r.key.substr(0, n)), r.operation);
      EXPECT_TRUE(!found.servant || !found.method) << n;
    }
    if constexpr (!std::is_same_v<S, Active>) {  // which does not look at the name
      EXPECT_EQ(demux.find(bytes_of(r.key), "op_777").method, nullptr);
      EXPECT_NE(demux.find(bytes_of(r.key), "op_777").servant, nullptr);
    } else {
      demux.objects().retire(1);
      EXPECT_EQ(demux.find(bytes_of(r.key), r.operation).servant, nullptr);
    }
  });
}

}  // namespace
}  // namespace bench::demux
