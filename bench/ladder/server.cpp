// SPDX-License-Identifier: Apache-2.0
// The receiver of ttcp on a rung: server ttcp --reference FILE. One connection after the other; every buffer is
// decoded, its length and both ends are compared with what was sent, and it is freed.
#include "message.h"

namespace {

using namespace bench;
using namespace ladder;
using callis::marshal::SequenceHeader;

void answer(int fd, callis::Buffer& message, const Receipt& r) {
  const std::uint64_t numbers[3] = {r.intact, r.arrived, r.ns};
  begin_message(message, kAsk);
  expect(message.append({reinterpret_cast<const callis::Byte*>(numbers), sizeof numbers}), "memory");
  end_message(message);
  expect(tcp::write_all(fd, message.data(), message.size()), "connection");
}

class Receiver {
 public:
  void receive(int fd) {
    while (const auto header = receive_message(fd, message_)) {
      if (header->type == kAsk)
        answer(fd, message_, tally_.take());
      else
        take(*header);
    }
  }

 private:
  void take(const Header& header) {
    expect(header.type < std::size(kSubjects), "a message's type");
    const Subject& s = kSubjects[header.type];
    auto& type = types_[header.type];
    if (!type) type = std::make_unique<Type>(subjects::kUnit, s.sequence);
    SequenceHeader value{};
    expect(ladder::decode(**type, &value, message_.view(), kHeaderBytes, header.order), "decode");
    const std::uint64_t bytes = value.length * s.element_bytes;
    auto& sent = values_[header.type];
    if (bytes > 0 && (!sent || sent->header.length != value.length)) sent = std::make_unique<Value>(s, bytes);
    tally_.add(bytes, bytes > 0 && sent->ends_equal(value));
    ladder::free(**type, &value);
  }

  callis::Buffer message_;
  std::unique_ptr<Type> types_[std::size(kSubjects)];
  std::unique_ptr<Value> values_[std::size(kSubjects)];  // what is sent, made when it first comes
  Tally tally_;
};

void run(const Options& o) {
  if (o.suite != "ttcp") no_such_suite(o);
  const int listener = tcp::listen_anywhere();
  publish(o, {std::to_string(tcp::port_of(listener))});
  for (;;) {
    const int fd = accept(listener, nullptr, nullptr);
    if (fd < 0) continue;
    tcp::no_delay(fd);
    try {
      Receiver().receive(fd);
    } catch (const std::exception& e) {
      std::cerr << "bench: " << e.what() << std::endl;
    }
    close(fd);
  }
}

}  // namespace

int main(int argc, char** argv) { return guarded(argc, argv, run); }
