// SPDX-License-Identifier: Apache-2.0
#include <callis/base/fault.h>

namespace callis {

const char* fault_name(Fault f) noexcept {
  switch (f) {
    case Fault::None: return "None";
    case Fault::Truncated: return "Truncated";
    case Fault::BadCount: return "BadCount";
    case Fault::BadBound: return "BadBound";
    case Fault::BadString: return "BadString";
    case Fault::BadBoolean: return "BadBoolean";
    case Fault::BadEnum: return "BadEnum";
    case Fault::BadEncapsulation: return "BadEncapsulation";
    case Fault::BadReference: return "BadReference";
    case Fault::BadValue: return "BadValue";
    case Fault::TooDeep: return "TooDeep";
    case Fault::BudgetExceeded: return "BudgetExceeded";
    case Fault::LimitExceeded: return "LimitExceeded";
    case Fault::BadMagic: return "BadMagic";
    case Fault::BadVersion: return "BadVersion";
    case Fault::BadMessageType: return "BadMessageType";
    case Fault::BadHeader: return "BadHeader";
    case Fault::BadFragment: return "BadFragment";
    case Fault::ConnectRefused: return "ConnectRefused";
    case Fault::ConnectTimeout: return "ConnectTimeout";
    case Fault::ResolveFailed: return "ResolveFailed";
    case Fault::ConnectionLost: return "ConnectionLost";
    case Fault::ConnectionClosed: return "ConnectionClosed";
    case Fault::DeadlinePassed: return "DeadlinePassed";
    case Fault::TransportFailed: return "TransportFailed";
    case Fault::OutOfMemory: return "OutOfMemory";
    case Fault::NullPointer: return "NullPointer";
    case Fault::BadText: return "BadText";
    case Fault::Unsupported: return "Unsupported";
    case Fault::BadCharacter: return "BadCharacter";
    case Fault::WideInGiop10: return "WideInGiop10";
    case Fault::NoWideCodeSet: return "NoWideCodeSet";
    case Fault::CodeSetsIncompatible: return "CodeSetsIncompatible";
    case Fault::NoValueFactory: return "NoValueFactory";
    case Fault::LocalObject: return "LocalObject";
    case Fault::Rejected: return "Rejected";
  }
  return "?";
}

}  // namespace callis
