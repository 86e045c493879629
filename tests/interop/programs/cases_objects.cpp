// SPDX-License-Identifier: Apache-2.0
// Object references as arguments and results, inheritance, and the server calling the client.
#include "activate.h"
#include "swap_values.h"
#include <atomic>

namespace interop {

namespace {

class ListenerServant final : public POA_Interop::Listener {
 public:
  CORBA::Long heard(CORBA::Long n, const char* s) override {
    ++calls_;
    good_ = good_ && text(Size(n), kOut) == s;
    return 2 * n;
  }
  int calls() const { return calls_; }
  bool good() const { return good_; }

 private:
  std::atomic<int> calls_{0};
  std::atomic<bool> good_{true};
};

std::string name_of(Interop::Named_ptr named) {
  const CORBA::String_var s = named->name();
  return s.in();
}

void inheritance(Session& session, Interop::Objects_ptr objects) {
  const Interop::Leaf_var leaf = objects->make("oak");
  CHECK(name_of(leaf.in()) == "oak");
  CHECK(leaf->hue() == Interop::violet);
  CHECK(leaf->count() == 1);

  // Up: implicitly and by narrow. All are one object.
  const Interop::Node_var node = Interop::Node::_narrow(leaf.in());
  const Interop::Counted_var counted = Interop::Counted::_narrow(leaf.in());
  const Interop::Named_var named = Interop::Named::_duplicate(leaf.in());
  CHECK(counted->count() == 2);
  CHECK(node->count() == 3);
  CHECK(name_of(named.in()) == "oak");
  CHECK(leaf->_is_equivalent(named.in()));

  // Down, from a reference whose static type is the base.
  const Interop::Named_var base = objects->make_named("elm");
  const Interop::Leaf_var down = Interop::Leaf::_narrow(base.in());
  CHECK(!CORBA::is_nil(down.in()));
  if (!CORBA::is_nil(down.in())) CHECK(down->count() == 1 && name_of(down.in()) == "elm");
  CHECK(base->_is_a("IDL:interop.test/Interop/Leaf:1.0"));
  CHECK(base->_is_a("IDL:interop.test/Interop/Counted:1.0"));
  CHECK(base->_is_a("IDL:omg.org/CORBA/Object:1.0"));
  CHECK(!base->_is_a("IDL:interop.test/Interop/Calls:1.0"));

  // To something else: nil.
  const Interop::Calls_var calls = Interop::Calls::_narrow(base.in());
  CHECK(CORBA::is_nil(calls.in()));

  // An inherited operation that returns a reference, twice.
  const Interop::Node_var next = leaf->next();
  const Interop::Node_var next2 = next->next();
  CHECK(name_of(next2.in()) == "oak++");
}

void references(Session& session, Interop::Objects_ptr objects) {
  const Interop::Leaf_var ash = objects->make("ash");
  const Interop::Leaf_var yew = objects->make("yew");

  Interop::Named_var b = Interop::Named::_duplicate(yew.in());
  Interop::Named_var c;
  const CORBA::String_var name = objects->swap(ash.in(), b.inout(), c.out());
  CHECK(std::string("ash") == name.in());
  CHECK(name_of(b.in()) == "ash" && name_of(c.in()) == "yew");

  Interop::NamedSeq all;
  all.length(3);
  all[0] = Interop::Named::_duplicate(ash.in());
  all[2] = Interop::Named::_duplicate(yew.in());  // [1] stays nil
  const Interop::NamedSeq_var back = objects->reverse(all);
  CHECK(back->length() == 3);
  const Interop::Named_ptr first = back.in()[0], middle = back.in()[1], last = back.in()[2];
  CHECK(name_of(first) == "yew" && CORBA::is_nil(middle) && name_of(last) == "ash");

  Interop::Pair pair;
  pair.second = Interop::Node::_duplicate(ash.in());
  const Interop::Pair_var twins = objects->t_pair(pair);
  CHECK(name_of(twins->first.in()) == "ash" && name_of(twins->second.in()) == "ash");
  const Interop::Pair_var nothing = objects->t_pair(Interop::Pair());
  CHECK(CORBA::is_nil(nothing->first.in()) && CORBA::is_nil(nothing->second.in()));

  const CORBA::Object_var object = objects->any_object(yew.in());
  const Interop::Counted_var counted = Interop::Counted::_narrow(object.in());
  CHECK(!CORBA::is_nil(counted.in()) && counted->count() == 1);
  const CORBA::Object_var nil_object = objects->any_object(CORBA::Object::_nil());
  CHECK(CORBA::is_nil(nil_object.in()));
  const Interop::Named_var nil = objects->nil();
  CHECK(CORBA::is_nil(nil.in()));

  // Text and back.
  const CORBA::String_var text_of = session.orb()->object_to_string(yew.in());
  const CORBA::Object_var again = session.orb()->string_to_object(text_of.in());
  CHECK(again->_is_equivalent(yew.in()));
}

void calling_back(Session& session, Interop::Objects_ptr objects) {
  const CORBA::Object_var root = session.orb()->resolve_initial_references("RootPOA");
  const PortableServer::POA_var poa = PortableServer::POA::_narrow(root.in());
  const PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  ListenerServant* servant = new ListenerServant;
  const PortableServer::ServantBase_var owner(servant);
  const PortableServer::ObjectId_var id = poa->activate_object(servant);
  const CORBA::Object_var o = poa->id_to_reference(id.in());
  const Interop::Listener_var listener = Interop::Listener::_narrow(o.in());
  CHECK(objects->call_back(listener.in(), 0) == 0);
  CHECK(objects->call_back(listener.in(), 50) == 49 * 50);
  CHECK(servant->calls() == 50 && servant->good());
  CHECK(listener->heard(3, text(3, kOut).c_str()) == 6);  // our own object, from here
}

}  // namespace

void check_objects(Session& session) {
  const Interop::Objects_var objects = session.reference<Interop::Objects>("objects");
  inheritance(session, objects.in());
  references(session, objects.in());
  calling_back(session, objects.in());
}

}  // namespace interop
