#pragma once

#include "core/base/interrupt.hpp"
#include "studies/study.hpp"

#include <QtTest>

#include <functional>

namespace gantry::test {

/// Interrupts a study at its progress report number `times`. Checks that progress has grown until
/// then and that no report follows.
inline void expect_interruptible(const std::function<StudyResult(const StudyOptions&)>& study,
                                 StudyOptions options, int times) {
  Interrupt interrupt;
  options.interrupt = &interrupt;
  double last = 0;
  int told = 0;
  options.progress = [&](double done, const std::string& what) {
    QVERIFY(done >= last && done < 1 && !what.empty());
    last = done;
    if (++told == times) interrupt.raise();
  };
  bool stopped = false;
  try {
    study(options);
  } catch (const Interrupted&) {
    stopped = true;
  }
  QVERIFY(stopped);
  QCOMPARE(told, times);
}

}  // namespace gantry::test
