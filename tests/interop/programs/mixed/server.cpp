// SPDX-License-Identifier: Apache-2.0
// mixed_server [interceptors] [-ORB options]. Prints its reference; ends when its input does.
#include "interceptors.h"
#include "../run_until_input_ends.h"
#include <mutex>

namespace {

using namespace interop;

class PeerServant final : public POA_Mixed::Peer {
 public:
  explicit PeerServant(PortableServer::POA_ptr poa, bool utf8)
      : poa_(PortableServer::POA::_duplicate(poa)), utf8_(utf8) {}

  Mixed::CodePoints* points_of(const char* text) override {
    return new Mixed::CodePoints(sequence_of(interop::points_of(text, utf8_)));
  }
  char* text_of(const Mixed::CodePoints& points) override {
    return CORBA::string_dup(narrow(interop::points_of(points), utf8_).c_str());
  }
  Mixed::CodePoints* wide_points_of(const CORBA::WChar* text) override {
    return new Mixed::CodePoints(sequence_of(interop::points_of(text)));
  }
  CORBA::WChar* wide_text_of(const Mixed::CodePoints& points) override {
    return CORBA::wstring_dup(wide(interop::points_of(points)).c_str());
  }
  CORBA::WChar echo_wchar(CORBA::WChar c) override { return c; }
  CORBA::Char echo_char(CORBA::Char c) override { return c; }

  Mixed::Item* echo_item(const Mixed::Item& one, Mixed::Items& more, Mixed::Strings_out names) override {
    Mixed::Strings_var list(new Mixed::Strings);
    list->length(more.length() + 1);
    list[0u] = one.name;
    for (CORBA::ULong i = 0; i < more.length(); ++i) list[i + 1] = more[i].name;
    more.length(more.length() + 1);
    more[more.length() - 1] = one;
    names = list._retn();
    return new Mixed::Item(one);
  }
  Mixed::Choices* echo_choices(const Mixed::Choices& some) override { return new Mixed::Choices(some); }
  CORBA::Any* echo_any(const CORBA::Any& value) override { return new CORBA::Any(value); }
  char* echo_string(const char* text) override { return CORBA::string_dup(text); }
  Mixed::Octets* echo_octets(const Mixed::Octets& bytes) override { return new Mixed::Octets(bytes); }
  void refuse(const char* why, CORBA::Long code) override { throw Mixed::Refused(why, code); }
  void fail() override {
    CORBA::NO_PERMISSION e(4711, CORBA::COMPLETED_YES);
#ifndef INTEROP_OMNIORB
    e.detail("caf\xc3\xa9 is closed");
#endif
    throw e;
  }

  Mixed::Node* grow(Mixed::Node* list) override {
    Mixed::Node_var front(new OBV_Mixed::Node);
    front->number(list ? list->number() + 1 : 0);
    front->name("front");
    front->next(list);
    Mixed::Node* last = front.in();
    while (last->next()) last = last->next();
    last->next(front.in());  // a ring: it is let go with the process
    CORBA::add_ref(front.in());
    return front.in();
  }
  CORBA::Boolean same(Mixed::Node* a, Mixed::Node* b) override { return a == b; }
  CORBA::Long number_of(const CORBA::Any& any) override {
    Mixed::Node* node = nullptr;
    return (any >>= node) ? node->number() : 0;
  }

  void note(const char* text) override {
    const std::lock_guard lock(mutex_);
    notes_.push_back(text);
  }
  Mixed::Strings* notes() override {
    const std::lock_guard lock(mutex_);
    Mixed::Strings_var list(new Mixed::Strings);
    list->length(static_cast<CORBA::ULong>(notes_.size()));
    for (CORBA::ULong i = 0; i < list->length(); ++i) list[i] = CORBA::string_dup(notes_[i].c_str());
    return list._retn();
  }
  void call_back(Mixed::Listener_ptr whom, const char* text, CORBA::Long times) override {
    for (CORBA::Long i = 0; i < times; ++i) whom->heard(text, i);
  }
  Mixed::Peer_ptr itself() override {
    const CORBA::Object_var o = poa_->servant_to_reference(this);
    return Mixed::Peer::_narrow(o.in());
  }
  CORBA::Boolean is_you(Mixed::Peer_ptr other) override {
    const Mixed::Peer_var me = itself();
    return !CORBA::is_nil(other) && other->_is_equivalent(me.in());
  }

 private:
  const PortableServer::POA_var poa_;
  const bool utf8_;
  std::mutex mutex_;
  std::vector<std::string> notes_;
};

int serve(int argc, char** argv) {
  const bool utf8 = is_utf8(argc, argv);
  const bool intercepted = intercepts(argc, argv);
  if (intercepted) intercept();
  const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  if (intercepted) intercept_made();
  add_factory(orb.in());
  {
    const PortableServer::POA_var poa = root_poa(orb.in());
    const CORBA::Object_var peer(activate(poa.in(), new PeerServant(poa.in(), utf8)));
    const CORBA::String_var ior = orb->object_to_string(peer.in());
    std::printf("%s\n", ior.in());
    std::fflush(stdout);
  }
  interop::run_until_input_ends(orb.in());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return serve(argc, argv);
  } catch (const CORBA::Exception& e) {
    std::printf("server: %s\n", e._name());
  }
  return 1;
}
