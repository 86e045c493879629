// SPDX-License-Identifier: Apache-2.0
// The way of a request allocates nothing of its own, and survives the failure of every allocation that it makes.
#include <callis/poa/testing/fixture.h>
#include <cstdlib>
#include <new>

namespace {

thread_local bool counting = false;
thread_local int allocations = 0;
thread_local int fail_at = 0;  // the n-th allocation from now; 0: none

void* allocate(std::size_t n) noexcept {
  if (counting && ++allocations == fail_at) return nullptr;
  return std::malloc(n ? n : 1);
}
void* allocate_or_throw(std::size_t n) {
  if (void* p = allocate(n)) return p;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t n) { return allocate_or_throw(n); }
void* operator new[](std::size_t n) { return allocate_or_throw(n); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return allocate(n); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return allocate(n); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { std::free(p); }

namespace callis::poa::testing {
namespace {

using Outcome = FakeRequest::Outcome;
using namespace PortableServer;

// Counts within a scope.
struct Counting {
  explicit Counting(int fail = 0) {
    allocations = 0;
    fail_at = fail;
    counting = true;
  }
  ~Counting() { counting = false; }
};

struct Allocation : PoaTest {
  CORBA::Object_var reference;
  Probe* probe = activate(reference);
  Key key = key_of(reference);

  // Allocations of the second such request; the first one builds plans and the like.
  int allocations_of(const char* operation, const Key& k) {
    for (int i = 0; i < 2; ++i) {
      FakeRequest request(k, operation);
      request.put(1);
      request.put(2);
      request.reply();  // the reply's buffer is the ORB's
      request.arguments();
      request.reply().ensure(64);
      const Counting scope;
      call(request);
    }
    return allocations;
  }
};

TEST_F(Allocation, AnOrdinaryRequestMakesNone) {
  EXPECT_EQ(allocations_of("ping", key), 0);
  EXPECT_EQ(allocations_of("add", key), 0);
  EXPECT_EQ(allocations_of("twice", key), 0);
}

TEST_F(Allocation, ARequestByApplicationChosenIdMakesNone) {
  const POA_var user = child("user", root->create_id_assignment_policy(USER_ID));
  const ObjectId_var id = text_id("an object of a rather long name");
  const Servant_var<Probe> servant(new Probe);
  user->activate_object_with_id(id.in(), servant.in());
  const CORBA::Object_var object = user->id_to_reference(id.in());
  EXPECT_EQ(allocations_of("add", key_of(object)), 0);
}

TEST_F(Allocation, ARefusedKeyMakesNoneThatLast) {
  Key unknown = key;
  unknown[20] ^= 1;
  EXPECT_EQ(allocations_of("ping", unknown), 0);
  EXPECT_EQ(allocations_of("ping", Key{1, 2, 3}), 0);
}

// If any allocation fails, the request is answered, and the next request is served.
TEST_F(Allocation, EveryFailureIsAnswered) {
  struct Case {
    const char* operation;
    std::function<void(FakeRequest&)> fill;
  };
  const Case cases[] = {
      {"greet", [](FakeRequest& r) { r.put_string("world"); }},
      {"greet", [](FakeRequest& r) { r.put_string("stranger"); }},
      {"sum", [](FakeRequest& r) { r.write([&](cdr::Encoder& e) { e.put_bytes(std::vector<Byte>(4096)); }); }},
      {"sum", [](FakeRequest& r) { r.write([&](cdr::Encoder& e) { e.put_octet(1); }); }},  // bad arguments
      {"_is_a", [](FakeRequest& r) { r.put_string("IDL:some/interface/with/a/long/name:1.0"); }},
  };
  EXPECT_EQ(ping(key), "ok");
  for (const Case& c : cases) {
    FakeRequest first(key, c.operation);  // builds the operation's plans
    c.fill(first);
    call(first);
    for (int n = 1;; ++n) {
      FakeRequest request(key, c.operation);
      c.fill(request);
      {
        const Counting scope(n);
        call(request);
      }
      EXPECT_NE(request.outcome, Outcome::Nothing);
      if (allocations < n) break;  // it was not reached: all have failed once
      EXPECT_NE(request.system(), "") << c.operation << " " << n;
      EXPECT_EQ(ping(key), "ok");
    }
  }
}

TEST_F(Allocation, FailuresInAdministrationLeaveNothingHalfDone) {
  const POA_var user = child("user", root->create_id_assignment_policy(USER_ID));
  const auto active = orb.registry->table().active();
  for (int n = 1;; ++n) {
    const Servant_var<Probe> servant(new Probe);
    const ObjectId_var id = text_id("x");
    bool failed = false;
    try {
      const Counting scope(n);
      user->activate_object_with_id(id.in(), servant.in());
    } catch (const std::bad_alloc&) {
      failed = true;
    } catch (const CORBA::NO_MEMORY&) {
      failed = true;
    }
    if (!failed) {
      EXPECT_LT(allocations, n);
      user->deactivate_object(id.in());
      break;
    }
    EXPECT_EQ(servant->_refcount_value(), 1u);
    EXPECT_EQ(orb.registry->table().active(), active);
    EXPECT_THROW(user->deactivate_object(id.in()), POA::ObjectNotActive);
    user->activate_object_with_id(id.in(), servant.in());  // works now
    user->deactivate_object(id.in());
  }
  for (int n = 1;; ++n) {
    POA_var made;
    try {
      const Counting scope(n);
      made = root->create_POA("made", manager.in(), {});
    } catch (const std::bad_alloc&) {
      EXPECT_THROW(root->find_POA("made", false), POA::AdapterNonExistent);
      continue;
    }
    made->destroy(true, true);
    break;
  }
}

}  // namespace
}  // namespace callis::poa::testing
