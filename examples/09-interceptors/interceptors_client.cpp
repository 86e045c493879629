// SPDX-License-Identifier: Apache-2.0
// Calls an Adder. An interceptor adds a trace header to each request; the calls know nothing of it.
//
//     interceptors_client IOR:... [trace]
#include <callis/corba.h>
#include <callis/interceptors.h>
#include <iostream>
#include "adder.h"
#include "trace.h"

class AddTrace : public virtual PortableInterceptor::ClientRequestInterceptor, public virtual CORBA::LocalObject {
 public:
  AddTrace(IOP::Codec_ptr codec, const char* trace) : codec_(codec), trace_(trace) {}

 private:
  char* name() override { return CORBA::string_dup("add trace"); }
  void destroy() override {}
  void send_request(PortableInterceptor::ClientRequestInfo_ptr info) override {
    CORBA::Any value;
    value <<= trace_;
    CORBA::OctetSeq_var data = codec_->encode_value(value);
    IOP::ServiceContext context;
    context.context_id = kTraceContext;
    context.context_data.replace(data->length(), data->length(), data->get_buffer());
    info->add_request_service_context(context, false);
    say("-> ", info);
  }
  void send_poll(PortableInterceptor::ClientRequestInfo_ptr) override {}
  void receive_reply(PortableInterceptor::ClientRequestInfo_ptr info) override { say("<- ", info); }
  void receive_exception(PortableInterceptor::ClientRequestInfo_ptr info) override { say("<- exception: ", info); }
  void receive_other(PortableInterceptor::ClientRequestInfo_ptr info) override { say("<- other: ", info); }
  void say(const char* what, PortableInterceptor::ClientRequestInfo_ptr info) {
    CORBA::String_var operation = info->operation();
    std::cout << what << operation.in() << " (" << trace_ << ")\n";
  }

  IOP::Codec_var codec_;
  const char* trace_;
};

class Initializer : public virtual PortableInterceptor::ORBInitializer, public virtual CORBA::LocalObject {
 public:
  explicit Initializer(const char* trace) : trace_(trace) {}

 private:
  void pre_init(PortableInterceptor::ORBInitInfo_ptr info) override {
    PortableInterceptor::ClientRequestInterceptor_var adder = new AddTrace(make_codec(info), trace_);
    info->add_client_request_interceptor(adder);
  }
  void post_init(PortableInterceptor::ORBInitInfo_ptr) override {}
  const char* trace_;
};

int main(int argc, char** argv) {
  try {
    PortableInterceptor::ORBInitializer_var initializer = new Initializer(argc > 2 ? argv[2] : "order 17");
    PortableInterceptor::register_orb_initializer(initializer);
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc < 2) {
      std::cerr << "usage: interceptors_client IOR:... [trace]\n";
      return 2;
    }
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    Adder_var adder = Adder::_narrow(object);
    if (CORBA::is_nil(adder)) {
      std::cerr << "interceptors_client: that object is no Adder\n";
      return 1;
    }
    const CORBA::Long sum = adder->add(2, 3);
    std::cout << "2 + 3 = " << sum << '\n';
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "interceptors_client: " << e.what() << '\n';
    return 1;
  }
}
