#include "core/base/error.hpp"
#include "core/physics/noise.hpp"
#include "core/physics/statistical_weights.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <limits>
#include <vector>

using namespace gantry;

class TestStatisticalWeights : public QObject {
  Q_OBJECT
 private slots:
  void weightsAreTheClosedForm() {
    EXPECT_NEAR(statistical_weight(1000, 0), 1000, 0);
    EXPECT_NEAR(statistical_weight(100, 10), 50, 1e-12);  // I = sigma^2: half of the photons
    EXPECT_NEAR(statistical_weight(2, 4), 4.0 / 18, 1e-15);
    for (const double sigma : {0.0, 3.0, 60.0}) {
      std::vector<float> p;
      for (int i = -5; i < 60; ++i) p.push_back(0.2F * static_cast<float>(i));
      std::vector<float> w(p.size());
      QCOMPARE(statistical_weights(p, 1e5, sigma, w), std::size_t{0});
      for (std::size_t i = 0; i < p.size(); ++i) {
        // 1 / variance, the other way round: exp(p) / I0 + sigma^2 exp(2 p) / I0^2
        const double e = std::exp(static_cast<double>(p[i])) / 1e5;
        EXPECT_NEAR(w[i] * 1e5 * (e + sigma * sigma * e * e), 1, 1e-6);
      }
    }
  }

  /// The weight is the reciprocal of the variance that simulated readings have.
  void weightsAreTheReciprocalOfTheVariance() {
    constexpr std::size_t n = 200000;
    constexpr double photons = 5e4;
    for (const double exact : {0.0, 1.5, 3.5})
      for (const double sigma : {0.0, 25.0}) {
        std::vector<float> noisy(n);
        add_transmission_noise(std::vector<float>(n, static_cast<float>(exact)),
                               {.photons_per_ray = photons, .electronic_sigma = sigma, .seed = 3},
                               noisy);
        double mean = 0, variance = 0;
        for (const float p : noisy) mean += p / static_cast<double>(n);
        for (const float p : noisy) variance += (p - mean) * (p - mean) / (n - 1.0);
        std::vector<float> w(1);
        statistical_weights(std::vector<float>{static_cast<float>(exact)}, photons, sigma, w);
        // deviation of a variance of n draws: sqrt(2 / n); the rest is of second order
        EXPECT_NEAR(variance * photons * w[0], 1, 5 * std::sqrt(2.0 / n) + 0.005);
      }
  }

  /// No reading makes a weight that is not a number.
  void strangeReadingsHaveADefinedWeight() {
    const float nan = std::numeric_limits<float>::quiet_NaN(),
                inf = std::numeric_limits<float>::infinity();
    for (const double photons : {0.0, -3.0, std::nan(""), -std::numeric_limits<double>::infinity()})
      QCOMPARE(statistical_weight(photons, 5), 0.0);
    std::vector<float> w(6);
    QCOMPARE(statistical_weights(std::vector<float>{nan, inf, -inf, 200, -90, 0}, 1e5, 0, w),
             std::size_t{4});
    for (const std::size_t i : {0U, 1U, 2U, 3U}) QCOMPARE(w[i], 0.0F);
    QVERIFY(std::isfinite(w[4]) && w[4] > 1);
    QCOMPARE(w[5], 1.0F);
    // counts of 0 and below become one photon, which weighs 1 / I0
    std::vector<float> p(3);
    QCOMPARE(counts_to_line_integrals(std::vector<float>{0, -7, 1}, 1e5, p), std::size_t{2});
    std::vector<float> of_counts(3);
    QCOMPARE(statistical_weights(p, 1e5, 0, of_counts), std::size_t{0});
    for (const float weight : of_counts) EXPECT_NEAR(weight * 1e5, 1, 1e-5);
  }

  void misuseIsSaid() {
    std::vector<float> a(4), b(3);
    EXPECT_THROWS(UsageError, statistical_weights(a, 0, 0, a), "photons_per_ray");
    EXPECT_THROWS(UsageError, expected_noise_norm(a, 0, 0), "photons_per_ray");
    EXPECT_THROWS(UsageError, statistical_weights(a, 1e5, -1, a), "electronic_sigma");
    EXPECT_THROWS(ShapeError, statistical_weights(a, 1e5, 0, b), "size");
  }

  /// The noise that was drawn has about the expected norm; the expectation of noise of n rays
  /// scatters by a part of about 1 / sqrt(2 n).
  void theNormOfTheNoise_data() {
    QTest::addColumn<double>("sigma");
    QTest::addRow("counted") << 0.0;
    QTest::addRow("with electronic noise") << 30.0;
  }
  void theNormOfTheNoise() {
    QFETCH(double, sigma);
    std::vector<float> exact(40000), noisy(exact.size());
    for (std::size_t i = 0; i < exact.size(); ++i) exact[i] = 3e-4F * static_cast<float>(i % 10000);
    add_transmission_noise(exact, {.photons_per_ray = 1e5, .electronic_sigma = sigma, .seed = 4},
                           noisy);
    double square = 0;
    for (std::size_t i = 0; i < exact.size(); ++i)
      square += std::pow(static_cast<double>(noisy[i]) - exact[i], 2);
    EXPECT_NEAR(expected_noise_norm(noisy, 1e5, sigma) / std::sqrt(square), 1, 0.02);
    EXPECT_NEAR(expected_noise_norm(std::vector<float>(100, 0.0F), 1e4, 0), 0.1, 1e-12);
  }
};

GANTRY_TEST(TestStatisticalWeights)
#include "test_statistical_weights.moc"
