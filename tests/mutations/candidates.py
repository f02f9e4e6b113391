"""Finds the places of C++ sources where tests/mutations/campaign can insert mutants.

The sources are taken as clang-format leaves them: operators of two operands stand between blanks, brackets of templates do
not. What is found by mistake does not compile, and is dropped then."""

import hashlib
import re

OTHER = {"<": ("less_equal", "greater_equal"), "<=": ("less", "greater"), ">": ("greater_equal", "less_equal"),
         ">=": ("greater", "less"), "==": ("not_equal_to",), "!=": ("equal_to",), "+": ("minus",), "-": ("plus",),
         "*": ("divides",), "/": ("multiplies",)}
SIGN = {"less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">=", "equal_to": "==", "not_equal_to": "!=",
        "plus": "+", "minus": "-", "multiplies": "*", "divides": "/"}
KEYWORDS = {"if", "for", "while", "switch", "return", "sizeof", "catch", "throw", "static_cast", "decltype", "new", "delete",
            "constexpr", "static_assert", "case", "co_return", "co_yield"}


class Mutant:
    """One change of the text: `edits` are (start, end, rank, text), where edits at one place are ordered by rank."""

    def __init__(self, group, file, line_number, line, column, kind, change, edits):
        self.group, self.file, self.line_number, self.line = group, file, line_number, line
        self.column, self.kind, self.change, self.edits = column, kind, change, edits

    def key(self):
        return self.file, self.line, self.change

    def order(self, seed):
        return hashlib.sha256("\0".join((str(seed), *self.key())).encode()).hexdigest()


def without_texts(text):
    """The source with blanks for what is in comments, strings and characters, and for preprocessor lines."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![\w])\'(?:\\.|[^\'\\\n])+\'|'
                         r'^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.S | re.M)

    def blank(found):
        return re.sub(r"[^\n]", lambda _: "\x01", found[0]) if found[0].lstrip()[0] in "\"'R" else \
            re.sub(r"[^\n]", " ", found[0])
    return pattern.sub(blank, text)


def match(text, start):
    """The position of the bracket that closes the one at `start`; -1 if there is none."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0:
            return at
    return -1


