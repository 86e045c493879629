# SPDX-License-Identifier: Apache-2.0
"""CORBA::Fixed against Python's decimal, which computes exactly: all operations of numbers of all digits and scales, at
their ends and at random. The rules of a result that does not fit are those of IDL: places beyond 31 digits are cut off,
digits in front of the point that do not fit are a DATA_CONVERSION.

    arithmetic.py FIXED_ARITHMETIC [--cases N] [--seed N]     N random cases beside those of the ends (default 40,000)
"""
import argparse
import collections
import decimal
import fractions
import random
import struct
import subprocess
import sys

MOST = 31
EXACT = decimal.Context(prec=400, rounding=decimal.ROUND_DOWN, traps=[decimal.Inexact, decimal.InvalidOperation])
DOWN = decimal.Context(prec=400, rounding=decimal.ROUND_DOWN, traps=[decimal.InvalidOperation])
HALF_UP = decimal.Context(prec=400, rounding=decimal.ROUND_HALF_UP, traps=[decimal.InvalidOperation])
HALF_EVEN = decimal.Context(prec=400, rounding=decimal.ROUND_HALF_EVEN, traps=[decimal.InvalidOperation])
ULP = [decimal.Decimal((0, (1,), -s)) for s in range(MOST + 1)]
REFUSED = "DATA_CONVERSION"
BATCH = 100_000
INTEGERS = {f"{'iu'[u]}{bits}": (0 if u else -(1 << bits - 1), (1 << (bits if u else bits - 1)) - 1)
            for u in (0, 1) for bits in (8, 16, 32, 64)}


# ---- The rules ----

def scale_of(x):
    return -x.as_tuple().exponent


def integral_digits(x):
    """Digits in front of the point."""
    whole = abs(int(x))
    return len(str(whole)) if whole else 0


def cut(x, places):
    return x.quantize(ULP[places], context=DOWN)


def shown(x, digits=None):
    """What the program answers for a number, without the sign of a zero."""
    if not x:
        x = x.copy_abs()
    count = len(str(int(x.scaleb(scale_of(x), EXACT)))) - (x < 0) if x else 0
    return f"{x:f} {digits or max(count, scale_of(x), 1)} {scale_of(x)}"


def result(x):
    """An exact result, as a Fixed can hold it."""
    scale = scale_of(x)
    if scale < 0:
        x, scale = x.quantize(ULP[0], context=EXACT), 0
    before = integral_digits(x)
    if before > MOST:
        return REFUSED
    return shown(cut(x, min(scale, MOST - before)))


def quotient(a, b):
    if not b:
        return REFUSED
    q = fractions.Fraction(a) / fractions.Fraction(b)
    before = len(str(abs(int(q)))) if abs(q) >= 1 else 0
    if before > MOST:
        return REFUSED
    places = MOST - before
    scaled = abs(q.numerator) * 10**places // q.denominator
    while places and scaled % 10 == 0:
        scaled, places = scaled // 10, places - 1
    return shown(decimal.Decimal((int(q < 0), tuple(map(int, str(scaled))), -places)))


def fitted(x, digits, scale):
    x = cut(x, scale)
    return shown(x, digits) if integral_digits(x) <= digits - scale else REFUSED


def from_text(text):
    digits = text.lstrip("+-").rstrip("dD")
    whole, _, places = digits.partition(".")
    if len(whole.lstrip("0")) + len(places) > MOST:
        return REFUSED
    return shown(decimal.Decimal(f"{text[0] if text[0] in '+-' else ''}{whole or '0'}.{places}" if places else
                                 f"{text[0] if text[0] in '+-' else ''}{whole}"))


def octets(x, digits, scale):
    x = cut(x, scale)
    if integral_digits(x) > digits - scale:
        return "BadBound"
    text = str(abs(int(x.scaleb(scale, EXACT)))).rjust(digits, "0") + ("d" if x < 0 else "c")
    return text if len(text) % 2 == 0 else "0" + text


