// SPDX-License-Identifier: Apache-2.0
// The server of the real-time measurements: Param_Test by a real-time adapter.
//
//   server CASE --reference FILE [--watch FILE] [--hold US] [-ORB...]
//
//     lanes        SERVER_DECLARED, two lanes, an object in each: FILE.low, FILE.high
//     lanes_bands  CLIENT_PROPAGATED, two lanes and bands
//     pool         CLIENT_PROPAGATED, one pool of ten threads
//     bands        CLIENT_PROPAGATED, one pool of ten threads, and bands
//     none         no real-time adapter: the ORB's own pool
//
// FILE.low and FILE.high have a reference each, of the same object where clients say their priority. --watch: clocks
// of calls of high priority are left in the file, for its client; --hold: a lock on purpose (both: watch.h).
#include <callis/rt.h>
#include <callis/signals.h>
#include "../common/servants.h"
#include "watch.h"

namespace {

using namespace bench;

constexpr RTCORBA::Priority kLow = 10, kHigh = 60;  // continuous: SCHED_FIFO 11 and 61

struct Command {
  std::string which, reference, watch;
  int hold_us = 0;
};

Command parse_command(int argc, char** argv) {
  expect(argc >= 4 && argc % 2 == 0, "usage: server CASE --reference FILE [--watch FILE] [--hold US]");
  Command c{argv[1], {}, {}};
  for (int i = 2; i < argc; i += 2) {
    const std::string_view name = argv[i];
    if (name == "--reference") c.reference = argv[i + 1];
    else if (name == "--watch") c.watch = argv[i + 1];
    else if (name == "--hold") c.hold_us = std::stoi(argv[i + 1]);
    else throw std::invalid_argument("unknown option: " + std::string(name));
  }
  return c;
}

class Watched final : public Param {
 public:
  explicit Watched(realtime::Watch& watch) : watch_(watch) {}
  CORBA::Short test_short(CORBA::Short s1, CORBA::Short& s2, CORBA::Short_out s3) override {
    watch_.upcall(s1 < 0);
    return Param::test_short(s1, s2, s3);
  }

 private:
  realtime::Watch& watch_;
};

class Adapters {
 public:
  Adapters(CORBA::ORB_ptr orb, const std::string& which, realtime::Watch& watch)
      : orb_(CORBA::ORB::_duplicate(orb)) {
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    root_ = PortableServer::POA::_narrow(object.in());
    object = orb->resolve_initial_references("RTORB");
    rt_ = RTCORBA::RTORB::_narrow(object.in());
    low_servant_ = new Watched(watch);
    PortableServer::POAManager_var(root_->the_POAManager())->activate();
    if (which == "none") {
      low = high = activate(root_.in());
      return;
    }
    const bool lanes = which.starts_with("lanes"), bands = which.ends_with("bands");
    const bool declared = which == "lanes";
    CORBA::PolicyList policies;
    const auto model = declared ? RTCORBA::SERVER_DECLARED : RTCORBA::CLIENT_PROPAGATED;
    add(policies, rt_->create_priority_model_policy(model, kLow));
    add(policies, rt_->create_threadpool_policy(lanes ? with_lanes() : without_lanes()));
    if (bands) {
      RTCORBA::PriorityBands list;
      list.length(2);
      list[0].low = 0;
      list[0].high = 30;
      list[1].low = 31;
      list[1].high = kHigh;
      add(policies, rt_->create_priority_banded_connection_policy(list));
    }
    add(policies, root_->create_implicit_activation_policy(PortableServer::NO_IMPLICIT_ACTIVATION));
    PortableServer::POAManager_var manager = root_->the_POAManager();
    PortableServer::POA_var plain = root_->create_POA("realtime", manager.in(), policies);
    if (!declared) {
      low = high = activate(plain.in());
      return;
    }
    RTPortableServer::POA_var rt = RTPortableServer::POA::_narrow(plain.in());
    high_servant_ = new Watched(watch);
    PortableServer::ObjectId_var id = rt->activate_object_with_priority(low_servant_.in(), kLow);
    low = text(plain.in(), id.in());
    id = rt->activate_object_with_priority(high_servant_.in(), kHigh);
    high = text(plain.in(), id.in());
  }

  std::string low, high;

 private:
  static void add(CORBA::PolicyList& list, CORBA::Policy_ptr one) {
    list.length(list.length() + 1);
    list[list.length() - 1] = one;
  }
  RTCORBA::ThreadpoolId with_lanes() {
    RTCORBA::ThreadpoolLanes lanes;
    lanes.length(2);
    lanes[0].lane_priority = kLow;
    lanes[0].static_threads = 8;
    lanes[1].lane_priority = kHigh;
    lanes[1].static_threads = 2;
    return rt_->create_threadpool_with_lanes(0, lanes, false, true, 0, 0);
  }
  RTCORBA::ThreadpoolId without_lanes() { return rt_->create_threadpool(0, 10, 0, kLow, true, 0, 0); }
  std::string activate(PortableServer::POA_ptr poa) {
    PortableServer::ObjectId_var id = poa->activate_object(low_servant_.in());
    return text(poa, id.in());
  }
  std::string text(PortableServer::POA_ptr poa, const PortableServer::ObjectId& id) {
    CORBA::Object_var object = poa->id_to_reference(id);
    return CORBA::String_var(orb_->object_to_string(object.in())).in();
  }

  CORBA::ORB_var orb_;
  PortableServer::POA_var root_;
  RTCORBA::RTORB_var rt_;
  PortableServer::ServantBase_var low_servant_, high_servant_;
};

void write(const std::string& file, const std::string& line) {
  std::ofstream out(file);
  out << line << '\n';
}

int serve(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  const Command command = parse_command(argc, argv);
  realtime::Watch watch(command.watch, command.hold_us);
  const Adapters adapters(orb.in(), command.which, watch);
  write(command.reference + ".low", adapters.low);
  write(command.reference + ".high", adapters.high);
  callis::shutdown_on_signals(orb.in());
  std::puts("ready");
  std::fflush(stdout);
  orb->run();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_guarded([&] { return serve(argc, argv); });
}
