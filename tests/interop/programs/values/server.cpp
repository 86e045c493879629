// SPDX-License-Identifier: Apache-2.0
// The server of the tests of values: values_server [-ORB options]. Prints its reference; ends when its input does.
#include "mapping.h"
#include "../run_until_input_ends.h"

namespace {

using namespace interop;

class StrayValue final : public AnimalBase<OBV_Obv::Stray> {};

class ThingServant final : public POA_Obv::Thing {
 public:
  char* describe(CORBA::Long detail) override {
    ++calls_;
    char text[100];
    std::snprintf(text, sizeof text, "thing %d", int(detail));
    return CORBA::string_dup(text);
  }
  CORBA::Long calls() override { return calls_; }

 private:
  CORBA::Long calls_ = 0;
};

class ZooServant final : public POA_Obv::Zoo {
 public:
  explicit ZooServant(Obv::Thing_ptr thing) : thing_(Obv::Thing::_duplicate(thing)) {}

  Obv::Point* echo_point(Obv::Point* a, Obv::Point*& b, Obv::Point_out c) override {
    CORBA::add_ref(a);
    c = b;
    b = a;
    CORBA::add_ref(a);
    return a;
  }
  Obv::Node* echo_node(Obv::Node* a) override {
    CORBA::add_ref(a);
    return a;
  }
  CORBA::Boolean same(Obv::Node* a, Obv::Node* b) override { return a == b; }
  Obv::Nodes* echo_nodes(const Obv::Nodes& a, Obv::Pair_out ends) override {
    ends = new Obv::Pair;
    if (a.length() != 0) {
      CORBA::add_ref(a[0]);
      ends->first = a[0];
      CORBA::add_ref(a[a.length() - 1]);
      ends->second = a[a.length() - 1];
    }
    return new Obv::Nodes(a);
  }
  Obv::Choice* echo_choice(const Obv::Choice& a) override { return new Obv::Choice(a); }
  Obv::Animal* echo_animal(Obv::Animal* a) override {
    CORBA::add_ref(a);
    return a;
  }
  Obv::Animal* stray() override {
    auto* const s = new StrayValue;
    s->name("Rex");
    s->breed("unknown");
    const Obv::Node_var tail(make_list(2));
    s->tail(tail.in());
    s->found_at("the gate");
    s->route(tail.in());
    return s;
  }
  CORBA::ValueBase* echo_value(CORBA::ValueBase* a) override {
    CORBA::add_ref(a);
    return a;
  }
  Obv::Label* echo_label(Obv::Label* a, Obv::Numbers*& b, Obv::SizeBox_out c) override {
    auto* const size = new Obv::SizeBox;
    size->width(b ? CORBA::Long(b->_value().length()) : -1);
    size->unit(a ? a->_value() : "none");
    c = size;
    if (b) {
      b->_value().length(b->_value().length() + 1);
      b->_value()[b->_value().length() - 1] = 77;
    }
    CORBA::add_ref(a);
    return a;
  }
  Obv::Flag* echo_flag(Obv::Flag* a) override { return a ? new Obv::Flag(!a->_value()) : nullptr; }
  Obv::Describable_ptr echo_describable(Obv::Describable_ptr a) override { return Obv::Describable::_duplicate(a); }
  char* describe(Obv::Describable_ptr a, CORBA::Long detail) override { return a->describe(detail); }
  Obv::Describables* things() override {
    auto* const list = new Obv::Describables;
    list->length(3);
    (*list)[0] = Obv::Thing::_duplicate(thing_.in());
    (*list)[1] = new DescribedValue("of the server");
    return list;
  }
  // The value in the any may be the other argument.
  CORBA::Any* echo_any(const CORBA::Any& a, Obv::Node* b) override {
    auto* const any = new CORBA::Any(a);
    Obv::Node* n = nullptr;
    if (b && (a >>= n)) b->next(n == b ? nullptr : b);
    return any;
  }
  CORBA::ULong sum(Obv::Animal* a, Obv::Node* behind, Obv::Animal* again) override {
    return sum_of(a, behind, again);
  }
  void refuse(Obv::Animal* a) override {
    Obv::Refused e;  // whose other constructor counts in callis, and takes over in omniORB
    CORBA::add_ref(a);
    e.who = a;
    e.why = make_list(3);
    throw e;
  }
  Obv::Node* current() override {
    CORBA::add_ref(current_.in());
    return current_.in();
  }
  void current(Obv::Node* n) override {
    CORBA::add_ref(n);
    current_ = n;
  }

 private:
  Obv::Thing_var thing_;
  Obv::Node_var current_;
};

template <class Servant>
CORBA::Object_ptr activate(PortableServer::POA_ptr poa, Servant* servant) {
  const PortableServer::ServantBase_var owner(servant);
  const PortableServer::ObjectId_var id = poa->activate_object(servant);
  return poa->id_to_reference(id.in());
}

int serve(int argc, char** argv) {
  const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  add_common_factories(orb.in());
  {
    const CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
    const PortableServer::POA_var poa = PortableServer::POA::_narrow(root.in());
    const PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    const CORBA::Object_var object(activate(poa.in(), new ThingServant));
    const Obv::Thing_var thing = Obv::Thing::_narrow(object.in());
    const CORBA::Object_var zoo(activate(poa.in(), new ZooServant(thing.in())));
    const CORBA::String_var ior = orb->object_to_string(zoo.in());
    std::puts(ior.in());
    std::fflush(stdout);
  }
  interop::run_until_input_ends(orb.in());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return serve(argc, argv);
  } catch (const CORBA::SystemException& e) {
    std::fprintf(stderr, "server: CORBA::%s minor 0x%lx\n", e._name(), static_cast<unsigned long>(e.minor()));
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "server: %s\n", e._name());
  }
  return 1;
}
