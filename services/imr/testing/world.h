// SPDX-License-Identifier: Apache-2.0
// A repository in this process, with servers that are processes of the tests' server, and a client's ORB.
#pragma once
#include <callis/base/testing/soon.h>
#include <callis/orb/testing/options.h>
#include <gtest/gtest.h>
#include <services/common/memory_store.h>
#include <services/imr/testing/life.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>
#include "counter.h"

namespace callis::imr::testing {

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
    ASSERT_TRUE(callis::testing::soon(holds));
  }
};

}  // namespace callis::imr::testing
