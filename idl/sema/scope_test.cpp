// SPDX-License-Identifier: Apache-2.0
// Names in scopes with bases: what is found, and how many steps it takes.
#include <idl/sema/scope.h>
#include <idl/source/limits.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <random>
#include <unordered_set>

namespace callis::idl::sema {
namespace {

class Scopes : public testing::Test {
 protected:
  Scope& make(const std::vector<std::string>& names, const std::vector<const Scope*>& bases = {}) {
    Scope& scope = all_.emplace_back(ScopeKind::Interface, nullptr, nullptr, lookups_);
    for (const std::string& name : names) {
      scope.add({name, {}, nullptr});
    }
    for (const Scope* base : bases) {
      scope.add_base(*base);
    }
    return scope;
  }
  // `n` scopes, each with the names prefix0, prefix1, ... and shared ones.
  std::vector<const Scope*> many(int n, const std::vector<std::string>& shared = {}) {
    std::vector<const Scope*> out;
    for (int i = 0; i < n; ++i) {
      std::vector<std::string> names = shared;
      names.push_back("own" + std::to_string(i));
      out.push_back(&make(names));
    }
    return out;
  }

  Lookups lookups_;
  std::deque<Scope> all_;
};

// What find() promises, without an index.
void find_plainly(const Scope& in, const std::string& name, std::unordered_set<const Scope*>& visited,
                  std::vector<const Entry*>& out) {
  if (!visited.insert(&in).second) {
    return;
  }
  if (const Entry* own = in.find_own(name)) {
    out.push_back(own);
    return;
  }
  for (const Scope* base : in.bases()) {
    find_plainly(*base, name, visited, out);
  }
}
std::vector<const Entry*> find_plainly(const Scope& in, const std::string& name) {
  std::unordered_set<const Scope*> visited;
  std::vector<const Entry*> out;
  find_plainly(in, name, visited, out);
  return out;
}

constexpr int kMany = 10'000;

TEST_F(Scopes, NamesOfTenThousandBasesAreFoundInFewStepsEach) {
  const auto bases = many(kMany);
  const Scope& derived = make({}, bases);
  for (int i = 0; i < kMany; ++i) {
    const auto found = derived.find("OWN" + std::to_string(i));
    ASSERT_EQ(found.size(), 1u);
    ASSERT_EQ(found.front(), bases[static_cast<std::size_t>(i)]->find_own("own" + std::to_string(i)));
    ASSERT_TRUE(derived.find("other" + std::to_string(i)).empty());
  }
  EXPECT_LT(lookups_.steps(), 40u * kMany);
}

TEST_F(Scopes, ANameThatAllBasesHaveIsAmbiguousAmongAll) {
  const auto bases = many(kMany, {"shared"});
  const Scope& derived = make({}, bases);
  for (int i = 0; i < 10; ++i) {
    const auto found = derived.find("shared");
    ASSERT_EQ(found.size(), bases.size());
    for (std::size_t k = 0; k < bases.size(); ++k) {
      ASSERT_EQ(found[k], bases[k]->find_own("shared"));
    }
  }
}

TEST_F(Scopes, NamesThatTwoOfManyBasesHaveAreFoundInFewStepsEach) {
  std::vector<const Scope*> bases;
  for (int i = 0; i < kMany; ++i) {
    bases.push_back(&make({"pair" + std::to_string(i / 2)}));
  }
  const Scope& derived = make({}, bases);
  for (int i = 0; i < kMany / 2; ++i) {
    ASSERT_EQ(derived.find("pair" + std::to_string(i)).size(), 2u);
  }
  EXPECT_LT(lookups_.steps(), 40u * kMany);
}

TEST_F(Scopes, NamesAtTheEndOfAChainAreFoundInFewStepsEach) {
  const Scope* last = &make({"first"});
  for (int i = 0; i < 500; ++i) {
    last = &make({"level" + std::to_string(i)}, {last});
  }
  for (int i = 0; i < kMany; ++i) {
    ASSERT_EQ(last->find("first").size(), 1u);
    ASSERT_EQ(last->find("level" + std::to_string(i % 500)).size(), 1u);
    ASSERT_TRUE(last->find("none").empty());
  }
  EXPECT_LT(lookups_.steps(), 40u * kMany);
}

TEST_F(Scopes, WhatIsReachedOverManyPathsIsFoundOnce) {
  const Scope* last = &make({"top"});
  for (int i = 0; i < 200; ++i) {  // 2^200 paths
    const Scope* left = &make({}, {last});
    const Scope* right = &make({}, {last});
    last = &make({}, {left, right});
  }
  for (int i = 0; i < kMany; ++i) {
    ASSERT_EQ(last->find("top").size(), 1u);
  }
  EXPECT_LT(lookups_.steps(), 40u * kMany);
}

TEST_F(Scopes, AnIndexFindsWhatAPlainWalkFindsInItsOrder) {
  std::mt19937 random(1);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  const std::vector<std::string> names = {"a", "B", "c", "D", "e"};
  for (int round = 0; round < 300; ++round) {
    std::vector<const Scope*> made;
    for (int i = 0; i < 14; ++i) {
      std::vector<std::string> own;
      for (const std::string& name : names) {
        if (below(4) == 0) {
          own.push_back(name);
        }
      }
      std::vector<const Scope*> bases;
      for (const Scope* before : made) {
        if (below(4) == 0) {
          bases.push_back(before);
        }
      }
      std::shuffle(bases.begin(), bases.end(), random);
      made.push_back(&make(own, bases));
    }
    for (int i = 0; i < 60; ++i) {  // an index is made after some
      for (const std::string& name : names) {
        ASSERT_EQ(made.back()->find(name), find_plainly(*made.back(), name))
            << "round " << round << ", question " << i;
      }
    }
  }
}

TEST_F(Scopes, WhatIsDeclaredInABaseLaterIsFoundAllTheSame) {
  Scope& base = make({"a"});
  Scope& other = make({});
  Scope& derived = make({}, {&base, &make({"b"})});
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(derived.find("late").empty());
  }
  base.add({"late", {}, nullptr});
  EXPECT_EQ(derived.find("late").size(), 1u);
  other.add({"later", {}, nullptr});
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(derived.find("later").empty());
  }
  derived.add_base(other);
  EXPECT_EQ(derived.find("later").size(), 1u);
  derived.clear_bases();
  EXPECT_TRUE(derived.find("later").empty());
}

TEST_F(Scopes, BasesAreNotLookedIntoBeyondTheLimit) {
  std::vector<const Scope*> left = many(1000), right;
  for (int i = 0; i < 1000; ++i) {
    right.push_back(&make({}, left));
  }
  const Scope& derived = make({"own"}, right);
  std::uint64_t asked = 0;
  while (!lookups_.exhausted() && asked < 1000) {
    ++asked;
    make({}, {&derived}).find("none");  // another scope each time: it walks
  }
  EXPECT_TRUE(lookups_.exhausted());
  EXPECT_LT(lookups_.steps(), kMaxLookupSteps + 2'000'000);
  EXPECT_TRUE(derived.find("own0").empty());
  EXPECT_EQ(derived.find("own").size(), 1u);
}

}  // namespace
}  // namespace callis::idl::sema
