// SPDX-License-Identifier: Apache-2.0
// The command line of a service's program.
#pragma once
#include <services/common/program.h>

namespace callis::services {

class ServiceArguments final {
 public:
  enum class LogForm { Text, Json };

  // argv[0] is passed over. Throws ProgramFailed{kWrongUsage}.
  ServiceArguments(int argc, char** argv, const ServiceDescription& description);

  bool help = false, version = false;
  std::string store = "memory", ior_file, tls;
  bool keep_damaged_aside = false;
  std::uint64_t max_disk_bytes = 0;  // 0: as StoreOptions says
  LogForm log = LogForm::Text;
  bool stats = false, json = false;
  std::string stats_of;           // HOST[:PORT], a reference, or a file with one
  std::uint64_t stats_every = 0;  // seconds; 0: never
  std::vector<std::string> orb;   // -ORBoption value ...
  MemoryBound::Limits memory;
  Rules rules;
  Options own;

 private:
  bool take_common(const std::string& word, const ServiceDescription& description);
  bool take_own(const std::string& word, const ServiceDescription& description);
  std::string value(const std::string& of);

  std::vector<std::string> words_;
  std::size_t at_ = 0;
};

}  // namespace callis::services
