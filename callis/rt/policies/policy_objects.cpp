// SPDX-License-Identifier: Apache-2.0
// The objects of real-time policies, from values that are checked.
#include <callis/orb/base/errors.h>
#include <callis/rt/base/minor_codes.h>
#include <callis/rt/policies/policy_objects.h>
#include <callis/rt/policies/policy_values.h>
#include <callis/rt/protocols/protocols.h>

namespace callis::rt {
namespace {

using namespace RTCORBA;

// Constant: any thread.
template <class Interface, CORBA::PolicyType kType>
class Made : public Interface {
 public:
  CORBA::PolicyType policy_type() override { return kType; }
  void destroy() override {}
};

class PriorityModelMade final : public Made<PriorityModelPolicy, PRIORITY_MODEL_POLICY_TYPE> {
 public:
  PriorityModelMade(PriorityModel model, Priority priority) : model_(model), priority_(priority) {}
  CORBA::Policy_ptr copy() override { return new PriorityModelMade(model_, priority_); }
  PriorityModel priority_model() override { return model_; }
  Priority server_priority() override { return priority_; }

 private:
  const PriorityModel model_;
  const Priority priority_;
};

class ThreadpoolMade final : public Made<ThreadpoolPolicy, THREADPOOL_POLICY_TYPE> {
 public:
  explicit ThreadpoolMade(ThreadpoolId id) : id_(id) {}
  CORBA::Policy_ptr copy() override { return new ThreadpoolMade(id_); }
  ThreadpoolId threadpool() override { return id_; }

 private:
  const ThreadpoolId id_;
};

template <class Interface, CORBA::PolicyType kType>
class ProtocolsMade final : public Made<Interface, kType> {
 public:
  explicit ProtocolsMade(std::vector<ProtocolTerms> protocols) : protocols_(std::move(protocols)) {}
  CORBA::Policy_ptr copy() override { return new ProtocolsMade(protocols_); }
  ProtocolList* protocols() override { return new ProtocolList(list_of(protocols_)); }

 private:
  const std::vector<ProtocolTerms> protocols_;
};
using ServerProtocolsMade = ProtocolsMade<ServerProtocolPolicy, SERVER_PROTOCOL_POLICY_TYPE>;
using ClientProtocolsMade = ProtocolsMade<ClientProtocolPolicy, CLIENT_PROTOCOL_POLICY_TYPE>;

class PrivateMade final : public Made<PrivateConnectionPolicy, PRIVATE_CONNECTION_POLICY_TYPE> {
 public:
  CORBA::Policy_ptr copy() override { return new PrivateMade; }
};

class BandsMade final : public Made<PriorityBandedConnectionPolicy, PRIORITY_BANDED_CONNECTION_POLICY_TYPE> {
 public:
  explicit BandsMade(const PriorityBands& bands) : bands_(bands) {}
  CORBA::Policy_ptr copy() override { return new BandsMade(bands_); }
  PriorityBands* priority_bands() override { return new PriorityBands(bands_); }

 private:
  const PriorityBands bands_;
};

void refuse(const char* fault) {
  if (fault) raise<CORBA::BAD_PARAM>(kBadRtPolicy, CORBA::COMPLETED_NO, fault);
}

const char* fault_of(PriorityModel model, Priority priority) {
  if (model > SERVER_DECLARED) return "a priority model that is neither CLIENT_PROPAGATED nor SERVER_DECLARED";
  return priority < minPriority ? "a priority that is not in 0 to 32767" : nullptr;
}

const char* fault_of_bands(const PriorityBands& list) {
  if (list.length() > kMostBands) return "more than 256 bands";
  std::vector<Band> bands;
  for (CORBA::ULong i = 0; i < list.length(); ++i) bands.push_back({list[i].low, list[i].high});
  return rt::fault_of(bands);
}

// --- From Anys ---

[[noreturn]] void bad_type() { throw CORBA::PolicyError(CORBA::BAD_POLICY_TYPE); }
void check(const char* fault) {
  if (fault) throw CORBA::PolicyError(CORBA::BAD_POLICY_VALUE);
}

CORBA::Policy_ptr model_of(const CORBA::Any& any) {
  const Callis::PriorityModelValue* value = nullptr;
  if (!(any >>= value)) bad_type();
  check(fault_of(value->priority_model, value->server_priority));
  return new PriorityModelMade(value->priority_model, value->server_priority);
}

CORBA::Policy_ptr threadpool_of(const CORBA::Any& any) {
  CORBA::ULong id = 0;
  if (!(any >>= id)) bad_type();
  return new ThreadpoolMade(id);
}

template <class P>
CORBA::Policy_ptr protocols_of(const CORBA::Any& any) {
  if (const ProtocolList* whole = nullptr; any >>= whole) {
    check(rt::fault_of(*whole));
    return new P(terms_of(*whole));
  }
  const CORBA::ULongSeq* tags = nullptr;
  if (!(any >>= tags)) bad_type();
  ProtocolList list;
  list.length(tags->length());
  for (CORBA::ULong i = 0; i < tags->length(); ++i) list[i].protocol_type = (*tags)[i];
  check(rt::fault_of(list));
  return new P(terms_of(list));
}

CORBA::Policy_ptr bands_of(const CORBA::Any& any) {
  const PriorityBands* bands = nullptr;
  if (!(any >>= bands)) bad_type();
  check(fault_of_bands(*bands));
  return new BandsMade(*bands);
}

}  // namespace

PriorityModelPolicy_ptr make_priority_model(PriorityModel model, Priority priority) {
  refuse(fault_of(model, priority));
  return new PriorityModelMade(model, priority);
}
ThreadpoolPolicy_ptr make_threadpool(ThreadpoolId id) { return new ThreadpoolMade(id); }
ServerProtocolPolicy_ptr make_server_protocols(const ProtocolList& protocols) {
  refuse(rt::fault_of(protocols));
  return new ServerProtocolsMade(terms_of(protocols));
}
ClientProtocolPolicy_ptr make_client_protocols(const ProtocolList& protocols) {
  refuse(rt::fault_of(protocols));
  return new ClientProtocolsMade(terms_of(protocols));
}
PrivateConnectionPolicy_ptr make_private_connection() { return new PrivateMade; }
PriorityBandedConnectionPolicy_ptr make_bands(const PriorityBands& bands) {
  refuse(fault_of_bands(bands));
  return new BandsMade(bands);
}

CORBA::Policy_ptr make_policy(CORBA::PolicyType type, const CORBA::Any& value) {
  switch (type) {
    case PRIORITY_MODEL_POLICY_TYPE: return model_of(value);
    case THREADPOOL_POLICY_TYPE: return threadpool_of(value);
    case SERVER_PROTOCOL_POLICY_TYPE: return protocols_of<ServerProtocolsMade>(value);
    case CLIENT_PROTOCOL_POLICY_TYPE: return protocols_of<ClientProtocolsMade>(value);
    case PRIVATE_CONNECTION_POLICY_TYPE: return make_private_connection();
    case PRIORITY_BANDED_CONNECTION_POLICY_TYPE: return bands_of(value);
    default: throw CORBA::PolicyError(CORBA::UNSUPPORTED_POLICY);
  }
}

}  // namespace callis::rt
