// SPDX-License-Identifier: Apache-2.0
// A server with lanes and a client: two ORBs of this process over TCP. The servant tells where it is executed.
#pragma once
#include <callis/ior/ior.h>
#include <callis/orb/client/reference.h>
#include <callis/orb/core/core.h>
#include <callis/orb/server/server.h>
#include <callis/rt.h>
#include <callis/rt/lanes/threadpool_set.h>
#include <callis/rt/priorities/permissions.h>
#include <callis/rt/priorities/priorities.h>
#include <dirent.h>
#include <gtest/gtest.h>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <fstream>
#include <mutex>
#include <thread>
#include "where_skel.h"

namespace callis::rt::testing {

using RTCORBA::Priority;

inline bool may_have_priorities() { return callis::rt::FifoPermission::look().granted(); }

// The threads of this process with that name.
inline std::vector<pid_t> threads_named(const std::string& name) {
  std::vector<pid_t> found;
  DIR* const tasks = ::opendir("/proc/self/task");
  if (!tasks) return found;
  while (const dirent* const entry = ::readdir(tasks)) {
    std::string comm;
    std::ifstream(std::string("/proc/self/task/") + entry->d_name + "/comm") >> comm;
    if (comm == name) found.push_back(std::stoi(entry->d_name));
  }
  ::closedir(tasks);
  return found;
}

inline where::Place tell_of(where::Teller_ptr teller) { return where::Place_var(teller->tell()).in(); }
inline where::Place noted_of(where::Teller_ptr teller) { return where::Place_var(teller->noted()).in(); }

class Here final : public POA_where::Teller {
 public:
  explicit Here(CORBA::ORB_ptr orb) {
    const CORBA::Object_var object = orb->resolve_initial_references("RTCurrent");
    current_ = RTCORBA::Current::_narrow(object.in());
  }
  where::Place* tell() override { return place(); }
  void note() override {
    const where::Place_var now = place();
    const std::lock_guard lock(mutex_);
    noted_ = now.in();
    changed_.notify_all();
  }
  where::Place* noted() override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return noted_.corba != 0; });
    return new where::Place(noted_);
  }
  where::Place* ask(where::Teller_ptr other) override { return other->tell(); }
  void wait() override {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return released_; });
  }

  void until_waiting(int n) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_ == n; });
  }
  void release() {
    const std::lock_guard lock(mutex_);
    released_ = true;
    changed_.notify_all();
  }

 private:
  where::Place* place() {
    auto p = std::make_unique<where::Place>();
    try {
      p->corba = current_->the_priority();
    } catch (const CORBA::INITIALIZE&) {
      p->corba = -1;
    }
    int policy = 0;
    sched_param param{};
    ::pthread_getschedparam(::pthread_self(), &policy, &param);
    p->fifo = policy == SCHED_FIFO ? param.sched_priority : 0;
    char name[16] = {};
    ::pthread_getname_np(::pthread_self(), name, sizeof name);
    p->thread = static_cast<const char*>(name);
    return p.release();
  }

  RTCORBA::Current_var current_;
  std::mutex mutex_;
  std::condition_variable changed_;
  where::Place noted_{};
  int waiting_ = 0;
  bool released_ = false;
};

inline CORBA::ORB_ptr make_orb(const char* id, std::initializer_list<const char*> options = {}) {
  std::vector<std::string> words{"test", "-ORBEndpoint", "tcp:127.0.0.1:0"};
  words.insert(words.end(), options.begin(), options.end());
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  int argc = static_cast<int>(argv.size());
  return CORBA::ORB_init(argc, argv.data(), id);
}

struct Lanes : ::testing::Test {
  CORBA::ORB_var server, client = make_orb("lanes_client");
  PortableServer::POA_var root;
  RTCORBA::RTORB_var rt;
  RTCORBA::Current_var current;
  PortableServer::Servant_var<Here> here;

  explicit Lanes(std::initializer_list<const char*> server_options = {})
      : server(make_orb("lanes_server", server_options)), here(new Here(server.in())) {
    CORBA::Object_var object = server->resolve_initial_references("RootPOA");
    root = PortableServer::POA::_narrow(object.in());
    PortableServer::POAManager_var(root->the_POAManager())->activate();
    object = server->resolve_initial_references("RTORB");
    rt = RTCORBA::RTORB::_narrow(object.in());
    object = client->resolve_initial_references("RTCurrent");
    current = RTCORBA::Current::_narrow(object.in());
  }
  ~Lanes() override {
    here->release();
    client->destroy();
    server->destroy();
  }

  RTCORBA::ThreadpoolId lanes(std::initializer_list<Priority> priorities, CORBA::ULong threads = 2,
                              bool borrowing = false, bool buffering = true) {
    RTCORBA::ThreadpoolLanes list;
    for (const Priority p : priorities) {
      list.length(list.length() + 1);
      list[list.length() - 1] = {p, threads, 0};
    }
    return rt->create_threadpool_with_lanes(0, list, borrowing, buffering, 0, 0);
  }
  static void add(CORBA::PolicyList& list, CORBA::Policy_ptr one) {
    list.length(list.length() + 1);
    list[list.length() - 1] = one;
  }
  PortableServer::POA_ptr adapter(RTCORBA::PriorityModel model, Priority priority, RTCORBA::ThreadpoolId pool,
                                  std::initializer_list<RTCORBA::PriorityBand> bands = {}) {
    CORBA::PolicyList policies;
    add(policies, rt->create_priority_model_policy(model, priority));
    add(policies, rt->create_threadpool_policy(pool));
    if (bands.size() != 0) {
      RTCORBA::PriorityBands list;
      for (const RTCORBA::PriorityBand& b : bands) {
        list.length(list.length() + 1);
        list[list.length() - 1] = b;
      }
      add(policies, rt->create_priority_banded_connection_policy(list));
    }
    PortableServer::POAManager_var manager = root->the_POAManager();
    return root->create_POA("realtime", manager.in(), policies);
  }
  where::Teller_ptr at_client(CORBA::Object_ptr object) {
    const CORBA::String_var text = server->object_to_string(object);
    const CORBA::Object_var there = client->string_to_object(text.in());
    return where::Teller::_narrow(there.in());
  }
  where::Teller_ptr activate(PortableServer::POA_ptr poa) {
    const PortableServer::ObjectId_var id = poa->activate_object(here.in());
    const CORBA::Object_var object = poa->id_to_reference(id.in());
    return at_client(object.in());
  }
  static void runs_at(const where::Place& p, int corba) {
    const int native = may_have_priorities() ? corba + 1 : 0;  // by the mapping continuous
    EXPECT_EQ(p.fifo, native);
  }
  void expect(const where::Place& p, Priority corba, bool at_lane = true) {
    EXPECT_EQ(p.corba, corba);
    runs_at(p, corba);
    if (at_lane) {
      EXPECT_STREQ(p.thread, "callis-lane");
    }
  }
  // Returns the answer to a call by a client's thread of that priority.
  static where::Place tell_at(RTCORBA::Current_ptr current, where::Teller_ptr teller, Priority priority) {
    where::Place found{};
    std::thread([&] {
      current->the_priority(priority);
      const where::Place_var p = teller->tell();
      found = p.in();
    }).join();
    return found;
  }
};

}  // namespace callis::rt::testing
