// SPDX-License-Identifier: Apache-2.0
// The ORB of the micro profile: one thread, GIOP over TCP, the root adapter. docs/guide/micro.md tells more.
//
//   CORBA::ORB ◁── Orb ──→ idle connections of calls          call.cpp
//                   │  └──→ Server, once RootPOA is asked for  server.h adapter.h; not in programs without servants
//                   └─────→ Loop, one for the process         loop.h
#pragma once
#include <callis/micro/options.h>
#include <callis/micro/reference.h>
#include <callis/micro/socket.h>
#include <callis/orb/base/orb.h>
#include <pthread.h>
#include <memory>
#include <string>

namespace callis::micro {

// The serving side of an ORB, as the ORB knows it.
class Serving {
 public:
  virtual ~Serving() = default;
  // A new count of the root adapter.
  virtual CORBA::Object_ptr root() = 0;
  // Whether this ORB listens at the address.
  virtual bool is_at(const ior::Address& address) const = 0;
  // Executes a whole message of a client of this process, and appends the answer to `out`, if there is one.
  virtual void answer(ByteView message, Buffer& out) noexcept = 0;
  // Ends all connections, in good order where no request is being executed, and deactivates all objects.
  virtual void stop() noexcept = 0;
};

// A connection of calls, which one call at a time uses.
struct CallConnection {
  ior::Address address;
  Descriptor socket;
  Inbox in;
  bool loopback = false;
  bool used = false;     // there has been a call over it
  bool is_good = false;  // the last call has had its reply
  std::unique_ptr<CallConnection> next;  // in the ORB's list
};

class Orb final : public CORBA::ORB {
 public:
  static constexpr std::size_t kMostIdle = 16;

  Orb(std::string id, Options options);

  char* id() override;
  CORBA::Object_ptr string_to_object(const char* text) override;
  char* object_to_string(CORBA::Object_ptr object) override;
  ObjectIdList* list_initial_services() override;
  CORBA::Object_ptr resolve_initial_references(const char* id) override;
  void register_initial_reference(const char* id, CORBA::Object_ptr object) override;
  void run() override { run_until(TimePoint::max()); }
  void run_until(TimePoint end);
  CORBA::Boolean work_pending() override;
  void perform_work() override;
  void shutdown(CORBA::Boolean wait) override;
  void destroy() override;
  void _add_ref() noexcept override { ++count_; }
  void _remove_ref() noexcept override {
    if (--count_ == 0) delete this;
  }
  void check_usable() const override;
  // Throws BAD_INV_ORDER for a thread that has not made the ORB.
  void check_thread() const;

  const std::string& name() const { return id_; }
  const Options& options() const { return options_; }
  const Limits& limits() const { return options_.limits; }
  static Orb* first() { return first_; }
  Orb* next() const { return next_; }
  Serving* serving() const { return serving_.get(); }
  // nullptr if there is none of that name.
  const Initial* initial(std::string_view name) const;
  std::uint32_t next_request_id() { return ++last_request_id_; }

  // An idle connection to the address, or an empty one.
  std::unique_ptr<CallConnection> take_idle(const ior::Address& address);
  // Keeps a connection for later calls; the oldest goes if there are too many.
  void keep_idle(std::unique_ptr<CallConnection> connection) noexcept;

 private:
  ~Orb() override;

  const std::string id_;
  Options options_;
  const pthread_t thread_;
  std::unique_ptr<Serving> serving_;
  std::unique_ptr<CallConnection> idle_;  // the latest, and those behind it
  static constinit Orb* first_;           // of those that have not been destroyed, the oldest
  Orb* next_ = nullptr;
  std::uint32_t last_request_id_ = 0;
  std::uint32_t count_ = 1;
  enum class Life : unsigned char { Running, Shut, Destroyed } life_ = Life::Running;
};

// The function that makes the serving side; nullptr in a program without servants. server.cpp sets it before main().
using MakeServing = std::unique_ptr<Serving> (*)(Orb& orb);
extern MakeServing make_serving;

// The oldest ORB that serves; nullptr if there is none.
Orb* oldest_serving();

inline orb::Reference* reference_or_null(CORBA::Object_ptr object) {
  return object ? object->_callis_reference() : nullptr;
}

}  // namespace callis::micro
