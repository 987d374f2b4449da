"""Each rule of check_layers.py is seen to fail, and to let the nearest allowed thing pass."""
import pathlib
import unittest

from check_layers import check_text

# (file, line of code, part of the rule it breaks)
REFUSED = [
    ("src/base/a.hpp", '#include "core/keys.hpp"', "base may not use core"),
    ("src/core/a.cpp", '#include "store/store.hpp"', "core may not use store"),
    ("src/store/a.cpp", '#include "engine/ledger.hpp"', "store may not use engine"),
    ("src/store/sqlite/a.cpp", '#include "engine/env.hpp"', "store/sqlite may not use engine"),
    ("src/store/a.cpp", '#include "store/sqlite/sqlite_store.hpp"', "concrete store"),
    ("src/engine/a.cpp", '#include "store/sqlite/sqlite_store.hpp"', "concrete store"),
    ("src/engine/a.cpp", '#include "runtime/loop.hpp"', "engine may not use runtime"),
    ("src/engine/a.cpp", '#include "net/client.hpp"', "engine may not use net"),
    ("src/runtime/loop.cpp", '#include "store/sqlite/sqlite_store.hpp"', "concrete store"),
    ("src/runtime/loop.cpp", '#include "net/server.hpp"', "runtime may not use net"),
    ("src/net/a.cpp", '#include "core/keys.hpp"', "net may not use core"),
    ("src/api/a.cpp", '#include "store/sqlite/connection.hpp"', "concrete store"),
    ("src/api/a.cpp", '#include "cli/session.hpp"', "api may not use cli"),
    ("src/config/a.cpp", '#include "net/http.hpp"', "config may not use net"),
    ("src/api/a.cpp", '#include "runtime/loop.hpp"', "api may not use runtime"),
    ("include/semel/a.hpp", '#include "base/time.hpp"', "public may not use base"),
    ("include/semel/a.hpp", "#include <semel/engine.hpp>", "public may not use public/face"),
    ("include/semel/engine.hpp", '#include "engine/ledger.hpp"', "public/face may not use engine"),
    ("src/base/a.hpp", "#include <semel/semel.hpp>", "base may not use public/face"),
    ("src/engine/a.hpp", "#include <semel/engine.hpp>", "engine may not use public/face"),
    ("src/net/a.cpp", "#include <semel/handler.hpp>", "net may not use public"),
    ("src/attic/a.cpp", "", "not in the table"),
    ("src/engine/a.cpp", "#include <sqlite3.h>", "belongs to store/sqlite"),
    ("src/store/sqlite/a.cpp", "#include <libpq-fe.h>", "belongs to store/postgres"),
    ("src/api/a.cpp", "#include <boost/asio/post.hpp>", "belong to net"),
    ("src/runtime/a.cpp", "#include <boost/beast/http.hpp>", "belong to net"),
    ("src/base/a.cpp", "#include <openssl/ssl.h>", "belongs to net"),
    ("src/engine/a.cpp", "#include <thread>", "no threads"),
    ("src/core/a.cpp", "  #  include <mutex>", "no threads"),
    ("src/core/a.cpp", "#include <atomic>", "no shared state"),
    ("src/core/a.cpp", "#include <fstream>", "no input or output"),
    ("src/core/a.cpp", "#include <iostream>", "no input or output"),
    ("src/core/a.cpp", '#include "base/random.hpp"', "randomness"),
    ("src/engine/a.cpp", "#include <random>", "randomness"),
    ("src/core/a.cpp", "auto t = std::chrono::system_clock::now();", "time is an argument"),
    ("src/core/a.cpp", "std::chrono::steady_clock::time_point t;", "no running clock"),
    ("src/engine/a.cpp", "auto t = std::chrono::steady_clock::now();", "time is an argument"),
    ("src/core/a.cpp", "auto t = std::time(nullptr);", "time is an argument"),
    ("src/core/a.cpp", "std::random_device seed;", "randomness"),
]

ALLOWED = [
    ("src/base/time.hpp", "using T = std::chrono::time_point<std::chrono::system_clock, Millis>;"),
    ("src/core/a.cpp", "using T = std::chrono::time_point<std::chrono::system_clock>;"),
    ("src/core/a.cpp", "// never std::chrono::system_clock::now() here"),
    ("src/core/a.cpp", 'const char* text = "steady_clock";'),
    ("src/core/a.cpp", "auto t = run_time(0);"),
    ("src/core/a.cpp", '// #include "store/store.hpp"'),
    ("src/core/json/a.cpp", '#include "core/json/value.hpp"'),
    ("src/base/a.cpp", "#include <openssl/evp.h>"),
    ("src/store/sqlite/a.cpp", "#include <sqlite3.h>"),
    ("src/store/sqlite/a.cpp", "#include <thread>"),
    ("src/net/a.cpp", "#include <boost/asio/post.hpp>"),
    ("src/api/a.cpp", '#include "store/store.hpp"'),
    ("src/runtime/open_store.cpp", '#include "store/sqlite/sqlite_store.hpp"'),
    ("src/runtime/a.cpp", "#include <semel/semel.hpp>"),
    ("src/cli/serve/serve.cpp", '#include "store/sqlite/sqlite_store.hpp"'),
    ("include/semel/a.hpp", "#include <semel/action.hpp>"),
    ("include/semel/semel.hpp", "#include <semel/action.hpp>"),
    ("src/base/a.hpp", "#include <semel/result.hpp>"),
    ("src/engine/a.hpp", "#include <semel/handler.hpp>"),
    ("tests/unit/core/a_test.cpp", '#include "store/sqlite/sqlite_store.hpp"'),
]


class CheckLayers(unittest.TestCase):
    def test_each_rule_can_fail(self) -> None:
        for path, code, expected in REFUSED:
            with self.subTest(path=path, code=code):
                found = check_text(pathlib.PurePath(path), f"// head\n{code}\n")
                self.assertEqual(len(found), 1, found)
                self.assertIn(expected, found[0][1])
                self.assertEqual(found[0][0], 2 if code else 1)

    def test_what_the_arrows_allow_passes(self) -> None:
        for path, code in ALLOWED:
            with self.subTest(path=path, code=code):
                self.assertEqual(check_text(pathlib.PurePath(path), code + "\n"), [])


if __name__ == "__main__":
    unittest.main()
