// SPDX-License-Identifier: Apache-2.0
#include <callis/base/seeded_hash.h>
#include <sys/random.h>

namespace callis {

// As FNV-1a, but the factor is secret, too: whatever two names do to the hash depends on it.
std::uint32_t seeded_hash(std::string_view name) noexcept {
  struct Secret {
    std::uint64_t start = 0, factor = 0;
  };
  static const Secret secret = [] {
    Secret s;
    (void)!::getrandom(&s, sizeof s, GRND_NONBLOCK);
    return Secret{s.start ^ 0xcbf29ce484222325u, (s.factor ^ 0x100000001b3u) | 1};
  }();
  std::uint64_t h = secret.start;
  for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * secret.factor;
  h = (h ^ h >> 32) * secret.factor;  // the last bytes reach all bits
  return static_cast<std::uint32_t>(h >> 32);
}

}  // namespace callis
