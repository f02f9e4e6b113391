#include "tests/support/test_program.hpp"

#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace gantry::test {

namespace {

struct Registered {
  std::string name;
  TestEntry::Make make;
};

std::vector<Registered>& registered() {
  static std::vector<Registered> all;  // made by the first entry, whichever file comes first
  return all;
}

}  // namespace

TestEntry::TestEntry(const char* file, Make make) {
  registered().push_back({std::filesystem::path(file).stem().string(), make});
}

int run_tests(int argc, char** argv) {
  // Tests neither read nor fill the user's cache; one that is about the cache sets its own folder.
  qputenv("GANTRY_CACHE", "");
  std::vector<Registered> chosen = registered();
  std::ranges::sort(chosen, {}, &Registered::name);
  std::vector<char*> arguments(argv, argv + argc);
  if (argc > 1 && std::string(argv[1]).starts_with("test_")) {
    std::erase_if(chosen, [&](const Registered& one) { return one.name != argv[1]; });
    if (chosen.empty()) {
      qCritical("there is no %s in this program", argv[1]);
      return 1;
    }
    arguments.erase(arguments.begin() + 1);
  }
  bool failed = false;
  for (const Registered& one : chosen) {
    const auto test = one.make();
    failed |= QTest::qExec(test.get(), static_cast<int>(arguments.size()), arguments.data()) != 0;
  }
  return failed ? 1 : 0;
}

}  // namespace gantry::test
