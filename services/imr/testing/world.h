// SPDX-License-Identifier: Apache-2.0
// A repository in this process, with servers that are processes of the tests' server, and a client's ORB.
#pragma once
#include <callis/orb/core/object_of.h>
#include <callis/orb/testing/options.h>
#include <gtest/gtest.h>
#include <services/common/memory_store.h>
#include <services/imr/service.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <thread>
#include "counter.h"

namespace callis::imr::testing {

inline CORBA::ORB_var make_orb(std::vector<std::string> words) {
  static std::atomic<int> count{0};
  words.insert(words.begin(), "test");
  words.insert(words.end(), {"-ORBid", "imr-test-" + std::to_string(++count)});
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  return CORBA::ORB_init(argc, argv.data());
}

// One life of a repository; the store and its address outlive it.
class Life final {
 public:
  Life(services::Store& store, const std::string& port, const Settings& settings)
      : orb_(make_orb({"-ORBEndpoint", "tcp:127.0.0.1:" + port})) {
    const CORBA::Object_var object = orb_->resolve_initial_references("RootPOA");
    root_ = PortableServer::POA::_narrow(object.in());
    service = std::make_unique<Service>(orb_.in(), root_.in(), store, counters, settings, Operators::Anyone);
    service->begin();
    orb_->register_initial_reference(kServiceName, service->reference());
    const PortableServer::POAManager_var manager = root_->the_POAManager();
    manager->activate();
  }
  ~Life() {
    orb_->shutdown(true);
    service.reset();
    orb_->destroy();
  }
  std::string text() const { return CORBA::String_var(orb_->object_to_string(service->reference())).in(); }
  const ior::Ior& ior() const { return orb::reference_of(service->reference()).ior(); }

  services::Counters counters;
  std::unique_ptr<Service> service;

 private:
  CORBA::ORB_var orb_;
  PortableServer::POA_var root_;
};

struct World : ::testing::Test {
  services::MemoryStore store;
  Settings settings;
  std::unique_ptr<Life> life;
  CORBA::ORB_var client = make_orb({});
  const std::filesystem::path notes =
      std::filesystem::temp_directory_path() / ("callis-imr-notes-" + std::to_string(::getpid()));

  World() { std::filesystem::remove(notes); }
  ~World() override {
    if (life)
      for (const auto& s : repository().list("", 100)) {
        try {
          repository().halt(s.record.name);
        } catch (const NotDone&) {}
      }
    client->destroy();
    life.reset();
    std::filesystem::remove(notes);
  }

  void begin(const std::string& port = "0") { life = std::make_unique<Life>(store, port, settings); }
  Repository& repository() { return life->service->repository(); }
  CallisImr::Repository_var remote() {
    const CORBA::Object_var object = client->string_to_object(life->text().c_str());
    return CallisImr::Repository::_narrow(object.in());
  }
  Record counter(const std::string& name = "counter", std::vector<std::string> words = {}) const {
    Record r;
    r.name = name;
    r.command = {CALLIS_BINARY_DIR "/bin/callis_imr_counter"};
    r.command.insert(r.command.end(), words.begin(), words.end());
    r.command.insert(r.command.end(), {"-ORBEndpoint", "tcp:127.0.0.1:0"});
    r.variables = {{"NOTES", notes.string()}};
    if (const char* const options = std::getenv("ASAN_OPTIONS")) r.variables.emplace_back("ASAN_OPTIONS", options);
    return r;
  }
  // The object of a server, as nobody has had it yet. In an ORB of its own where `in` is given.
  ImrTest::Counter_var object(const std::string& name = "counter", CORBA::ORB_ptr in = nullptr) {
    const std::vector<Byte> key = {0xca, 0x11, 0x15, 'P', 0, 1, 0, 0, 0, 5, 'p', 'l', 'a', 'n', 't',
                                   'c',  'o',  'u',  'n', 't', 'e', 'r'};
    const CORBA::OctetSeq octets(static_cast<CORBA::ULong>(key.size()), static_cast<CORBA::ULong>(key.size()),
                                 const_cast<Byte*>(key.data()), false);
    const CORBA::Object_var made = remote()->reference(name.c_str(), "IDL:ImrTest/Counter:1.0", octets);
    const CORBA::String_var text = client->object_to_string(made.in());
    const CORBA::Object_var own = (in ? in : client.in())->string_to_object(text.in());
    return ImrTest::Counter::_unchecked_narrow(own.in());
  }
  // The words of the TRANSIENT that the call ends with.
  template <class Call>
  static std::string transient(Call&& call) {
    try {
      call();
    } catch (const CORBA::TRANSIENT& e) {
      EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
      return e.what();
    } catch (const CORBA::Exception& e) {
      return std::string("another exception: ") + e._name();
    }
    return "no exception";
  }
  // Until it holds, or the test has failed.
  template <class Holds>
  static void wait_until(Holds&& holds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!holds()) {
      ASSERT_LT(std::chrono::steady_clock::now(), end);
      std::this_thread::yield();
    }
  }
};

}  // namespace callis::imr::testing
