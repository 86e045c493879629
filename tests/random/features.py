# SPDX-License-Identifier: Apache-2.0
"""What random files may hold. All of it goes through callis alone; what a foreign ORB lacks is left out by name, so
that a file never fails because of what does not exist there."""

ALL = frozenset({"wide", "unions", "any", "typecode", "fixed", "values", "boxes", "boxed_anonymous", "boxed_any", "boxed_array",
                 "truncatable", "forward", "expressions", "long_double", "value_aliases", "value_arrays", "odd_type_codes",
                 "reopened", "type_code_aliases", "final_backslash", "many_values", "values_in_exceptions",
                 "abstract_values", "neighbours"})
AVAILABLE = ALL
# What is not exchanged with omniORB 4.2.5, feature by feature:
# expressions: omniidl refuses `~` of a long, and differences that are negative in between.
# long_double: omniORB sends it as it lies in memory here, not as the 16 bytes of CORBA 3.3 part 2, 9.3.1.3.
# boxed_anonymous: omniidl declares boxes of structs and unions with arrays or members of anonymous types so that C++
#     refuses them.
# boxed_any, boxed_array: what omniidl makes for boxes of an any or an array goes through a null pointer once one comes in.
# value_aliases: for typedefs of valuetypes and boxes omniidl writes C++ that refers to helpers which do not exist (in
#     bounded sequences), and that makes objects of abstract classes (in unions).
# value_arrays: omniidl's _PR_marshal_state, which is const, takes arrays of a valuetype's state as not const.
# odd_type_codes: omniidl's TypeCodes of valuetypes call public members private and the other way round; those of unions
#     whose values all have labels have the default index -2; those of unions have the discriminator's type without its
#     typedef; and members have the names that C++ gives them (_cxx_class).
#     It extracts no such union from an any whose TypeCode is right. It fails to send some of its own valuetypes in
#     anys (BAD_TYPECODE, then it closes the connection). Whether a null box can be extracted, the ORBs do not agree.
# reopened: omniidl joins the parts of a module, and then refers to TypeCodes before they are defined.
# type_code_aliases: for an exception's member of such a type omniidl defines another constructor than it declares.
# final_backslash: omniidl takes the end of "\\" for a quote within the string.
# fixed: a copy of omniORB's (_omni_Fixed has no copy constructor of its own) does not know its digits, and marshaling it,
#     as in an any, ends the process: "Assertion failed ... corbaFixed.cc, pd_idl_digits".
# many_values: the value or repository id at which omniORB's table of a message's values grows (the 88th, then the 689th,
#     those of anys counted) is put where it is not found again, so what is met twice arrives as two
#     (OutputValueTracker::addValue() works out the place before the table grows). Only the first 40 values recur; the others are
#     null, or in anys.
# neighbours: where members need each other's names (arrays v and v_slice), omniidl declares them twice.
NOT_OMNIORB = frozenset({"expressions", "long_double", "boxed_anonymous", "boxed_any", "boxed_array", "value_aliases",
                         "value_arrays", "odd_type_codes", "reopened", "type_code_aliases", "final_backslash", "fixed",
                         "many_values", "neighbours"})
# Of these two omniORB has one at a time, so its batches take turns. Before it sends an exception it works out its size, and
# in doing so it cannot begin a chunk (cdrValueChunkStream::startOutputChunk() on a cdrCountingStream): MARSHAL. And a client
# that lets go of the last values of an exception does so in ~InputValueTracker() with the lock of its transport held: where
# such a value has an object reference, it waits for itself.
EITHER_OMNIORB = ("values_in_exceptions", "truncatable")


def of_omniorb(features, first):
    """What of these a batch has that is tried with omniORB, too. first: the number of its first file."""
    return features - NOT_OMNIORB - {EITHER_OMNIORB[first // 40 % 2]}
