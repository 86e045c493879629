// SPDX-License-Identifier: Apache-2.0
#include <callis/base/thread.h>
#include <cerrno>
#include <cstdlib>

namespace callis {

Thread::~Thread() {
  if (joinable_) std::abort();
}

void Thread::join() noexcept {
  (void)::pthread_join(handle_, nullptr);
  joinable_ = false;
}

// By itself, so that its first action is under its name.
void* Thread::run(void* start) {
  Start own = *static_cast<Start*>(start);
  delete static_cast<Start*>(start);
  (void)::pthread_setname_np(::pthread_self(), own.name);
  own.run(own.closure);
  return nullptr;
}

int Thread::launch(const ThreadOptions& options, const Start& start) noexcept {
  auto* const own = new (std::nothrow) Start(start);
  if (!own) return ENOMEM;
  int error = ::pthread_create(&handle_, options.attributes, &run, own);
  if (error != 0) {
    delete own;
    return error;
  }
  if (options.detached)
    (void)::pthread_detach(handle_);
  else
    joinable_ = true;
  return 0;
}

}  // namespace callis
