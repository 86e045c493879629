// SPDX-License-Identifier: Apache-2.0
// Guards: who in this process is changing which keys of the store. Changes of one key follow each other; changes of
// different keys go to the store together. Any thread.
#pragma once
#include <condition_variable>
#include <mutex>
#include <string>
#include <unordered_map>

namespace callis::naming {

class Guards {
 public:
  // As long as it lives, nobody else has `alone`, and nobody has `shared` alone. Waits for both at once, so that
  // no two wait for each other. Either may be empty.
  class Hold {
   public:
    Hold(Guards& guards, std::string alone, std::string shared);
    ~Hold();
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    Guards& guards_;
    const std::string alone_, shared_;
  };

 private:
  bool is_free(const std::string& alone, const std::string& shared) const;
  void drop(const std::string& key);

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::unordered_map<std::string, int> held_;  // -1: alone; otherwise by how many
};

}  // namespace callis::naming
