#pragma once

#include <QtTest>

#include <cmath>
#include <string>

/// Checks |actual - expected| <= tolerance; the message has the numbers.
#define EXPECT_NEAR(actual, expected, tolerance)                                       \
  do {                                                                                 \
    const double actual_ = (actual), expected_ = (expected), tolerance_ = (tolerance); \
    /* QVERIFY2 would make the message of each comparison, which takes far longer. */  \
    if (!(std::abs(actual_ - expected_) <= tolerance_))                                \
      QFAIL(qPrintable(QStringLiteral("%1 is %2, expected %3 within %4")               \
                           .arg(QStringLiteral(#actual))                               \
                           .arg(actual_, 0, 'g', 12)                                   \
                           .arg(expected_, 0, 'g', 12)                                 \
                           .arg(tolerance_)));                                         \
  } while (false)

/// Checks that `expression` throws `Type`, with a message of one line that contains `part`.
#define EXPECT_THROWS(Type, expression, part)                             \
  do {                                                                    \
    std::string message_;                                                 \
    try {                                                                 \
      expression;                                                         \
    } catch (const Type& error_) {                                        \
      message_ = error_.what();                                           \
    }                                                                     \
    QVERIFY2(!message_.empty(), #expression " did not throw " #Type);     \
    QVERIFY2(message_.find(part) != std::string::npos, message_.c_str()); \
    QVERIFY2(message_.find('\n') == std::string::npos, message_.c_str()); \
  } while (false)
