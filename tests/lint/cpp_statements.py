# Cuts blanked C++ into full expressions, near enough for a lint: blocks and lambda bodies end a
# statement, braces of an initialiser do not.
# SPDX-License-Identifier: MIT
import re

TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.']*|::|->|\[\[|==|!=|<=|>=|&&|\|\||[^\s\w]|\"\"|''")
# Words after which `{` opens a block.
BLOCK_WORDS = {"else", "do", "try", "const", "noexcept", "override", "final", "mutable"}
TYPE_HEADS = {"class", "struct", "union", "enum", "namespace", "extern"}


class Token:
    def __init__(self, text, line):
        self.text = text
        self.line = line


class Lambda:
    """A whole lambda expression; its body has statements of its own."""

    text = "<lambda>"

    def __init__(self, line, capture, is_coroutine):
        self.line = line
        self.capture = capture
        self.is_coroutine = is_coroutine


def tokens_of(statement):
    return [t for t in statement if isinstance(t, Token)]


def parse(text):
    """All statements of a file, each a list of Token and Lambda; nested bodies come separately."""
    tokens = []
    line, last = 1, 0
    for match in TOKEN.finditer(re.sub(r"(?m)^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", _keep_lines, text)):
        line += match.string.count("\n", last, match.start())
        last = match.start()
        tokens.append(Token(match.group(), line))
    statements = []
    _Parser(tokens, statements).block()
    return statements


def _keep_lines(match):
    return "\n" * match.group().count("\n")


class _Parser:
    def __init__(self, tokens, statements):
        self.tokens = tokens
        self.statements = statements
        self.position = 0

    def peek(self, ahead=0):
        index = self.position + ahead
        return self.tokens[index].text if index < len(self.tokens) else ""

    def block(self):
        """Up to and with the closing brace. True when co_await or co_return stood in it itself."""
        coroutine = False
        current = []
        while self.position < len(self.tokens):
            token = self.tokens[self.position]
            if token.text == "}":
                break
            if token.text == ";" or self.is_block_brace(current):
                coroutine |= self.finish(current)
                current = []
                self.position += 1
                if token.text == "{":
                    coroutine |= self.block()
                continue
            self.element(current)
        coroutine |= self.finish(current)
        self.position += 1
        return coroutine

    def finish(self, current):
        if current:
            self.statements.append(current)
        return any(t.text in ("co_await", "co_return", "co_yield") for t in tokens_of(current))

    def element(self, current):
        """One token, or one whole lambda, onto the current statement."""
        token = self.tokens[self.position]
        if token.text == "[" and self.starts_lambda(current):
            current.append(self.lambda_expression())
        else:
            current.append(token)
            self.position += 1
            if token.text == "{":
                self.initialiser(current)

    def initialiser(self, current):
        """Inside the braces of an initialiser: tokens and lambdas, up to the closing brace."""
        while self.position < len(self.tokens):
            if self.peek() == "}":
                current.append(self.tokens[self.position])
                self.position += 1
                return
            self.element(current)

    def is_block_brace(self, current):
        if self.peek() != "{":
            return False
        if not current:
            return True
        last = current[-1].text
        if last in BLOCK_WORDS or last in (")", ":"):
            return True
        head = [t.text for t in current]
        if head[0] in ("template", "export"):
            return bool(TYPE_HEADS & set(head)) or "->" in head
        if head[0] in TYPE_HEADS or head[0] in ("inline", "typedef") and TYPE_HEADS & set(head[:3]):
            return "=" not in head
        return self.ends_return_type(head)

    @staticmethod
    def ends_return_type(head):
        """`auto f() -> type {`."""
        for index in range(len(head) - 1, 0, -1):
            if head[index] == "->":
                return head[index - 1] in (")", "const", "noexcept", "mutable")
            if not re.match(r"[\w:<>,*&]", head[index]):
                return False
        return False

    def starts_lambda(self, current):
        if not current:
            return True
        last = current[-1].text
        if re.match(r"\w", last):
            return last in ("return", "co_return", "co_await", "co_yield")
        return last not in (")", "]", '""', "''", "<lambda>")

    def lambda_expression(self):
        start = self.tokens[self.position]
        capture = self.group("[", "]")
        depth = 0
        while self.position < len(self.tokens):
            text = self.peek()
            if text == "{" and depth == 0:
                break
            depth += {"(": 1, ")": -1}.get(text, 0)
            if depth < 0 or (text in (";", ",") and depth == 0):
                return Lambda(start.line, "[]", False)  # it was no lambda after all
            self.position += 1
        self.position += 1
        return Lambda(start.line, capture, self.block())

    def group(self, opening, closing):
        depth, words = 0, []
        while self.position < len(self.tokens):
            text = self.peek()
            depth += {opening: 1, closing: -1}.get(text, 0)
            words.append(text)
            self.position += 1
            if depth == 0:
                break
        return " ".join(words)
