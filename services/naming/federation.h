// SPDX-License-Identifier: Apache-2.0
// Federation: names that lead into another service's context (Naming Service 1.3, 2.2.2). That service is asked
// for the rest of the name, by a call with a deadline.
//
// A service may hang, and contexts that lead to each other in a circle make calls that wait for each other. So calls
// that are under way at once are bounded: to each server (the address in the reference), for each client, and in all.
// A server that hangs so keeps nobody from the others, nor does a client that calls several of them. One that gets no
// turn within kWait, and one that fails, is CannotProceed, with the context at which the client may go on itself.
// Waiting and the call together take no longer than the deadline. Any thread.
#pragma once
#include <callis/corba.h>
#include <services/common/memory_bound.h>
#include <services/common/operation_time.h>
#include <services/naming/name.h>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <unordered_map>
#include "CosNaming.h"

namespace callis::naming {

// The part of a name from `at` on.
CosNaming::Name to_name(Path name, std::size_t at = 0);

class Federation {
 public:
  // In all, to one server, for one client.
  static constexpr std::size_t kMostAtOnce = 100, kMostToOne = 20, kMostForOne = 40;
  static constexpr std::chrono::milliseconds kWait{100};

  // memory: knows clients from each other; nullptr: none.
  explicit Federation(std::chrono::milliseconds deadline, services::MemoryBound* memory = nullptr)
      : deadline_(deadline), memory_(memory) {}

  enum class Does : bool { Asks, Changes };

  // Returns f(context, rest). Its user exceptions are the answer. A system exception is CannotProceed, unless the
  // other service may have changed what it was asked to: then the client gets the exception, to decide itself.
  template <class F>
  auto ask(CORBA::Object_ptr context, Path name, std::size_t at, Does does, F&& f) {
    const services::OperationTime time(deadline_);
    const CosNaming::NamingContext_var to = CosNaming::NamingContext::_unchecked_narrow(context);
    const CosNaming::Name rest = to_name(name, at);
    const Turn turn(*this, server_of(context), time);
    if (!turn) throw CosNaming::NamingContext::CannotProceed(to.in(), rest);
    try {
      return f(limited(to.in(), time).in(), rest);
    } catch (const CORBA::SystemException& e) {
      if (does == Does::Changes && e.completed() != CORBA::COMPLETED_NO) throw;
      throw CosNaming::NamingContext::CannotProceed(to.in(), rest);
    }
  }

  // The address that a reference leads to: of its first profile.
  static std::string server_of(CORBA::Object_ptr object);

  // A call to a server, from when it may begin; for the client whose request the thread serves.
  class Turn final {
   public:
    Turn(Federation& federation, std::string server, const services::OperationTime& time)
        : Turn(federation, std::move(server), time,
               federation.memory_ ? federation.memory_->take(0) : services::MemoryBound::Hold()) {}
    Turn(Federation& federation, std::string server, const services::OperationTime& time,
         services::MemoryBound::Hold client);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    // False: there was none.
    explicit operator bool() const { return mine_; }

   private:
    bool is_free() const;

    Federation& federation_;
    const std::string server_;
    const services::MemoryBound::Hold client_;  // of no bytes
    bool mine_ = false;
  };

 private:
  static CosNaming::NamingContext_var limited(CosNaming::NamingContext_ptr context,
                                              const services::OperationTime& time);

  const std::chrono::milliseconds deadline_;
  services::MemoryBound* const memory_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable ended_;
  std::size_t all_ = 0;
  std::unordered_map<std::string, std::size_t> to_;   // by server
  std::unordered_map<const void*, std::size_t> for_;  // by client, of those that are known
};

}  // namespace callis::naming
