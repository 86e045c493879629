// SPDX-License-Identifier: Apache-2.0
// Sends a number of bytes to a ttcp_server as one-way sequences, waits until all have arrived, and prints the
// throughput.
//
//     ttcp_client --ior FILE|IOR:... [--type short|long|double|char|octet|struct] [--buffer BYTES] [--total BYTES]
//
// All types unless one is given; 65536 bytes a sequence and 64 MiB in all. Ends with 1 when bytes were lost.
#include <callis/corba.h>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <string>
#include "ttcp.h"

namespace {

struct Arguments {
  std::string reference, type;
  CORBA::ULongLong buffer = 65536, total = 64 << 20;
};

bool parse(int argc, char** argv, Arguments& a) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--ior") a.reference = argv[i + 1];
    else if (option == "--type") a.type = argv[i + 1];
    else if (option == "--buffer") a.buffer = std::strtoull(argv[i + 1], nullptr, 10);
    else if (option == "--total") a.total = std::strtoull(argv[i + 1], nullptr, 10);
    else return false;
  }
  if (argc % 2 == 0 || a.reference.empty() || a.buffer == 0) return false;
  if (std::ifstream file(a.reference); file) file >> a.reference;
  return true;
}

void fill(BinStruct& e, CORBA::ULong i) {
  e = {};
  e.s = static_cast<CORBA::Short>(i);
  e.c = static_cast<CORBA::Char>('a' + i % 26);
  e.l = static_cast<CORBA::Long>(i);
  e.o = static_cast<CORBA::Octet>(i);
  e.d = i;
}
template <class T>
void fill(T& e, CORBA::ULong i) {
  e = static_cast<T>(i);
}

// Sends until total bytes of elements are on their way. True when they have arrived.
template <class Seq>
bool flood(Ttcp_ptr receiver, const char* name, void (Ttcp::*send)(const Seq&), const Arguments& a) {
  constexpr CORBA::ULongLong kElement = sizeof(typename Seq::Slot);
  Seq data;
  data.length(static_cast<CORBA::ULong>(std::max<CORBA::ULongLong>(a.buffer / kElement, 1)));
  for (CORBA::ULong i = 0; i < data.length(); ++i) fill(data[i], i);
  const CORBA::ULongLong each = data.length() * kElement;
  const CORBA::ULongLong calls = (a.total + each - 1) / each;

  const auto start = std::chrono::steady_clock::now();
  for (CORBA::ULongLong i = 0; i < calls; ++i) (receiver->*send)(data);
  const CORBA::ULongLong arrived = receiver->sync(calls * each);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;

  std::cout << std::left << std::setw(8) << name << std::right << std::fixed << std::setprecision(1) << std::setw(10)
            << static_cast<double>(arrived) / 1e6 / spent.count() << " MB/s";
  if (arrived != calls * each) std::cout << ", only " << arrived << " of " << calls * each << " bytes arrived";
  std::cout << '\n';
  return arrived == calls * each;
}

bool run(Ttcp_ptr receiver, const Arguments& a) {
  bool good = true, any = false;
  const auto test = [&](const char* name, auto send) {
    if (!a.type.empty() && a.type != name) return;
    any = true;
    good = flood(receiver, name, send, a) && good;
  };
  test("short", &Ttcp::send_short);
  test("long", &Ttcp::send_long);
  test("double", &Ttcp::send_double);
  test("char", &Ttcp::send_char);
  test("octet", &Ttcp::send_octet);
  test("struct", &Ttcp::send_struct);
  if (!any) std::cerr << "ttcp_client: no type is called " << a.type << '\n';
  return good && any;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    Arguments arguments;
    if (!parse(argc, argv, arguments)) {
      std::cerr << "usage: ttcp_client --ior FILE|IOR:... [--type TYPE] [--buffer BYTES] [--total BYTES]\n";
      return 2;
    }
    CORBA::Object_var object = orb->string_to_object(arguments.reference.c_str());
    Ttcp_var receiver = Ttcp::_narrow(object);
    if (CORBA::is_nil(receiver)) {
      std::cerr << "ttcp_client: that object is no Ttcp\n";
      return 1;
    }
    receiver->sync(0);  // forget what others have sent
    const bool good = run(receiver, arguments);
    orb->destroy();
    return good ? 0 : 1;
  } catch (const CORBA::Exception& e) {
    std::cerr << "ttcp_client: " << e.what() << '\n';
    return 1;
  }
}
