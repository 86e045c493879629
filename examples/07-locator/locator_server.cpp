// SPDX-License-Identifier: Apache-2.0
// Serves notes, which are files in a folder. There may be millions of them: a servant is made for each request, and
// freed after it. References are persistent: they go on working when the server is started again at the same address.
//
//     locator_server FOLDER -ORBEndpoint tcp:HOST:PORT
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <signal.h>
#include <fstream>
#include <iostream>
#include <regex>
#include <string>
#include <thread>
#include "note_skel.h"

class NoteServant : public POA_Note {
 public:
  explicit NoteServant(std::string file) : file_(std::move(file)) {}

 private:
  char* text() override {
    std::string line;
    std::getline(std::ifstream(file_), line);
    return CORBA::string_dup(line.c_str());
  }
  void text(const char* line) override {
    if (!(std::ofstream(file_) << line << std::flush)) throw CORBA::PERSIST_STORE();
  }
  const std::string file_;
};

class Locator : public virtual PortableServer::ServantLocator, public virtual CORBA::LocalObject {
 public:
  explicit Locator(std::string folder) : folder_(std::move(folder)) {}

 private:
  // The id comes from the client: only letters make a file name.
  PortableServer::Servant preinvoke(const PortableServer::ObjectId& id, PortableServer::POA_ptr, const char*,
                                    Cookie&) override {
    CORBA::String_var name = PortableServer::ObjectId_to_string(id);
    if (!std::regex_match(name.in(), std::regex("[a-z]{1,40}"))) throw CORBA::OBJECT_NOT_EXIST();
    return new NoteServant(folder_ + '/' + name.in() + ".txt");
  }
  void postinvoke(const PortableServer::ObjectId&, PortableServer::POA_ptr, const char*, Cookie,
                  PortableServer::Servant servant) override {
    servant->_remove_ref();
  }
  const std::string folder_;
};

int main(int argc, char** argv) {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);  // for this thread and those that it starts
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc < 2) {
      std::cerr << "usage: locator_server FOLDER\n";
      return 2;
    }
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var root = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = root->the_POAManager();
    CORBA::PolicyList policies(4);
    policies.length(4);
    policies[0] = root->create_lifespan_policy(PortableServer::PERSISTENT);
    policies[1] = root->create_id_assignment_policy(PortableServer::USER_ID);
    policies[2] = root->create_servant_retention_policy(PortableServer::NON_RETAIN);
    policies[3] = root->create_request_processing_policy(PortableServer::USE_SERVANT_MANAGER);
    PortableServer::POA_var poa = root->create_POA("notes", manager, policies);
    PortableServer::ServantManager_var locator = new Locator(argv[1]);
    poa->set_servant_manager(locator);

    // A reference needs no servant, only an id.
    PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("shopping");
    object = poa->create_reference_with_id(id, "IDL:Note:1.0");
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
    std::cerr << "locator_server: " << e.what() << '\n';
    return 1;
  }
}
