// SPDX-License-Identifier: Apache-2.0
// Owners of OpenSSL's objects, and its errors as sentences. Private to the transport tls.
#pragma once
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <callis/transport/certificate.h>
#include <memory>
#include <string>

namespace callis::transport::tls {

template <auto Free>
struct Freeing {
  template <class T>
  void operator()(T* p) const noexcept {
    Free(p);
  }
};
using BioPtr = std::unique_ptr<BIO, Freeing<BIO_free>>;
using ContextPtr = std::unique_ptr<SSL_CTX, Freeing<SSL_CTX_free>>;
using CrlPtr = std::unique_ptr<X509_CRL, Freeing<X509_CRL_free>>;
using KeyPtr = std::unique_ptr<EVP_PKEY, Freeing<EVP_PKEY_free>>;
using SessionPtr = std::unique_ptr<SSL_SESSION, Freeing<SSL_SESSION_free>>;
using SslPtr = std::unique_ptr<SSL, Freeing<SSL_free>>;
using X509Ptr = std::unique_ptr<X509, Freeing<X509_free>>;

// OpenSSL is set up once, and is not taken down at the process's end: threads may still use it then.
void prepare_openssl() noexcept;

// The reason of the calling thread's last error, in OpenSSL's words; empties the thread's queue of errors.
std::string last_reason();

Certificate read_certificate(X509* certificate);
// "CN=ops,O=Example"; "(nobody)" for an empty name.
std::string text_of(const X509_NAME* name);
std::string text_of(const ASN1_TIME* time);
// SHA-256 of the public key, in hexadecimal digits; empty if it cannot be had.
std::string key_digest(X509* certificate);

// A failed verification of a peer's certificate: what is wrong, and what to do about it. expected: the name that a
// server was to have; empty for clients.
std::string verification_words(int error, X509* certificate, const std::string& expected, bool of_server);

// A failed handshake or a fatal alert. denied: it is about who the peers are, and not about the protocol.
struct Failure {
  std::string words;
  bool denied = false;
};
// error: the last one in the thread's queue (ERR_peek_last_error()).
Failure failure_words(unsigned long error, bool is_server);

}  // namespace callis::transport::tls
