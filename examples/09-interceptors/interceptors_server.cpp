// SPDX-License-Identifier: Apache-2.0
// Serves an Adder. An interceptor prints the trace header of each request; the servant knows nothing of it.
#include <callis/corba.h>
#include <callis/interceptors.h>
#include <callis/portable_server.h>
#include <signal.h>
#include <iostream>
#include <thread>
#include "adder_skel.h"
#include "trace.h"

class ReadTrace : public virtual PortableInterceptor::ServerRequestInterceptor, public virtual CORBA::LocalObject {
 public:
  explicit ReadTrace(IOP::Codec_ptr codec) : codec_(codec) {}

 private:
  char* name() override { return CORBA::string_dup("read trace"); }
  void destroy() override {}
  void receive_request_service_contexts(PortableInterceptor::ServerRequestInfo_ptr info) override {
    CORBA::String_var operation = info->operation();
    try {
      IOP::ServiceContext_var context = info->get_request_service_context(kTraceContext);
      const CORBA::OctetSeq data(context->context_data.length(), context->context_data.length(),
                                 context->context_data.get_buffer());
      CORBA::Any_var value = codec_->decode_value(data, CORBA::_tc_string);
      const char* trace = "";
      value.in() >>= trace;
      std::cout << operation.in() << " belongs to " << trace << std::endl;
    } catch (const CORBA::BAD_PARAM&) {
      std::cout << operation.in() << " has no trace header" << std::endl;
    } catch (const IOP::Codec::FormatMismatch&) {
      throw CORBA::BAD_PARAM();  // is the answer to the client
    }
  }
  void receive_request(PortableInterceptor::ServerRequestInfo_ptr) override {}
  void send_reply(PortableInterceptor::ServerRequestInfo_ptr) override {}
  void send_exception(PortableInterceptor::ServerRequestInfo_ptr) override {}
  void send_other(PortableInterceptor::ServerRequestInfo_ptr) override {}

  IOP::Codec_var codec_;
};

class Initializer : public virtual PortableInterceptor::ORBInitializer, public virtual CORBA::LocalObject {
  void pre_init(PortableInterceptor::ORBInitInfo_ptr info) override {
    PortableInterceptor::ServerRequestInterceptor_var reader = new ReadTrace(make_codec(info));
    info->add_server_request_interceptor(reader);
  }
  void post_init(PortableInterceptor::ORBInitInfo_ptr) override {}
};

class AdderServant : public POA_Adder {
  CORBA::Long add(CORBA::Long a, CORBA::Long b) override { return a + b; }
};

int main(int argc, char** argv) {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);  // for this thread and those that it starts
  try {
    PortableInterceptor::ORBInitializer_var initializer = new Initializer;
    PortableInterceptor::register_orb_initializer(initializer);
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);

    PortableServer::ServantBase_var servant = new AdderServant;
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    object = poa->id_to_reference(id);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    CORBA::String_var reference = orb->object_to_string(object);
    std::cout << reference.in() << std::endl;

    std::jthread ender([&] {
      int number = 0;
      sigwait(&ends, &number);
      orb->shutdown(false);
    });
    orb->run();
    ender.join();
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "interceptors_server: " << e.what() << '\n';
    return 1;
  }
}
