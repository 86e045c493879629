// SPDX-License-Identifier: Apache-2.0
// A server that takes whatever nests, and a client that is given it, for run.py: with small stacks.
//
//   depth_peer_STYLE server [-ORB...]          prints its reference; serves until its input ends
//   depth_peer_STYLE client IOR [-ORB...]      reads names of operations; calls each, prints what becomes of it
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>
#include <thread>
#include <unistd.h>
#include "depth_skel.h"

namespace {

// What an upcall may need of the stack.
constexpr std::size_t kRoom = 64u << 10;
[[gnu::noinline]] void use_room() {
  volatile char room[kRoom];
  for (std::size_t i = 0; i < kRoom; i += 512) room[i] = 1;
  (void)room[0];
}

template <class X>
class Factory final : public CORBA::ValueFactoryBase {
  CORBA::ValueBase* create_for_unmarshal() override { return new X; }
};

class Node final : public virtual OBV_Depth::Node, public virtual CORBA::DefaultValueRefCountBase {};
class Holder final : public virtual OBV_Depth::Holder, public virtual CORBA::DefaultValueRefCountBase {};
class Base final : public virtual OBV_Depth::Base, public virtual CORBA::DefaultValueRefCountBase {};
class Own final : public virtual OBV_Depth::Own, public virtual CORBA::DefaultValueRefCountBase {
  void marshal(CORBA::DataOutputStream* to) override { to->write_Value(held()); }
  void unmarshal(CORBA::DataInputStream* from) override {
    CORBA::ValueBase_var v(from->read_Value());
    held(v.in());
  }
};

template <class X>
void know(CORBA::ORB_ptr orb, const char* id) {
  CORBA::ValueFactory_var f(new Factory<X>);
  CORBA::ValueFactory_var before(orb->register_value_factory(id, f.in()));
}

// Derived is known to nobody.
void know_all(CORBA::ORB_ptr orb) {
  know<Node>(orb, "IDL:Depth/Node:1.0");
  know<Holder>(orb, "IDL:Depth/Holder:1.0");
  know<Base>(orb, "IDL:Depth/Base:1.0");
  know<Own>(orb, "IDL:Depth/Own:1.0");
}

// What is done with an argument that was accepted: it is sent back, and then its circles are broken.
class Taker final : public POA_Depth::Taker {
 public:
  CORBA::ULong living() override {
    apart();
    return static_cast<CORBA::ULong>(callis::value::living_values());
  }
  CORBA::Any* take_any(const CORBA::Any& a) override {
    use_room();
    return new CORBA::Any(a);
  }
  CORBA::TypeCode_ptr take_type(CORBA::TypeCode_ptr t) override {
    use_room();
    if (!t->equal(t) || !t->equivalent(t)) throw CORBA::INTERNAL();
    return CORBA::TypeCode::_duplicate(t);
  }
  Depth::Tree* take_tree(const Depth::Tree& t) override {
    use_room();
    return new Depth::Tree(t);
  }
  Depth::Choice* take_choice(const Depth::Choice& c) override {
    use_room();
    return new Depth::Choice(c);
  }
  Depth::Node* take_node(Depth::Node* n) override { return kept(n); }
  Depth::Thing_ptr take_thing(Depth::Thing_ptr t) override {
    use_room();
    return Depth::Thing::_duplicate(t);
  }
  Depth::Own* take_custom(Depth::Own* c) override { return kept(c); }
  Depth::Base* take_base(Depth::Base* b) override { return kept(b); }
  Depth::AnyBox* take_box(Depth::AnyBox* b) override { return kept(b); }
  void take_two(Depth::Node*, CORBA::Boolean) override {}

 private:
  template <class X>
  X* kept(X* value) {
    use_room();
    apart();
    CORBA::add_ref(value);
    last_ = value;
    CORBA::add_ref(value);
    return value;
  }
  // Those of the call before, whose reply has gone.
  void apart() {
    callis::value::take_apart(last_.in());
    last_ = CORBA::ValueBase_var();
  }
  CORBA::ValueBase_var last_;
};

int serve(CORBA::ORB_ptr orb) {
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::ServantBase_var servant = new Taker;
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  object = poa->id_to_reference(id);
  PortableServer::POAManager_var(poa->the_POAManager())->activate();
  std::cout << CORBA::String_var(orb->object_to_string(object)) << std::endl;
  std::thread input([orb] {
    char c;
    while (read(0, &c, 1) > 0) {
    }
    orb->shutdown(false);
  });
  orb->run();
  input.join();
  orb->destroy();
  return 0;
}

void call(Depth::Taker_ptr taker, const std::string& name) {
  if (name == "take_any") {
    CORBA::Any_var(taker->take_any(CORBA::Any()));
  } else if (name == "take_type") {
    CORBA::TypeCode_var(taker->take_type(CORBA::_tc_long));
  } else if (name == "take_tree") {
    Depth::Tree_var(taker->take_tree({}));
  } else if (name == "take_choice") {
    Depth::Choice c;
    c.number(1);
    Depth::Choice_var(taker->take_choice(c));
  } else if (name == "take_node") {
    callis::value::take_apart(Depth::Node_var(taker->take_node(nullptr)).in());
  } else if (name == "take_thing") {
    Depth::Thing_var(taker->take_thing(Depth::Thing::_nil()));
  } else if (name == "take_custom") {
    callis::value::take_apart(Depth::Own_var(taker->take_custom(nullptr)).in());
  } else if (name == "take_base") {
    Depth::Base_var(taker->take_base(nullptr));
  } else if (name == "take_box") {
    Depth::AnyBox_var(taker->take_box(nullptr));
  } else {
    throw CORBA::BAD_OPERATION();
  }
}

// On a thread, whose stack is as small as that of main().
int call_all(CORBA::ORB_ptr orb, const char* reference) {
  CORBA::Object_var object = orb->string_to_object(reference);
  Depth::Taker_var taker = Depth::Taker::_unchecked_narrow(object);
  std::thread caller([&] {
    for (std::string name; std::getline(std::cin, name);) {
      std::string result = "accepted";
      try {
        call(taker.in(), name);
      } catch (const CORBA::SystemException& e) {
        result = e._name();
        result += e.completed() == CORBA::COMPLETED_YES  ? " yes"
                  : e.completed() == CORBA::COMPLETED_NO ? " no"
                                                         : " maybe";
      }
      std::cout << result << ' ' << callis::value::living_values() << std::endl;
    }
  });
  caller.join();
  orb->destroy();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    know_all(orb);
    if (argc == 2 && std::strcmp(argv[1], "server") == 0) return serve(orb);
    if (argc == 3 && std::strcmp(argv[1], "client") == 0) return call_all(orb, argv[2]);
    std::cerr << "usage: " << argv[0] << " server | client IOR\n";
    return 2;
  } catch (const CORBA::Exception& e) {
    std::cerr << e._name() << '\n';
    return 1;
  }
}
