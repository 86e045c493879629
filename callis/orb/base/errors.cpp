// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/classic/made_exceptions.h>
#include <callis/orb/base/errors.h>

namespace callis::orb {
namespace {

CORBA::CompletionStatus completion(Step step) {
  switch (step) {
    case Step::Encode: case Step::Connect: case Step::DecodeRequest: return CORBA::COMPLETED_NO;
    case Step::DecodeReply: case Step::EncodeReply: return CORBA::COMPLETED_YES;
    case Step::Exchange: break;
  }
  return CORBA::COMPLETED_MAYBE;
}

using classic::Standard;

Standard exception_class(Fault f, Step step) {
  switch (f) {
    case Fault::None: case Fault::Truncated: case Fault::BadCount: case Fault::BadBound: case Fault::BadString:
    case Fault::BadBoolean: case Fault::BadEnum: case Fault::BadEncapsulation: case Fault::BadReference:
    case Fault::BadValue: case Fault::NullPointer: case Fault::BadText:
      // Data that cannot be written are a mistake of the giver, for arguments and for results.
      return step == Step::Encode || step == Step::EncodeReply ? Standard::BAD_PARAM : Standard::MARSHAL;
    case Fault::TooDeep: case Fault::BudgetExceeded: case Fault::LimitExceeded: return Standard::IMP_LIMIT;
    case Fault::ConnectRefused: case Fault::ConnectTimeout: case Fault::ResolveFailed: case Fault::ConnectionClosed:
      return Standard::TRANSIENT;
    case Fault::TransportFailed: return step == Step::Connect ? Standard::TRANSIENT : Standard::COMM_FAILURE;
    case Fault::BadMagic: case Fault::BadVersion: case Fault::BadMessageType: case Fault::BadHeader:
    case Fault::BadFragment: case Fault::ConnectionLost: return Standard::COMM_FAILURE;
    case Fault::DeadlinePassed: return Standard::TIMEOUT;
    case Fault::OutOfMemory: return Standard::NO_MEMORY;
    case Fault::Unsupported: return Standard::NO_IMPLEMENT;
    case Fault::BadCharacter: return Standard::DATA_CONVERSION;
    case Fault::WideInGiop10: return Standard::MARSHAL;
    case Fault::NoWideCodeSet: return Standard::INV_OBJREF;
    case Fault::CodeSetsIncompatible: return Standard::CODESET_INCOMPATIBLE;
    case Fault::NotTrusted: return Standard::NO_PERMISSION;
    case Fault::NoValueFactory: case Fault::LocalObject: case Fault::Rejected: return Standard::MARSHAL;
  }
  return Standard::INTERNAL;
}

}  // namespace

std::unique_ptr<CORBA::SystemException> exception_of(const Error& error, Step step) {
  const Fault f = error.fault;
  CORBA::ULong minor = own(f);
  CORBA::CompletionStatus completed = completion(step);
  if (f == Fault::DeadlinePassed) minor = omg(2);
  if (f == Fault::BadCharacter) minor = omg(1);
  if (f == Fault::WideInGiop10) minor = omg(step == Step::Encode || step == Step::DecodeRequest ? 5 : 6);
  if (f == Fault::NoWideCodeSet || f == Fault::CodeSetsIncompatible) minor = omg(1);
  if (f == Fault::NoValueFactory) minor = omg(1);
  if (f == Fault::LocalObject) minor = omg(4);
  if (f == Fault::ConnectionClosed) {
    minor = kClosedByPeer;
    completed = CORBA::COMPLETED_NO;
  }
  auto e = classic::make_standard(exception_class(f, step), minor, completed);
  if (f == Fault::NoValueFactory && error.detail.empty())
    e->_callis_detail("NoValueFactory: register a factory for the value's type (ORB::register_value_factory)");
  else e->_callis_detail(error.text());
  return e;
}

void throw_fault(const Error& error, Step step) {
  const auto e = exception_of(error, step);
  e->_raise();
  __builtin_unreachable();  // GCC forgets that a virtual function does not return
}

void throw_fault(Fault fault, std::string_view detail, Step step) {
  throw_fault({fault, 0, std::string(detail)}, step);
}

Error without_feature(std::string_view name) {
  return {Fault::Unsupported, 0,
          concat({"this program is linked without the feature ", name, ", see small-programs.md"})};
}

void throw_without_feature(std::string_view name) { throw_fault(without_feature(name), Step::Encode); }

}  // namespace callis::orb
