// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/errors.h>

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

template <class E>
std::unique_ptr<CORBA::SystemException> make(CORBA::ULong minor, CORBA::CompletionStatus completed) {
  return std::make_unique<E>(minor, completed);
}

std::unique_ptr<CORBA::SystemException> choose(Fault f, Step step) {
  const auto done = completion(step);
  switch (f) {
    case Fault::None: case Fault::Truncated: case Fault::BadCount: case Fault::BadBound: case Fault::BadString:
    case Fault::BadBoolean: case Fault::BadEnum: case Fault::BadEncapsulation: case Fault::BadReference:
    case Fault::BadValue: case Fault::NullPointer: case Fault::BadText:
      if (step == Step::Encode) return make<CORBA::BAD_PARAM>(own(f), done);
      return make<CORBA::MARSHAL>(own(f), done);
    case Fault::TooDeep: case Fault::BudgetExceeded: case Fault::LimitExceeded:
      return make<CORBA::IMP_LIMIT>(own(f), done);
    case Fault::ConnectRefused: case Fault::ConnectTimeout: case Fault::ResolveFailed:
      return make<CORBA::TRANSIENT>(own(f), done);
    case Fault::TransportFailed:
      if (step == Step::Connect) return make<CORBA::TRANSIENT>(own(f), done);
      return make<CORBA::COMM_FAILURE>(own(f), done);
    case Fault::BadMagic: case Fault::BadVersion: case Fault::BadMessageType: case Fault::BadHeader:
    case Fault::BadFragment: case Fault::ConnectionLost:
      return make<CORBA::COMM_FAILURE>(own(f), done);
    case Fault::ConnectionClosed: return make<CORBA::TRANSIENT>(kClosedByPeer, CORBA::COMPLETED_NO);
    case Fault::DeadlinePassed: return make<CORBA::TIMEOUT>(omg(2), done);
    case Fault::OutOfMemory: return make<CORBA::NO_MEMORY>(own(f), done);
    case Fault::Unsupported: return make<CORBA::NO_IMPLEMENT>(own(f), done);
  }
  return make<CORBA::INTERNAL>(own(f), done);
}

}  // namespace

std::unique_ptr<CORBA::SystemException> exception_of(const Error& error, Step step) {
  auto e = choose(error.fault, step);
  e->detail(error.text());
  return e;
}

void throw_fault(const Error& error, Step step) {
  const auto e = exception_of(error, step);
  e->_raise();
  __builtin_unreachable();  // GCC forgets that a virtual function does not return
}

}  // namespace callis::orb
