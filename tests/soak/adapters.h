// SPDX-License-Identifier: Apache-2.0
// Adapters of every kind, which come and go while they are called.
#pragma once
#include <array>
#include <deque>
#include <mutex>
#include <random>
#include "subject.h"

namespace soak {

using Engine = std::minstd_rand;
inline unsigned below(Engine& e, unsigned n) { return static_cast<unsigned>(e() % n); }

enum class Kind : unsigned {
  Plain,      // system ids, activated one by one
  Single,     // the same with SINGLE_THREAD_MODEL
  Activated,  // a ServantActivator
  Located,    // a ServantLocator
  Default,    // a default servant
  Deep,       // persistent, three levels that AdapterActivators make on demand
};
inline constexpr unsigned kKinds = 6;

class Adapters {
 public:
  explicit Adapters(CORBA::ORB_ptr orb);
  ~Adapters();

  PortableServer::POA_ptr get(Kind kind);  // the caller's
  // Destroys the adapter of that kind, and makes another of its name.
  void replace(Kind kind, bool etherealize, bool wait);
  PortableServer::POAManager_ptr manager() { return manager_.in(); }
  // A reference to an object that may be or become active; and deactivates some that were made so before.
  CORBA::Object_ptr refer(Kind kind, Engine& random);

  static inline std::atomic<unsigned> activations{0}, destructions{0};

 private:
  struct Place {
    std::mutex mutex;
    PortableServer::POA_var poa;
    std::deque<PortableServer::ObjectId_var> active;  // of Plain and Single
  };
  PortableServer::POA_ptr make(Kind kind);
  CORBA::Object_ptr activate(Place& place, PortableServer::POA_ptr poa);

  PortableServer::POA_var root_;
  PortableServer::POAManager_var manager_;
  std::array<Place, kKinds> places_;
};

}  // namespace soak
