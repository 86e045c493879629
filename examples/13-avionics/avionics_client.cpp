// SPDX-License-Identifier: Apache-2.0
// Sensors that tell a mission computer what they see, each at its rate and its priority, while four threads keep the
// computer busy with what is not urgent. Counts deadlines: an answer is due before the sensor's next period begins.
//
//     avionics_client IOR:... [SECONDS]
#include <callis/corba.h>
#include <callis/rt.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <thread>
#include <vector>
#include "avionics.h"
#include "plan.h"

using Clock = std::chrono::steady_clock;
using Computer = Avionics::MissionComputer_ptr;

struct Sensor {
  const char* name;
  int hertz;
  RTCORBA::Priority priority;
  std::function<void(Computer)> tell;
  int calls = 0, missed = 0;
  Clock::duration longest{0};

  void run(Computer computer, int seconds) {
    const auto period = std::chrono::nanoseconds(1'000'000'000 / hertz);
    const auto begin = Clock::now() + std::chrono::milliseconds(50);
    for (int i = 0; i < hertz * seconds; ++i) {
      const auto release = begin + i * period;
      std::this_thread::sleep_until(release);
      tell(computer);
      const auto response = Clock::now() - release;
      longest = std::max(longest, response);
      if (response > period) ++missed;
      ++calls;
    }
  }
};

// The four sensors, and threads that call as fast as they can; these set no priority, and so have the lowest.
static long fly(RTCORBA::Current_ptr current, Computer computer, std::vector<Sensor>& sensors, int seconds) {
  std::atomic<bool> landed{false};
  std::atomic<long> lines{0};
  std::atomic<int> failed{0};
  auto guarded = [&](auto&& work) {
    try {
      work();
    } catch (const CORBA::Exception& e) {
      std::cerr << "avionics_client: " << e.what() << '\n';
      ++failed;
    }
  };
  std::vector<std::jthread> load;
  for (int i = 0; i < 4; ++i)
    load.emplace_back([&] {
      guarded([&] {
        for (; !landed; ++lines) computer->log("all is well");
      });
    });
  {
    std::vector<std::jthread> flight;
    for (Sensor& sensor : sensors)
      flight.emplace_back([&] {
        guarded([&] {
          current->the_priority(sensor.priority);  // this thread's, and that of its calls
          sensor.run(computer, seconds);
        });
      });
  }
  landed = true;
  load.clear();
  if (failed != 0) std::exit(1);
  return lines;
}

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    const int seconds = argc > 2 ? std::atoi(argv[2]) : 3;
    if (argc < 2 || seconds < 1 || seconds > 3600) {
      std::cerr << "usage: avionics_client IOR:... [SECONDS]\n";
      return 2;
    }
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    Avionics::MissionComputer_var computer = Avionics::MissionComputer::_narrow(object);
    object = orb->resolve_initial_references("RTCurrent");
    RTCORBA::Current_var current = RTCORBA::Current::_narrow(object);
    if (CORBA::is_nil(computer)) {
      std::cerr << "avionics_client: that object is no MissionComputer\n";
      return 1;
    }
    using namespace plan::priority;
    std::vector<Sensor> sensors{
        {"attitude", 40, kAvionics_MissionComputer_attitude, [](Computer c) { c->attitude(2.5, -1.0); }},
        {"air data", 20, kAvionics_MissionComputer_air_data, [](Computer c) { c->air_data(3'000, 110); }},
        {"gps", 10, kAvionics_MissionComputer_gps, [](Computer c) { c->gps(52.52, 13.41); }},
        {"fuel", 5, kAvionics_MissionComputer_fuel, [](Computer c) { c->fuel(840); }},
    };
    const long lines = fly(current, computer, sensors, seconds);
    std::puts("sensor     rate  priority  calls  missed   longest");
    for (const Sensor& s : sensors)
      std::printf("%-8s %3d Hz  %8d  %5d  %6d  %5.1f ms\n", s.name, s.hertz, s.priority, s.calls, s.missed,
                  std::chrono::duration<double, std::milli>(s.longest).count());
    std::printf("lines logged meanwhile: %ld\n", lines);
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "avionics_client: " << e.what() << '\n';
    return 1;
  }
}
