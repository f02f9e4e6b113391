// The fused vector operations against their definition, element by element in double.
#include "core/backend/array.hpp"
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <limits>

using namespace gantry;
using namespace gantry::test;

class TestBackend : public QObject {
  Q_OBJECT
  CpuBackend backend_;
  static constexpr std::size_t many = 70001;  // several chunks, the last one short

 private slots:
  void ratioDividesWhereItCan() {
    const std::vector<float> b = random_values(many, 1, -1, 1),
                             y = random_values(many, 2, -0.5F, 2), w = random_values(many, 3);
    const Array data = Array::from(backend_, b), weights = Array::from(backend_, w);
    Array plain = Array::from(backend_, y), weighted = Array::from(backend_, y);
    const double square = backend_.ratio(data, plain, nullptr);
    EXPECT_NEAR(backend_.ratio(data, weighted, &weights), square, 0);
    double expected_square = 0;
    for (std::size_t i = 0; i < many; ++i) {
      expected_square += std::pow(static_cast<double>(b[i]) - y[i], 2);
      const double expected = b[i] > 0 && y[i] > 0 ? static_cast<double>(b[i]) / y[i] : 0;
      EXPECT_NEAR(plain.host()[i], expected, 1e-6 * expected);
      EXPECT_NEAR(weighted.host()[i], expected * w[i], 1e-6 * expected);
    }
    EXPECT_NEAR(square, expected_square, 1e-6 * expected_square);
  }

  void ratioOfNothingIsNothing() {
    const Array b = Array::from(backend_, std::vector<float>{0, 1, -1, 1, 1e30F});
    Array y = Array::from(backend_, std::vector<float>{0, 0, 0, 1e-44F, 1e-30F});
    backend_.ratio(b, y, nullptr);
    for (const float value : y.host()) QCOMPARE(value, 0.0F);
  }

  void ratioKeepsToItsRange() {
    const Array b = Array::filled(backend_, 6, 6);
    Array y = Array::filled(backend_, 6, 2);
    EXPECT_NEAR(backend_.ratio(b, y, nullptr, 2, 3), 3 * 16, 0);
    QCOMPARE(y.to_host(), (std::vector<float>{2, 2, 3, 3, 3, 2}));
    EXPECT_THROWS(ShapeError, backend_.ratio(b, y, nullptr, 4, 3), "range");
    Array shorter = Array::filled(backend_, 5, 1);
    EXPECT_THROWS(ShapeError, backend_.ratio(b, shorter, nullptr), "lengths");
  }

  void multiplicativeUpdateLeavesTheUnseenAlone() {
    const std::vector<float> x = random_values(many, 4), g = random_values(many, 5, -0.1F, 1),
                             c = random_values(many, 6, -0.2F, 1);
    Array updated = Array::from(backend_, x);
    const Array gradient = Array::from(backend_, g), sums = Array::from(backend_, c);
    const double square = backend_.multiplicative_update(updated, gradient, sums, 0.1F);
    double expected_square = 0;
    for (std::size_t j = 0; j < many; ++j) {
      const double expected =
          c[j] > 0.1F ? std::max(0.0, static_cast<double>(x[j]) * g[j] / c[j]) : x[j];
      EXPECT_NEAR(updated.host()[j], expected, 1e-6 * expected);
      expected_square += std::pow(expected - x[j], 2);
    }
    EXPECT_NEAR(square, expected_square, 1e-5 * expected_square);
    Array shorter = Array::filled(backend_, 5, 1);
    EXPECT_THROWS(ShapeError, backend_.multiplicative_update(shorter, gradient, sums, 0),
                  "lengths");
  }
};

GANTRY_TEST(TestBackend)
#include "test_backend.moc"
