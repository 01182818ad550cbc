# What the coroutine lint must see, and what it must leave alone.
# SPDX-License-Identifier: MIT
import common

BAD = {
    "braced request": ("co_await box.exec({.code = source});", "braced temporary"),
    "braced type": ("auto r = co_await box.exec(Request{source, 2});", "braced temporary"),
    "braced template type": ("co_await f(std::vector<int>{1, 2});", "braced temporary"),
    "empty braces": ("co_await f(Options{});", "braced temporary"),
    "braces before the await": ("use(Foo{name}, co_await bar());", "braced temporary"),
    "braces over many lines": (
        "co_await box.exec(\n    argv,\n    {\n        {a, b},\n    });",
        "braced temporary",
    ),
    "braces in a condition": ("if (co_await f({name})) return;", "braced temporary"),
    "braces in a loop header": (
        "for (auto& x : co_await list({path})) use(x);",
        "braced temporary",
    ),
    "braces in co_return": ("co_return Reply{co_await text()};", "braced temporary"),
    "array": ("co_await write(s, net::buffer(std::array<char, 2>(a)));", "std::array"),
    "aggregate in parentheses": (
        "struct Point { std::string a; int b; };\nvoid g() { co_await f(Point(a, 1)); }",
        "aggregate Point",
    ),
    "capture by copy": ("co_await f([=] { return 1; });", "captures by value"),
    "capture one by value": (
        "co_await f([name](int x) { return name + x; });",
        "captures by value",
    ),
    "capture with initialiser": (
        "co_await f([n = std::move(name)] { return n; });",
        "captures by value",
    ),
    "capture mixed": ("co_await f([&, name]() -> int { return 1; });", "captures by value"),
    "capture of the object": ("co_await f([*this] { return x_; });", "captures by value"),
    "inside another lambda": (
        "net::co_spawn(ex, [&]() -> net::awaitable<void> { co_await f({a}); }, h);",
        "braced temporary",
    ),
    "default braces": ("net::awaitable<int> f(Options o = {.a = 1});", "default argument"),
    "default braced type": (
        "net::awaitable<int> f(int a, Options o = Options{}, int b = 2);",
        "default argument",
    ),
    "default known aggregate": (
        "struct Opt { std::string a; };\nnet::awaitable<int> f(Opt o = {});",
        "default argument",
    ),
    "default aggregate call": (
        "struct Opt { std::string a; };\nboost::asio::awaitable<int> X::f(Opt o = Opt());",
        "default argument",
    ),
    "detached": ("net::co_spawn(ex, run(), net::detached);", "net::detached"),
    "detached header": ("#include <boost/asio/detached.hpp>", "net::detached"),
    "called in place": (
        "net::co_spawn(ex, [copy]() -> net::awaitable<void> { co_await use(copy); }(), handler);",
        "called in place",
    ),
}

GOOD = {
    "constructor": "auto r = co_await box.exec(Request(std::move(source)).timeout(2s));",
    "named before": "const Request request{source};\nauto r = co_await box.exec(request);",
    "a block after": "if (co_await f()) { use(Foo{1}); }",
    "a loop over an await": "for (const auto& e : co_await list(path)) { x.push_back(Entry{e}); }",
    "while and else":
        "while (co_await more()) { a = {}; } if (x) { y({}); } else { co_await z(); }",
    "capture by reference":
        "co_await f([&] { return 1; }, [&name](int x) { return x; }, [this] { return x_; });",
    "no capture": "co_await f([](int x) -> Foo { return Foo{x}; });",
    "braces in a lambda body": "co_await f([&] { return Foo{1}; });",
    "subscript": "co_await f(items[index], map[key]);",
    "comment": "co_await f(a);  // not f({a})\n/* co_await g({a}); */",
    "string": 'co_await f("{ [x] { co_await g({a}) }");',
    "raw string": 'co_await f(text); const char* k = R"(co_await f({a});)";',
    "array as a named result": "std::array<char, 4> a = co_await f();",
    "await in a function with braces around": "net::awaitable<void> C::f() const { co_await g(); }",
    "constructor with initialisers":
        "C::C(int a) : a_{a}, b_{} {}\nnet::awaitable<void> C::g() { co_await h(); }",
    "trailing return type": "auto f() -> net::awaitable<void> { co_await g(); }",
    "try and catch": "try { co_await g(); } catch (const Error& e) { throw Other{e}; }",
    "switch": "switch (x) { case 1: { co_await g(); break; } default: y = Foo{2}; }",
    "enum and struct":
        "enum class E { a, b };\nstruct S { int x{0}; };\nvoid f() { co_await g(); }",
    "default by constructor":
        "net::awaitable<int> f(Options o = Options(), std::string s = std::string());",
    "default of a function object":
        "net::awaitable<int> f(std::function<void()> g = {}, LogSink log = {});",
    "class with constructors":
        "class P { public: explicit P(int a); int a; };\nvoid f() { co_await g(P(1)); }",
    "spawned lambda":
        "net::co_spawn(ex, [copy]() -> net::awaitable<void> { co_await use(copy); }, handler);",
    "attribute": "[[nodiscard]] net::awaitable<int> f();\n[[maybe_unused]] auto x = co_await f();",
}


def run(check):
    test = common.SelfTest("coroutines")
    for what, (text, wanted) in BAD.items():
        whole = text.startswith(("struct", "#", "net::awaitable"))
        found = {p for _, p in check(text if whole else f"void run() {{\n{text}\n}}\n")}
        test.expect(what, found, wanted)
    for what, text in GOOD.items():
        inside = not text.startswith(("net::awaitable", "C::", "auto f", "enum", "class", "[["))
        test.expect(what, check(f"void run() {{\n{text}\n}}\n" if inside else text))
    line = check("int a;\nvoid f() {\n  g(\n    co_await h({x}));\n}\n")
    test.expect("the line is told", [number for number, _ in line], "4")
    return test.finish()
