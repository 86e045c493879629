// SPDX-License-Identifier: Apache-2.0
// callis_properties_peer SERVICE THREADS SECONDS: clients of one set of 1,000 properties, an ORB each, that read one
// of them at random, over and over; and in turn ask how many there are, which is the plainest call. Prints the reads
// and the plain calls, each a second.
#include <callis/corba.h>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>
#include "CallisProperties.h"

namespace {

namespace cos = CosPropertyService;
constexpr int kProperties = 1'000;

CORBA::ORB_var new_orb(int number) {
  std::string words[] = {"peer", "-ORBid", "peer-" + std::to_string(number)};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  int argc = 3;
  return CORBA::ORB_init(argc, argv);
}

std::string name_of(int i) { return "property-" + std::to_string(i); }

void fill(cos::PropertySetDef_ptr set) {
  cos::Properties all;
  all.length(kProperties);
  for (int i = 0; i < kProperties; ++i) {
    all[static_cast<CORBA::ULong>(i)].property_name = name_of(i).c_str();
    all[static_cast<CORBA::ULong>(i)].property_value <<= static_cast<CORBA::Long>(i);
  }
  set->define_properties(all);
}

// Calls a second of all threads together.
double rate(const std::vector<cos::PropertySetDef_var>& sets, double seconds, bool reads) {
  std::atomic<bool> end{false};
  std::atomic<std::uint64_t> calls{0};
  std::vector<std::thread> threads;
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t t = 0; t < sets.size(); ++t) {
    threads.emplace_back([&, t] {
      std::minstd_rand random(static_cast<unsigned>(t + 1));
      std::vector<std::string> names;
      for (int i = 0; i < kProperties; ++i) names.push_back(name_of(i));
      std::uint64_t done = 0;
      for (; !end; ++done) {
        if (!reads) {
          (void)sets[t]->get_number_of_properties();
          continue;
        }
        const std::size_t which = random() % names.size();
        const CORBA::Any_var value = sets[t]->get_property_value(names[which].c_str());
        CORBA::Long n = -1;
        if (!(value.in() >>= n) || n != static_cast<CORBA::Long>(which)) std::abort();
      }
      calls += done;
    });
  }
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  end = true;
  for (std::thread& t : threads) t.join();
  return static_cast<double>(calls) / std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const double seconds = std::atof(argv[3]) / 2;
  std::vector<CORBA::ORB_var> orbs;
  std::vector<cos::PropertySetDef_var> sets;
  for (int i = 0; i < std::atoi(argv[2]); ++i) {
    orbs.push_back(new_orb(i));
    const CORBA::Object_var object = orbs.back()->string_to_object(argv[1]);
    const CallisProperties::Service_var service = CallisProperties::Service::_narrow(object.in());
    sets.push_back(service->named("bench"));
  }
  fill(sets[0].in());
  const double plain = rate(sets, seconds, false), reads = rate(sets, seconds, true);
  std::printf("get_property %.0f plain %.0f\n", reads, plain);
  sets.clear();
  for (CORBA::ORB_var& orb : orbs) orb->destroy();
}
