// SPDX-License-Identifier: Apache-2.0
// Operations by name, in each of the ways of demultiplexing.
#include <callis/base/perfect_hash_builder.h>
#include <callis/poa/dispatch/operation_lookup.h>
#include <callis/poa/testing/probe.h>
#include <gtest/gtest.h>
#include <random>
#include <thread>

namespace callis::poa::testing {
namespace {

using orb::OperationLookup;
constexpr OperationLookup kWays[] = {OperationLookup::Perfect, OperationLookup::Binary, OperationLookup::Hash,
                                     OperationLookup::Linear};

TEST(OperationLookup, EveryWayFindsEveryOperationAndNothingElse) {
  const PortableServer::Servant_var<Probe> probe(new Probe);
  const Skeleton& skeleton = probe->_callis_skeleton();
  for (const OperationLookup way : kWays) {
    for (const char* name : {"ping", "add", "greet", "tick", "act", "sum", "twice", "check"}) {
      const SkeletonOperation* op = find_operation(skeleton, name, way);
      ASSERT_TRUE(op) << name;
      const marshal::OperationView view(*skeleton.unit, op->op);
      EXPECT_EQ(std::string_view(view.name(), view.name_length()), name);
    }
    for (const char* name : {"", "pin", "pingg", "zzz", "aaa", "_is_a"})
      EXPECT_FALSE(find_operation(skeleton, name, way)) << name;
    std::mt19937 random(1);
    for (int i = 0; i < 1000; ++i) {
      std::string name(random() % 6, ' ');
      for (char& c : name) c = static_cast<char>(random());
      EXPECT_FALSE(find_operation(skeleton, name, way));
    }
  }
}

// The tables of an interface whose operations have names of 1 to 40 characters, with the names' places beside the
// operations or only in the entries.
class Lengths {
 public:
  explicit Lengths(bool beside) {
    for (std::size_t length = 1; length <= 40; ++length) {
      std::string name;
      for (std::size_t i = 0; i < length; ++i) name += static_cast<char>('a' + (length * 7 + i) % 26);
      names.push_back(name);
    }
    EXPECT_TRUE(build_perfect_hash(names, hash_));
    for (const std::uint16_t i : hash_.order) {
      const std::string& name = names[i];
      places_.resize(names.size());
      places_[i] = operations_.size();
      const auto offset = static_cast<marshal::Word>(text_.size()), length = static_cast<marshal::Word>(name.size());
      const auto entry = static_cast<marshal::Word>(words_.size());
      operations_.emplace_back(&thunk, entry, beside ? name_word(offset, length) : kNameInEntry);
      words_.insert(words_.end(), {marshal::op_word(0, 0), offset, length, marshal::type_word(marshal::Kind::Void)});
      text_ += name + '\0';
    }
    unit_ = {words_.data(), text_.data(), nullptr, &cell_};
    skeleton = {kIds, &unit_, operations_.data(), hash_.view(), nullptr, nullptr};
  }
  std::vector<std::string> names;
  Skeleton skeleton{kIds, nullptr, nullptr, {}, nullptr, nullptr};
  const SkeletonOperation* operation(std::size_t i) const { return &operations_[places_[i]]; }

 private:
  static void thunk(void*, void*) {}
  static constexpr const char* kIds[] = {"IDL:Lengths:1.0", nullptr};
  PerfectHashTables hash_;
  std::vector<marshal::Word> words_;
  std::string text_;
  marshal::PlanCell cell_;
  marshal::Unit unit_{};
  std::vector<SkeletonOperation> operations_;
  std::vector<std::size_t> places_;  // of each name
};

TEST(OperationLookup, NamesOfTheSameHashAndLengthAreTold) {
  for (const bool beside : {true, false}) {
    Lengths lengths(beside);
    // Each operation is the one that is looked for, in turn.
    for (std::size_t n = 0; n < lengths.names.size(); ++n) {
      const std::string& name = lengths.names[n];
      EXPECT_EQ(find_operation(lengths.skeleton, name), lengths.operation(n)) << name;
      Skeleton one = lengths.skeleton;
      const auto only = static_cast<std::uint16_t>(lengths.operation(n) - lengths.skeleton.operations);
      one.hash = PerfectHash(0, 0, &only, lengths.skeleton.hash.count, 0, 0, false);
      EXPECT_EQ(find_operation(one, name), lengths.operation(n)) << name;
      for (std::size_t i = 0; i < name.size(); ++i) {
        std::string other = name;
        other[i] = static_cast<char>(other[i] ^ 0x80);
        EXPECT_FALSE(find_operation(one, other)) << name << ' ' << i;
        EXPECT_FALSE(find_operation(one, std::string_view(name).substr(0, i))) << name << ' ' << i;
      }
      EXPECT_FALSE(find_operation(one, name + 'x')) << name;
      for (const std::size_t length : {std::size_t{255}, std::size_t{256} + name.size(), std::size_t{0xffff}})
        EXPECT_FALSE(find_operation(one, name + std::string(length - name.size(), 'x'))) << name << ' ' << length;
    }
  }
}

TEST(OperationLookup, AThreadFindsTheOperationsOfSeveralSkeletonsInTurn) {
  const Lengths a(true), b(true), c(false);
  for (std::size_t n = 0; n < a.names.size(); ++n)
    for (const Lengths* l : {&a, &b, &b, &c, &a})
      EXPECT_EQ(find_operation(l->skeleton, l->names[n]), l->operation(n)) << n;
}

TEST(OperationLookup, ThreadsMayBeTheFirstTogether) {
  const PortableServer::Servant_var<Probe> probe(new Probe);
  Skeleton copy = probe->_callis_skeleton();  // another address: not known yet
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] { EXPECT_TRUE(find_operation(copy, "greet", OperationLookup::Binary)); });
  for (auto& t : threads) t.join();
}

}  // namespace
}  // namespace callis::poa::testing
