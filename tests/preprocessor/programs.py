# SPDX-License-Identifier: Apache-2.0
"""Random programs of macros and of conditions, each some lines that leave no macro behind.

    programs.macros(random, number)         definitions, uses, also over lines and among directives
    programs.conditions(random, number)     #if with expressions over integers and macros
"""

OBJECTS = ["A", "B", "C", "D", "E"]
FUNCTIONS = ["F", "G", "H", "I", "V", "W"]
PLAIN = ["a", "b", "c", "x1", "_y"]
# None with a point: GCC writes `b` out of a macro and `1.5` behind it as `b1.5`.
NUMBERS = ["0", "1", "23", "15d", "0x1F", "1e", "077"]
LITERALS = ['"s t"', "'c'", '"\\""', "'\\''", '"\\\\n"', "'\"'"]
PUNCTUATION = ["+", "-", "::", "<<", ">>", ";", "{", "}", "[", "]", "=", "==", "&&", "|", "*", "%", "~", "!", "->", "...", "?", "^"]
BLANKS = [" ", " ", " ", "  ", "", "", "\t", " /* x */ ", "/**/", " \\\n "]


class Macros:
    def __init__(self, random):
        self.random = random
        self.arity = {name: random.choice([0, 1, 1, 1, 2, 2, 3]) for name in FUNCTIONS}  # of named parameters
        self.rest = {"V", "W"} if random.random() < 0.7 else {"V"}                       # the variadic ones
        self.pastes = {name for name in FUNCTIONS if self.arity[name] and random.random() < 0.3}  # that join arguments

    def one_of(self, *choices):
        return self.random.choice(choices)

    def likely(self, chance):
        return self.random.random() < chance

    def blank(self):
        return self.random.choice(BLANKS)

    def join(self, words):
        """With white space that tells the words apart where nothing else does."""
        text = ""
        for word in words:
            blank = self.blank()
            if text and word and blank == "" and not (word[0] in "(),;" or text[-1] in "(),;"):
                blank = " "
            text += blank + word
        return text

    def simple(self):
        return self.random.choice(PLAIN + NUMBERS[:3] + [""])

    def call(self, depth, parameters):
        name = self.random.choice(FUNCTIONS)
        count = self.arity[name]
        if name in self.rest:
            count += self.random.randrange(0, 3)
        if name in self.pastes:
            arguments = [self.one_of(self.simple(), *parameters) for _ in range(count)]
        else:
            arguments = [self.join(self.words(self.random.randrange(4), depth + 1, parameters, nested=True))
                         for _ in range(count)]
        return f"{name}{self.one_of('', '', ' ')}({','.join(arguments)})"

    def words(self, count, depth, parameters, nested=False):
        words = []
        for _ in range(count):
            kind = self.random.random()
            if kind < 0.25:
                words.append(self.random.choice(parameters or PLAIN))
            elif kind < 0.4:
                words.append(self.random.choice(OBJECTS))
            elif kind < 0.55 and depth < 3:
                words.append(self.call(depth, parameters))
            elif kind < 0.62:
                words += [self.random.choice(FUNCTIONS), self.one_of("", "", "=")]
            elif kind < 0.7:
                words.append(self.random.choice(NUMBERS))
            elif kind < 0.76:
                words.append(self.random.choice(LITERALS))
            elif kind < 0.84 and depth < 3 and self.arity.get(words[-1] if words else "", 1) == 1:
                words.append("(" + self.join(self.words(self.random.randrange(4), depth + 1, parameters)) + ")")
            elif kind < 0.87 and not nested:
                words.append(",")
            else:
                words.append(self.random.choice(PUNCTUATION))
        return words

    def body(self, parameters, pastes):
        words = self.words(self.random.randrange(6), 0, parameters)
        if parameters and self.likely(0.3):
            words.insert(self.random.randrange(len(words) + 1), "#" + self.one_of("", " ") + self.random.choice(parameters))
        if pastes:
            joined = f"{self.random.choice(parameters)}{self.one_of('', ' ')}##{self.one_of('', ' ')}"
            joined += self.random.choice(parameters + PLAIN + ["1"])
            words.insert(self.random.randrange(len(words) + 1), joined)
        return self.join(words)

    def define(self, name):
        if name in OBJECTS:
            body = self.body([], False)
            if self.likely(0.01):
                body += self.one_of("(", " H(~", ")")  # what is behind the macro's use goes on with it
            if self.likely(0.1):
                body += f" {self.random.choice(PLAIN)} ## {self.one_of('1', 'b', 'A')}"
            return f"#define {name} {body}"
        parameters = ["p", "q", "r"][:self.arity[name]]
        listed, usable = list(parameters), list(parameters)
        if name in self.rest:
            named = self.likely(0.3)
            listed.append("rest..." if named else "...")
            usable.append("rest" if named else "__VA_ARGS__")
        body = self.body(usable, name in self.pastes)
        if name in self.rest and self.likely(0.3):
            body += " , ## " + usable[-1] + self.one_of("", " x")
        return f"#define {name}({self.one_of(',', ', ').join(listed)}) {body}"

    def use(self):
        text = self.join(self.words(self.random.randrange(1, 6), 0, []))
        if self.likely(0.1):
            text += "\n" + self.call(1, []).replace("(", "\n(", 1)
        if self.likely(0.1):
            directive = self.one_of("#define A 7 a", "#undef B", "#if 1", "#if 0\nb\n#else", "#ifdef A")
            end = "#endif\n" if directive.startswith("#if") else ""
            text += f"\nF(1 A B\n{directive}\nA c B\n{end} ,\n2)" if self.arity["F"] == 2 and "F" not in self.pastes else ""
        return text

    def program(self):
        names = OBJECTS + FUNCTIONS
        self.random.shuffle(names)
        lines = [self.define(name) for name in names if self.likely(0.85)]
        for _ in range(self.random.randrange(1, 5)):
            lines.append(self.use())
            if self.likely(0.2):
                name = self.random.choice(names)
                lines += [f"#undef {name}", self.define(name)]
        return lines + [";"] + [f"#undef {name}" for name in sorted(names)]


