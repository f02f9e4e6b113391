#pragma once

#include <QObject>

#include <memory>

namespace gantry::test {

/// One test class of a program. Its name is that of its file without the ending: "test_cgls".
class TestEntry {
 public:
  using Make = std::unique_ptr<QObject> (*)();
  TestEntry(const char* file, Make make);
};

/// Runs the test whose name is the first argument, with the other arguments for Qt Test; every test
/// of the program, one after the other, where the first argument names none. Returns 0 when all
/// passed. An application object must be there.
int run_tests(int argc, char** argv);

}  // namespace gantry::test

/// Adds a test class to the program that its file is linked into. CTest runs each of them in a
/// process of its own (tests/CMakeLists.txt).
#define GANTRY_TEST(Class)                            \
  static const gantry::test::TestEntry Class##_entry( \
      __FILE__, []() -> std::unique_ptr<QObject> { return std::make_unique<Class>(); });
