// SPDX-License-Identifier: Apache-2.0
#include <callis/marshal/internal/layout.h>

namespace callis::marshal {

const TypeFacts* FactsMemo::find(Word entry) const {
  if (work_) work_->step();
  const Word place = places_.find(entry);
  return place == WordMap::kNone ? nullptr : &facts_[place];
}

void FactsMemo::keep(Word entry, const TypeFacts& facts) {
  places_.put(entry, static_cast<Word>(facts_.size()));
  facts_.push_back(facts);
}

TypeFacts remembered_facts(const Unit& unit, const Resolved& r, FactsMemo& memo) {
  if (const TypeFacts* const known = memo.find(r.entry)) return *known;
  const TypeFacts f = facts_of_entry(unit, r, &memo);
  memo.keep(r.entry, f);
  return f;
}

}  // namespace callis::marshal
