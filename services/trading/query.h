// SPDX-License-Identifier: Apache-2.0
// Query: Lookup::query from its arguments to its results (Trading Object Service 1.0).
//
//   arguments → type, policies, constraint, preference, wanted properties: each checked
//       │ starting_trader: passed on whole          │ request id seen before: no offers
//       ▼
//   Catalogue::search → undecided offers: dynamic properties, then again → matched, at most match_card
//       │                                                                    │ proxy offers among them: their targets
//       ▼                                                                    ▼
//   links, by follow rule and hops ───────────────────────────────────→ all offers → preference → return_card
#pragma once
#include <services/constraints/preference.h>
#include <services/trading/dynamic.h>
#include <services/trading/federation.h>
#include <services/trading/iterators.h>
#include <services/trading/market.h>

namespace callis::trading {

// The parts that a query uses; they outlive the query and its iterators.
struct Services {
  Market& market;
  Dynamic& dynamic;
  Federation& federation;
  Iterators& iterators;
  services::Counters::Counter &queries, &by_index, &looked_at, &returned;
};

struct Arguments {
  const char *type, *constraint, *preference;
  const CosTrading::PolicySeq& policies;
  const CosTrading::Lookup::SpecifiedProps& properties;
  CORBA::ULong how_many;
};

struct Results {
  CosTrading::OfferSeq_var offers;
  CosTrading::OfferIterator_var more;
  CosTrading::PolicyNameSeq_var limits;
};

// Throws the user exceptions of the IDL; IMP_LIMIT for a constraint of too much work, NO_RESOURCES if the query takes
// too long or its client has too little memory left. Others' answers for which there is no memory are left out:
// limits_applied has return_card, or match_card if values of dynamic properties are missing. Any thread may call.
Results query(Services& services, const Arguments& arguments);

}  // namespace callis::trading
