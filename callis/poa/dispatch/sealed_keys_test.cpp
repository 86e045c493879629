// SPDX-License-Identifier: Apache-2.0
// Keys that cannot be guessed (-ORBUnguessableKeys). All other tests of adapters run with them, too:
// poa.all_with_sealed_keys.
#include <callis/corba.h>
#include <callis/ior/memory_profile.h>
#include <callis/ior/text.h>
#include <callis/orb/base/stub.h>
#include <callis/orb/client/reference.h>
#include <callis/poa/testing/fixture.h>
#include <random>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;

// From the reference vectors of SipHash-2-4: key 00 01 ... 0f, messages 00 01 ... of growing length.
TEST(SipHash, gives_the_published_values) {
  const std::array<std::uint64_t, 2> secret{0x0706050403020100, 0x0f0e0d0c0b0a0908};
  std::vector<Byte> message(16);
  for (std::size_t i = 0; i < message.size(); ++i) message[i] = static_cast<Byte>(i);
  const ByteView all(message);
  EXPECT_EQ(sip_hash(secret, all.first(0)), 0x726fdb47dd0e0e31u);
  EXPECT_EQ(sip_hash(secret, all.first(1)), 0x74f839c593dc67fdu);
  EXPECT_EQ(sip_hash(secret, all.first(8)), 0x93f5f5799a932462u);
  EXPECT_EQ(sip_hash(secret, all.first(15)), 0xa129ca6149be45e5u);
}

const Nonce kNonce{1, 2, 3, 4, 5, 6, 7, 8};

std::vector<Byte> system_key(const SystemId& id) {
  Byte key[kSystemKeyBytes];
  SystemKeyPrefix(kNonce).build(id, key);
  return {std::begin(key), std::end(key)};
}

TEST(KeySeal, opens_what_it_has_sealed_and_nothing_else) {
  const KeySeal seal, other;
  const auto key = system_key({1, 2, 3});
  const auto sealed = seal.seal(key);
  ASSERT_EQ(sealed.size(), key.size() + 8);
  ByteView opened;
  ASSERT_TRUE(seal.open(sealed, opened));
  EXPECT_TRUE(std::ranges::equal(opened, key));
  EXPECT_FALSE(other.open(sealed, opened)) << "of another ORB";
  EXPECT_FALSE(seal.open(key, opened)) << "without a seal";
  for (std::size_t n = 4; n < sealed.size(); ++n) EXPECT_FALSE(seal.open(ByteView(sealed).first(n), opened)) << n;
  for (std::size_t i = 4; i < sealed.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      auto bad = sealed;
      bad[i] ^= static_cast<Byte>(1 << bit);
      EXPECT_FALSE(seal.open(bad, opened)) << i;
    }
}

TEST(KeySeal, leaves_persistent_keys_as_every_process_makes_them) {
  const KeySeal seal;
  for (const KeyKind kind : {KeyKind::Persistent, KeyKind::HintedPersistent}) {
    const auto key = persistent_key_prefix(encode_path({"bank"}), kind);
    EXPECT_EQ(seal.seal(key), key);
    ByteView opened;
    EXPECT_TRUE(seal.open(key, opened));
    EXPECT_EQ(opened.size(), key.size());
  }
}

TEST(KeySeal, reads_any_bytes) {
  const KeySeal seal;
  std::mt19937 random(7);
  for (int i = 0; i < 10'000; ++i) {
    std::vector<Byte> key(random() % 40);
    for (Byte& b : key) b = static_cast<Byte>(random());
    ByteView opened;
    if (key.size() > kKindAt && !is_persistent(static_cast<KeyKind>(key[kKindAt])))
      EXPECT_FALSE(seal.open(key, opened));
    else (void)seal.open(key, opened);
  }
}

// --- In adapters

TEST(SealedKeys, of_other_objects_cannot_be_counted_to) {
  const Orb plain({}, false), sealed({}, true);
  for (const Orb* orb : {&plain, &sealed}) {
    const Servant_var<Probe> one(new Probe), two(new Probe);
    const ObjectId_var a = orb->root->activate_object(one.in()), b = orb->root->activate_object(two.in());
    const CORBA::Object_var first = orb->root->id_to_reference(a.in()), second = orb->root->id_to_reference(b.in());
    // An attacker can make this key from the first reference: it has the second's numbers.
    Key guess = key_of(first);
    std::copy_n(key_of(second).begin(), kSystemKeyBytes, guess.begin());
    for (const bool with_seal : {true, false}) {
      if (!with_seal) guess.resize(kSystemKeyBytes);
      FakeRequest request(guess, "ping");
      orb->dispatcher.handle(request);
      if (orb == &plain) EXPECT_EQ(request.outcome, FakeRequest::Outcome::Reply);
      else EXPECT_EQ(request.system(), "OBJECT_NOT_EXIST 2 NO");
      ior::Ior forward;
      EXPECT_EQ(orb->dispatcher.locate(guess, forward), orb == &plain ? orb::Locate::Here : orb::Locate::Unknown);
    }
    EXPECT_EQ(two->pings, orb == &plain ? 2 : 0);
  }
}

