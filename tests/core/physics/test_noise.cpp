#include "core/base/error.hpp"
#include "core/physics/noise.hpp"
#include "core/physics/poisson.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/threads.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

using namespace gantry;
using gantry::test::expect_same_on_any_threads;

namespace {

struct Moments {
  double mean = 0, variance = 0, skewness = 0;
};

Moments moments(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  Moments m;
  for (const double v : values) m.mean += v / n;
  double third = 0;
  for (const double v : values) {
    m.variance += (v - m.mean) * (v - m.mean) / (n - 1);
    third += std::pow(v - m.mean, 3) / n;
  }
  m.skewness = third / std::pow(m.variance, 1.5);
  return m;
}

std::vector<double> draw(double mean, std::size_t count, std::uint64_t seed = 5) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    RandomStream random(seed, i);
    values[i] = poisson(mean, random);
  }
  return values;
}

long double probability(double k, double mean) {
  const long double x = k, m = mean;
  return std::exp(x * std::log(m) - m - std::lgamma(x + 1));
}

/// Chi-square of draws against the closed-form probabilities, in standard deviations from its mean.
/// Values are pooled into bins in which at least 50 are expected.
double chi_square_excess(double mean, std::size_t count) {
  const double spread = 7 * std::sqrt(mean) + 12;
  const double low = std::max(0.0, std::floor(mean - spread)), high = std::floor(mean + spread);
  std::vector<double> observed(static_cast<std::size_t>(high - low) + 1);
  for (const double k : draw(mean, count)) {
    if (k < low || k > high) return std::numeric_limits<double>::infinity();
    ++observed[static_cast<std::size_t>(k - low)];
  }
  double chi = 0, seen = 0, bins = 0;
  long double expected = 0;
  for (double k = low; k <= high; ++k) {
    expected += static_cast<long double>(count) * probability(k, mean);
    seen += observed[static_cast<std::size_t>(k - low)];
    if (expected < 50) continue;
    chi += std::pow(seen - static_cast<double>(expected), 2) / static_cast<double>(expected);
    bins += 1;
    expected = seen = 0;
  }
  return (chi - (bins - 1)) / std::sqrt(2 * (bins - 1));
}

std::vector<float> noisy(const std::vector<float>& exact, const TransmissionNoise& noise) {
  std::vector<float> out(exact.size());
  add_transmission_noise(exact, noise, out);
  return out;
}

}  // namespace

