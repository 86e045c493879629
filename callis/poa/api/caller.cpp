// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/orb/context/upcall.h>
#include <callis/poa/servant/caller.h>
#include <callis/transport/certificate.h>
#include <callis/transport/peer.h>

namespace callis {

namespace {

// Of the innermost request that has come over a connection; nullptr: there is none.
const transport::Peer* peer_of_request() {
  for (const orb::Upcall* u = orb::Upcall::innermost(); u; u = u->outer())
    if (const transport::Peer* const peer = u->client()) return peer;
  return nullptr;
}

}  // namespace

Caller Caller::current() { return of(peer_of_request()); }

Caller Caller::of(const transport::Peer* peer) {
  using transport::Peer;
  Caller out;
  if (!peer || peer->kind == Peer::Kind::Memory) return out;
  if (peer->kind == Peer::Kind::Local && peer->user != Peer::kUnknown) {
    out.kind_ = Kind::User;
    out.user_ = peer->user;
    out.counted_as_ = out.text();
    return out;
  }
  out.kind_ = Kind::Nobody;
  out.host_ = peer->host;
  if (&transport::certificate_of) out.certificate_ = transport::certificate_of(*peer);
  if (out.certificate_) {
    out.kind_ = Kind::Certificate;
    out.counted_as_ = concat({"certificate ", out.certificate_->subject});
    return out;
  }
  const bool loopback = peer->kind == Peer::Kind::Address && peer->reach <= transport::Reach::Machine;
  out.counted_as_ = loopback ? "loopback" : transport::counted_with(*peer);
  return out;
}

std::string Caller::text() const {
  switch (kind_) {
    case Kind::Process: return "this process";
    case Kind::User: return concat({"user ", Decimal(user_)});
    case Kind::Certificate: return concat({counted_as_, " (", host_, ")"});
    case Kind::Nobody: break;
  }
  return concat({"nobody (", host_, ")"});
}

}  // namespace callis
