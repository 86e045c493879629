// SPDX-License-Identifier: Apache-2.0
// What stream end points do with the flow ends of their party.
#include <services/streams/end_point.h>
#include <services/streams/flows/flow_failed.h>
#include <services/streams/full_profile.h>
#include <services/streams/receivers.h>

namespace callis::streams {
namespace {

void append(AVStreams::flowSpec& spec, const std::string& text) {
  const CORBA::ULong n = spec.length();
  spec.length(n + 1);
  spec[n] = text.c_str();
}

AVStreams::flowSpec names(const Party::Ends& ends) {
  AVStreams::flowSpec out;
  for (const auto& end : ends) append(out, end->name());
  return out;
}

// The entry of `spec` for each flow; entries that say nothing but the name where there is none.
FlowEntry entry_of(const AVStreams::flowSpec& spec, const std::string& flow) {
  for (CORBA::ULong i = 0; i < spec.length(); ++i) {
    if (flow_name(spec[i]) == flow) return parse_forward(spec[i]);
  }
  FlowEntry out;
  out.flow = flow;
  return out;
}

}  // namespace

EndPoint::EndPoint(std::shared_ptr<Party> party, properties::Set& own) : party_(std::move(party)), own_(own) {
  CORBA::Any flows;
  flows <<= names(party_->all());
  own_.define_own("Flows", flows);
  show(party_->all());
}

void EndPoint::show(const Party::Ends& ends) {
  for (const auto& end : ends) {
    CORBA::Any status;
    status <<= end->status();
    own_.define_own(end->name() + "_Status", status);
  }
}

void EndPoint::stop(const AVStreams::flowSpec& spec) {
  const Party::Ends ends = party_->named(spec);
  for (const auto& end : ends) end->stop();
  show(ends);
}

void EndPoint::start(const AVStreams::flowSpec& spec) {
  const Party::Ends ends = party_->named(spec);
  for (const auto& end : ends) {
    if (!end->producer()) end->start();
  }
  for (const auto& end : ends) {
    if (end->producer()) end->start();
  }
  show(ends);
}

void EndPoint::destroy(const AVStreams::flowSpec& spec) {
  party_->destroy(spec);
  show(party_->all());
}

bool EndPoint::agree_qos(AVStreams::streamQoS& qos, const AVStreams::flowSpec& spec) {
  AVStreams::Negotiator_var negotiator;
  {
    const std::lock_guard lock(negotiator_mutex_);
    negotiator = negotiator_;
  }
  if (!CORBA::is_nil(negotiator.in()) && qos.length() && !negotiator->negotiate(AVStreams::Negotiator::_nil(), qos)) {
    throw AVStreams::QoSRequestFailed("the end point's negotiator refuses it");
  }
  return party_->modify_qos(qos, spec);
}

bool EndPoint::modify_QoS(AVStreams::streamQoS& qos, const AVStreams::flowSpec& spec) {
  try {
    const bool met = agree_qos(qos, spec);
    show(party_->named(spec));
    return met;
  } catch (const FlowFailed& e) {
    throw AVStreams::QoSRequestFailed(e.what());
  }
}

bool EndPoint::connect(AVStreams::StreamEndPoint_ptr self, AVStreams::StreamEndPoint_ptr responder,
                       AVStreams::streamQoS& qos, const AVStreams::flowSpec& spec) {
  if (CORBA::is_nil(responder)) throw AVStreams::streamOpFailed("there is no responder");
  const Party::Ends ends = party_->named(spec);
  AVStreams::flowSpec both = names(ends);
  Party::Ends begun;
  bool met = true, asked = false;
  const auto undo = [&] {
    for (const auto& end : begun) end->disconnect("the stream cannot be connected");
    if (!asked) return;
    try {
      responder->disconnect(names(ends));
    } catch (const CORBA::Exception&) {  // it has failed already
    }
  };
  try {
    met = agree_qos(qos, both);
    for (CORBA::ULong i = 0; i < both.length(); ++i) {
      const FlowEntry wanted = entry_of(spec, both[i].in());
      FlowEnd& end = *ends[i];
      if (wanted.direction && *wanted.direction != end.direction()) {
        throw FlowFailed("the flow " + end.name() + " goes the other way");
      }
      if (!wanted.format.empty()) end.set_format(wanted.format);
      if (wanted.address) end.set_way({wanted.address->carrier, wanted.protocol});
      both[i] = end.begin().forward_text().c_str();
      begun.push_back(ends[i]);  // one that was connected before is left alone
    }
    const CORBA::ULong count = both.length();
    asked = true;
    if (!responder->request_connection(self, false, qos, both)) met = false;
    if (both.length() != count) throw FlowFailed("the responder has answered for another number of flows");
    const Vouched by = owner_of(responder, party_->device(), caller_of(party_->device()));
    for (CORBA::ULong i = 0; i < count; ++i) {
      const FlowEntry answer = parse_reverse(both[i].in());
      if (answer.flow != ends[i]->name()) throw FlowFailed("the responder has answered for other flows");
      ends[i]->finish(answer, by);
    }
  } catch (const FlowFailed& e) {
    undo();
    throw AVStreams::streamOpFailed(e.what());
  } catch (const AVStreams::streamOpDenied& e) {
    undo();
    throw AVStreams::streamOpFailed(("the responder denies it: " + std::string(e.reason.in())).c_str());
  } catch (const AVStreams::FPError& e) {
    undo();
    throw AVStreams::streamOpFailed(
        ("the responder does not take the flow protocol of " + std::string(e.flow_name.in())).c_str());
  } catch (...) {
    undo();
    throw;
  }
  show(ends);
  return met;
}

bool EndPoint::request_connection(bool is_mcast, AVStreams::streamQoS& qos, AVStreams::flowSpec& spec) {
  if (is_mcast) {
    try {
      return multiconnect_b(qos, spec);
    } catch (const AVStreams::streamOpFailed& e) {
      throw AVStreams::streamOpDenied(e.reason.in());
    }
  }
  if (spec.length() == 0 || spec.length() > kMostFlows) throw AVStreams::noSuchFlow();
  Party::Ends begun;
  AVStreams::flowSpec answer;
  try {
    const bool met = party_->modify_qos(qos, spec);
    const Vouched by = caller_of(party_->device());
    for (CORBA::ULong i = 0; i < spec.length(); ++i) {
      const FlowEntry asked = parse_forward(spec[i].in());
      const std::shared_ptr<FlowEnd> end = party_->find(asked.flow);
      if (!end) throw AVStreams::noSuchFlow();
      const bool used = end->in_use();
      append(answer, end->respond(asked, by).reverse_text());
      if (!used) begun.push_back(end);
    }
    spec = answer;
    show(begun);
    return met;
  } catch (const FlowFailed& e) {
    for (const auto& end : begun) end->disconnect("the stream cannot be connected");
    throw AVStreams::streamOpDenied(e.what());
  } catch (...) {
    for (const auto& end : begun) end->disconnect("the stream cannot be connected");
    throw;
  }
}

bool EndPoint::multiconnect_a(AVStreams::streamQoS& qos, AVStreams::flowSpec& spec) {
  AVStreams::flowSpec answer;
  const bool met = multiconnect(qos, spec, [&](FlowEnd& end, const FlowEntry& asked) {
    append(answer, end.begin_multicast(asked).forward_text());
  });
  spec = answer;
  return met;
}

bool EndPoint::multiconnect_b(AVStreams::streamQoS& qos, AVStreams::flowSpec& spec) {
  return multiconnect(qos, spec, [](FlowEnd& end, const FlowEntry& asked) { end.join(asked); });
}

bool EndPoint::multiconnect(AVStreams::streamQoS& qos, const AVStreams::flowSpec& spec,
                            const std::function<void(FlowEnd&, const FlowEntry&)>& connect) {
  const Party::Ends ends = party_->named(spec);
  Party::Ends begun;
  try {
    const bool met = agree_qos(qos, spec);
    for (const auto& end : ends) {
      connect(*end, entry_of(spec, end->name()));
      begun.push_back(end);
    }
    show(ends);
    return met;
  } catch (const FlowFailed& e) {
    for (const auto& end : begun) end->disconnect("the stream cannot be connected");
    throw AVStreams::streamOpFailed(e.what());
  }
}

bool EndPoint::set_protocol_restriction(const AVStreams::protocolSpec& carriers) {
  try {
    for (const auto& end : party_->all()) end->restrict(carriers);
    return true;
  } catch (const FlowFailed&) {
    return false;
  }
}

void EndPoint::disconnect(const AVStreams::flowSpec& spec) {
  const Party::Ends ends = party_->named(spec);
  for (const auto& end : ends) end->disconnect("disconnected");
  show(ends);
}

void EndPoint::set_FPStatus(const AVStreams::flowSpec& spec, const char* protocol, const CORBA::Any& settings) {
  for (const auto& end : party_->named(spec)) {
    try {
      end->set_fp_status(protocol, settings);
    } catch (const FlowFailed&) {
      throw AVStreams::FPError(end->name().c_str());
    }
  }
}

CORBA::Object_ptr EndPoint::get_fep(const char* flow) {
  if (!party_->device().full_profile) throw AVStreams::notSupported();
  return flow_end_point(party_, flow);
}

void EndPoint::set_negotiator(AVStreams::Negotiator_ptr negotiator) {
  const Held held = party_->adapter().hold_for(negotiator);
  const std::lock_guard lock(negotiator_mutex_);
  negotiator_held_ = held;
  negotiator_ = AVStreams::Negotiator::_duplicate(negotiator);
}

void EndPoint::set_source_id(CORBA::Long id) {
  for (const auto& end : party_->all()) end->set_source(static_cast<std::uint32_t>(id));
}

}  // namespace callis::streams