def from_octets(text, digits, scale):
    number, sign = text[:-1], text[-1]
    if sign not in "cd" or not number.isdigit() or (digits % 2 == 0 and number[0] != "0"):
        return "BadValue"
    return shown(decimal.Decimal((int(sign == "d"), tuple(map(int, number)), 0)).scaleb(-scale, EXACT), digits)


def nearest(x, mantissa, least=-16445):
    """The floating point number of so many binary digits that is nearest to x, even in the middle."""
    q = abs(fractions.Fraction(x))
    if q == 0:
        return fractions.Fraction(0)
    exponent = q.numerator.bit_length() - q.denominator.bit_length()
    if q < fractions.Fraction(2) ** exponent:
        exponent -= 1
    unit = fractions.Fraction(2) ** max(exponent - mantissa + 1, least)
    rounded = round(q / unit) * unit
    return -rounded if x < 0 else rounded


def from_floating(value, digits):
    """value: exact. So many digits count, and all in front of the point."""
    x = exact(value)
    if not x:
        return "0 1 0"
    magnitude = DOWN.create_decimal(x).adjusted() + 1
    rounded = decimal.Context(prec=digits, rounding=decimal.ROUND_HALF_EVEN).create_decimal(x)
    magnitude = rounded.adjusted() + 1
    if magnitude > MOST + 1:
        return REFUSED
    places = min(max(digits - magnitude, 0), max(MOST - max(magnitude, 0), 0))
    rounded = x.quantize(ULP[places], context=HALF_EVEN)
    while scale_of(rounded) > 0 and rounded.as_tuple().digits[-1] == 0:
        rounded = rounded.quantize(ULP[scale_of(rounded) - 1], context=EXACT)
    return shown(rounded) if integral_digits(rounded) <= MOST else REFUSED


def exact(value):
    """A fraction whose denominator is a power of two, as a decimal."""
    power = value.denominator.bit_length() - 1
    wide = decimal.Context(prec=20000, traps=[decimal.Inexact], Emax=100000, Emin=-100000)
    return wide.scaleb(decimal.Decimal(value.numerator * 5**power), -power)


def from_hexadecimal(text):
    sign, _, rest = text.rpartition("0x")
    number, _, exponent = rest.partition("p")
    whole, _, places = number.partition(".")
    value = fractions.Fraction(int(whole + places, 16)) / 16 ** len(places) * fractions.Fraction(2) ** int(exponent)
    return -value if sign == "-" else value


def hexadecimal(value):
    power = value.denominator.bit_length() - 1
    return f"{'-' if value < 0 else ''}0x{abs(value.numerator):x}p-{power}"


# ---- The questions ----

class Floating(str):
    """An answer that is compared by its number."""


