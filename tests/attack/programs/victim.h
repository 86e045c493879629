// SPDX-License-Identifier: Apache-2.0
// The object under attack. It takes parameters of every kind that has cost an ORB its life, and looks at what it
// takes as applications do: it copies, walks and compares. It keeps nothing.
#pragma once
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <atomic>
#include "attack_skel.h"

namespace attack {

class Victim final : public POA_Attack::Victim {
 public:
  char* echo(const char* text) override;
  void note(const char* text) override;
  Attack::Octets* produce(CORBA::ULong count) override;

  CORBA::ULong take_octets(const Attack::Octets& bytes) override;
  CORBA::ULong take_texts(const Attack::Texts& lines) override;
  CORBA::ULong take_any(const CORBA::Any& value) override;
  CORBA::Any* pass_any(const CORBA::Any& value) override;
  CORBA::ULong take_anys(const Attack::Anys& values) override;
  CORBA::ULong take_type(CORBA::TypeCode_ptr type) override;
  CORBA::ULong take_tree(const Attack::Tree& root) override;
  CORBA::ULong take_either(const Attack::Either& root) override;
  CORBA::ULong take_hollows(const Attack::Hollows& values) override;
  CORBA::ULong take_value(CORBA::ValueBase* value) override;
  CORBA::ULong take_nodes(const Attack::Nodes& values) override;
  Attack::Nodes* pass_nodes(const Attack::Nodes& values) override;
  CORBA::ULong take_words(const Attack::Words& values) override;
  CORBA::ULong take_object(CORBA::Object_ptr reference) override;
  CORBA::ULong take_pair(const Attack::Pair& value, Attack::Colour shade) override;
  CORBA::ULong take_wide(const CORBA::WChar* text) override;
  CORBA::ULong take_prices(const Attack::Price& one, const Attack::Finest& other) override;

  CORBA::ULong nodes_alive() override;
  CORBA::ULong notes() override;

 private:
  std::atomic<CORBA::ULong> notes_{0};
};

// Makes the nodes and words that arrive.
void register_factories(CORBA::ORB_ptr orb);

}  // namespace attack
