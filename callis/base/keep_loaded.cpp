// SPDX-License-Identifier: Apache-2.0
#include <callis/base/keep_loaded.h>
#include <atomic>
#include <dlfcn.h>

CALLIS_PROVIDE(plugins);

// A program that is linked statically loads nothing, and a reference to these would bring it the loader.
#ifdef __GLIBC__
extern "C" [[gnu::weak]] void* dlopen(const char* file, int mode) noexcept;
extern "C" [[gnu::weak]] int dladdr(const void* address, Dl_info* info) noexcept;
#else
extern "C" [[gnu::weak]] void* dlopen(const char* file, int mode);
extern "C" [[gnu::weak]] int dladdr(const void* address, Dl_info* info);
#endif

namespace callis {

void keep_loaded(const void* address) noexcept {
  static constinit std::atomic<const void*> last{nullptr};  // operations of one table come behind each other
  if (!dlopen || !dladdr || last.exchange(address, std::memory_order_relaxed) == address) return;
  Dl_info info;
  if (dladdr(address, &info) != 0) (void)dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

}  // namespace callis
