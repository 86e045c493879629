// SPDX-License-Identifier: Apache-2.0
#include <callis/base/feature.h>
#include <callis/orb/base/errors.h>
#include <callis/poa/dispatch/dispatch.h>
#include <callis/poa/dispatch/pseudo.h>
#include <callis/poa/servant/servant.h>
#include <callis/poa/servant/skeleton.h>
#include <algorithm>
#include <span>
#include <string>

namespace callis::poa {
namespace {

// From the peer: copied, because it may lie in pieces and the servant wants a NUL behind it.
bool read_string(cdr::Decoder& from, std::string& text) {
  const std::uint32_t length = from.string_length();
  if (!from.ok()) return false;
  text.resize(length - 1);
  return from.get_characters(text.data(), length);  // std::string has room for the NUL
}

void is_a(const Target& object, orb::ServerRequest& request) {
  std::string id;
  if (!read_string(request.arguments(), id)) {
    request.system_exception(*orb::exception_of({request.arguments().fault(), 0, "_is_a"}, orb::Step::DecodeRequest));
    return;
  }
  const bool answer = object.servant->_is_a(id.c_str());
  request.reply().put_boolean(answer);
}

void non_existent(const Target& object, orb::ServerRequest& request) {
  const bool answer = object.servant->_non_existent();
  request.reply().put_boolean(answer);
}

void repository_id(const Target& object, orb::ServerRequest& request) {
  request.reply().put_string(object.skeleton->repository_ids[0]);
}

// A nil reference: the object is no part of a component.
void component(const Target&, orb::ServerRequest& request) {
  cdr::Encoder& reply = request.reply();
  reply.put_string("");
  reply.put_ulong(0);
}

void not_implemented(const Target&, orb::ServerRequest& request) {
  answer_standard(request, classic::Standard::NO_IMPLEMENT, orb::omg(3), CORBA::COMPLETED_NO);
}

struct Pseudo {
  std::string_view name;
  void (*serve)(const Target&, orb::ServerRequest&);
};
constexpr Pseudo kPseudo[] = {
    {"_is_a", is_a},
    {"_non_existent", non_existent},
    {"_not_existent", non_existent},  // the name in GIOP 1.0 and 1.1
    {"_interface", answer_interface},
    {"_component", component},
    {"_repository_id", repository_id},
    {"_domain_managers", not_implemented},
    // JacORB sends this name for _component. An attribute of this name, and a dynamic servant, come first.
    {"_get_component", component},
};

static_assert(std::ranges::equal(std::span(kPseudo).first(std::size(kPseudoOperations)), kPseudoOperations, {},
                                 &Pseudo::name));

}  // namespace

// There is no Interface Repository to ask.
CALLIS_FALLBACK void answer_interface(const Target&, orb::ServerRequest& request) {
  answer_standard(request, classic::Standard::INTF_REPOS, orb::omg(1), CORBA::COMPLETED_NO);
}

bool serve_pseudo_operation(const Target& object, orb::ServerRequest& request) {
  const std::string_view name = request.operation();
  if (!name.starts_with('_')) return false;
  for (const Pseudo& p : kPseudo) {
    if (name != p.name) continue;
    p.serve(object, request);
    return true;
  }
  return false;
}

constinit ServeUnknown serve_unknown_operation = &serve_pseudo_operation;

}  // namespace callis::poa
