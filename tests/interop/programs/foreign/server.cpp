// SPDX-License-Identifier: Apache-2.0
// foreign_server [-ORB options]. Prints its reference; ends when its input does.
#include "foreign.h"
#include "foreign_skel.h"
#include "../run_until_input_ends.h"
#include <callis/corba.h>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>

namespace {

class PackedValue final : public virtual OBV_Foreign::Packed, public virtual CORBA::DefaultValueRefCountBase {
 public:
  void marshal(CORBA::DataOutputStream* to) override {
    to->write_long(number());
    to->write_string(text());
  }
  void unmarshal(CORBA::DataInputStream* from) override {
    number(from->read_long());
    text(from->read_string());
  }
};
class PackedFactory final : public CORBA::ValueFactoryBase {
 public:
  CORBA::ValueBase* create_for_unmarshal() override { return new PackedValue; }
};

void add(CORBA::ORB_ptr orb, const char* id, CORBA::ValueFactory factory) {
  if (CORBA::ValueFactory before = orb->register_value_factory(id, factory)) before->_remove_ref();
  factory->_remove_ref();
}

class PeerServant final : public POA_Foreign::Peer {
 public:
  CORBA::Any* pass(const CORBA::Any& value) override { return new CORBA::Any(value); }
  Foreign::Anys* pass_all(const Foreign::Anys& values, Foreign::Holder&) override {
    return new Foreign::Anys(values);
  }

  CORBA::Any* nested(CORBA::Long depth, CORBA::Long number) override {
    CORBA::Any_var any = new CORBA::Any;
    const Foreign::Leaf_var leaf = new OBV_Foreign::Leaf(number);
    any.inout() <<= leaf.in();
    for (CORBA::Long i = 0; i < depth; ++i) {
      const Foreign::Tree_var tree = new OBV_Foreign::Tree("tree", any.in());
      any = new CORBA::Any;
      any.inout() <<= tree.in();
    }
    return any._retn();
  }
  CORBA::Long number_in(const CORBA::Any& value, CORBA::Long_out depth) override {
    depth = 0;
    const CORBA::Any* any = &value;
    for (Foreign::Tree* tree = nullptr; *any >>= tree; any = &tree->inside()) ++depth;
    Foreign::Leaf* leaf = nullptr;
    return (*any >>= leaf) ? leaf->number() : -1;
  }

  Foreign::Packed* echo_packed(Foreign::Packed* value, Foreign::Packed*& other, CORBA::Long behind,
                               CORBA::Long_out was_behind) override {
    other->number(other->number() + 1);
    was_behind = behind;
    CORBA::add_ref(value);
    return value;
  }
  char* code_of(CORBA::Long length) override {
    return CORBA::string_dup(std::string(static_cast<std::size_t>(length), 'c').c_str());
  }
  char* echo_string(const char* text) override { return CORBA::string_dup(text); }

  CORBA::Long meet(CORBA::Long others) override {
    std::unique_lock lock(mutex_);
    most_ = ++inside_ > most_ ? inside_ : most_;
    changed_.notify_all();
    changed_.wait_for(lock, std::chrono::seconds(20), [&] { return most_ >= others; });
    --inside_;
    return most_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  CORBA::Long inside_ = 0, most_ = 0;
};

int serve(int argc, char** argv) {
  const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  add(orb.in(), "IDL:Foreign/Packed:1.0", new PackedFactory);
  add(orb.in(), "IDL:Foreign/Leaf:1.0", new Foreign::Leaf_init);
  add(orb.in(), "IDL:Foreign/Tree:1.0", new Foreign::Tree_init);
  {
    const CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
    const PortableServer::POA_var poa = PortableServer::POA::_narrow(root.in());
    const PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    const PortableServer::ServantBase_var servant = new PeerServant;
    const PortableServer::ObjectId_var id = poa->activate_object(servant.in());
    const CORBA::Object_var peer = poa->id_to_reference(id.in());
    const CORBA::String_var ior = orb->object_to_string(peer.in());
    std::printf("%s\n", ior.in());
    std::fflush(stdout);
  }
  interop::run_until_input_ends(orb.in());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return serve(argc, argv);
  } catch (const CORBA::Exception& e) {
    std::printf("server: %s\n", e._name());
  }
  return 1;
}
