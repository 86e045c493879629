// SPDX-License-Identifier: Apache-2.0
// GIOP messages for tests, byte by byte.
#include <callis/giop/testing/wire.h>
#include <cstdlib>

namespace callis::giop::testing {
namespace {

void put_number(Bytes& out, ByteOrder order, int size, std::uint32_t n) {
  for (int i = 0; i < size; ++i) {
    const int shift = 8 * (order == ByteOrder::Big ? size - 1 - i : i);
    out.push_back(static_cast<Byte>(n >> shift));
  }
}

void put_token(Bytes& out, ByteOrder order, const std::string& t) {
  if (t == "F" || t == "F+") {
    out.push_back(static_cast<Byte>((order == ByteOrder::Little ? 1 : 0) | (t == "F+" ? 2 : 0)));
  } else if (t.size() > 2 && t[1] == ':') {
    put_number(out, order, t[0] - '0', static_cast<std::uint32_t>(std::strtoul(t.c_str() + 2, nullptr, 0)));
  } else {
    for (std::size_t i = 0; i + 1 < t.size(); i += 2) {
      out.push_back(static_cast<Byte>(std::strtoul(t.substr(i, 2).c_str(), nullptr, 16)));
    }
  }
}

}  // namespace

Bytes wire(ByteOrder order, std::string_view notation) {
  Bytes out;
  std::size_t i = 0;
  while (i < notation.size()) {
    if (notation[i] == ' ' || notation[i] == '\n') {
      ++i;
    } else if (notation[i] == '\'') {
      const std::size_t end = notation.find('\'', i + 1);
      for (const char c : notation.substr(i + 1, end - i - 1)) out.push_back(static_cast<Byte>(c));
      i = end + 1;
    } else {
      std::size_t end = notation.find_first_of(" \n'", i);
      if (end == std::string_view::npos) end = notation.size();
      put_token(out, order, std::string(notation.substr(i, end - i)));
      i = end;
    }
  }
  return out;
}

Bytes giop_message(ByteOrder order, int minor, int type, std::string_view body, bool more) {
  const Bytes b = wire(order, body);
  Bytes out = wire(order, std::string("'GIOP' 01 0") + std::to_string(minor) + (more ? " F+" : " F") + " 0" +
                              std::to_string(type));
  put_number(out, order, 4, static_cast<std::uint32_t>(b.size()));
  return out + b;
}

Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<Recorded> recorded() {
  std::vector<Recorded> all;
  for (const ByteOrder o : {ByteOrder::Big, ByteOrder::Little}) {
    const auto add = [&](const char* name, bool to_server, const Bytes& bytes) {
      all.push_back(
          {std::string(name) + (o == ByteOrder::Big ? ", big endian" : ", little endian"), to_server, bytes});
    };
    // An IIOP profile with host "h", port 5 and key "k1", and a reference with it as second profile.
    const std::string profile = "4:0 4:20 00 01 02 00 00000002 'h' 00 0005 00000002 'k1' 0000";
    const std::string ior = "4:6 'IDL:A' 00 0000 4:2 4:99 4:1 ab 000000 " + profile;
    add("Request 1.0", true,
        giop_message(o, 0, 0, "4:1 4:17 4:3 aabbcc 00 4:7 01 000000 4:2 'k1' 0000 4:5 'ping' 00 000000 4:0 4:42"));
    add("Request 1.1", true,
        giop_message(o, 1, 0, "4:0 4:7 01 000000 4:2 'k1' 0000 4:5 'ping' 00 000000 4:3 010203 99"));
    add("Request 1.2", true,
        giop_message(o, 2, 0, "4:7 03 000000 2:0 0000 4:5 'abcde' 000000 4:5 'ping' 00 000000 4:0 00000000 4:42"));
    add("Request 1.2 to a profile", true,
        giop_message(o, 2, 0, "4:7 01 000000 2:1 0000 " + profile + " 4:5 'ping' 00 000000 4:0"));
    add("Request 1.2 to a reference", true,
        giop_message(o, 2, 0, "4:7 00 000000 2:2 0000 4:1 " + ior + " 4:5 'ping' 00 000000 4:0"));
    add("Request 1.2 with six contexts", true,
        giop_message(o, 2, 0,
                     "4:7 03 000000 2:0 0000 4:2 'k1' 0000 4:2 'f' 00 0000 4:6 4:1 4:12 F 000000 4:0x05010001 "
                     "4:0x00010109 4:2 4:0 4:3 4:1 aa 000000 4:4 4:0 4:5 4:0 4:6 4:2 bbcc"));
    add("CancelRequest 1.0", true, giop_message(o, 0, 2, "4:7"));
    add("CancelRequest 1.2", true, giop_message(o, 2, 2, "4:7"));
    add("LocateRequest 1.0", true, giop_message(o, 0, 3, "4:7 4:2 'k1'"));
    add("LocateRequest 1.2", true, giop_message(o, 2, 3, "4:7 2:0 0000 4:2 'k1'"));
    add("CloseConnection 1.2 from a client", true, giop_message(o, 2, 5, ""));
    add("MessageError 1.1 from a client", true, giop_message(o, 1, 6, ""));
    add("Request 1.1 in three fragments, cut in key and operation", true,
        giop_message(o, 1, 0, "4:0 4:7 01 000000 4:6 'abc'", true) +
            giop_message(o, 1, 7, "'def' 00 4:5 'pi'", true) +
            giop_message(o, 1, 7, "'ng' 00 00 4:0 0000 0000 4:42"));
    add("Request 1.2 in three fragments", true,
        giop_message(o, 2, 0, "4:7 03 000000 2:0 0000 4:5 'abcd'", true) +
            giop_message(o, 2, 7, "4:7 'e' 000000 4:5 'ping' 00 000000", true) +
            giop_message(o, 2, 7, "4:7 4:0 00000000 4:42"));
    add("two requests 1.2 in interleaved fragments", true,
        giop_message(o, 2, 0, "4:8 03 000000 2:0 0000 4:5 'abcd'", true) +
            giop_message(o, 2, 3, "4:9 2:0 0000 4:6", true) +
            giop_message(o, 2, 7, "4:8 'e' 000000 4:5 'ping' 00 000000", true) +
            giop_message(o, 2, 7, "4:9 'abcdef'") + giop_message(o, 2, 7, "4:8 4:0 00000000 4:42"));
    add("Request 1.2 cancelled in fragments, then another", true,
        giop_message(o, 2, 0, "4:8 03 000000 2:0 0000 4:5 'abcd'", true) + giop_message(o, 2, 2, "4:8") +
            giop_message(o, 2, 7, "4:8 'e' 000000") + giop_message(o, 2, 3, "4:9 2:0 0000 4:2 'k1'"));
    add("Reply 1.0", false, giop_message(o, 0, 1, "4:1 4:1 4:2 aabb 0000 4:7 4:0 4:42"));
    add("Reply 1.1 with a user exception", false, giop_message(o, 1, 1, "4:0 4:7 4:1 4:5 'ID:X' 00"));
    add("Reply 1.2", false,
        giop_message(o, 2, 1, "4:7 4:0 4:1 4:1 4:12 F 000000 4:0x05010001 4:0x00010109 00000000 4:42"));
    add("Reply 1.2 without a body", false, giop_message(o, 2, 1, "4:7 4:0 4:1 4:9 4:0"));
    add("Reply 1.2 with a system exception", false,
        giop_message(o, 2, 1, "4:7 4:2 4:0 4:6 'IDL:A' 00 0000 4:0x4f4d0002 4:1"));
    add("Reply 1.2 forwarding", false, giop_message(o, 2, 1, "4:7 4:3 4:0 " + ior));
    add("Reply 1.2 wanting another addressing", false, giop_message(o, 2, 1, "4:7 4:5 4:0 2:2"));
    add("LocateReply 1.0", false, giop_message(o, 0, 4, "4:7 4:1"));
    add("LocateReply 1.2 forwarding", false, giop_message(o, 2, 4, "4:7 4:2 " + ior));
    add("CloseConnection 1.0", false, giop_message(o, 0, 5, ""));
    add("MessageError 1.2", false, giop_message(o, 2, 6, ""));
    add("Reply 1.2 in two fragments", false,
        giop_message(o, 2, 1, "4:7 4:0 4:0 '01234567'", true) + giop_message(o, 2, 7, "4:7 '89'"));
    add("Reply 1.1 in two fragments", false,
        giop_message(o, 1, 1, "4:0 4:7 4:0 '0123'", true) + giop_message(o, 1, 7, "'4567'"));
  }
  return all;
}

}  // namespace callis::giop::testing
