# SPDX-License-Identifier: Apache-2.0
"""What random files may hold. A feature is here when callis-idl and the runtime have it; the rest is left out by name, so
that a file never fails because of what does not exist."""

ALL = frozenset({"wide", "unions", "any", "typecode", "fixed", "values", "boxes", "forward", "expressions", "long_double"})
# What exists here: for valuetypes the printed programs lack implementations and factories.
AVAILABLE = ALL - {"values", "boxes"}
# What is not exchanged with omniORB 4.2.5: omniidl refuses `~` of a long, and differences that are negative in between;
# omniORB sends a long double as it lies in memory here, not as the 16 bytes of CORBA 3.3 part 2, 9.3.1.3; omniidl declares
# TypeCodes in reopened modules that it does not define. fixed only keeps them company.
NOT_OMNIORB = frozenset({"expressions", "long_double", "any", "typecode", "fixed"})
