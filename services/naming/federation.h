// SPDX-License-Identifier: Apache-2.0
// Federation: names that lead into another service's context (Naming Service 1.3, 2.2.2). That service is asked
// for the rest of the name, by a call with a deadline. Contexts that lead to each other in a circle make calls
// that wait for each other, through one or several services. So kMostAtOnce of them are under way here at most.
// One that gets no turn within kWait, and one that fails, is CannotProceed, with the context at which the client
// may go on itself. Any thread.
#pragma once
#include <callis/corba.h>
#include <services/naming/name.h>
#include <chrono>
#include <cstddef>
#include <semaphore>
#include "CosNaming.h"

namespace callis::naming {

// The part of a name from `at` on.
CosNaming::Name to_name(Path name, std::size_t at = 0);

class Federation {
 public:
  static constexpr std::ptrdiff_t kMostAtOnce = 100;
  static constexpr std::chrono::milliseconds kWait{100};

  explicit Federation(std::chrono::milliseconds deadline) : deadline_(deadline) {}

  enum class Does : bool { Asks, Changes };

  // Returns f(context, rest). Its user exceptions are the answer. A system exception is CannotProceed, unless the
  // other service may have changed what it was asked to: then the client gets the exception, to decide itself.
  template <class F>
  auto ask(CORBA::Object_ptr context, Path name, std::size_t at, Does does, F&& f) {
    const CosNaming::NamingContext_var to = CosNaming::NamingContext::_unchecked_narrow(context);
    const CosNaming::Name rest = to_name(name, at);
    const Turn turn(turns_);
    if (!turn) throw CosNaming::NamingContext::CannotProceed(to.in(), rest);
    try {
      return f(limited(to.in()).in(), rest);
    } catch (const CORBA::SystemException& e) {
      if (does == Does::Changes && e.completed() != CORBA::COMPLETED_NO) throw;
      throw CosNaming::NamingContext::CannotProceed(to.in(), rest);
    }
  }

 private:
  using Turns = std::counting_semaphore<kMostAtOnce>;
  class Turn {
   public:
    explicit Turn(Turns& turns) : turns_(turns), mine_(turns.try_acquire_for(kWait)) {}
    ~Turn() {
      if (mine_) turns_.release();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    explicit operator bool() const { return mine_; }

   private:
    Turns& turns_;
    const bool mine_;
  };
  CosNaming::NamingContext_var limited(CosNaming::NamingContext_ptr context) const;

  const std::chrono::milliseconds deadline_;
  Turns turns_{kMostAtOnce};
};

}  // namespace callis::naming
