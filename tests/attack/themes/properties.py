# SPDX-License-Identifier: Apache-2.0
"""Attacks on the property service."""
from attack.cdr import TK_LONG, TK_STRING, Cdr
from attack.services import Object, ServiceAttack, any_long, any_string, object_key


class _Properties(ServiceAttack):
    service = "properties"

    def prepare(self):
        self._good = self.local(b"PropertyService").part("create_propertyset")

    def good(self):
        return self.target.path, self._good.key, "define_property", bytes(any_long(Cdr().string("good"), 7)), ("ok",)


class BigValues(_Properties):
    """Values of 240 KB in sets without end, until they are refused."""

    promised = "NO_RESOURCES; others define"
    durable = True

    def lap(self):
        factory = self.stranger(b"PropertyService")
        one = [None]

        def define(number):
            if number % 60 == 0:
                word, results = factory.call("create_propertyset")
                if word != "ok":
                    return word
                one[0] = Object(self.target.address, object_key(results))
            return one[0].call("define_property", any_string(Cdr().string(f"p{number}"), "x" * 240000))[0]
        self.until_refused(define, 5000)


class ManyProperties(_Properties):
    """9,999 properties, defined and read all at once in a loop, in a set that is constrained to 1,000 types."""

    promised = "a writer waits 50 ms at most"
    judges_wait = True

    def lap(self):
        types = Cdr().ulong(1000)
        for bound in range(1, 1000):
            types.ulong(TK_STRING, bound)
        types.ulong(TK_LONG)
        constrained = bytes(types.ulong(0))
        all_of_them = Cdr().ulong(9999)
        for number in range(9999):
            any_long(all_of_them.string(f"p{number}"), number)
        define = bytes(all_of_them)

        def work():
            one = self.stranger(b"PropertyService")
            word, results = one.call("create_constrained_propertyset", constrained)
            self.note(f"create: {word}")
            if word != "ok":  # so many types are refused
                results = one.must("create_propertyset")
            one = Object(self.target.address, object_key(results))
            return lambda: one.call("define_properties", define)[0]
        self.while_reading(3, work)
