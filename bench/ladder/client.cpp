// SPDX-License-Identifier: Apache-2.0
// The sender of ttcp on a rung: client ttcp --reference FILE [--types a,b] [--sizes 1K,64K] [--megabytes N].
// Every buffer is encoded anew and sent by one write.
#include "message.h"

namespace {

using namespace bench;
using namespace ladder;

Receipt ask(int fd, callis::Buffer& message) {
  begin_message(message, kAsk);
  end_message(message);
  expect(tcp::write_all(fd, message.data(), message.size()), "connection");
  const auto answer = receive_message(fd, message);
  expect(answer && answer->type == kAsk && message.size() == kHeaderBytes + 24, "the receiver's answer");
  const auto number = [&](std::size_t i) {
    return callis::load<std::uint64_t>(message.data() + kHeaderBytes + 8 * i);
  };
  return {number(0), number(1), number(2)};
}

void run(const Options& o) {
  if (o.suite != "ttcp") no_such_suite(o);
  const int fd = tcp::connect_to(o);
  for (const Subject& s : kSubjects) {
    const Type type(subjects::kUnit, s.sequence);
    each_size(o, std::string(s.name), [&](std::uint64_t bytes) {
      const Value value(s, bytes);
      if (o.corrupt) static_cast<callis::Byte*>(value.header.buffer)[0] ^= 1;
      callis::Buffer message;
      flood(
          o, std::string(s.name), bytes,
          [&] {
            begin_message(message, static_cast<std::uint8_t>(&s - kSubjects));
            expect(ladder::encode(*type, &value.header, message), "encode");
            end_message(message);
            expect(tcp::write_all(fd, message.data(), message.size()), "connection");
          },
          [&](std::uint64_t) { return ask(fd, message); });
    });
  }
  close(fd);
}

}  // namespace

int main(int argc, char** argv) { return guarded(argc, argv, run); }
