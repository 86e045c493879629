# SPDX-License-Identifier: Apache-2.0
"""Ways to spoil a message. Each takes a random generator and bytes and gives other bytes."""
import struct

EVIL_NUMBERS = (0, 1, 3, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff)


def truncate(random, data):
    return data[:random.randrange(len(data))]


def flip_bits(random, data):
    spoilt = bytearray(data)
    for _ in range(random.choice((1, 1, 1, 2, 4, 8))):
        bit = random.randrange(len(spoilt) * 8)
        spoilt[bit // 8] ^= 1 << bit % 8
    return bytes(spoilt)


def flip_bits_of_body(random, data):
    """The header stays good, so that the damage is found further in."""
    if len(data) <= 12:
        return flip_bits(random, data)
    return data[:12] + flip_bits(random, data[12:])


def evil_number(random, data):
    """One aligned 32-bit number becomes one that is likely to overflow something."""
    if len(data) < 16:
        return flip_bits(random, data)
    spoilt = bytearray(data)
    at = random.randrange(8, len(spoilt) - 3) & ~3
    struct.pack_into(random.choice("<>") + "I", spoilt, at, random.choice(EVIL_NUMBERS))
    return bytes(spoilt)


def remove_middle(random, data):
    start = random.randrange(len(data))
    return data[:start] + data[random.randrange(start, len(data)):]


def insert_rubbish(random, data):
    at = random.randrange(len(data))
    return data[:at] + random.randbytes(random.randrange(1, 64)) + data[at:]


WAYS = (truncate, truncate, flip_bits, flip_bits_of_body, flip_bits_of_body, evil_number, remove_middle, insert_rubbish)


def spoil(random, data):
    return random.choice(WAYS)(random, data)
