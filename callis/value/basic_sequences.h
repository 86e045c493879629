// SPDX-License-Identifier: Apache-2.0
// The sequences of basic types of module CORBA (CORBA 3.3 part 1, 9.4.2): CORBA::OctetSeq and its kin.
#pragma once
#include <callis/classic/sequence.h>
#include <callis/classic/var.h>

namespace CORBA::inline callis_orb {

class Any;

using AnySeq = callis::classic::Sequence<Any>;
using AnySeq_var = callis::classic::SequenceVar<AnySeq>;
using AnySeq_out = callis::classic::VariableOut<AnySeq, AnySeq_var>;
using BooleanSeq = callis::classic::Sequence<Boolean>;
using BooleanSeq_var = callis::classic::SequenceVar<BooleanSeq>;
using BooleanSeq_out = callis::classic::VariableOut<BooleanSeq, BooleanSeq_var>;
using CharSeq = callis::classic::Sequence<Char>;
using CharSeq_var = callis::classic::SequenceVar<CharSeq>;
using CharSeq_out = callis::classic::VariableOut<CharSeq, CharSeq_var>;
using WCharSeq = callis::classic::Sequence<WChar>;
using WCharSeq_var = callis::classic::SequenceVar<WCharSeq>;
using WCharSeq_out = callis::classic::VariableOut<WCharSeq, WCharSeq_var>;
using OctetSeq = callis::classic::Sequence<Octet>;
using OctetSeq_var = callis::classic::SequenceVar<OctetSeq>;
using OctetSeq_out = callis::classic::VariableOut<OctetSeq, OctetSeq_var>;
using ShortSeq = callis::classic::Sequence<Short>;
using ShortSeq_var = callis::classic::SequenceVar<ShortSeq>;
using ShortSeq_out = callis::classic::VariableOut<ShortSeq, ShortSeq_var>;
using UShortSeq = callis::classic::Sequence<UShort>;
using UShortSeq_var = callis::classic::SequenceVar<UShortSeq>;
using UShortSeq_out = callis::classic::VariableOut<UShortSeq, UShortSeq_var>;
using LongSeq = callis::classic::Sequence<Long>;
using LongSeq_var = callis::classic::SequenceVar<LongSeq>;
using LongSeq_out = callis::classic::VariableOut<LongSeq, LongSeq_var>;
using ULongSeq = callis::classic::Sequence<ULong>;
using ULongSeq_var = callis::classic::SequenceVar<ULongSeq>;
using ULongSeq_out = callis::classic::VariableOut<ULongSeq, ULongSeq_var>;
using LongLongSeq = callis::classic::Sequence<LongLong>;
using LongLongSeq_var = callis::classic::SequenceVar<LongLongSeq>;
using LongLongSeq_out = callis::classic::VariableOut<LongLongSeq, LongLongSeq_var>;
using ULongLongSeq = callis::classic::Sequence<ULongLong>;
using ULongLongSeq_var = callis::classic::SequenceVar<ULongLongSeq>;
using ULongLongSeq_out = callis::classic::VariableOut<ULongLongSeq, ULongLongSeq_var>;
using FloatSeq = callis::classic::Sequence<Float>;
using FloatSeq_var = callis::classic::SequenceVar<FloatSeq>;
using FloatSeq_out = callis::classic::VariableOut<FloatSeq, FloatSeq_var>;
using DoubleSeq = callis::classic::Sequence<Double>;
using DoubleSeq_var = callis::classic::SequenceVar<DoubleSeq>;
using DoubleSeq_out = callis::classic::VariableOut<DoubleSeq, DoubleSeq_var>;
using LongDoubleSeq = callis::classic::Sequence<LongDouble>;
using LongDoubleSeq_var = callis::classic::SequenceVar<LongDoubleSeq>;
using LongDoubleSeq_out = callis::classic::VariableOut<LongDoubleSeq, LongDoubleSeq_var>;
using StringSeq = callis::classic::StringSequence<>;
using StringSeq_var = callis::classic::SequenceVar<StringSeq>;
using StringSeq_out = callis::classic::VariableOut<StringSeq, StringSeq_var>;
using WStringSeq = callis::classic::WideStringSequence<>;
using WStringSeq_var = callis::classic::SequenceVar<WStringSeq>;
using WStringSeq_out = callis::classic::VariableOut<WStringSeq, WStringSeq_var>;

}  // namespace CORBA::inline callis_orb
