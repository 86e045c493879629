// SPDX-License-Identifier: Apache-2.0
// Serves one Param_Test object and runs until it is killed. Every operation returns s1, gives s2 as it came in s3,
// and leaves s1 in s2.
//
//     param_test_server [--ior FILE] [-ORBEndpoint tcp:HOST:PORT]
//
// The reference goes to standard output, or into FILE.
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <fstream>
#include <iostream>
#include <string_view>
#include "param_test_skel.h"

class Param_Test_servant : public POA_Param_Test {
  using Fixed_Struct = Param_Test::Fixed_Struct;
  using StrSeq = Param_Test::StrSeq;
  using Var_Struct = Param_Test::Var_Struct;
  using Nested_Struct = Param_Test::Nested_Struct;
  using StructSeq = Param_Test::StructSeq;

 public:
  CORBA::Short test_short(CORBA::Short s1, CORBA::Short& s2, CORBA::Short_out s3) override {
    s3 = s2;
    s2 = s1;
    return s1;
  }

  char* test_unbounded_string(const char* s1, char*& s2, CORBA::String_out s3) override {
    s3 = s2;  // the old string becomes the caller's
    s2 = CORBA::string_dup(s1);
    return CORBA::string_dup(s1);
  }

  Fixed_Struct test_fixed_struct(const Fixed_Struct& s1, Fixed_Struct& s2, Fixed_Struct& s3) override {
    s3 = s2;
    s2 = s1;
    return s1;
  }

  StrSeq* test_strseq(const StrSeq& s1, StrSeq& s2, Param_Test::StrSeq_out s3) override {
    return pass(s1, s2, s3);
  }
  Var_Struct* test_var_struct(const Var_Struct& s1, Var_Struct& s2, Param_Test::Var_Struct_out s3) override {
    return pass(s1, s2, s3);
  }
  Nested_Struct* test_nested_struct(const Nested_Struct& s1, Nested_Struct& s2,
                                    Param_Test::Nested_Struct_out s3) override {
    return pass(s1, s2, s3);
  }
  StructSeq* test_struct_sequence(const StructSeq& s1, StructSeq& s2, Param_Test::StructSeq_out s3) override {
    return pass(s1, s2, s3);
  }

 private:
  template <class T, class Out>
  static T* pass(const T& s1, T& s2, Out s3) {
    s3 = new T(s2);
    s2 = s1;
    return new T(s1);
  }
};

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    const char* file = nullptr;
    if (argc == 3 && std::string_view(argv[1]) == "--ior") file = argv[2];
    else if (argc != 1) return std::cerr << "usage: param_test_server [--ior FILE]\n", 2;

    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::ServantBase_var servant = new Param_Test_servant;
    PortableServer::ObjectId_var id = poa->activate_object(servant.in());
    object = poa->id_to_reference(id.in());
    CORBA::String_var reference = orb->object_to_string(object.in());

    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    if (file) std::ofstream(file) << reference.in() << std::endl;
    else std::cout << reference.in() << std::endl;
    orb->run();
  } catch (const CORBA::Exception& e) {
    std::cerr << "param_test_server: " << e.what() << '\n';
    return 1;
  }
}
