# What the layer lint must see, and what it must leave alone.
# SPDX-License-Identifier: MIT
import pathlib

import common

GOOD = {
    "libsandbox/include/sandbox/a.hpp": "#include <string>\n#include <boost/json.hpp>\n",
    "libsandbox/src/a.cpp": """
        #include <openssl/evp.h>
        #include "sandbox/a.hpp"
        #include "b.hpp"
        // #include <unistd.h>
        void f() { file_system(1); x.system(2); log("fork()"); }
        """,
    "libsandbox/src/b.hpp": "#include <vector>\n",
    "libsandbox/testing/src/fake.cpp": """
        #include "sandbox/testing/fake.hpp"
        #include "sandbox/a.hpp"
        """,
    "runner/launcher/plan.hpp": """
        #include <cstdint>
        #include <linux/seccomp.h>
        #include <unistd.h>
        """,
    "runner/src/x.hpp": "",
    "runner/src/x.cpp": """
        #include <sys/mount.h>
        #include "sandbox/a.hpp"
        #include "launcher/plan.hpp"
        """,
    "kinds/codeact/src/k.cpp": """
        #include "sandbox/a.hpp"
        #include "sandbox/codeact/k.hpp"
        """,
    "apps/sandboxctl/main.cpp": """
        #include "sandbox/codeact/k.hpp"
        #include "sandbox/runner/r.hpp"
        """,
    "tests/unit/t.cpp": '#include "runner/src/x.hpp"\n#include <gtest/gtest.h>\n',
    "tests/unit/t.hpp": "",
}

# (what, file, its text, what the lint must say)
BAD = [
    ("core includes the runner", "libsandbox/src/z.cpp",
     '#include "sandbox/runner/r.hpp"', "core may not include runner"),
    ("core includes a kind", "libsandbox/src/z.cpp",
     "#include <sandbox/codeact/k.hpp>", "core may not include kind"),
    ("core includes unistd", "libsandbox/src/z.cpp",
     "#include <unistd.h>", "unistd.h: only the standard"),
    ("core includes sys", "libsandbox/include/sandbox/z.hpp",
     "# include <sys/wait.h>", "sys/wait.h: only the standard"),
    ("core includes linux", "libsandbox/src/z.cpp",
     "#include <linux/seccomp.h>", "linux/seccomp.h: only the standard"),
    ("core uses posix through Asio", "libsandbox/src/z.cpp",
     "#include <boost/asio/posix/stream_descriptor.hpp>", "not through Boost"),
    ("core forks", "libsandbox/src/z.cpp",
     "int f() { return ::fork(); }", "fork(): no process code"),
    ("core calls a shell", "libsandbox/src/z.cpp",
     'int f() { return std::system("x"); }', "system(): no process code"),
    ("testing includes the runner", "libsandbox/testing/src/z.cpp",
     '#include "sandbox/runner/r.hpp"', "testing may not include runner"),
    ("a kind includes the runner", "kinds/codeact/src/z.cpp",
     '#include "sandbox/runner/r.hpp"', "kind may not include runner"),
    ("a kind reaches runner sources", "kinds/codeact/src/z.cpp",
     '#include "../../../runner/src/x.hpp"', "kind may not include runner"),
    ("a kind includes another", "kinds/other/src/z.cpp",
     '#include "sandbox/codeact/k.hpp"', "kinds do not include each other"),
    ("the runner includes a kind", "runner/src/z.cpp",
     '#include "sandbox/codeact/k.hpp"', "runner may not include kind"),
    ("the launcher uses a container", "runner/launcher/z.cpp",
     "#include <vector>", "vector: the launcher"),
    ("the launcher uses Boost", "runner/launcher/z.cpp",
     "#include <boost/asio.hpp>", "asio.hpp: the launcher"),
    ("the launcher includes libsandbox", "runner/launcher/z.cpp",
     '#include "sandbox/a.hpp"', "launcher may not include core"),
    ("the launcher includes the host side", "runner/launcher/z.cpp",
     '#include "../src/x.hpp"', "launcher may not include runner"),
    ("someone includes a test", "runner/src/z.cpp",
     '#include "../../tests/unit/t.hpp"', "runner may not include tests"),
    ("an unknown header", "runner/src/z.cpp",
     '#include "nowhere.hpp"', "cannot tell whose"),
    ("a folder without a layer", "attic/z.cpp",
     "#include <string>", "has no layer"),
]


# A sound link graph: target, its folder, what it links.
LINKS = {
    "sandbox_core": ("libsandbox", ""),
    "sandbox_testing": ("libsandbox", "sandbox_core"),
    "sandbox_runner": ("runner", "sandbox_core,sandbox_launcher"),
    "sandbox_launcher": ("runner", "sandbox_launcher_objects"),
    "sandbox_launcher_objects": ("runner", ""),
    "sandbox_codeact": ("kinds/codeact", "sandbox_core"),
    "sandboxctl": ("apps/sandboxctl", "sandbox_codeact,sandbox_runner"),
    "helper": ("cmake", "sandbox_runner"),
    "unit": ("tests/unit", "sandbox_codeact,sandbox_runner,sandbox_testing"),
}
# (target, what it links instead, what the lint must say)
BAD_LINKS = [
    ("sandbox_codeact", "sandbox_core,sandbox_runner", "reaches sandbox_runner"),
    ("sandbox_codeact", "sandbox_core,helper", "reaches sandbox_runner"),  # by a detour
    ("sandbox_runner", "sandbox_codeact", "reaches sandbox_codeact"),
    ("sandbox_core", "sandbox_testing", "reaches sandbox_testing"),
    ("sandbox_testing", "sandbox_core,sandbox_codeact", "reaches sandbox_codeact"),
    ("sandboxctl", "sandbox_codeact,unit", "nothing may depend on tests"),
]


def graph(links):
    return "".join(f"{name}\t{folder}\t{used}\n" for name, (folder, used) in links.items())


def run(check_includes, read_links, check_links):
    test = common.SelfTest("layers")
    with common.tree(GOOD) as folder:
        test.expect("a good tree", check_includes(pathlib.Path(folder).resolve())[0])
    for what, path, text, wanted in BAD:
        with common.tree({**GOOD, path: text + "\n"}) as folder:
            test.expect(what, check_includes(pathlib.Path(folder).resolve())[0], wanted)

    def problems_of(links):
        with common.tree({"graph": graph(links)}) as folder:
            return check_links(*read_links(f"{folder}/graph"))

    test.expect("good links", problems_of(LINKS))
    for target, used, wanted in BAD_LINKS:
        changed = {**LINKS, target: (LINKS[target][0], used)}
        found = [p for p in problems_of(changed) if p.startswith(f"{target} ") and wanted in p]
        test.expect(f"{target} links {used}", found, wanted)
    changed = {**LINKS, "sandbox_launcher_objects": ("runner", "sandbox_core")}
    found = [p for p in problems_of(changed) if p.startswith("sandbox_launcher_objects")]
    test.expect("the launcher links libsandbox", found, "reaches sandbox_core")
    without = {k: v for k, v in LINKS.items() if k != "sandbox_codeact"}
    test.expect("a library is gone", problems_of(without), "sandbox_codeact is not in")
    return test.finish()
