// SPDX-License-Identifier: Apache-2.0
// Blocks of offers in the order of one property's values.
#include <services/trading/index.h>
#include <algorithm>
#include <cmath>

namespace callis::trading {

using constraints::Bound;
using constraints::Comparison;
using constraints::Kind;
using constraints::Relation;
using constraints::Value;

namespace {

int group(const Value& v) {
  if (v.kind() == Kind::Boolean) return 0;
  return v.is_number() ? 1 : 2;
}

// Of values that an index can hold.
bool less(const Value& a, const Value& b) {
  const int of_a = group(a), of_b = group(b);
  return of_a != of_b ? of_a < of_b : compare(a, b) == Relation::Less;
}

bool is_ordered(const Value& v) {
  return v.kind() == Kind::Boolean || v.kind() == Kind::Text ||
         (v.is_number() && !(v.kind() == Kind::Real && std::isnan(v.real())));
}

bool is_before(const Index::Place& a, const Index::Place& b) {
  return a.block < b.block || (a.block == b.block && a.at < b.at);
}

}  // namespace

bool Index::can_hold(const Offer& offer) const { return is_ordered(offer.value(slot_)); }

bool Index::before(const Offer& a, const Offer& b) const {
  const Value of_a = a.value(slot_), of_b = b.value(slot_);
  if (less(of_a, of_b)) return true;
  return !less(of_b, of_a) && a.number() < b.number();
}

void Index::build(const std::vector<Piece>& offers) {
  Block all;
  for (const Piece& p : offers) {
    for (std::size_t i = p.begin; i < p.end; ++i) {
      const Offer* const o = p.chunk->offers[i];
      if (o->proxy() && o->proxy()->if_match_all) continue;
      if (o->is_dynamic(slot_)) {
        snapshots_.own(dynamic_).push_back(o);
      } else if (can_hold(*o)) {
        all.push_back(o);
      }
    }
  }
  std::sort(all.begin(), all.end(), [this](const Offer* a, const Offer* b) { return before(*a, *b); });
  for (std::size_t i = 0; i < all.size(); i += kMostInBlock / 2) {
    const auto end = std::min(i + kMostInBlock / 2, all.size());
    snapshots_.own(blocks_.emplace_back())
        .assign(all.begin() + static_cast<std::ptrdiff_t>(i), all.begin() + static_cast<std::ptrdiff_t>(end));
  }
}

void Index::insert(const Offer& offer) {
  if (offer.is_dynamic(slot_)) {
    snapshots_.own(dynamic_).push_back(&offer);
    return;
  }
  if (!can_hold(offer)) return;
  const auto by = [this](const Offer* a, const Offer* b) { return before(*a, *b); };
  if (blocks_.empty()) snapshots_.own(blocks_.emplace_back());
  auto at = std::upper_bound(blocks_.begin(), blocks_.end(), &offer, [&](const Offer* o, const ChunkPtr& b) {
    return !b->offers.empty() && by(o, b->offers.front());
  });
  if (at != blocks_.begin()) --at;
  Block& block = snapshots_.own(*at);
  block.insert(std::upper_bound(block.begin(), block.end(), &offer, by), &offer);
  if (block.size() <= kMostInBlock) return;
  ChunkPtr half;
  snapshots_.own(half).assign(block.begin() + kMostInBlock / 2, block.end());
  block.resize(kMostInBlock / 2);
  blocks_.insert(at + 1, std::move(half));
}

void Index::erase(const Offer& offer) {
  if (offer.is_dynamic(slot_)) {
    std::erase(snapshots_.own(dynamic_), &offer);
    return;
  }
  if (!can_hold(offer) || blocks_.empty()) return;
  const auto by = [this](const Offer* a, const Offer* b) { return before(*a, *b); };
  auto at = std::upper_bound(blocks_.begin(), blocks_.end(), &offer,
                             [&](const Offer* o, const ChunkPtr& b) { return by(o, b->offers.front()); });
  if (at != blocks_.begin()) --at;
  Block& block = snapshots_.own(*at);
  const auto found = std::lower_bound(block.begin(), block.end(), &offer, by);
  if (found == block.end() || *found != &offer) return;
  block.erase(found);
  if (block.empty()) blocks_.erase(at);
}

void Index::add_pieces(const Range& range, std::vector<Piece>& to) const {
  if (dynamic_) to.push_back({dynamic_, 0, dynamic_->offers.size()});
  if (!is_before(range.begin, range.end)) return;
  for (std::size_t i = range.begin.block; i <= range.end.block && i < blocks_.size(); ++i) {
    const std::size_t begin = i == range.begin.block ? range.begin.at : 0;
    const std::size_t end = i == range.end.block ? range.end.at : block(i).size();
    if (begin < end) to.push_back({blocks_[i], begin, end});
  }
}

Index::Place Index::bound(const Value& v, bool above) const {
  const auto is_in_front = [&](const Offer* o) {
    const Value of = o->value(slot_);
    return above ? !less(v, of) : less(of, v);
  };
  const auto found = std::partition_point(blocks_.begin(), blocks_.end(),
                                          [&](const ChunkPtr& b) { return is_in_front(b->offers.back()); });
  if (found == blocks_.end()) return {blocks_.size(), 0};
  const Block& in = (*found)->offers;
  const auto at = std::partition_point(in.begin(), in.end(), is_in_front);
  return {static_cast<std::size_t>(found - blocks_.begin()), static_cast<std::size_t>(at - in.begin())};
}

std::size_t Index::count(const Place& begin, const Place& end) const {
  if (!is_before(begin, end)) return 0;
  if (begin.block == end.block) return end.at - begin.at;
  std::size_t out = block(begin.block).size() - begin.at + end.at;
  for (std::size_t i = begin.block + 1; i < end.block; ++i) out += block(i).size();
  return out;
}

Index::Range Index::range(const std::vector<Bound>& bounds) const {
  Range out{{0, 0}, {blocks_.size(), 0}, 0};
  const auto from = [&](const Place& p) {
    if (is_before(out.begin, p)) out.begin = p;
  };
  const auto to = [&](const Place& p) {
    if (is_before(p, out.end)) out.end = p;
  };
  for (const Bound& b : bounds) {
    if (!is_ordered(b.literal)) {  // a NaN: nothing compares with it
      if (b.comparison != Comparison::Unequal) out.end = {0, 0};
      continue;
    }
    switch (b.comparison) {
      case Comparison::Equal:
        from(bound(b.literal, false));
        to(bound(b.literal, true));
        break;
      case Comparison::Less: to(bound(b.literal, false)); break;
      case Comparison::LessOrEqual: to(bound(b.literal, true)); break;
      case Comparison::Greater: from(bound(b.literal, true)); break;
      case Comparison::GreaterOrEqual: from(bound(b.literal, false)); break;
      case Comparison::Unequal: break;
    }
  }
  if (!is_before(out.begin, out.end)) out.end = out.begin;
  out.count = count(out.begin, out.end);
  return out;
}

}  // namespace callis::trading
