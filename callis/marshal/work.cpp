// SPDX-License-Identifier: Apache-2.0
#include <callis/marshal/work.h>
#include <new>

namespace callis::marshal {

void Work::take_from_budget(Work& work, std::size_t bytes) {
  if (bytes > work.budget_.bytes_left) {
    const Fault f = work.budget_.take_more(bytes);
    if (f != Fault::None) {
      work.fault_ = f;
      throw std::bad_alloc();
    }
  }
  work.budget_.bytes_left -= bytes;
}

}  // namespace callis::marshal
