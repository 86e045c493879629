// SPDX-License-Identifier: Apache-2.0
// Bridge: objects that stand for others, which may be anywhere and of any ORB. Their servants have no skeletons
// (DSI); they call the objects that they stand for by requests made at run time (DII).
//
//   client ──request──► Forwarder ──Request──► target
//                          │ every reference in arguments, results and exceptions becomes one of
//                          ▼ the bridge's, in both directions; one of the bridge's becomes its target
//                        Bridge: a table of bounded size
//
// Values are decoded and encoded anew, so each side may have its own byte order, GIOP version and code sets. For that
// the types must be known: they come from IDL files or from an Interface Repository when the program runs.
#pragma once
#include <callis/dynamic_any.h>
#include <callis/portable_server.h>
#include <tools/bridge/signatures.h>
#include <list>
#include <set>
#include <string>
#include <unordered_map>

namespace callis::tools {

// Any thread. Outlives the ORB's adapters.
class Bridge {
 public:
  // Adds the object's interface to the types: its repository id. Throws Failure and system exceptions.
  using Reader = std::function<std::string(CORBA::Object_ptr object)>;

  // most: how many references it stands for at a time, but for those of add(). When there are more, the one that has
  // not been used for the longest time is forgotten: calls of it are OBJECT_NOT_EXIST from then on.
  // read: asked for interfaces that the types have not got; empty: nobody is.
  // called: repository ids of the only interfaces by which it calls objects that add() was not called for; empty:
  // any. Such objects are asked whether they are one, and never called where they are administrative
  // (callis/poa/servant/administrative.h).
  Bridge(CORBA::ORB_ptr orb, PortableServer::POA_ptr poa, Types& types, std::size_t most, Reader read = {},
         std::set<std::string> called = {});

  // An object that stands for `target` as long as this lives, of that interface.
  CORBA::Object_var add(CORBA::Object_ptr target, const idl::ast::Interface& interface);

  // What the other side gets in place of a reference that is not nil.
  CORBA::Object_var across(CORBA::Object_ptr reference);

 private:
  friend class Forwarder;
  struct Entry {
    std::string target;          // as text
    std::string id;              // of the object that stands for it
    CORBA::Object_var to, from;  // the target; what stands for it
    bool stays = false;
  };
  using Entries = std::list<Entry>;  // the last one used first

  CORBA::Object_var stand_for(CORBA::Object_ptr target, const idl::ast::Interface* interface);
  // For Forwarder: a request has come.
  void used(const std::string& id);
  // For Forwarder: what the reference says that the object is, or else what the reader finds; nullptr: nobody knows.
  const idl::ast::Interface* interface_of(CORBA::Object_ptr target);
  bool may_call(const std::string& interface) const { return called_.empty() || called_.contains(interface); }
  void forget_beyond();

  const CORBA::ORB_var orb_;
  const PortableServer::POA_var poa_;
  DynamicAny::DynAnyFactory_var factory_;
  Signatures signatures_;
  const std::size_t most_;
  const Reader read_;
  const std::set<std::string> called_;
  std::mutex reading_;  // one reads at a time, so that nothing is read twice
  std::mutex mutex_;
  Entries entries_;
  std::size_t staying_ = 0;
  std::unordered_map<std::string, Entries::iterator> by_target_, by_id_;
};

}  // namespace callis::tools
