// SPDX-License-Identifier: Apache-2.0
// Dependencies become groups of terms: each designator begins a group; those before the first are a disjunction.
#include <callis/base/buffer.h>
#include <callis/base/text.h>
#include <callis/typecode/coder.h>
#include <services/events/rtchannel/wire.h>
#include <algorithm>

namespace callis::rtevents {

namespace {

using events::Group;
using events::Header;
using events::Term;
using events::TypedEvent;

constexpr std::size_t kHeaderBytes = 40;  // an event without its data, about

std::size_t bytes_of_any(const CORBA::Any& any) {
  const CORBA::TypeCode_var type = any.type();
  if (type->kind() == CORBA::tk_null) return 4;
  static thread_local Buffer buffer;
  buffer.clear();
  cdr::Encoder encoder(buffer);
  typecode::put_any(encoder, any);
  encoder.finish();
  if (encoder.fault() != Fault::None)
    throw CORBA::MARSHAL(0, CORBA::COMPLETED_NO, "an event that cannot be passed on: its any_value is bad");
  const std::size_t out = buffer.size();
  if (out > (64u << 10)) buffer.shrink(0);
  return out;
}

bool is_designator(CORBA::Long type) {
  return type == RtecEventComm::GLOBAL_DESIGNATOR || type == RtecEventComm::CONJUNCTION_DESIGNATOR ||
         type == RtecEventComm::DISJUNCTION_DESIGNATOR;
}

// Rounded up, so that 0 stays what it is, and nothing comes too early.
std::chrono::milliseconds period_of(RtecEventComm::Time hundred_ns) {
  constexpr RtecEventComm::Time kMost = std::uint64_t{1} << 60;
  return std::chrono::milliseconds((std::min(hundred_ns, kMost) + 9'999) / 10'000);
}

// False: no type of a dependency.
bool term_of(const RtecEventComm::EventHeader& header, bool of_gateway, const QosLimits& limits, Term& out) {
  out = {};
  if (header.type == RtecEventComm::INTERVAL_TIMEOUT || header.type == RtecEventComm::DEADLINE_TIMEOUT) {
    out.kind = header.type == RtecEventComm::INTERVAL_TIMEOUT ? Term::Kind::Interval : Term::Kind::Deadline;
    out.period = period_of(header.creation_time);
    return true;
  }
  if (header.type != RtecEventComm::ANY_TYPE && header.type < RtecEventComm::UNDEFINED_TYPE) return false;
  out.source = static_cast<events::SourceId>(header.source);
  out.type = static_cast<events::EventType>(header.type);
  out.reach = limits.reach;
  if (of_gateway)
    out.reach = header.ttl <= 0 ? 0 : std::min(static_cast<std::uint32_t>(header.ttl), limits.most_reach);
  return true;
}

std::string decimal(CORBA::Long n) { return std::to_string(n); }

std::uint64_t key(std::uint32_t source, std::uint32_t type) { return std::uint64_t{source} << 32 | type; }

}  // namespace

std::optional<Header> header_of(const RtecEventComm::EventHeader& header, std::uint32_t most_ttl) {
  if (header.type < RtecEventComm::UNDEFINED_TYPE) return std::nullopt;
  Header out;
  out.source = static_cast<events::SourceId>(header.source);
  out.type = static_cast<events::EventType>(header.type);
  out.ttl = header.ttl <= 0 ? 0 : std::min(static_cast<std::uint32_t>(header.ttl), most_ttl);
  if (!events::may_be_sent(out)) return std::nullopt;
  return out;
}

TypedEvent held(const RtecEventComm::Event& event, const Header& header, std::string from) {
  TypedEvent out;
  out.header = header;
  out.bytes = kHeaderBytes + event.data.payload.length() + bytes_of_any(event.data.any_value);
  auto data = std::make_shared<Held>();
  data->alone.length(1);
  data->alone[0] = event;
  data->alone[0].header.ttl = static_cast<CORBA::Long>(header.ttl);
  data->from = std::move(from);
  out.data = std::move(data);
  return out;
}

const RtecEventComm::EventSet* alone(const events::EventSet& set) {
  if (set.events.size() != 1 || !set.events[0].data) return nullptr;
  return &static_cast<const Held*>(set.events[0].data.get())->alone;
}

RtecEventComm::EventSet pushed(const events::EventSet& set) {
  RtecEventComm::EventSet out;
  out.length(static_cast<CORBA::ULong>(set.events.size()));
  for (CORBA::ULong i = 0; i < out.length(); ++i) {
    const TypedEvent& event = set.events[i];
    if (event.data) {
      out[i] = static_cast<const Held*>(event.data.get())->alone[0];
      continue;
    }
    // The one of a deadline is the last.
    const bool deadline = set.late && i + 1 == out.length();
    RtecEventComm::EventHeader& header = out[i].header;
    header.type = deadline ? RtecEventComm::DEADLINE_TIMEOUT : RtecEventComm::INTERVAL_TIMEOUT;
    header.source = RtecEventComm::ANY_SOURCE;
    header.ttl = 0;
    // TimeBase::TimeT counts from 1582-10-15.
    constexpr std::uint64_t kTo1970 = 0x01B2'1DD2'1381'4000;
    header.creation_time = kTo1970 + static_cast<std::uint64_t>(event.header.created.count()) / 100;
    out[i].data.pad1 = 0;
  }
  return out;
}

std::size_t bytes_of(const events::EventSet& set) {
  std::size_t out = 0;
  for (const TypedEvent& event : set.events) out += event.data ? event.bytes : kHeaderBytes;
  return out;
}

bool is_from(const events::EventSet& set, const std::string& channel) {
  return std::all_of(set.events.begin(), set.events.end(), [&](const TypedEvent& event) {
    return event.data && static_cast<const Held*>(event.data.get())->from == channel;
  });
}

Asked asked(const RtecEventChannelAdmin::ConsumerQOS& qos, const QosLimits& limits, std::string& why_not) {
  Asked out;
  why_not.clear();
  const CORBA::ULong count = qos.dependencies.length();
  if (count > limits.dependencies) {
    why_not = concat({"its dependencies are ", Decimal(count), ", and may be ", Decimal(limits.dependencies)});
    return out;
  }
  for (CORBA::ULong i = 0; i < count; ++i) {
    const RtecEventChannelAdmin::Dependency& dependency = qos.dependencies[i];
    const RtecEventComm::EventHeader& header = dependency.event.header;
    const bool begins = is_designator(header.type);
    if (begins || out.wants.groups.empty()) {
      out.wants.groups.emplace_back();
      out.rt_infos.emplace_back();
      if (header.type == RtecEventComm::CONJUNCTION_DESIGNATOR)
        out.wants.groups.back().operation = Group::Operator::And;
    }
    auto& infos = out.rt_infos.back();
    if (dependency.rt_info != 0 && std::find(infos.begin(), infos.end(), dependency.rt_info) == infos.end())
      infos.push_back(dependency.rt_info);
    if (begins) continue;
    Term term;
    if (!term_of(header, qos.is_gateway, limits, term)) {
      why_not = concat({"dependency ", Decimal(i + 1), " has type ", decimal(header.type),
                        ", which is none: 0 (any), 5 and 6 (timeouts), 7 to 9 (which begin a group), 16 and more"});
      return out;
    }
    out.wants.groups.back().terms.push_back(term);
  }
  std::vector<std::int32_t> all;
  for (const auto& of_group : out.rt_infos) all.insert(all.end(), of_group.begin(), of_group.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (all.size() > limits.rt_infos) {
    why_not = concat({"its RT_Infos are ", Decimal(all.size()), ", and may be ", Decimal(limits.rt_infos)});
    return out;
  }
  // A gateway asks in one group, so that it gets no event twice.
  events::WantsLimits wants = limits.wants;
  if (qos.is_gateway) wants.terms = limits.dependencies;
  why_not = events::why_refused(out.wants, wants);
  return out;
}

Publications::Publications(const RtecEventChannelAdmin::SupplierQOS& qos, const QosLimits& limits,
                           std::string& why_not) {
  why_not.clear();
  const CORBA::ULong count = qos.publications.length();
  if (count > limits.publications) {
    why_not = concat({"its publications are ", Decimal(count), ", and may be ", Decimal(limits.publications)});
    return;
  }
  for (CORBA::ULong i = 0; i < count; ++i) {
    const RtecEventComm::EventHeader& header = qos.publications[i].event.header;
    if (header.type != RtecEventComm::ANY_TYPE && header.type < RtecEventComm::UNDEFINED_TYPE) {
      why_not = concat({"publication ", Decimal(i + 1), " has type ", decimal(header.type),
                        ", which no supplier may send: 16 and more, or 0 for all"});
      return;
    }
    keys_.push_back(key(static_cast<std::uint32_t>(header.source), static_cast<std::uint32_t>(header.type)));
  }
  std::sort(keys_.begin(), keys_.end());
}

bool Publications::allow(const Header& header) const {
  if (keys_.empty()) return true;
  for (const std::uint64_t k : {key(header.source, header.type), key(header.source, events::kAnyType),
                                key(events::kAnySource, header.type), key(events::kAnySource, events::kAnyType)}) {
    if (std::binary_search(keys_.begin(), keys_.end(), k)) return true;
  }
  return false;
}

}  // namespace callis::rtevents
