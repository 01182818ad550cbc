# What the launcher's objects call from outside of themselves, against an allow-list: between clone
# and exec nothing may allocate, lock, throw or use stdio.
#   launcher_symbols.py --nm NM --allow FILE OBJECT...
#   launcher_symbols.py --nm NM --self-test CXX
# SPDX-License-Identifier: MIT
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import common

# Never, whatever the allow-list says.
FORBIDDEN = [
    (r"_Zn[wa]|_Zd[la]", "operator new or delete"),
    (r"(malloc|calloc|realloc|reallocarray|free|posix_memalign|aligned_alloc|strn?dup|v?asprintf)$",
     "allocates"),
    (r"_ZSt\d+__throw_|__cxa_(throw|rethrow|begin_catch|allocate_exception)|_Unwind_",
     "throws or catches"),
    (r"__cxa_guard_|pthread_|mtx_|sem_(wait|post)", "locks"),
    (r"(__)?(f|v|s|sn|vf|vs|vsn|d)?printf(_chk)?$|fopen|fdopen|fclose|fwrite|fputs|puts$|putc|"
     r"perror$|std(in|out|err)$|_ZNSo|_ZSt4c(out|err)", "stdio or iostreams"),
    (r"(exit|atexit|__cxa_atexit|setenv|putenv|unsetenv|syslog|dlopen|system|popen)$",
     "not safe in a child"),
    (r"_ZNS[st]|_ZNKS[st]|_ZSt", "the C++ library"),
]


def read_allowed(path):
    lines = (line.split("#")[0].strip() for line in pathlib.Path(path).read_text().splitlines())
    return {line for line in lines if line}


def symbols(nm, options, objects):
    run = subprocess.run([nm, "-P", *options, *objects], capture_output=True, text=True, check=True)
    rows = (line.split() for line in run.stdout.splitlines())
    return {row[0].split("@")[0] for row in rows if len(row) > 1 and not row[0].endswith(":")}


def why_forbidden(symbol):
    return next((why for pattern, why in FORBIDDEN if re.match(pattern, symbol)), None)


def check(nm, objects, allowed):
    defined = symbols(nm, ["--defined-only", "--extern-only"], objects)
    undefined = symbols(nm, ["-u"], objects) - defined
    problems = []
    for symbol in sorted(undefined | allowed):
        why = why_forbidden(symbol)
        if why and symbol in undefined:
            problems.append(f"the launcher uses {symbol}: {why}")
        elif why:
            problems.append(f"the allow-list names {symbol}: {why}")
        elif symbol not in allowed:
            problems.append(f"the launcher uses {symbol}: not in the allow-list; is it safe "
                            "between clone and exec (signal-safety(7))?")
    return problems, len(undefined)


CLEAN = """
#include <unistd.h>
void other();
void go() { other(); (void)!write(2, "x", 1); _exit(1); }
"""
# (what, a source file, what the check must say)
BAD = [
    ("a string", "operator new",
     '#include <string>\nvoid go(int n) { std::string s(n, 1); asm("" ::"r"(&s)); }'),
    ("stdio", "stdio", '#include <cstdio>\nvoid go() { fprintf(stderr, "%d", 1); }'),
    ("malloc", "allocates", "#include <cstdlib>\nvoid* go() { return malloc(1); }"),
    ("a throw", "throws", "void go() { throw 1; }"),
    ("a lock", "locks",
     "#include <pthread.h>\nvoid go(pthread_mutex_t* m) { pthread_mutex_lock(m); }"),
    ("a guard", "locks", "int f(); int go() { static int x = f(); return x; }"),
    ("something unknown", "sync: not in", "#include <unistd.h>\nvoid go() { sync(); }"),
]


def self_test(nm, cxx):
    test = common.SelfTest("launcher symbols")
    allowed = {"write", "_exit", "_Z1fv", "__stack_chk_fail", "_GLOBAL_OFFSET_TABLE_"}
    with tempfile.TemporaryDirectory(prefix="sandbox-lint-") as folder:

        def build(name, text):
            source = pathlib.Path(folder, name + ".cpp")
            source.write_text(text + "\n")
            target = str(source.with_suffix(".o"))
            subprocess.run([cxx, "-std=c++20", "-O1", "-c", source, "-o", target], check=True)
            return target

        pair = [build("clean", CLEAN), build("other", "void other() {}")]
        test.expect("a clean pair", check(nm, pair, allowed)[0])
        for number, (what, wanted, text) in enumerate(BAD):
            found = check(nm, [build(f"bad{number}", text)], allowed)[0]
            # One construct often pulls in several symbols; the named one must be among them.
            test.expect(what, [p for p in found if wanted in p][:1], wanted)
        listed = check(nm, pair, allowed | {"malloc"})[0]
        test.expect("an allow-list that names malloc", listed, "the allow-list names malloc")
    return test.finish()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--allow")
    parser.add_argument("--self-test", metavar="CXX")
    parser.add_argument("objects", nargs="*")
    options = parser.parse_args()
    if options.self_test:
        return self_test(options.nm, options.self_test)
    problems, count = check(options.nm, options.objects, read_allowed(options.allow))
    return common.report("launcher symbols", problems, count)


if __name__ == "__main__":
    sys.exit(main())
