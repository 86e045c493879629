// SPDX-License-Identifier: Apache-2.0
#include <callis/transport/memory/memory.h>
#include <algorithm>
#include <cstring>

CALLIS_PROVIDE(memory_answers);

namespace callis::transport {

bool set_memory_answer_bytes(const std::string& name, std::size_t bytes) {
  const std::shared_ptr<MemoryAcceptor> acceptor = memory_acceptor(name);
  if (acceptor) acceptor->set_answer_bytes(bytes);
  return acceptor != nullptr;
}

bool take_answer_memory(Buffer& answers, const MemoryAcceptor& acceptor, std::size_t asked) {
  const std::size_t bytes = std::max(asked, acceptor.answer_bytes());
  if (bytes == 0) return true;
  if (!answers.reserve(bytes)) return false;
  std::memset(answers.data(), 0, answers.capacity());  // so that no page is missing later
  return true;
}

}  // namespace callis::transport