def candidates(text, file, group):
    """All mutants of a file that holds `text`, without numbers: their edits hold {n} in place of it."""
    code = without_texts(text)
    starts = [0] + [found.end() for found in re.finditer("\n", text)]
    lines = text.split("\n")
    shut = set()  # lines whose expressions must be constant, or whose form OpenMP prescribes
    shut_until = ""
    for number, line in enumerate(code.split("\n")):
        if re.search(r"\b(constexpr|consteval|static_assert|case|template|enum|requires|concept|using|namespace)\b", line):
            shut.add(number)
            shut_until = "" if line.rstrip().endswith((";", "{", "}", ":", ">")) else ";"
        elif shut_until:
            shut.add(number)
            if line.rstrip().endswith((";", "{")):
                shut_until = ""
        if re.match(r"\s*#\s*pragma omp", lines[number]) and not re.search(r"\bparallel$|barrier|critical", lines[number]):
            shut_until = "{"
    found_all = []

    def add(at, kind, change, edits):
        number = text.count("\n", 0, at)
        if number in shut:
            return
        column = at - starts[number]
        line = lines[number].strip()
        position = column - (len(lines[number]) - len(lines[number].lstrip())) + 1
        change = f"{change} at {position}"
        same = sum(one.line == line and one.change.split(", ")[0] == change for one in found_all)
        if same:
            change += f", line {same + 1} of these words"
        found_all.append(Mutant(group, file, number + 1, line, column, kind, change, edits))

    for found in re.finditer(r"(?<=[\w)\]}\x01] )(<=|>=|==|!=|[<>+*/-])(?=\s)", code):
        sign, at = found[1], found.start()
        row = code[code.rfind("\n", 0, at) + 1:code.find("\n", at)]
        if sign == "+" and ("\x01" in row or "string" in row):
            continue  # texts are put together
        if sign in "*>" and code[found.end():].lstrip()[:1] in ",)=;":
            continue
        digest = int(hashlib.sha256(f"{file}{lines[text.count(chr(10), 0, at)]}{at}".encode()).hexdigest(), 16)
        other = OTHER[sign][digest % len(OTHER[sign])]
        kind = "arithmetic" if sign in "+-*/" else "relation"
        insert = " gantry_mutants::Infix<{n}, std::" + other + "<>>() " + sign
        add(at, kind, f"{sign} to {SIGN[other]}", [(found.end(), found.end(), 9, insert)])
    for found in re.finditer(r"\bif \(", code):
        opened = found.end() - 1
        closed = match(code, opened)
        inside = code[opened + 1:closed]
        if closed < 0 or ";" in inside or re.search(r"[^=!<>+*/|&-]=[^=]", inside):
            continue
        add(found.start(), "condition", "negated if",
            [(opened + 1, opened + 1, 10, "gantry_mutants::mutated({n}) != static_cast<bool>("), (closed, closed, -10, ")")])
    for number, line in enumerate(code.split("\n")):
        at = starts[number] + len(line) - len(line.lstrip())
        if not line.startswith("  "):
            continue
        before = code[:starts[number]].rstrip()[-1:]
        if before not in (";", "{", "}", ")", ":", ""):
            continue
        if code.startswith("if (", at):
            at = match(code, at + 3) + 2
        elif code.startswith("else ", at):
            at += 5
        elif before == ")":
            head = code[:starts[number]].rstrip().split("\n")[-1]
            if not re.match(r"\s*(if|for|while|\} else if|else if) \(", head):
                continue
        name = re.compile(r"[A-Za-z_:][\w:]*(?:(?:\.|->)\w+|\[\w+\])*\(").match(code, at)
        if not name or re.split(r"\W", name[0])[0] in KEYWORDS:
            continue
        closed = match(code, name.end() - 1)
        while (chained := re.compile(r"(?:\.|->)\w+\(").match(code, closed + 1)) and closed >= 0:
            closed = match(code, chained.end() - 1)
        if closed < 0 or not code[closed + 1:].startswith(";\n") or "\n" in code[at:closed]:
            continue
        add(at, "call", "call left out",
            [(at, at, 5, "gantry_mutants::mutated({n}) ? void() : void("), (closed + 1, closed + 1, -5, ")")])
    for found in re.finditer(r"(?<![\w.\x01\"'])(?:\d[\d']*(?:\.\d*)?(?:[eE][-+]?\d+)?|0x[\da-fA-F]+)[uUlLfFzZ]*(?![\w.\x01'])",
                             code):
        before = code[code.rfind("\n", 0, found.start()) + 1:found.start()]
        if re.search(r"\w<[^ <>()]*$|\w<\w[^<>()]*, $", before):
            continue  # an argument of a template
        add(found.start(), "number", f"{found[0]} changed",
            [(found.start(), found.start(), 20, "gantry_mutants::changed<{n}>("), (found.end(), found.end(), -20, ")")])
    for found in re.finditer(r"\breturn ([^;\n]+);", code):
        value = found[1]
        if " ? " in value or not re.search(r" (==|!=|<=?|>=?|&&|\|\|) |^!|\b(true|false)\b|\.empty\(\)|\b(is|has)_|contains|"
                                           r"starts_with|ends_with|\b(any|all|none)_of", value):
            continue
        add(found.start(), "returned", "returned value negated",
            [(found.start(1), found.start(1), 4, "gantry_mutants::negated<{n}>("), (found.end(1), found.end(1), -4, ")")])
    for found in re.finditer(r"\bstd::(min|max)\(", code):
        name = {"min": "least", "max": "largest"}[found[1]]
        add(found.start(), "extreme", f"std::{found[1]} exchanged",
            [(found.start(), found.end(), 12, "gantry_mutants::" + name + "<{n}>(")])
    return found_all
