// SPDX-License-Identifier: Apache-2.0
// Scopes of shared values around a whole walk (handlers.h): opened where none is open yet, closed again.
#pragma once
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>

namespace callis::marshal {

class EncoderScope {
 public:
  explicit EncoderScope(cdr::Encoder& e);  // a fault of the encoder when memory is exhausted
  ~EncoderScope();
  EncoderScope(const EncoderScope&) = delete;
  EncoderScope& operator=(const EncoderScope&) = delete;

 private:
  cdr::Encoder& e_;
  void* scope_ = nullptr;
};

class DecoderScope {
 public:
  // A fault of the decoder when memory is exhausted. around: as in handlers.h.
  explicit DecoderScope(cdr::Decoder& d, const void* around = nullptr);
  ~DecoderScope();
  DecoderScope(const DecoderScope&) = delete;
  DecoderScope& operator=(const DecoderScope&) = delete;

 private:
  cdr::Decoder& d_;
  void* scope_ = nullptr;
};

}  // namespace callis::marshal
