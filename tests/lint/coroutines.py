# Finds the coroutine spellings that g++ 12.2 compiles into double destruction, and coroutines that
# nobody listens to (docs/coroutines.md says why).
#   coroutines.py [FILE...]     the whole project by default
#   coroutines.py --self-test   good and bad snippets
# SPDX-License-Identifier: MIT
import argparse
import pathlib
import re
import sys

import common
from cpp_statements import TOKEN, Lambda, parse, tokens_of

BRACED = "a braced temporary in a statement with co_await: name it first, or call a constructor"
ARRAY = "std::array in a statement with co_await is an aggregate temporary: name it first"
AGGREGATE = "the aggregate {} is made in a statement with co_await: name it first"
CAPTURE = "a lambda that captures by value in a statement with co_await: name the lambda first"
DEFAULT = "an aggregate default argument on an awaitable function is destroyed twice at a call"
DETACHED = "net::detached loses the exception: give a handler, or use a task group"
DANGLING = "a capturing coroutine lambda, called in place: its captures die before it resumes"


def aggregates_in(text):
    """Names of structs and classes in `text` that are aggregates."""
    names = set()
    for match in re.finditer(r"\b(struct|class)\s+(\w+)\s*(?:final\s*)?\{", text):
        body = balanced(text, match.end() - 1)
        name = match.group(2)
        hidden = re.search(r"\b(private|protected)\s*:", body)
        if match.group(1) == "class":
            first = re.match(r"\{\s*public\s*:", body)
            hidden = hidden or not first
        special = re.search(r"(?<![~\w])%s\s*\(" % name, body) or re.search(r"\bvirtual\b", body)
        if not hidden and not special and ";" in body:
            names.add(name)
    return names


def balanced(text, start):
    depth = 0
    for position in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[position], 0)
        if depth == 0:
            return text[start : position + 1]
    return text[start:]


def is_awaited(statement):
    return any(t.text in ("co_await", "co_yield") for t in tokens_of(statement))


def by_value(capture):
    parts = [p.strip() for p in capture.strip("[]").split(",")]
    return any(p and not p.startswith("&") and p != "this" for p in parts)


def awaited_problems(statement, aggregates):
    """The hazards of one full expression that holds co_await."""
    tokens = list(statement)
    first_assignment = next((i for i, t in enumerate(tokens) if t.text == "="), 0)
    for i, token in enumerate(tokens):
        if isinstance(token, Lambda):
            if by_value(token.capture):
                yield token.line, CAPTURE
            continue
        before = tokens[i - 1].text if i else ""
        after = tokens[i + 1].text if i + 1 < len(tokens) else ""
        if token.text == "{":
            yield token.line, BRACED
        elif token.text in ("array", "to_array") and before == "::" and i >= first_assignment:
            yield token.line, ARRAY
        elif token.text in aggregates and after == "(" and before not in (".", "->"):
            yield token.line, AGGREGATE.format(token.text)


def dangling_problems(statement):
    """`[x]() -> awaitable<void> {...}()` that is handed on instead of awaited."""
    for i, token in enumerate(statement):
        called = i + 1 < len(statement) and statement[i + 1].text == "("
        if isinstance(token, Lambda) and token.is_coroutine and called:
            if token.capture.strip("[] "):
                yield token.line, DANGLING


def declaration_problems(text, aggregates):
    """Default arguments of functions that return an awaitable."""
    for match in re.finditer(r"\bawaitable\s*<", text):
        start = parameters_after(text, match.end())
        if start is None:
            continue
        parameters = parenthesised(text, start)
        tokens = [m.group() for m in TOKEN.finditer(parameters)]
        for i, token in enumerate(tokens):
            if token != "=":
                continue
            value = " ".join(default_value(tokens[i + 1 :]))
            called = re.match(r"(?:\w+ :: )*(\w+) \(", value)
            # An empty function object or string is a class with constructors: {} is safe there.
            if re.search(r"\{ [^}]|\w \{|> \{", value) or re.search(r":: array\b", value) or (
                    called and called.group(1) in aggregates) or (
                    value == "{ }" and parameter_type(tokens[:i]) in aggregates):
                yield text.count("\n", 0, start) + 1, DEFAULT


def parameters_after(text, position):
    """Where the parameter list starts, after `awaitable<` of a function's return type."""
    depth = 1
    while depth and position < len(text):
        depth += {"<": 1, ">": -1}.get(text[position], 0)
        position += 1
    match = re.match(r"\s+(?:\w+::)*\w+\s*(?=\()", text[position:])
    return position + match.end() if match else None


def parenthesised(text, start):
    depth = 0
    for position in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if depth == 0:
            return text[start + 1 : position]
    return text[start:]


def default_value(tokens):
    depth = 0
    for token in tokens:
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(token, 0)
        if token == "," and depth <= 0:
            return
        yield token


def parameter_type(tokens):
    """The last word of the type of the parameter whose name ends `tokens`."""
    words = [t for t in tokens if re.match(r"\w|,", t)]
    return words[-2] if len(words) > 1 else ""


def check(text, aggregates=frozenset()):
    """[(line, problem)] of one file; `aggregates` are type names of the whole project."""
    blanked = common.blank(text)
    known = set(aggregates) | aggregates_in(blanked)
    problems = set(declaration_problems(blanked, known))
    for statement in parse(blanked):
        if is_awaited(statement):
            problems.update(awaited_problems(statement, known))
        else:
            problems.update(dangling_problems(statement))
    for number, line in enumerate(blanked.split("\n"), 1):
        if re.search(r"\b(?:net|asio)::detached\b|asio/detached\.hpp|\bdetached_t\b", line):
            problems.add((number, DETACHED))
    return sorted(problems)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        import coroutines_selftest

        return coroutines_selftest.run(check)
    files = options.files or common.source_files(common.ROOT, (".cpp", ".hpp"))
    texts = {path: path.read_text() for path in files}
    aggregates = set()
    for text in texts.values():
        aggregates |= aggregates_in(common.blank(text))
    problems = []
    for path, text in texts.items():
        problems += [f"{path}:{line}: {problem}" for line, problem in check(text, aggregates)]
    return common.report("coroutines", problems, len(files))


if __name__ == "__main__":
    sys.exit(main())
