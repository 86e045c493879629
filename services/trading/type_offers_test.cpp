// SPDX-License-Identifier: Apache-2.0
// Searches beside changes: nobody waits for a search, a search sees all offers as they were at one moment, and
// indexes say the same as looking at all.
#include <gtest/gtest.h>
#include <services/trading/type_offers.h>
#include <future>
#include <random>
#include <thread>

namespace callis::trading {
namespace {

using constraints::Constraint;
using constraints::Work;

struct Offers {
  Catalogue catalogue;
  const std::vector<std::string> types = {"T"};

  void put(OfferNumber number, CORBA::Long cost, const char* type = "T") {
    CORBA::Any value;
    value <<= cost;
    catalogue.insert(number, type, "", {{"Cost", &value}}, nullptr);
  }
  std::vector<OfferNumber> found(const char* constraint) {
    const Constraint c = Constraint::parse(constraint);
    Work work;
    std::vector<OfferNumber> out;
    for (const OfferPtr& o : catalogue.search({.types = types, .constraint = c}, work).matched)
      out.push_back(o->number());
    std::sort(out.begin(), out.end());
    return out;
  }
};

TEST(Catalogue, lets_changes_through_while_a_search_goes_on) {
  Offers o;
  for (OfferNumber i = 0; i < 3'000; ++i) o.put(i, 1);
  std::promise<void> begun, go_on;
  std::future<std::size_t> searched = std::async(std::launch::async, [&] {
    const Constraint all;
    Work work;
    const auto found = o.catalogue.search({.types = o.types,
                                           .constraint = all,
                                           .modifiable = false,
                                           .is_readonly =
                                               [&](const std::string&, const std::string&) {
                                                 begun.set_value();
                                                 go_on.get_future().wait();
                                                 return true;
                                               }},
                                          work);
    return found.matched.size();
  });
  begun.get_future().wait();
  o.put(10'000, 1);                                                      // comes
  o.put(5, 7);                                                           // changes
  for (OfferNumber i = 1'000; i < 3'000; ++i) o.catalogue.erase(i);      // go
  EXPECT_EQ(o.catalogue.size(), 1'001u);
  EXPECT_EQ(o.found("Cost == 7"), std::vector<OfferNumber>{5});
  go_on.set_value();
  EXPECT_EQ(searched.get(), 3'000u);  // as it was
}

TEST(Catalogue, forgets_types_that_are_empty_while_their_offers_are_in_use) {
  Offers o;
  o.put(1, 5);
  const OfferPtr kept = o.catalogue.erase(1);
  o.put(2, 6);
  EXPECT_EQ(kept->of_type().type(), "T");
  std::string names;
  o.catalogue.each_property(*kept, [&](const std::string& name, Slot) { names += name; });
  EXPECT_EQ(names, "Cost");
  EXPECT_EQ(o.found("Cost == 6"), std::vector<OfferNumber>{2});
}

TEST(Catalogue, finds_by_index_what_looking_at_all_finds) {
  Offers o;
  std::mt19937 random(7);
  std::map<OfferNumber, CORBA::Long> model;
  for (int step = 0; step < 20'000; ++step) {
    const OfferNumber number = random() % 3'000;
    if (random() % 3 == 0) {
      o.catalogue.erase(number);
      model.erase(number);
    } else {
      const auto cost = static_cast<CORBA::Long>(random() % 500);
      o.put(number, cost);
      model[number] = cost;
    }
    if (step % 500 != 0) continue;
    const auto from = static_cast<CORBA::Long>(random() % 500), to = from + 50;
    std::vector<OfferNumber> expected;
    for (const auto& [n, c] : model) {
      if (c >= from && c < to) expected.push_back(n);
    }
    const std::string range = "Cost >= " + std::to_string(from) + " and Cost < " + std::to_string(to);
    EXPECT_EQ(o.found(range.c_str()), expected);
    EXPECT_EQ(o.found(("not (not (" + range + "))").c_str()), expected);
  }
}

TEST(Catalogue, shows_each_search_all_that_stays_while_others_come_and_go) {
  Offers o;
  for (OfferNumber i = 0; i < 2'000; ++i) o.put(i, i % 2 == 0 ? 1 : 2);
  std::atomic<bool> end{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> all;
  for (int t = 0; t < 2; ++t) {
    all.emplace_back([&, t] {
      std::mt19937 random(static_cast<unsigned>(t));
      while (!end) {  // odd ones go and come, even ones change between two values that both match
        const OfferNumber number = random() % 2'000;
        if (number % 2 == 0) {
          o.put(number, static_cast<CORBA::Long>(random() % 2) * 100 + 1);
        } else if (!o.catalogue.erase(number)) {
          o.put(number, 2);
        }
      }
    });
  }
  for (int i = 0; i < 300; ++i) {
    const auto found = o.found(i % 2 == 0 ? "Cost == 1 or Cost == 101" : "Cost >= 1 and Cost != 2");
    if (found.size() != 1'000 || std::adjacent_find(found.begin(), found.end()) != found.end()) ++wrong;
  }
  end = true;
  for (std::thread& t : all) t.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Catalogue, keeps_no_change_waiting_for_long_searches) {
  Offers o;
  for (OfferNumber i = 0; i < 150'000; ++i) o.put(i, static_cast<CORBA::Long>(i));
  std::string slow = "Cost - 1 == -7";
  for (int i = 0; i < 100; ++i) slow += " or Cost * " + std::to_string(i) + " == -7";
  std::atomic<bool> end{false};
  std::atomic<int> begun{0};
  std::vector<std::thread> readers;
  for (int t = 0; t < 8; ++t) {
    readers.emplace_back([&] {
      const Constraint c = Constraint::parse(slow);
      while (!end) {
        Work work(UINT64_MAX, [&] {
          if (end) throw constraints::WorkExhausted();
        });
        ++begun;
        try {
          EXPECT_TRUE(o.catalogue.search({.types = o.types, .constraint = c}, work).matched.empty());
        } catch (const constraints::WorkExhausted&) {}
      }
    });
  }
  while (begun < 8) std::this_thread::yield();
  std::vector<std::chrono::steady_clock::duration> waits;
  for (OfferNumber i = 0; i < 300; ++i) {
    const auto start = std::chrono::steady_clock::now();
    o.put(1'000'000 + i, 1);
    o.catalogue.erase(i);
    waits.push_back(std::chrono::steady_clock::now() - start);
  }
  end = true;
  for (std::thread& t : readers) t.join();
  std::sort(waits.begin(), waits.end());
  EXPECT_LE(waits[waits.size() - 4], std::chrono::milliseconds(50));  // but for what a busy machine does to threads
  EXPECT_LE(waits.back(), std::chrono::seconds(1));
  RecordProperty("longest_wait_us", static_cast<int>(waits.back() / std::chrono::microseconds(1)));
}

}  // namespace
}  // namespace callis::trading
