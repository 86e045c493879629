# SPDX-License-Identifier: Apache-2.0
"""What random files may hold. A feature is here when callis-idl and the runtime have it; the rest is left out by name, so
that a file never fails because of what does not exist."""

ALL = ("wide", "unions", "any", "typecode", "fixed", "values", "boxes", "forward")
# What exists.
AVAILABLE = frozenset({"forward"})
# What omniORB 4.2.5 cannot take part in.
NOT_OMNIORB = frozenset()
