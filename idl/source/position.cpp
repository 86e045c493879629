// SPDX-License-Identifier: Apache-2.0
#include <idl/source/position.h>

namespace callis::idl::source {

Range join(const Range& first, const Range& last) {
  if (first.begin.file != last.begin.file || first.begin.line != last.begin.line ||
      last.begin.column < first.begin.column) {
    return first;
  }
  return Range{first.begin, last.begin.column + last.length - first.begin.column};
}

}  // namespace callis::idl::source