class TestNoise : public QObject {
  Q_OBJECT
 private slots:
  /// The vectors of Random123's kat_vectors for philox4x32, 10 rounds.
  void philoxGivesTheKnownAnswers() {
    using Words = std::array<std::uint32_t, 4>;
    constexpr std::uint32_t ones = 0xffffffff;
    QVERIFY((philox4x32_10({0, 0, 0, 0}, {0, 0}) ==
             Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    QVERIFY((philox4x32_10({ones, ones, ones, ones}, {ones, ones}) ==
             Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    QVERIFY((
        philox4x32_10({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
  }

  void streamsAreUniformAndDistinct() {
    RandomStream random(3, 0x123456789abcULL), same(3, 0x123456789abcULL);
    std::array<int, 64> bins{};
    for (int i = 0; i < 640000; ++i) {
      const double u = random.uniform();
      QVERIFY(u > 0 && u < 1 && u == same.uniform());
      ++bins[static_cast<std::size_t>(u * 64)];
    }
    double chi = 0;
    for (const int n : bins) chi += std::pow(n - 10000.0, 2) / 10000;
    EXPECT_NEAR((chi - 63) / std::sqrt(126.0), 0, 4);
    // every word of seed and element matters
    const double first = RandomStream(1, 1).uniform();
    for (RandomStream other :
         {RandomStream(2, 1), RandomStream(1, 2), RandomStream(1 + (1ULL << 32), 1),
          RandomStream(1, 1 + (1ULL << 32))})
      QVERIFY(other.uniform() != first);
  }

  void poissonHasItsDistribution() {
    for (const double mean : {0.01, 0.7, 3.0, 9.99, 10.0, 12.34, 47.5, 100.0, 1000.25, 30000.0})
      QVERIFY2(std::abs(chi_square_excess(mean, 1000000)) < 4.5, qPrintable(QString::number(mean)));
    // many draws where the tail of Stirling's series still matters
    EXPECT_NEAR(chi_square_excess(10.0, 6000000), 0, 4.5);
    QCOMPARE(draw(0, 3), (std::vector<double>{0, 0, 0}));
  }

  void poissonHasItsMoments() {
    constexpr std::size_t n = 400000;
    for (const double mean : {0.3, 8.0, 25.0, 1e4, 1e8, 1e12, 1e15}) {
      const Moments m = moments(draw(mean, n));
      const double root = std::sqrt(static_cast<double>(n));
      EXPECT_NEAR(m.mean / mean, 1, 4.5 / root / std::sqrt(mean));
      EXPECT_NEAR(m.variance / mean, 1, 4.5 * std::sqrt(2 + 1 / mean) / root);
      EXPECT_NEAR(m.skewness * std::sqrt(mean), 1,
                  mean < 100 ? 0.15 : 5 * std::sqrt(6 * mean) / root);
    }
  }

  void normalHasItsDistribution() {
    std::vector<double> values(400000);
    for (std::size_t i = 0; i < values.size(); ++i) {
      RandomStream random(9, i);
      values[i] = standard_normal(random);
    }
    const Moments m = moments(values);
    EXPECT_NEAR(m.mean, 0, 0.008);
    EXPECT_NEAR(m.variance, 1, 0.011);
    EXPECT_NEAR(m.skewness, 0, 0.02);
    const auto beyond = std::ranges::count_if(values, [](double v) { return v > 1.959963985; });
    EXPECT_NEAR(static_cast<double>(beyond) / 400000, 0.025, 0.001);
  }

  void lineIntegralsGetTheNoiseOfTheirCounts() {
    // variance of p: exp(p) / I0 + sigma^2 exp(2p) / I0^2, to first order
    for (const double p : {0.0, 1.0, 3.0})
      for (const double sigma : {0.0, 60.0}) {
        const TransmissionNoise noise{.photons_per_ray = 1e5, .electronic_sigma = sigma, .seed = 4};
        const std::vector<float> out =
            noisy(std::vector<float>(200000, static_cast<float>(p)), noise);
        const Moments m = moments({out.begin(), out.end()});
        const double variance = std::exp(p) / 1e5 + std::pow(sigma * std::exp(p) / 1e5, 2);
        EXPECT_NEAR(m.mean, p + variance / 2, 5 * std::sqrt(variance / 200000));
        EXPECT_NEAR(m.variance / variance, 1, 0.02);
      }
  }

  void sameSeedSameNoiseOnAnyThreads() {
    std::vector<float> exact(100000);
    for (std::size_t i = 0; i < exact.size(); ++i) exact[i] = static_cast<float>(i % 97) * 0.1F;
    const std::vector<float> first = noisy(exact, {.photons_per_ray = 1e4, .seed = 11});
    expect_same_on_any_threads([&] { return noisy(exact, {.photons_per_ray = 1e4, .seed = 11}); });
    // a ray's numbers do not depend on how many rays there are
    const std::vector<float> part =
        noisy({exact.begin(), exact.begin() + 100}, {.photons_per_ray = 1e4, .seed = 11});
    QVERIFY(std::equal(part.begin(), part.end(), first.begin()));
    const std::vector<float> other = noisy(exact, {.photons_per_ray = 1e4, .seed = 12});
    std::size_t equal = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) equal += other[i] == first[i] ? 1 : 0;
    QVERIFY(equal < exact.size() / 5);  // chance hits where few photons arrive
  }

  void neighboursAreNotCorrelated() {
    const std::vector<float> out =
        noisy(std::vector<float>(200000, 1.0F), {.photons_per_ray = 1e4});
    const Moments m = moments({out.begin(), out.end()});
    for (const std::size_t lag : {1U, 2U, 512U}) {
      double sum = 0;
      for (std::size_t i = lag; i < out.size(); ++i)
        sum += (out[i] - m.mean) * (out[i - lag] - m.mean);
      EXPECT_NEAR(sum / m.variance / 200000, 0, 0.011);
    }
  }

  void starvedRaysAreCounted() {
    std::vector<float> out(1000);
    const std::size_t starved =
        add_transmission_noise(std::vector<float>(1000, 50.0F), {.photons_per_ray = 1e5}, out);
    QCOMPARE(starved, std::size_t{1000});
    EXPECT_NEAR(out[0], std::log(1e5), 1e-5);
    // at a mean of 2 photons, exp(-2) of the rays count none
    const auto p = static_cast<float>(std::log(1e5 / 2));
    std::vector<float> few(100000);
    const double share =
        static_cast<double>(add_transmission_noise(std::vector<float>(100000, p), {}, few)) / 1e5;
    EXPECT_NEAR(share, std::exp(-2), 0.005);
  }

  void strangeLineIntegralsPassThrough() {
    const float nan = std::numeric_limits<float>::quiet_NaN(),
                inf = std::numeric_limits<float>::infinity();
    const std::vector<float> out = noisy({nan, inf, -inf, -80.0F, 100.0F, -800.0F}, {});
    QVERIFY(std::isnan(out[0]) && out[1] == inf && out[2] == -inf && out[3] == -80.0F);
    EXPECT_NEAR(out[4], std::log(1e5), 1e-5);
    QCOMPARE(out[5], -800.0F);  // exp(800) photons are more than a double can count
  }

  void countsBecomeLineIntegrals() {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> p(7);
    QCOMPARE(counts_to_line_integrals(std::vector<float>{1e5F, 1e4F, 1, 0.5F, 0, -3, nan}, 1e5, p),
             std::size_t{4});
    EXPECT_NEAR(p[0], 0, 0);
    EXPECT_NEAR(p[1], std::log(10.0), 1e-6);
    for (std::size_t i = 2; i < 7; ++i) EXPECT_NEAR(p[i], std::log(1e5), 1e-5);
  }

  void countsAndLineIntegralsAreInverse() {
    std::vector<float> p;
    for (int i = -100; i < 1100; ++i) p.push_back(0.01F * static_cast<float>(i));
    std::vector<float> counts(p.size()), back(p.size());
    line_integrals_to_counts(p, 1e5, counts);
    EXPECT_NEAR(counts[100], 1e5, 0);
    EXPECT_NEAR(counts[200], 1e5 * std::exp(-1), 0.01);
    QCOMPARE(counts_to_line_integrals(counts, 1e5, back), std::size_t{0});
    for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(back[i], p[i], 2e-6);
    // whole numbers of photons stay whole to within what float32 holds of p
    for (float& n : counts) n = std::round(n);
    std::vector<float> again(p.size());
    counts_to_line_integrals(counts, 1e5, back);
    line_integrals_to_counts(back, 1e5, again);
    for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(again[i] / counts[i], 1, 1e-6);
    for (const float bad : {std::nanf(""), -100.0F, -std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::infinity()})
      EXPECT_THROWS(
          InputError,
          line_integrals_to_counts(std::vector<float>{bad}, 1e5, std::span(counts).first(1)),
          "1 line integrals have no number of photons");
  }

  /// One vector of noise, made whole and in pieces, on any threads, has the moments of its closed
  /// form: the numbers of a ray come from its index alone.
  void wholeVectorHasItsMomentsOnAnyThreads() {
    constexpr std::size_t n = 300000;
    constexpr double photons = 2e4, p = 2, sigma = 12;
    const TransmissionNoise noise{
        .photons_per_ray = photons, .electronic_sigma = sigma, .seed = 21};
    const std::vector<float> exact(n, static_cast<float>(p));
    expect_same_on_any_threads([&] { return noisy(exact, noise); });
    const std::vector<float> one = noisy(exact, noise);
    const Moments m = moments({one.begin(), one.end()});
    const double e = std::exp(p) / photons, variance = e + sigma * sigma * e * e;
    EXPECT_NEAR(m.mean, p + variance / 2, 5 * std::sqrt(variance / n));
    EXPECT_NEAR(m.variance / variance, 1, 5 * std::sqrt(2.0 / n) + 4 * variance);
    // prefixes of odd lengths, and every element drawn alone in reverse order
    for (const std::size_t length : {1U, 2U, 777U, 16384U, 16385U, 100001U}) {
      const std::vector<float> part = noisy({exact.begin(), exact.begin() + length}, noise);
      QVERIFY(std::equal(part.begin(), part.end(), one.begin()));
    }
    for (std::size_t i = n; i-- > n - 5000;) {
      RandomStream random(noise.seed, i);
      double counts = poisson(photons * std::exp(-static_cast<double>(exact[i])), random);
      counts += sigma * standard_normal(random);
      QCOMPARE(one[i], static_cast<float>(-std::log(std::max(counts, 1.0) / photons)));
    }
  }

  void misuseIsSaid() {
    std::vector<float> a(4), b(3);
    EXPECT_THROWS(UsageError, add_transmission_noise(a, {.photons_per_ray = 0}, a),
                  "use 1 to 1e15");
    EXPECT_THROWS(UsageError, counts_to_line_integrals(a, std::nan(""), a), "photons_per_ray");
    EXPECT_THROWS(UsageError, add_transmission_noise(a, {.electronic_sigma = -1}, a),
                  "electronic_sigma");
    EXPECT_THROWS(ShapeError, add_transmission_noise(a, {}, b), "size");
    EXPECT_THROWS(ShapeError, counts_to_line_integrals(a, 1e5, b), "size");
    Interrupt interrupt;
    interrupt.raise();
    QVERIFY_EXCEPTION_THROWN(add_transmission_noise(a, {}, a, &interrupt), Interrupted);
  }
};

GANTRY_TEST(TestNoise)

#include "test_noise.moc"
