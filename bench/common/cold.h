// SPDX-License-Identifier: Apache-2.0
// What happens between two calls of a real program: other code, which leaves branch predictor and instruction
// cache full of itself.
#pragma once

namespace bench {

// Runs some 50,000 unpredictable branches at some 16,000 places in 300 KB of code.
void make_cold();

}  // namespace bench
