// SPDX-License-Identifier: Apache-2.0
// The servant of the soak programs. It watches over its own life: an upcall on one that is gone, and an end inside an
// upcall, are faults.
#pragma once
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <atomic>
#include <cstdio>
#include <string>
#include <vector>
#include "soak_skel.h"

namespace soak {

// What must not happen. The first few are printed; main() returns 1 when there was one.
class Faults {
 public:
  static void add(const std::string& what) {
    if (++count_ <= 20) std::fprintf(stderr, "FAILED: %s\n", what.c_str());
  }
  static unsigned count() { return count_; }

 private:
  static inline std::atomic<unsigned> count_{0};
};

inline std::string text_of(const CORBA::SystemException& e) {
  return std::string(e._name()) + " minor " + std::to_string(e.minor()) + " completed " +
         std::to_string(e.completed());
}

class Subject : public POA_Soak::Subject {
 public:
  static inline std::atomic<int> alive{0};

  Subject() { ++alive; }
  ~Subject() override {
    if (inside_ != 0) Faults::add("a servant ended inside its upcall");
    life_ = kGone;
    --alive;
  }
  // By who etherealizes it: no upcall may be under way, and none may come.
  void finish() {
    if (inside_ != 0) Faults::add("a servant was etherealized inside its upcall");
    life_ = kFinished;
  }

  CORBA::ULongLong touch(CORBA::ULongLong nonce) override {
    const Upcall upcall(*this);
    return nonce + 1;
  }
  char* reverse(const char* text) override {
    const Upcall upcall(*this);
    if (text[0] == '!') throw Soak::Refused(text);
    const std::string t(text);
    return CORBA::string_dup(std::string(t.rbegin(), t.rend()).c_str());
  }
  void hint(CORBA::ULongLong) override { const Upcall upcall(*this); }
  CORBA::ULongLong relay(CORBA::ULongLong nonce, Soak::Subject_ptr other) override {
    const Upcall upcall(*this);
    try {
      return other->touch(nonce);
    } catch (const CORBA::SystemException&) {
      return 0;
    }
  }
  CORBA::ULongLong linger(CORBA::ULongLong nonce) override {
    const Upcall upcall(*this);
    wait();
    return nonce + 1;
  }

 protected:
  virtual void wait() {}

 private:
  static constexpr unsigned kAlive = 0x600d, kFinished = 0xe7e7, kGone = 0xdead;
  class Upcall {
   public:
    explicit Upcall(Subject& s) : s_(s) {
      ++s_.inside_;
      if (s_.life_ != kAlive) Faults::add("an upcall on a servant whose life is over");
    }
    ~Upcall() { --s_.inside_; }
    Upcall(const Upcall&) = delete;
    Upcall& operator=(const Upcall&) = delete;

   private:
    Subject& s_;
  };
  std::atomic<int> inside_{0};
  std::atomic<unsigned> life_{kAlive};
};

inline CORBA::ORB_ptr make_orb(const std::string& id, std::vector<std::string> options) {
  options.insert(options.begin(), "soak");
  std::vector<char*> argv;
  for (std::string& o : options) argv.push_back(o.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(options.size());
  return CORBA::ORB_init(argc, argv.data(), id.c_str());
}

inline PortableServer::POA_ptr root_of(CORBA::ORB_ptr orb) {
  const CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  return PortableServer::POA::_narrow(object.in());
}

}  // namespace soak
