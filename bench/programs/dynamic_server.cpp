// SPDX-License-Identifier: Apache-2.0
// server SUITE --reference FILE: Param_Test and ttcp_throughput without skeletons, by DSI. As programs/server.cpp
// otherwise.
#include "../common/dynamic_orb.h"
#include "../common/local_server.h"
#include <map>

namespace {

using namespace bench;

CORBA::ORB_ptr orb_of_all;

CORBA::NVList_ptr new_list(CORBA::Long n) {
  CORBA::NVList_ptr list;
  orb_of_all->create_list(n, list);
  return list;
}

template <class T>
CORBA::Any any_of(const T& value) {
  CORBA::Any any;
  any <<= value;
  return any;
}

// All operations have three parameters and a result of one type, and copy the first to the others.
class DynamicParam final : public PortableServer::DynamicImplementation {
 public:
  void invoke(CORBA::ServerRequest_ptr request) override {
    const CORBA::Any& type = types_.at(request->operation());
    CORBA::NVList_ptr list = new_list(3);
    list->add_value("s1", type, CORBA::ARG_IN);
    list->add_value("s2", type, CORBA::ARG_INOUT);
    list->add_value("s3", type, CORBA::ARG_OUT);
    request->arguments(list);
    const CORBA::Any& s1 = *list->item(0)->value();
    *list->item(1)->value() = s1;
    *list->item(2)->value() = s1;
    request->set_result(s1);
  }
  char* _primary_interface(const PortableServer::ObjectId&, PortableServer::POA_ptr) override {
    return CORBA::string_dup("IDL:Param_Test:1.0");
  }

 private:
  using P = Param_Test;
  const std::map<std::string, CORBA::Any> types_{
      {"test_short", any_of(CORBA::Short(0))},
      {"test_unbounded_string", any_of<const char*>("")},
      {"test_fixed_struct", any_of(P::Fixed_Struct())},
      {"test_strseq", any_of(P::StrSeq())},
      {"test_var_struct", any_of(P::Var_Struct())},
      {"test_nested_struct", any_of(P::Nested_Struct())},
      {"test_struct_sequence", any_of(P::StructSeq())},
  };
};

class DynamicTtcp final : public PortableServer::DynamicImplementation {
 public:
  void invoke(CORBA::ServerRequest_ptr request) override {
    const std::string operation = request->operation();
    if (operation == "sendShortSeq") take(request, shorts_, &Ttcp::sendShortSeq);
    else if (operation == "sendLongSeq") take(request, longs_, &Ttcp::sendLongSeq);
    else if (operation == "sendDoubleSeq") take(request, doubles_, &Ttcp::sendDoubleSeq);
    else if (operation == "sendCharSeq") take(request, chars_, &Ttcp::sendCharSeq);
    else if (operation == "sendOctetSeq") take(request, octets_, &Ttcp::sendOctetSeq);
    else if (operation == "sendStructSeq") take(request, structs_, &Ttcp::sendStructSeq);
    else received(request);
  }
  char* _primary_interface(const PortableServer::ObjectId&, PortableServer::POA_ptr) override {
    return CORBA::string_dup("IDL:ttcp_throughput:1.0");
  }

 private:
  template <class Seq>
  void take(CORBA::ServerRequest_ptr request, const CORBA::Any& type, void (Ttcp::*send)(const Seq&)) {
    CORBA::NVList_ptr list = new_list(1);
    list->add_value("ts", type, CORBA::ARG_IN);
    request->arguments(list);
    const Seq* found = nullptr;
    if (*list->item(0)->value() >>= found) (ttcp_.*send)(*found);
  }
  void received(CORBA::ServerRequest_ptr request) {
    CORBA::NVList_ptr list = new_list(2);
    list->add_value("arrived", none_, CORBA::ARG_OUT);
    list->add_value("nanoseconds", none_, CORBA::ARG_OUT);
    request->arguments(list);
    CORBA::ULongLong arrived = 0, ns = 0;
    const CORBA::ULongLong intact = ttcp_.received(arrived, ns);
    *list->item(0)->value() <<= arrived;
    *list->item(1)->value() <<= ns;
    request->set_result(any_of(intact));
  }

  using T = ttcp_throughput;
  Ttcp ttcp_;
  const CORBA::Any none_ = any_of(CORBA::ULongLong(0)), shorts_ = any_of(T::ShortSeq()),
                   longs_ = any_of(T::LongSeq()), doubles_ = any_of(T::DoubleSeq()), chars_ = any_of(T::CharSeq()),
                   octets_ = any_of(T::OctetSeq()), structs_ = any_of(T::StructSeq());
};

std::string activate(PortableServer::POA_ptr poa, PortableServer::Servant servant) {
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  CORBA::Object_var object = poa->id_to_reference(id);
  return CORBA::String_var(orb_of_all->object_to_string(object)).in();
}

int serve(int argc, char** argv) {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  orb_of_all = orb;
  const Options o = parse(argc, argv);
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::POAManager_var(poa->the_POAManager())->activate();
  publish(o, {activate(poa, new DynamicParam), activate(poa, new DynamicTtcp)});
  orb->run();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return run_guarded([&] { return serve(argc, argv); });
}
