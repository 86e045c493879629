// SPDX-License-Identifier: Apache-2.0
// PoaTest: a root adapter with active manager, references that are only keys, and requests without a connection.
#pragma once
#include <callis/orb/context/upcall.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/dispatch/dispatch.h>
#include <callis/poa/dispatch/sealed_keys.h>
#include <callis/poa/testing/fake_request.h>
#include <callis/poa/testing/probe.h>
#include <callis/portable_server.h>
#include <gtest/gtest.h>
#include <cstdlib>
#include <thread>

namespace callis::poa::testing {

// A reference that is nothing but type and key.
class FakeObject final : public CORBA::LocalObject {
 public:
  FakeObject(const void* o, std::string_view t, ByteView k) : owner(o), type(t), key(k.begin(), k.end()) {}
  const void* const owner;
  const std::string type;
  const std::vector<Byte> key;
};

class FakeReferences final : public References {
 public:
  CORBA::Object_ptr make(std::string_view type_id, ByteView key, const orb::AdapterNotes*,
                         const orb::AdapterNotes*) override {
    return new FakeObject(this, type_id, key);
  }
  ByteView own_key(CORBA::Object_ptr reference) override {
    const auto* o = dynamic_cast<FakeObject*>(reference);
    return o && o->owner == this ? ByteView(o->key) : ByteView();
  }
};

// Where the environment has CALLIS_POA_TEST_SEALED all tests have sealed keys (sealed_keys.h).
inline bool tests_have_seals() { return std::getenv("CALLIS_POA_TEST_SEALED") != nullptr; }

// Asks the adapter inside an upcall, as the ORB does.
class Upcalls final : public orb::RequestHandler {
 public:
  explicit Upcalls(orb::RequestHandler& adapter) : adapter_(adapter) {}
  void handle(orb::ServerRequest& request) noexcept override {
    const orb::Upcall upcall(nullptr, orb::Upcall::Direct(), request.client());
    adapter_.handle(request);
  }
  orb::Locate locate(ByteView key, ior::Ior& forward) noexcept override { return adapter_.locate(key, forward); }
  orb::Locate ask(ByteView key, bool comes_back, ior::Ior& forward,
                  giop::SystemExceptionBody& failure) noexcept override {
    const orb::Upcall upcall(nullptr, orb::Upcall::Direct());
    return adapter_.ask(key, comes_back, forward, failure);
  }
  orb::Collocation collocation(ByteView key) noexcept override { return adapter_.collocation(key); }

 private:
  orb::RequestHandler& adapter_;
};

// An ORB's worth of adapters.
struct Orb {
  orb::Counted<Registry> registry;
  PortableServer::POA_var root;
  PortableServer::POAManager_var manager;
  Dispatcher adapter;
  std::unique_ptr<orb::RequestHandler> opener;
  mutable Upcalls dispatcher;

  explicit Orb(Registry::Options options = {}, bool sealed = tests_have_seals(), bool activated = true)
      : registry(new Registry(references(sealed), options)),
        root(Adapter::make_root(*registry)),
        manager(root->the_POAManager()),
        adapter(*registry),
        opener(sealed ? open_seals(adapter, registry->references()) : nullptr),
        dispatcher(opener ? *opener : adapter) {
    if (activated) manager->activate();
  }
  static std::unique_ptr<References> references(bool sealed) {
    std::unique_ptr<References> made(new FakeReferences);
    if (sealed) seal_references(made);
    return made;
  }
  ~Orb() {
    try {
      root->destroy(true, true);
    } catch (const CORBA::OBJECT_NOT_EXIST&) {  // the test has done it
    }
  }
};

using Key = std::vector<Byte>;
inline const FakeObject& fake(CORBA::Object_ptr o) { return dynamic_cast<const FakeObject&>(*o); }
inline Key key_of(const CORBA::Object_var& o) { return fake(o.in()).key; }

struct PoaTest : ::testing::Test {
  Orb orb;
  PortableServer::POA_var& root = orb.root;
  PortableServer::POAManager_var& manager = orb.manager;
  const int alive_before = Probe::alive;

  // A new servant that its activations alone keep, and its reference.
  template <class S = Probe>
  S* activate(CORBA::Object_var& reference, PortableServer::POA_ptr poa = nullptr) {
    PortableServer::Servant_var<S> servant(new S);
    if (!poa) poa = root.in();
    const PortableServer::ObjectId_var id = poa->activate_object(servant.in());
    reference = poa->id_to_reference(id.in());
    return servant.in();
  }
  void call(FakeRequest& request) { orb.dispatcher.handle(request); }
  // The outcome of ping on that key: "ok", or the system exception.
  std::string ping(const Key& key) {
    FakeRequest request(key, "ping");
    call(request);
    return request.outcome == FakeRequest::Outcome::Reply ? "ok" : request.system();
  }
  // Runs f inside an upcall.
  void in_upcall(std::function<void()> f) {
    CORBA::Object_var reference;
    activate(reference)->during = std::move(f);
    FakeRequest request(key_of(reference), "act");
    call(request);
    ASSERT_EQ(request.outcome, FakeRequest::Outcome::Reply) << request.system();
    const PortableServer::ObjectId_var id = root->reference_to_id(reference.in());
    root->deactivate_object(id.in());
  }
  // A child with the policies given; the caller's to release.
  template <class... P>
  PortableServer::POA_ptr child(const char* name, P*... policies) {
    CORBA::PolicyList list;
    list.length(sizeof...(P));
    CORBA::ULong i = 0;
    ((list[i++] = policies), ...);
    return root->create_POA(name, manager.in(), list);
  }
};

// Names for short tests.
inline PortableServer::ObjectId_var text_id(const char* text) { return PortableServer::string_to_ObjectId(text); }

// Waits until condition() holds; for conditions that another thread is about to make true.
template <class F>
void await(F condition) {
  while (!condition()) std::this_thread::yield();
}

}  // namespace callis::poa::testing
