// SPDX-License-Identifier: Apache-2.0
#include <callis/marshal/internal/word_map.h>

namespace callis::marshal {

Word WordMap::matching(Word place, Word key) const {
  for (; place != kNone && nodes_[place].key != key; place = nodes_[place].next)
    if (work_) work_->step();
  return place;
}

Word WordMap::first(Word key) const { return heads_.empty() ? kNone : matching(heads_[bucket(key)], key); }

void WordMap::put(Word key, Word value) {
  if (nodes_.size() == heads_.size()) widen();
  Word& head = heads_[bucket(key)];
  nodes_.push_back({key, value, head});
  head = static_cast<Word>(nodes_.size() - 1);
}

Word WordMap::find_in(const WordMap& map, Word key) { return map.find(key); }
void WordMap::put_in(WordMap& map, Word key, Word value) { map.put(key, value); }

void WordMap::widen() {
  Array<Word> heads(work_);
  heads.resize(heads_.empty() ? 8 : 2 * heads_.size());
  heads_ = std::move(heads);
  for (Word& head : heads_) head = kNone;
  for (Node& n : nodes_) {
    Word& head = heads_[bucket(n.key)];
    n.next = head;
    head = static_cast<Word>(&n - nodes_.data());
  }
}

}  // namespace callis::marshal