class Questions:
    def __init__(self, mantissa):
        self.mantissa = mantissa
        self.lines, self.answers = [], []

    def ask(self, line, expected):
        self.lines.append(line)
        self.answers.append(expected)

    def alone(self, x, source):
        """Whatever is done to one number."""
        scale = scale_of(x)
        self.ask(f"text {x:f}", shown(x))
        self.ask(f"minus {x:f}", shown(-x))
        self.ask(f"plus {x:f}", shown(x))
        self.ask(f"not {x:f}", str(int(not x)))
        for operation in ("++x", "x++"):
            self.ask(f"{operation} {x:f}", result(EXACT.add(x, 1)))
        for operation in ("--x", "x--"):
            self.ask(f"{operation} {x:f}", result(EXACT.subtract(x, 1)))
        for places in {0, max(scale - 1, 0), scale, source.randint(0, MOST), min(scale + 1, MOST), 65535}:
            self.shorten(x, places)
        for digits, places in (self.type(source), self.type(source), (MOST, source.randint(0, MOST)), (MOST, scale)):
            self.fit(x, digits, places)
        kind = source.choice(list(INTEGERS))
        low, high = INTEGERS[kind]
        self.ask(f"to {kind} {x:f}", str(int(x)) if low <= int(x) <= high else REFUSED)
        for kind, mantissa, least in (("float", 24, -149), ("double", 53, -1074), ("long_double", self.mantissa, -16445)):
            self.ask(f"{kind} {x:f}", Floating(hexadecimal(nearest(x, mantissa, least))))

    def shorten(self, x, places):
        if places >= scale_of(x):
            self.ask(f"round {x:f} {places}", shown(x))
            self.ask(f"truncate {x:f} {places}", shown(x))
        else:
            self.ask(f"round {x:f} {places}", shown(x.quantize(ULP[places], context=HALF_UP)))
            self.ask(f"truncate {x:f} {places}", shown(cut(x, places)))

    def fit(self, x, digits, scale):
        self.ask(f"assign {digits} {scale} {x:f}", fitted(x, digits, scale))
        self.ask(f"fit {digits} {scale} {x:f}", fitted(x, digits, scale))
        wire = octets(x, digits, scale)
        self.ask(f"write {digits} {scale} {x:f}", wire)
        if wire != "BadBound":
            self.ask(f"read {digits} {scale} {wire}", from_octets(wire, digits, scale))

    def two(self, a, b):
        self.ask(f"+ {a:f} {b:f}", result(EXACT.add(a, b)))
        self.ask(f"- {a:f} {b:f}", result(EXACT.subtract(a, b)))
        self.ask(f"* {a:f} {b:f}", result(EXACT.multiply(a, b)))
        self.ask(f"/ {a:f} {b:f}", quotient(a, b))
        self.ask(f"<=> {a:f} {b:f}", str((a > b) - (a < b)))

    def from_number(self, source):
        """Integers, floating point numbers, texts, octets."""
        kind = source.choice(list(INTEGERS))
        low, high = INTEGERS[kind]
        number = source.choice([low, low + 1, -1, 0, 1, high - 1, high, source.randint(low, high)])
        number = min(max(number, low), high)
        self.ask(f"from {kind} {number}", shown(decimal.Decimal(number)))
        exponent = source.randint(-120, 106)
        for kind, digits, mantissa in (("float", 6, 24), ("double", 15, 53), ("long_double", 18, self.mantissa)):
            value = fractions.Fraction(source.choice([source.getrandbits(mantissa), 1, (1 << mantissa) - 1]))
            value *= fractions.Fraction(2) ** (exponent - mantissa) * source.choice([1, -1])
            self.ask(f"from_{kind} {hexadecimal(value)}", from_floating(value, digits))
        value = fractions.Fraction(struct.unpack("d", struct.pack("Q", source.getrandbits(62)))[0])
        self.ask(f"from_double {hexadecimal(value)}", from_floating(value, 15))
        near = fractions.Fraction(float(10 ** source.randint(0, 32) * source.choice([1, 1 - 1e-15, 1 + 3e-16])))
        self.ask(f"from_double {hexadecimal(near)}", from_floating(near, 15))
        digits, scale = self.type(source)
        length = 2 * (digits // 2 + 1)
        text = "".join(source.choices("0123456789", k=length - 1)) + source.choice("cccddd0f")
        if source.random() < 0.3:
            at = source.randrange(length)
            text = text[:at] + source.choice("0123456789abcdef") + text[at + 1:]
        self.ask(f"read {digits} {scale} {text}", from_octets(text, digits, scale))
        text = source.choice(["", "-", "+"]) + "0" * source.choice([0, 0, 1, 40]) + "".join(
            source.choices("0123456789", k=source.randint(1, 33)))
        text += source.choice(["", ".", "." + "0" * source.randint(0, 32) + str(source.getrandbits(20))])
        self.ask(f"text {text}{source.choice(['', 'd', 'D'])}", from_text(text))

    @staticmethod
    def type(source):
        digits = source.randint(1, MOST)
        return digits, source.randint(0, digits)


def ends(digits, scale):
    """Numbers at the ends of fixed<digits, scale>."""
    most = 10**digits - 1
    numbers = {0, 1, 5, 9, most, most - 1, most // 2, 10 ** (digits - 1), 10 ** (digits - 1) - 1, 5 * 10 ** (digits - 1)}
    for n in sorted(n for n in numbers if n <= most):
        for sign in (1, -1)[:1 + (n != 0)]:
            yield decimal.Decimal(sign * n).scaleb(-scale, EXACT)


def any_number(source):
    digits = source.randint(1, MOST)
    scale = source.randint(0, MOST)
    count = source.choice([digits, digits, source.randint(0, digits)])
    n = source.choice([source.randrange(10**count), 10**count - 1, 10 ** max(count - 1, 0), 5 * 10 ** max(count - 1, 0), 0,
                       source.randrange(10)])
    return decimal.Decimal(source.choice([n, -n])).scaleb(-scale, EXACT)


def questions(cases, seed, mantissa):
    """Batches of questions with their answers."""
    source = random.Random(seed)
    q = Questions(mantissa)
    for digits in range(1, MOST + 1):
        for scale in range(digits + 1):
            for x in ends(digits, scale):
                q.ask(f"write {digits} {scale} {x:f}", octets(x, digits, scale))
                q.ask(f"assign {digits} {scale} {x:f}", fitted(x, digits, scale))
                if source.random() < 0.15:
                    q.alone(x, source)
                if source.random() < 0.3:
                    q.two(x, source.choice(list(ends(*q.type(source)))))
        yield q
        q = Questions(mantissa)
    # Every count of digits, to give up every count of places of every scale.
    for count in range(MOST + 1):
        for scale in range(MOST + 1):
            for n in {10**count - 1, 5 * 10 ** max(count - 1, 0), 4 * 10 ** max(count - 1, 0)}:
                x = decimal.Decimal(source.choice([n, -n])).scaleb(-scale, EXACT)
                q.shorten(x, source.randint(0, scale))
                q.shorten(x, max(scale - count, 0))
        yield q
        q = Questions(mantissa)
    while cases > 0:
        while len(q.lines) < min(cases, BATCH):
            q.two(any_number(source), any_number(source))
            if source.random() < 0.2:
                q.alone(any_number(source), source)
            if source.random() < 0.3:
                q.from_number(source)
        cases -= len(q.lines)
        yield q
        q = Questions(mantissa)


def same(answer, expected):
    if isinstance(expected, Floating):
        return from_hexadecimal(answer) == from_hexadecimal(expected)
    return answer == expected


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--cases", type=int, default=40_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    def run(text):
        done = subprocess.run([options.program], input=text, capture_output=True, text=True)
        lines = done.stdout.splitlines()
        return done.returncode, lines[1:], int(lines[0].split()[1]), done.stderr

    decimal.setcontext(EXACT)  # also of operators
    mantissa = run("")[2]
    counts, wrong = collections.Counter(), 0
    for batch in questions(options.cases, options.seed, mantissa):
        status, answers, _, errors = run("\n".join(batch.lines) + "\n")
        if status != 0 or len(answers) != len(batch.lines):
            print(f"ended with {status} at: {batch.lines[min(len(answers), len(batch.lines) - 1)]}\n{errors[:4000]}")
            return 1
        for line, answer, expected in zip(batch.lines, answers, batch.answers):
            counts[line.split()[0]] += 1
            if expected in (REFUSED, "BadValue", "BadBound"):
                counts["refused"] += 1
            if not same(answer, expected):
                wrong += 1
                if wrong <= 20:
                    print(f"{line}\n  is        {answer}\n  should be {expected}")
    print(f"{sum(counts.values()) - counts['refused']:,} cases, {counts['refused']:,} of them refused, {wrong:,} wrong;",
          ", ".join(f"{name} {n:,}" for name, n in sorted(counts.items())))
    assert all(counts[name] > 500 for name in ("+", "-", "*", "/", "<=>", "round", "truncate", "assign", "fit", "write", "read",
                                                "to", "from", "text", "double", "refused"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
