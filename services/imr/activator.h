// SPDX-License-Identifier: Apache-2.0
// Activator: starts processes on its host for a repository elsewhere, and tells it when they end. It attaches every
// few seconds, so that a repository that was started again knows it.
#pragma once
#include <callis/base/thread.h>
#include <callis/poa/servant/administrative.h>
#include <callis/portable_server.h>
#include <services/imr/peers.h>
#include <services/imr/processes.h>
#include <condition_variable>
#include "CallisImr_skel.h"

namespace callis::imr {

class Activator final : public poa::Administrative<POA_CallisImr::Activator>, private Launcher::Listener {
 public:
  // repository: the text of its reference. Throws system exceptions and std::runtime_error.
  Activator(std::string name, const std::string& repository);
  ~Activator() override;

  // Attaches from now on, as that object.
  void begin(CORBA::Object_ptr self);
  void stop();

  CORBA::Long launch(const CallisImr::Server& entry, const char* start, const char* repository) override;
  void end(const char* start, CORBA::Boolean kill) override;

 private:
  void ended(const std::string& server, const std::string& start, const std::string& how) override;
  void attach();
  void keep_attached();

  const std::string name_;
  const orb::Counted<orb::Core> client_;
  CallisImr::Repository_var repository_;
  CallisImr::Activator_var self_;
  Processes processes_{*this};
  std::mutex launching_;  // nothing is launched while the repository is told what lives
  std::mutex mutex_;      // guards what follows
  std::condition_variable changed_;
  bool stop_ = false;
  bool attached_ = true;  // as far as the log knows
  Thread thread_;
};

}  // namespace callis::imr
