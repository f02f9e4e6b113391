// The main function of test programs that open no window.
#include "tests/support/test_program.hpp"

#include <QCoreApplication>

int main(int argc, char** argv) {
  const QCoreApplication application(argc, argv);
  return gantry::test::run_tests(argc, argv);
}
