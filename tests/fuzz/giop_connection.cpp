// SPDX-License-Identifier: Apache-2.0
// Bytes that arrive on a GIOP connection: byte 0 says on which side and in what slices. The engine comes to rest, and
// yields the same however the bytes were sliced.
#include "target.h"
#include <callis/giop/testing/driver.h>
#include <cstdlib>

using namespace callis;
using namespace callis::giop;

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  static const auto all = giop::testing::recorded();
  callis::fuzz::write_seeds(*argc, *argv, all.size(), [](std::size_t i) {
    std::vector<Byte> b = {static_cast<Byte>(all[i].to_server)};
    b.insert(b.end(), all[i].bytes.begin(), all[i].bytes.end());
    return b;
  });
  return 0;
}

void callis::fuzz::try_one(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return;
  const Role role = data[0] & 1 ? Role::Server : Role::Client;
  const std::size_t slice = 1 + (data[0] >> 1);
  const giop::testing::Bytes bytes(data + 1, data + size);
  giop::testing::Driver whole(role), sliced(role);
  whole.on_message = sliced.on_message = giop::testing::decode_anything;
  whole.arrive(bytes);
  sliced.arrive_in_slices(bytes, [slice] { return slice; });
  if (whole.broken || sliced.broken || whole.seen != sliced.seen) std::abort();
}
