// SPDX-License-Identifier: Apache-2.0
// The repository's object: CallisImr::Repository.
#pragma once
#include <callis/poa/servant/administrative.h>
#include <callis/portable_server.h>
#include <services/imr/activators.h>
#include <services/imr/repository.h>
#include "CallisImr_skel.h"

namespace callis::imr {

class RepositoryServant final : public poa::Administrative<POA_CallisImr::Repository> {
 public:
  // repository outlives it. own: the reference that others are made like.
  RepositoryServant(orb::Core& orb, imr::Repository& repository, Activators& activators)
      : orb_(orb), repository_(repository), activators_(activators) {}
  // Before requests come.
  void set_own(ior::Ior own) { own_ = std::move(own); }

  void add(const CallisImr::Server& entry, CORBA::Boolean replace) override;
  void remove(const char* name) override;
  CallisImr::Statuses* list(const char* after, CORBA::ULong most) override;
  CallisImr::Status* find(const char* name) override;
  void start(const char* name) override;
  void stop(const char* name) override;
  CORBA::Object_ptr reference(const char* name, const char* type_id, const CORBA::OctetSeq& object_key) override;
  void up(const char* name, const char* start, CORBA::Long pid, CallisImr::Process_ptr self) override;
  void going_down(const char* name, const char* start) override;
  void attach(const char* name, CallisImr::Activator_ptr self, const CallisImr::Words& living) override;
  void ended(const char* name, const char* start, const char* how) override;

 private:
  orb::Core& orb_;
  imr::Repository& repository_;
  Activators& activators_;
  ior::Ior own_;
};

Record record_of(const CallisImr::Server& entry);
CallisImr::Server server_of(const Record& record);

}  // namespace callis::imr
