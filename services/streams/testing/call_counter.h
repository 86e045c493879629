// SPDX-License-Identifier: Apache-2.0
// Counts the calls that ORBs of this process make, those within the process among them.
#pragma once
#include <callis/corba.h>
#include <callis/interceptors.h>
#include <mutex>
#include <string>
#include <vector>

namespace callis::streams::testing {

class CallCounter final {
 public:
  // For ORBs that are made from here on; once in a process.
  static CallCounter& install() {
    static CallCounter counter;
    static const bool installed = [] {
      const PortableInterceptor::ORBInitializer_var initializer = new Initializer;
      PortableInterceptor::register_orb_initializer(initializer.in());
      return true;
    }();
    static_cast<void>(installed);
    return counter;
  }
  // What was called since the last time.
  std::vector<std::string> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(calls_, {});
  }

 private:
  class Interceptor final : public virtual PortableInterceptor::ClientRequestInterceptor,
                            public virtual CORBA::LocalObject {
    char* name() override { return CORBA::string_dup("call counter"); }
    void destroy() override {}
    void send_request(PortableInterceptor::ClientRequestInfo_ptr info) override {
      const CORBA::String_var operation = info->operation();
      CallCounter& counter = install();
      const std::lock_guard lock(counter.mutex_);
      counter.calls_.emplace_back(operation.in());
    }
    void send_poll(PortableInterceptor::ClientRequestInfo_ptr) override {}
    void receive_reply(PortableInterceptor::ClientRequestInfo_ptr) override {}
    void receive_exception(PortableInterceptor::ClientRequestInfo_ptr) override {}
    void receive_other(PortableInterceptor::ClientRequestInfo_ptr) override {}
  };
  class Initializer final : public virtual PortableInterceptor::ORBInitializer, public virtual CORBA::LocalObject {
    void pre_init(PortableInterceptor::ORBInitInfo_ptr info) override {
      const PortableInterceptor::ClientRequestInterceptor_var counter = new Interceptor;
      info->add_client_request_interceptor(counter.in());
    }
    void post_init(PortableInterceptor::ORBInitInfo_ptr) override {}
  };

  std::mutex mutex_;
  std::vector<std::string> calls_;
};

}  // namespace callis::streams::testing
