// SPDX-License-Identifier: Apache-2.0
// A library to preload: counts heap allocations and lock operations of the process into the file that the environment
// variable BENCH_COUNT_FILE names. The file holds the Counts below, always current, so whoever started the process
// reads it at any time. operator new is counted through the malloc that it calls.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <ctime>

namespace {

struct Counts {
  std::uint64_t allocations;  // malloc, calloc, realloc and the aligned ones
  std::uint64_t frees;
  std::uint64_t bytes;   // asked for by the allocations
  std::uint64_t locks;   // lock or try: mutexes, read-write locks, spin locks
  std::uint64_t waits;   // on condition variables
  std::uint64_t wakes;
  std::uint64_t held;    // pthread_mutex_lock() of a mutex that another thread had
};

Counts g_private;                // until the file is mapped, and without one
Counts* g_counts = &g_private;

[[gnu::constructor]] void map_file() {
  const char* name = std::getenv("BENCH_COUNT_FILE");
  const int fd = name ? open(name, O_RDWR | O_CREAT, 0600) : -1;
  if (fd < 0) return;
  if (ftruncate(fd, sizeof(Counts)) == 0) {
    void* p = mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (p != MAP_FAILED) g_counts = static_cast<Counts*>(p);
  }
  close(fd);
}

void count(std::uint64_t Counts::*which, std::uint64_t n = 1) {
  __atomic_fetch_add(&(g_counts->*which), n, __ATOMIC_RELAXED);
}
void count_allocation(std::size_t bytes) {
  count(&Counts::allocations);
  count(&Counts::bytes, bytes);
}

// The C library's function of that name.
template <class F>
F* real(F*& cached, const char* name) {
  F* f = __atomic_load_n(&cached, __ATOMIC_ACQUIRE);
  if (f) return f;
  f = reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
  if (!f) _exit(99);
  __atomic_store_n(&cached, f, __ATOMIC_RELEASE);
  return f;
}

}  // namespace

// glibc's own names of its allocator need no lookup, which would itself allocate.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

void* malloc(std::size_t n) {
  count_allocation(n);
  return __libc_malloc(n);
}
void* calloc(std::size_t n, std::size_t size) {
  count_allocation(n * size);
  return __libc_calloc(n, size);
}
void* realloc(void* p, std::size_t n) {
  count_allocation(n);
  return __libc_realloc(p, n);
}
void* memalign(std::size_t alignment, std::size_t n) {
  count_allocation(n);
  return __libc_memalign(alignment, n);
}
void* aligned_alloc(std::size_t alignment, std::size_t n) { return memalign(alignment, n); }
int posix_memalign(void** to, std::size_t alignment, std::size_t n) {
  void* p = memalign(alignment, n);
  if (!p) return ENOMEM;
  *to = p;
  return 0;
}
void free(void* p) {
  if (p) count(&Counts::frees);
  __libc_free(p);
}

#define COUNTED(counter, name, parameters, arguments)  \
  int name parameters {                                \
    static int(*next) parameters;                      \
    count(&Counts::counter);                           \
    return real(next, #name) arguments;                \
  }
int pthread_mutex_lock(pthread_mutex_t* m) {
  static int (*try_it)(pthread_mutex_t*);
  static int (*next)(pthread_mutex_t*);
  count(&Counts::locks);
  const int error = real(try_it, "pthread_mutex_trylock")(m);
  if (error != EBUSY) return error;
  count(&Counts::held);
  return real(next, "pthread_mutex_lock")(m);
}
COUNTED(locks, pthread_mutex_trylock, (pthread_mutex_t * m), (m))
COUNTED(locks, pthread_mutex_timedlock, (pthread_mutex_t * m, const timespec* t), (m, t))
COUNTED(locks, pthread_rwlock_rdlock, (pthread_rwlock_t * l), (l))
COUNTED(locks, pthread_rwlock_wrlock, (pthread_rwlock_t * l), (l))
COUNTED(locks, pthread_rwlock_tryrdlock, (pthread_rwlock_t * l), (l))
COUNTED(locks, pthread_rwlock_trywrlock, (pthread_rwlock_t * l), (l))
COUNTED(locks, pthread_spin_lock, (pthread_spinlock_t * l), (l))
COUNTED(locks, pthread_spin_trylock, (pthread_spinlock_t * l), (l))
COUNTED(waits, pthread_cond_wait, (pthread_cond_t * c, pthread_mutex_t* m), (c, m))
COUNTED(waits, pthread_cond_timedwait, (pthread_cond_t * c, pthread_mutex_t* m, const timespec* t), (c, m, t))
COUNTED(waits, pthread_cond_clockwait, (pthread_cond_t * c, pthread_mutex_t* m, clockid_t k, const timespec* t),
        (c, m, k, t))
COUNTED(wakes, pthread_cond_signal, (pthread_cond_t * c), (c))
COUNTED(wakes, pthread_cond_broadcast, (pthread_cond_t * c), (c))
}
