// SPDX-License-Identifier: Apache-2.0
// The server's side of contexts.idl.
#pragma once
#include "context_text.h"
#include "journal.h"
#include <mutex>

namespace interop {

class ContextServant final : public POA_ContextTest::Peer {
 public:
  explicit ContextServant(Journal& j) : journal_(j) {}

  char* find(const char* pattern, CORBA::LongLong& count, CORBA::Context_ptr context) override {
    journal_.upcall();
    CORBA::ULong found = 0;
    const std::string text = context_text(context, pattern, found);
    if (found == 0) throw ContextTest::Absent(pattern);
    count += found;
    return CORBA::string_dup(text.c_str());
  }
  void check(CORBA::Octet o, const char* user, CORBA::Context_ptr context) override {
    journal_.upcall();
    const std::string expected = *user ? std::string("user=") + user + ';' : "";
    journal_.expect(o == 77, "check", "the octet");
    journal_.expect(context_text(context, "*") == expected, "check",
                    context_text(context, "*") + " is not " + expected);
  }
  void tell(CORBA::Octet, CORBA::Context_ptr context) override {
    journal_.upcall();
    const std::lock_guard lock(mutex_);
    told_ = context_text(context, "*");
  }
  char* told() override {
    journal_.upcall();
    const std::lock_guard lock(mutex_);
    return CORBA::string_dup(told_.c_str());
  }

 private:
  Journal& journal_;
  std::mutex mutex_;
  std::string told_;
};

}  // namespace interop
