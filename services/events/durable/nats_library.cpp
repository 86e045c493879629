// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <services/events/durable/nats_library.h>
#include <services/events/journal.h>

namespace callis::events {

namespace {

template <class F>
void find(void* library, const char* name, F& to) {
  to = reinterpret_cast<F>(::dlsym(library, name));
  if (!to)
    throw JournalFailed{JournalFailed::Why::Refused, false, std::string("--durable: libnats has no ") + name};
}

NatsLibrary load() {
  // CALLIS_LIBNATS: the name that the program was built with the headers of.
  void* const library = ::dlopen(CALLIS_LIBNATS, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw JournalFailed{JournalFailed::Why::Refused, false,
                        std::string("--durable needs libnats (Debian: libnats3.4), which cannot be loaded: ") +
                            ::dlerror()};
  NatsLibrary out{};
#define CALLIS_NATS_FIND(name) find(library, #name, out.name);
  CALLIS_NATS_FUNCTIONS(CALLIS_NATS_FIND)
#undef CALLIS_NATS_FIND
  (void)out.nats_SetMessageDeliveryPoolSize(2);
  return out;
}

}  // namespace

const NatsLibrary& NatsLibrary::get() {
  static const NatsLibrary library = load();
  return library;
}

}  // namespace callis::events
