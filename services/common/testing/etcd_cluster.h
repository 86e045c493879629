// SPDX-License-Identifier: Apache-2.0
// An etcd of the test's own: one member or several, on free ports. Its folder is removed at the end.
#pragma once
#include <services/common/testing/folder.h>
#include <sys/types.h>
#include <vector>

namespace callis::services::testing {

class EtcdCluster final {
 public:
  // Waits until etcd answers. Throws std::runtime_error with etcd's log if it does not.
  explicit EtcdCluster(int members, const std::string& further_arguments = {});
  ~EtcdCluster();
  EtcdCluster(const EtcdCluster&) = delete;
  EtcdCluster& operator=(const EtcdCluster&) = delete;

  static bool is_installed();
  // "etcd:127.0.0.1:PORT,..." of all members; a prefix may follow.
  std::string where() const;
  std::string endpoint(int member) const;
  void kill(int member);   // kill -9
  void start(int member);  // again, with what it had
  // etcdctl with these arguments; its standard output.
  std::string control(const std::string& arguments) const;

 private:
  struct Member {
    int client_port, peer_port;
    pid_t process;
  };
  void wait_until_it_answers();
  std::string cluster_text() const;

  Folder folder_;
  const std::string further_;
  std::vector<Member> members_;
};

}  // namespace callis::services::testing
