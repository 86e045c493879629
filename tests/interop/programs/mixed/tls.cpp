// SPDX-License-Identifier: Apache-2.0
// Brings TLS into the programs of mixed/, by each ORB's own header.
#ifdef INTEROP_OMNIORB
#include <omniORB4/CORBA.h>
#include <omniORB4/sslContext.h>
#else
#include <callis/tls.h>
#endif