CORBA::ORB_var orb_with(std::vector<std::string> args) {
  static int number = 0;
  args.insert(args.begin(), "test");
  args.insert(args.end(), {"-ORBEndpoint", "memory:sealed" + std::to_string(++number)});
  std::vector<char*> argv;
  for (std::string& a : args) argv.push_back(a.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(args.size());
  return CORBA::ORB_init(argc, argv.data(), ("sealed" + std::to_string(number)).c_str());
}

CORBA::Long add(CORBA::Object_ptr object, CORBA::Long a, CORBA::Long b) {
  struct { CORBA::Long a, b, result; } frame{a, b, 0};
  orb::invoke(object, probe_unit, kAdd, &frame);
  return frame.result;
}

std::size_t key_bytes(CORBA::Object_ptr o) { return o->_callis_reference()->paths()[0].object_key.size(); }

// From within and from another ORB, by every way of finding objects and of calling within.
TEST(SealedKeys, serve_calls_whatever_the_adapter) {
  for (const char* lookup : {"active", "hint", "hash", "linear"})
    for (const char* adapters : {"active", "path"})
      for (const char* collocation : {"adapter", "direct", "marshaled"}) {
        SCOPED_TRACE(std::string(lookup) + ' ' + adapters + ' ' + collocation);
        const CORBA::ORB_var orb = orb_with({"-ORBUnguessableKeys", "yes", "-ORBObjectLookup", lookup,
                                             "-ORBAdapterLookup", adapters, "-ORBCollocation", collocation});
        const CORBA::ORB_var other = orb_with({});
        const POA_var root = POA::_narrow(CORBA::Object_var(orb->resolve_initial_references("RootPOA")).in());
        const POAManager_var manager = root->the_POAManager();
        manager->activate();
        for (const bool user_ids : {false, true})
          for (const bool persistent : {false, true}) {
            CORBA::PolicyList list;
            list.length(2);
            list[0] = root->create_id_assignment_policy(user_ids ? USER_ID : SYSTEM_ID);
            list[1] = root->create_lifespan_policy(persistent ? PERSISTENT : TRANSIENT);
            const POA_var poa =
                root->create_POA(("poa" + std::to_string(user_ids * 2 + persistent)).c_str(), manager.in(), list);
            const Servant_var<Probe> servant(new Probe);
            ObjectId_var id = text_id("it");
            if (user_ids) poa->activate_object_with_id(id.in(), servant.in());
            else id = poa->activate_object(servant.in());
            const CORBA::Object_var object = poa->id_to_reference(id.in());
            const CORBA::String_var text = orb->object_to_string(object.in());
            const CORBA::Object_var from_outside = other->string_to_object(text.in());
            for (int i = 0; i < 3; ++i) {
              EXPECT_EQ(add(object.in(), i, 1), i + 1);
              EXPECT_EQ(add(from_outside.in(), i, 1), i + 1);
            }
            EXPECT_FALSE(from_outside->_non_existent());
            const ObjectId_var back = poa->reference_to_id(CORBA::Object_var(orb->string_to_object(text.in())).in());
            EXPECT_TRUE(std::ranges::equal(bytes_of(back.in()), bytes_of(id.in())));
            poa->deactivate_object(id.in());
            EXPECT_THROW(add(from_outside.in(), 1, 1), CORBA::OBJECT_NOT_EXIST);
            EXPECT_THROW(add(object.in(), 1, 1), CORBA::OBJECT_NOT_EXIST);
          }
        orb->destroy();
        other->destroy();
      }
}

TEST(SealedKeys, cost_eight_bytes_and_none_without_the_option) {
  for (const bool yes : {false, true}) {
    const CORBA::ORB_var orb = orb_with({"-ORBUnguessableKeys", yes ? "yes" : "no"});
    const POA_var root = POA::_narrow(CORBA::Object_var(orb->resolve_initial_references("RootPOA")).in());
    const Servant_var<Probe> servant(new Probe);
    const CORBA::Object_var object = root->servant_to_reference(servant.in());
    EXPECT_EQ(key_bytes(object.in()), kSystemKeyBytes + (yes ? KeySeal::kBytes : 0));
    orb->destroy();
  }
}

}  // namespace
}  // namespace callis::poa::testing
