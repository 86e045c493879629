// SPDX-License-Identifier: Apache-2.0
// Every combination of the seven policies (CORBA 3.3 part 1, 15.3.8 and 15.3.9.3), against the rules written down
// once more.
#include <callis/poa/testing/fixture.h>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;

// The policies by their places in a full list, in the order of their types.
enum Place { kThread, kLifespan, kUniqueness, kAssignment, kImplicit, kRetention, kProcessing, kPlaces };
constexpr std::array<CORBA::ULong, kPlaces> kValues = {2, 2, 2, 2, 2, 2, 3};  // MAIN_THREAD_MODEL has its own test
using Combination = std::array<CORBA::ULong, kPlaces>;

// Pairs of places that are at odds.
std::vector<std::pair<Place, Place>> conflicts(const Combination& c) {
  std::vector<std::pair<Place, Place>> all;
  const bool implicit = c[kImplicit] == IMPLICIT_ACTIVATION, retain = c[kRetention] == RETAIN;
  if (implicit && c[kAssignment] != SYSTEM_ID) all.push_back({kImplicit, kAssignment});
  if (implicit && !retain) all.push_back({kImplicit, kRetention});
  if (!retain && c[kProcessing] == USE_ACTIVE_OBJECT_MAP_ONLY) all.push_back({kRetention, kProcessing});
  if (c[kProcessing] == USE_DEFAULT_SERVANT && c[kUniqueness] == UNIQUE_ID) all.push_back({kUniqueness, kProcessing});
  return all;
}

struct PolicyTable : PoaTest {
  CORBA::Policy_ptr make(std::size_t place, CORBA::ULong value) {
    switch (place) {
      case kThread: return root->create_thread_policy(static_cast<ThreadPolicyValue>(value));
      case kLifespan: return root->create_lifespan_policy(static_cast<LifespanPolicyValue>(value));
      case kUniqueness: return root->create_id_uniqueness_policy(static_cast<IdUniquenessPolicyValue>(value));
      case kAssignment: return root->create_id_assignment_policy(static_cast<IdAssignmentPolicyValue>(value));
      case kImplicit:
        return root->create_implicit_activation_policy(static_cast<ImplicitActivationPolicyValue>(value));
      case kRetention: return root->create_servant_retention_policy(static_cast<ServantRetentionPolicyValue>(value));
      default: return root->create_request_processing_policy(static_cast<RequestProcessingPolicyValue>(value));
    }
  }
  CORBA::PolicyList list(const Combination& c, bool backwards) {
    CORBA::PolicyList l;
    l.length(kPlaces);
    for (std::size_t i = 0; i < kPlaces; ++i)
      l[static_cast<CORBA::ULong>(backwards ? kPlaces - 1 - i : i)] = make(i, c[i]);
    return l;
  }
  // Index of the policy refused; none.
  std::optional<CORBA::UShort> refused(const CORBA::PolicyList& l) {
    try {
      const POA_var poa = root->create_POA("x", manager.in(), l);
      poa->destroy(false, true);
    } catch (const POA::InvalidPolicy& e) {
      return e.index;
    }
    return {};
  }
  template <class F>
  void for_each_combination(F f) {
    Combination c{};
    for (;;) {
      f(c);
      std::size_t i = 0;
      while (i < kPlaces && ++c[i] == kValues[i]) c[i++] = 0;
      if (i == kPlaces) return;
    }
  }
};

TEST_F(PolicyTable, EveryCombinationIsTakenOrRefusedAtAnIndexThatIsAtOdds) {
  int taken = 0, all = 0;
  for_each_combination([&](const Combination& c) {
    ++all;
    const auto odds = conflicts(c);
    taken += odds.empty();
    for (const bool backwards : {false, true}) {
      const auto index = refused(list(c, backwards));
      ASSERT_EQ(index.has_value(), !odds.empty()) << ::testing::PrintToString(c);
      if (!index) continue;
      // The later of two that are at odds.
      const std::size_t place = backwards ? kPlaces - 1u - *index : *index;
      EXPECT_TRUE(std::ranges::any_of(odds, [&](const auto& o) {
        const auto [first, second] = std::minmax(o.first, o.second);
        return place == (backwards ? first : second);
      })) << ::testing::PrintToString(c) << " at " << *index;
    }
  });
  EXPECT_EQ(all, 2 * 2 * 2 * 2 * 2 * 2 * 3);
  EXPECT_EQ(taken, 4 * (5 + 2 * 8));  // implicitly activated, and not, by each kind of id
}

// The promise of a combination that is accepted: who serves a request for an object that was never activated.
TEST_F(PolicyTable, EveryCombinationThatIsTakenServesAsItSays) {
  for_each_combination([&](const Combination& c) {
    if (!conflicts(c).empty()) return;
    const POA_var poa = root->create_POA("x", manager.in(), list(c, false));
    const bool system = c[kAssignment] == SYSTEM_ID, retain = c[kRetention] == RETAIN;
    const CORBA::Object_var reference =
        system ? poa->create_reference(kProbeId) : poa->create_reference_with_id(text_id("an id").in(), kProbeId);
    const std::string nobody = c[kProcessing] == USE_ACTIVE_OBJECT_MAP_ONLY ? "OBJECT_NOT_EXIST own 160 NO"
                               : c[kProcessing] == USE_DEFAULT_SERVANT      ? "OBJ_ADAPTER 3 NO"
                                                                            : "OBJ_ADAPTER 4 NO";
    EXPECT_EQ(ping(key_of(reference)), nobody) << ::testing::PrintToString(c);
    const Servant_var<Probe> servant(new Probe);
    if (!retain) {
      EXPECT_THROW(poa->activate_object(servant.in()), POA::WrongPolicy);
    } else {
      const ObjectId_var id = poa->reference_to_id(reference.in());
      poa->activate_object_with_id(id.in(), servant.in());
      EXPECT_EQ(ping(key_of(reference)), "ok") << ::testing::PrintToString(c);
      poa->deactivate_object(id.in());
      EXPECT_EQ(ping(key_of(reference)), nobody) << ::testing::PrintToString(c);
    }
    if (c[kProcessing] == USE_DEFAULT_SERVANT) {
      poa->set_servant(servant.in());
      EXPECT_EQ(ping(key_of(reference)), "ok") << ::testing::PrintToString(c);
    } else {
      EXPECT_THROW(poa->set_servant(servant.in()), POA::WrongPolicy);
    }
    if (retain && c[kImplicit] == IMPLICIT_ACTIVATION) {
      const CORBA::Object_var implicit = poa->servant_to_reference(servant.in());
      EXPECT_EQ(ping(key_of(implicit)), "ok");
    }
    poa->destroy(false, true);
  });
}

}  // namespace
}  // namespace callis::poa::testing
