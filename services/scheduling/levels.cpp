// SPDX-License-Identifier: Apache-2.0
#include <services/scheduling/levels.h>
#include <algorithm>
#include <tuple>

namespace callis::scheduling {

Time deadline_of(const Model& model, const Stream& stream) {
  const Time own = model.infos()[stream.info].deadline;
  return own.count() != 0 ? own : stream.period;
}

Levels assign_levels(const Model& model, const Streams& streams, Policy policy, Sharing sharing) {
  struct Place {
    bool background;
    Time key;  // period or deadline
    Importance importance;
    std::size_t position;  // in streams.order
    Index info;
    auto shared() const {
      return std::tuple(background, key, static_cast<int>(Importance::VeryHigh) - static_cast<int>(importance));
    }
    bool operator<(const Place& o) const {
      return std::tuple(shared(), position) < std::tuple(o.shared(), o.position);
    }
  };
  std::vector<Place> places;
  for (std::size_t position = 0; position < streams.order.size(); ++position) {
    const Index i = streams.order[position];
    const RtInfo& info = model.infos()[i];
    if (streams.background[i] && info.kind == InfoKind::Operation) {
      places.push_back({true, Time(0), info.importance, position, i});
      continue;
    }
    if (streams.execution[i].count() == 0) continue;
    Time key = Time::max();
    for (const std::size_t s : streams.of[i]) {
      const Stream& stream = streams.streams[s];
      if (!stream.inside)
        key = std::min(key, policy == Policy::RateMonotonic ? stream.period : deadline_of(model, stream));
    }
    if (key != Time::max()) places.push_back({false, key, info.importance, position, i});
  }
  std::sort(places.begin(), places.end());
  Levels out;
  out.of.assign(model.infos().size(), kNoLevel);
  // All background operations share one level.
  for (std::size_t at = places.size(); at-- > 0;) {
    const bool last = at + 1 == places.size();
    const bool same = !last && (places[at].background
                                    ? places[at + 1].background
                                    : sharing == Sharing::Shared && places[at].shared() == places[at + 1].shared());
    if (!same) ++out.count;
    out.of[places[at].info] = out.count - 1;
  }
  return out;
}

}  // namespace callis::scheduling
