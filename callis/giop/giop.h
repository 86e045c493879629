// SPDX-License-Identifier: Apache-2.0
// The GIOP library: the General Inter-ORB Protocol 1.0, 1.1 and 1.2 (CORBA 3.3 part 2, clause 9) as an
// engine without I/O, clock or threads. Bytes in, events out.
//
//   bytes from the transport                                     bytes for the transport
//         │                                                              ▲
//   Connection::receive()        connection.h                     finish_message()    message.h
//         │  header judged       message.h                               │
//         │  fragments joined    reassembly.h                     body by cdr::Encoder
//         ▼                                                              │
//   Event { Message }                                             begin_request() / begin_reply() ...
//         │                                                              ▲
//   decode(RequestHeader) ...    request.h reply.h locate.h              │
//         │                      service_context.h target.h              │
//   body by cdr::Decoder                                          RequestTable        request_table.h
//
//   fragment.h cuts an outgoing message into fragments without copying its body.
//
// Everything a peer sends is hostile: each message ends in an event or a fault, within Limits. Headers are
// decoded to views into the message; nothing is allocated on the usual path. The library knows whose
// turn it is, not what time it is: deadlines, sockets and locks belong to the ORB above.
#pragma once
#include <callis/giop/connection.h>
#include <callis/giop/fragment.h>
#include <callis/giop/locate.h>
#include <callis/giop/message.h>
#include <callis/giop/reply.h>
#include <callis/giop/request.h>
#include <callis/giop/request_table.h>
#include <callis/giop/service_context.h>
