# SPDX-License-Identifier: Apache-2.0
"""What random files may hold. A feature is here when callis-idl and the runtime have it; the rest is left out by name, so
that a file never fails because of what does not exist."""

ALL = frozenset({"wide", "unions", "any", "typecode", "fixed", "values", "boxes", "forward", "expressions", "long_double"})
# What exists.
AVAILABLE = frozenset({"forward", "expressions", "long_double"})
# What omniORB 4.2.5 cannot take part in: omniidl refuses `~` of a long, and differences that are negative in between;
# omniORB sends a long double as it lies in memory here, not as the 16 bytes of CORBA 3.3 part 2, 9.3.1.3.
# its compiler leaves out some TypeCodes that it declares. fixed and any with it are tested by tests/interop.
NOT_OMNIORB = frozenset({"expressions", "long_double", "any", "typecode", "fixed"})
