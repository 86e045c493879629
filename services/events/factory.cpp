// SPDX-License-Identifier: Apache-2.0
// The factory's reading of criteria.
#include <services/events/factory.h>
#include <cstring>

namespace callis::events {

namespace {

bool is_channel(const CosNaming::Name& key) {
  return key.length() == 1 && !std::strcmp(key[0].id.in(), "EventChannel") &&
         !std::strcmp(key[0].kind.in(), "object interface");
}

// Numbers from 1 on, of either sign's type.
bool number_in(const CORBA::Any& value, std::uint64_t& out) {
  CORBA::ULong ulong = 0;
  CORBA::Long slong = 0;
  if (value >>= ulong) out = ulong;
  else if ((value >>= slong) && slong > 0) out = static_cast<std::uint64_t>(slong);
  else return false;
  return out != 0;
}

// False: the criterion is not known, or not of its type.
bool apply(const CosLifeCycle::NameValuePair& given, ChannelOptions& to, std::string& name) {
  const std::string what = given.name.in();
  std::uint64_t number = 0;
  const char* text = nullptr;
  if (what == "InsName") {
    if (!(given.value >>= text)) return false;
    name = text;
  } else if (what == "FilterId") {
    if (!(given.value >>= text)) return false;
    to.type = text;
  } else if (!number_in(given.value, number)) {
    return false;
  } else if (what == "MaxQueueLength" || what == "MaxEventsPerConsumer") {
    to.lane.bounds.events = std::min<std::uint64_t>(number, to.lane.bounds.events);
  } else if (what == "MaxNumProxies") {
    to.proxies = std::min<std::uint64_t>(number, to.proxies);
  } else if (what == "PullRetryPeriod_ms") {
    to.poll.first_pause = to.poll.longest_pause = std::chrono::milliseconds(number);
  } else if (what != "CyclePeriod_ns") {
    return false;
  }
  return true;
}

}  // namespace

CORBA::Boolean FactoryServant::supports(const CosNaming::Name& k) { return is_channel(k); }

CORBA::Object_ptr FactoryServant::create_object(const CosNaming::Name& k,
                                                const CosLifeCycle::Criteria& the_criteria) {
  if (!is_channel(k)) throw CosLifeCycle::NoFactory(k);
  ChannelOptions options = service_.options().channel;
  std::string name;
  CosLifeCycle::Criteria wrong;
  for (CORBA::ULong i = 0; i < the_criteria.length(); ++i) {
    if (apply(the_criteria[i], options, name)) continue;
    wrong.length(wrong.length() + 1);
    wrong[wrong.length() - 1] = the_criteria[i];
  }
  if (wrong.length() != 0) throw CosLifeCycle::InvalidCriteria(wrong);
  try {
    return (name.empty() ? service_.make_unnamed(options) : service_.make(name, options))._retn();
  } catch (const CannotMake& e) {
    if (e.why == CannotMake::Why::HasEnded) throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, e.text);
    if (e.why == CannotMake::Why::NotKept) throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, e.text);
    if (e.why == CannotMake::Why::TooMany) throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, e.text);
    throw CosLifeCycle::CannotMeetCriteria(the_criteria);
  }
}

CosEventChannelAdmin::EventChannel_ptr FactoryServant::create_channel(const char* channel_name) {
  try {
    return service_.make(channel_name)._retn();
  } catch (const CannotMake& e) {
    switch (e.why) {
      case CannotMake::Why::Exists: throw event::NameAlreadyUsed();
      case CannotMake::Why::TooMany: throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, e.text);
      case CannotMake::Why::NotKept: throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, e.text);
      case CannotMake::Why::HasEnded: throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, e.text);
      case CannotMake::Why::BadName: break;
    }
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, e.text);
  }
}

CosEventChannelAdmin::EventChannel_ptr FactoryServant::join_channel(const char* channel_name) {
  CosEventChannelAdmin::EventChannel_var out = service_.find(channel_name);
  if (CORBA::is_nil(out.in())) throw event::EventChannelNotFound();
  return out._retn();
}

CallisEvents::ChannelStates* FactoryServant::list() { return new CallisEvents::ChannelStates(service_.list()); }

}  // namespace callis::events