def macros(random, _number):
    return "\n".join(Macros(random).program())


BINARY = ["+", "-", "*", "/", "%", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "|", "^", "&&", "||"]
CONSTANTS = ["0", "1", "2", "3", "7", "10", "63", "64", "100", "0x10", "017", "1u", "5UL", "'a'", "'\\n'", "'\\377'", "0xffffffffffffffff",
             "9223372036854775807", "18446744073709551615u", "L'b'"]


def expression(random, depth):
    kind = random.random()
    if depth > 4 or kind < 0.3:
        return random.choice(CONSTANTS + ["N", "M", "X", "P(2)", "defined N", "defined(X)", "true", "nothing"])
    if kind < 0.4:
        return "(" + expression(random, depth + 1) + ")"
    if kind < 0.52:
        return random.choice(["!", "~", "-", "+"]) + " " + expression(random, depth + 1)
    if kind < 0.6:
        return f"{expression(random, depth + 1)} ? {expression(random, depth + 1)} : {expression(random, depth + 1)}"
    return f"{expression(random, depth + 1)} {random.choice(BINARY)} {expression(random, depth + 1)}"


def conditions(random, _number):
    lines = [f"#define N {random.choice(CONSTANTS)}", f"#define M ({expression(random, 3)})", f"#define P(a) a {random.choice(BINARY)} a"]
    lines = [line.replace("defined", "") for line in lines]
    for _ in range(random.randrange(1, 6)):
        lines += [f"#if {expression(random, 0)}", "yes"]
        if random.random() < 0.3:
            lines += [f"#elif {expression(random, 0)}", "second"]
        if random.random() < 0.7:
            lines += ["#else", "no"]
        lines += ["#endif"]
    return "\n".join(lines + ["#undef N", "#undef M", "#undef P"])
