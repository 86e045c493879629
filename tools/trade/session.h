// SPDX-License-Identifier: Apache-2.0
// A trader of any ORB, as its clients see it; and what goes wrong, in words.
#pragma once
#include <callis/corba.h>
#include <tools/trade/arguments.h>
#include <functional>
#include <string>
#include <string_view>
#include "CosTrading.h"
#include "CosTradingDynamic.h"
#include "CosTradingRepos.h"

namespace callis::trade {

using Repository = CosTradingRepos::ServiceTypeRepository;

class Session {
 public:
  // Finds the trader's Lookup. Throws Failure and system exceptions.
  Session(CORBA::ORB_ptr orb, const Arguments& arguments);

  CosTrading::Lookup_ptr lookup() const { return lookup_.in(); }
  // Each throws Failure where the trader has none.
  CosTrading::Register_var registering() const;
  CosTrading::Link_var link() const;
  CosTrading::Proxy_var proxy() const;
  CosTrading::Admin_var admin() const;
  CosTradingRepos::ServiceTypeRepository_var types() const;

  // The object that the text is a reference to, or the file has one of.
  CORBA::Object_var object(const std::string& text) const;
  std::string text_of(CORBA::Object_ptr object) const;

 private:
  const CORBA::ORB_var orb_;
  CosTrading::Lookup_var lookup_;
};

// Runs f; user exceptions of the trader become a Failure.
void explained(const std::string& what, const std::function<void()>& f);

// From a peer, for a terminal.
std::string shown(std::string_view text);

}  // namespace callis::trade
