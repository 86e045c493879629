// SPDX-License-Identifier: Apache-2.0
// The server's side of contexts.idl.
#pragma once
#include "context_text.h"
#include "journal.h"
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

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
    changed_.notify_all();
  }
  // What the one-way tell() said, once. A server may serve the two calls on different threads: this one waits.
  char* told() override {
    journal_.upcall();
    std::unique_lock lock(mutex_);
    journal_.expect(changed_.wait_for(lock, std::chrono::seconds(5), [this] { return told_.has_value(); }), "told",
                    "no tell() came");
    const std::string text = std::exchange(told_, std::nullopt).value_or("");
    return CORBA::string_dup(text.c_str());
  }

 private:
  Journal& journal_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<std::string> told_;
};

}  // namespace interop
