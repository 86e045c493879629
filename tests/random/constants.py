# SPDX-License-Identifier: Apache-2.0
"""Constant expressions with their values, by an evaluator of our own: IDL 4.2, 7.4.1.4.3.

An expression is a pair (text, value). Integer expressions keep every intermediate result within the type's range, so that
no rule about widths is needed; real ones use eighths, which double holds exactly.
"""

RANGES = {"octet": (0, 255), "short": (-2**15, 2**15 - 1), "unsigned short": (0, 2**16 - 1), "long": (-2**31, 2**31 - 1),
          "unsigned long": (0, 2**32 - 1), "long long": (-2**63, 2**63 - 1), "unsigned long long": (0, 2**64 - 1)}
CXX = {"octet": "Octet", "short": "Short", "unsigned short": "UShort", "long": "Long", "unsigned long": "ULong",
       "long long": "LongLong", "unsigned long long": "ULongLong"}


def divide(a, b):
    """Towards zero, as C does."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def literal(random, value):
    if value < 0:
        return f"-{-value}"
    return random.choice((str(value), hex(value), hex(value).upper().replace("0X", "0x"), "0" + oct(value)[2:] if value else "0"))


def number(random, limits, names):
    low, high = limits
    fitting = [(text, value) for text, value in names if low <= value <= high]
    if fitting and random.random() < 0.35:
        return random.choice(fitting)
    value = random.choice((random.randint(low, high), random.randint(max(low, -9), min(high, 20)), high))
    return literal(random, value), value


def apply(operator, a, b):
    """None when the operator has no value here."""
    if operator in "/%":
        if b == 0:
            return None
        return divide(a, b) if operator == "/" else a - b * divide(a, b)
    if operator in ("<<", ">>"):
        if not 0 <= b < 64 or a < 0:
            return None
        return a << b if operator == "<<" else a >> b
    if operator in "|&^" and (a < 0 or b < 0):
        return None
    return {"+": a + b, "-": a - b, "*": a * b, "|": a | b, "&": a & b, "^": a ^ b}[operator]


def integer(random, type_, names, depth=0):
    limits = RANGES[type_]
    if depth > 3 or random.random() < 0.25 + 0.2 * depth:
        text, value = number(random, limits, names)
        return (f"({text})" if value < 0 else text), value
    roll = random.random()
    if roll < 0.12 and type_ in ("unsigned long", "long"):  # ~ is taken in the width of the type
        text, value = integer(random, type_, names, depth + 1)
        return f"(~{text})", (2**32 - 1 - value if type_ == "unsigned long" else -value - 1)
    if roll < 0.2 and limits[0] < 0:
        text, value = integer(random, type_, names, depth + 1)
        if value > limits[0]:
            return f"(-{text})", -value
    for _ in range(8):
        a, b = integer(random, type_, names, depth + 1), integer(random, type_, names, depth + 1)
        operator = random.choice(("+", "-", "*", "/", "%", "|", "&", "^", "<<", ">>"))
        value = apply(operator, a[1], b[1])
        if value is not None and limits[0] <= value <= limits[1]:
            return f"({a[0]} {operator} {b[0]})", value
    return integer(random, type_, names, 9)


def real(random, depth=0):
    if depth > 2 or random.random() < 0.4:
        value = random.randint(0, 4000) / 8
        return random.choice((repr(value), f"{value:e}", f"{value:.4f}")) if value == float(f"{value:.4f}") == float(f"{value:e}") \
            else repr(value), value
    a, b = real(random, depth + 1), real(random, depth + 1)
    operator = random.choice("+-*")
    value = {"+": a[1] + b[1], "-": a[1] - b[1], "*": a[1] * b[1]}[operator]
    return f"({a[0]} {operator} {b[0]})", value


# (IDL, the character's code)
CHARACTERS = [(chr(c), c) for c in range(0x20, 0x7f) if chr(c) not in "'\"\\?"] + \
             [("\\n", 10), ("\\t", 9), ("\\v", 11), ("\\b", 8), ("\\r", 13), ("\\f", 12), ("\\a", 7), ("\\\\", 92), ("\\?", 63),
              ("\\'", 39), ('\\"', 34), ("\\101", 65), ("\\7", 7), ("\\x41", 65), ("\\xff", 255), ("\\377", 255)]


def text(random, wide, final_backslash):
    """String literals, perhaps several to be joined; (IDL, codes). final_backslash: one may end in a backslash."""
    parts, codes = [], []
    for _ in range(random.randint(1, 3)):
        pieces = ""
        for _ in range(random.randint(0, 5)):
            spelled, code = random.choice(CHARACTERS)
            # An escape in octal or hexadecimal digits would take in a digit that follows.
            if pieces.endswith(tuple("0123456789abcdefABCDEF")) and "\\" in pieces and spelled in "0123456789abcdefABCDEF":
                spelled, code = "_", 0x5f
            pieces += spelled
            codes.append(code)
        if pieces.endswith("\\\\") and not final_backslash:
            pieces += "."
            codes.append(0x2e)
        parts.append(("L" if wide else "") + f'"{pieces}"')
    return " ".join(parts), codes


def cxx_text(codes, wide):
    if wide:
        return "L\"" + "".join(f"\\x{c:x}\" L\"" for c in codes) + "\""
    return "\"" + "".join(f"\\{c:03o}" for c in codes) + "\""


def cxx_integer(type_, value):
    if value == -2**63:
        return "(-9223372036854775807LL - 1)"
    suffix = "ULL" if value > 2**63 - 1 else "LL"
    return f"static_cast<::CORBA::{CXX[type_]}>({value}{suffix})"


def constant(random, features, names, enums):
    """(type in IDL, expression, its value in C++, integer value or None). names: (text, value) of earlier integers."""
    kinds = [*RANGES, "boolean", "char", "string", "float", "double", *(["enum"] if enums else []),
             *(["wchar", "wstring"] if "wide" in features else [])]
    kind = random.choice(kinds)
    if kind in RANGES:
        expression, value = integer(random, kind, names) if "expressions" in features else \
            number(random, RANGES[kind], names)
        return kind, expression, cxx_integer(kind, value), value
    if kind in ("float", "double"):
        expression, value = real(random)
        return kind, expression, f"static_cast<::CORBA::{kind.capitalize()}>({value!r})", None
    if kind == "boolean":
        value = random.random() < 0.5
        return kind, "TRUE" if value else "FALSE", "true" if value else "false", None
    if kind in ("char", "wchar"):
        spelled, code = random.choice([c for c in CHARACTERS if c[0] != '"'])
        wide = kind == "wchar"
        return kind, ("L" if wide else "") + f"'{spelled}'", \
            f"static_cast<::CORBA::{'WChar' if wide else 'Char'}>({code})", None
    if kind in ("string", "wstring"):
        wide = kind == "wstring"
        expression, codes = text(random, wide, "final_backslash" in features)
        return kind, expression, cxx_text(codes, wide), None
    enum = random.choice(enums)
    name = random.choice(enum.enumerators)
    return enum, (enum, name), enum.enumerator(name), None
