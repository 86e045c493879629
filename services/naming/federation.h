// SPDX-License-Identifier: Apache-2.0
// Federation: names that lead into another service's context (Naming Service 1.3, 2.2.2). That service is asked for
// the rest of the name, by a call with a deadline. Contexts that lead to each other in a circle make calls that wait
// for each other, through one or several services: at most kMostAtOnce of them are under way here; those beyond, and
// those that fail, are CannotProceed with the context that the client may go on at itself. Any thread.
#pragma once
#include <callis/corba.h>
#include <services/naming/name.h>
#include <atomic>
#include <chrono>
#include "CosNaming.h"

namespace callis::naming {

// The part of a name from `at` on.
CosNaming::Name to_name(Path name, std::size_t at = 0);

class Federation {
 public:
  static constexpr int kMostAtOnce = 32;

  explicit Federation(std::chrono::milliseconds deadline) : deadline_(deadline) {}

  enum class Does : bool { Asks, Changes };

  // Returns f(context, rest). Its user exceptions are the answer. A system exception is CannotProceed, unless the
  // other service may have changed what it was asked to: then the client gets the exception, to decide itself.
  template <class F>
  auto ask(CORBA::Object_ptr context, Path name, std::size_t at, Does does, F&& f) {
    const CosNaming::NamingContext_var to = CosNaming::NamingContext::_unchecked_narrow(context);
    const CosNaming::Name rest = to_name(name, at);
    const Turn turn(under_way_);
    if (turn.number() > kMostAtOnce) throw CosNaming::NamingContext::CannotProceed(to.in(), rest);
    try {
      return f(limited(to.in()).in(), rest);
    } catch (const CORBA::SystemException& e) {
      if (does == Does::Changes && e.completed() != CORBA::COMPLETED_NO) throw;
      throw CosNaming::NamingContext::CannotProceed(to.in(), rest);
    }
  }

 private:
  class Turn {
   public:
    explicit Turn(std::atomic<int>& count) : count_(count), number_(++count) {}
    ~Turn() { --count_; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    int number() const { return number_; }

   private:
    std::atomic<int>& count_;
    const int number_;
  };
  CosNaming::NamingContext_var limited(CosNaming::NamingContext_ptr context) const;

  const std::chrono::milliseconds deadline_;
  std::atomic<int> under_way_{0};
};

}  // namespace callis::naming
