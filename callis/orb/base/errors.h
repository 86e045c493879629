// SPDX-License-Identifier: Apache-2.0
// The one place where faults become system exceptions, with minor code and completion status.
#pragma once
#include <callis/base/result.h>
#include <callis/classic/exception.h>
#include <callis/orb/base/minor_codes.h>
#include <memory>

namespace callis::orb {

// The step that a call had reached. It decides the completion status and the meaning of a fault: a bad boolean from a
// peer is not a bad boolean in our own memory.
enum class Step : unsigned char {
  Encode,         // client: arguments into the request                    COMPLETED_NO
  Connect,        // client: no byte was sent                              COMPLETED_NO
  Exchange,       // client: some of the request is out, no reply is here   COMPLETED_MAYBE
  DecodeReply,    // client: reply is here and cannot be read              COMPLETED_YES
  DecodeRequest,  // server: arguments cannot be read                      COMPLETED_NO
  EncodeReply,    // server: results cannot be written                     COMPLETED_YES
};

// | fault                                  | step            | exception, minor                          |
// |----------------------------------------|-----------------|-------------------------------------------|
// | Truncated ... BadValue                 | Decode*         | MARSHAL, the fault's                      |
// | NullPointer, BadBound, BadEnum ...     | Encode*         | BAD_PARAM, the fault's                    |
// | TooDeep, BudgetExceeded, LimitExceeded | any             | IMP_LIMIT, the fault's                    |
// | BadMagic ... BadFragment               | Exchange        | COMM_FAILURE, the fault's                 |
// | Connect*, ResolveFailed, TransportFailed | Connect       | TRANSIENT, the fault's                    |
// | DeadlinePassed                         | any             | TIMEOUT, OMG 2                            |
// | ConnectionClosed                       | any             | TRANSIENT, kClosedByPeer, COMPLETED_NO    |
// | ConnectionLost, TransportFailed        | Exchange        | COMM_FAILURE, the fault's                 |
// | OutOfMemory                            | any             | NO_MEMORY, the fault's                    |
// | Unsupported                            | any             | NO_IMPLEMENT, the fault's                 |
// | BadCharacter                           | any             | DATA_CONVERSION, OMG 1                    |
// | WideInGiop10                           | any             | MARSHAL, OMG 5 in a request, 6 in a reply |
// | NoWideCodeSet                          | Encode          | INV_OBJREF, OMG 1                         |
// | CodeSetsIncompatible                   | any             | CODESET_INCOMPATIBLE, OMG 1               |
// | NoValueFactory                         | any             | MARSHAL, OMG 1                            |
// | LocalObject                            | any             | MARSHAL, OMG 4                            |
// | Rejected                               | any             | MARSHAL, the fault's                      |
// | NotTrusted                             | any             | NO_PERMISSION, the fault's                |
std::unique_ptr<CORBA::SystemException> exception_of(const Error& error, Step step);
[[noreturn]] void throw_fault(const Error& error, Step step);
// detail: for people.
[[noreturn]] void throw_fault(Fault fault, std::string_view detail, Step step);

// Makes an Error with Unsupported: the program was linked without the feature (callis/base/feature.h) that is needed.
Error without_feature(std::string_view name);
[[noreturn]] void throw_without_feature(std::string_view name);

}  // namespace callis::orb
