// SPDX-License-Identifier: Apache-2.0
// Activators: the launcher of a repository: its own host's, and those of other hosts that have attached.
#pragma once
#include <callis/orb/core/core.h>
#include <services/imr/launcher.h>
#include <map>
#include <mutex>

namespace callis::imr {

// Any thread.
class Activators final : public Launcher {
 public:
  static constexpr std::size_t kMost = 1000;

  // own outlives it.
  explicit Activators(Launcher& own);
  ~Activators() override;

  // From now on, or again. False where there are too many.
  bool attach(const std::string& name, const ior::Ior& activator);

  // By the record's activator; waits for it for ten seconds at most.
  std::int64_t launch(const Record& record, const std::string& start, const std::string& repository) override;
  void end(const std::string& start, bool kill) override;

 private:
  CORBA::Object_var object(const ior::Ior& activator);

  Launcher& own_;
  const orb::Counted<orb::Core> client_;
  std::mutex mutex_;  // guards what follows
  std::map<std::string, ior::Ior> all_;
  std::map<std::string, std::pair<std::string, std::string>> starts_;  // by server: its last start, and where
};

}  // namespace callis::imr
