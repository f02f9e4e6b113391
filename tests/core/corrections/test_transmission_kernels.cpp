// Line integrals of transmissions against std::log in double precision.
#include "core/corrections/kernels/transmission_kernels.hpp"
#include "tests/support/test_program.hpp"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace gantry;

class TestTransmissionKernels : public QObject {
  Q_OBJECT

  static constexpr float least = 1e-6F;

  static std::vector<float> line_integrals(std::vector<float> transmissions, std::size_t& below) {
    below =
        transmission_kernels().to_line_integrals(transmissions.data(), transmissions.size(), least);
    return transmissions;
  }

 private slots:
  /// Dense about 1, where the logarithm is small, and over all magnitudes.
  void logarithmsAreExactToTheirLastDigits() {
    std::vector<float> values;
    for (double t = 1e-6; t < 1e38; t *= 1.0003) values.push_back(static_cast<float>(t));
    for (float t = 0.999F; t < 1.001F; t = std::nextafter(t, 2.0F)) values.push_back(t);
    std::size_t below = 0;
    const std::vector<float> found = line_integrals(values, below);
    double worst = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double truth = -std::log(std::max<double>(values[i], least));
      if (truth == 0)
        QCOMPARE(found[i], 0.0F);
      else
        worst = std::max(worst, std::abs(found[i] / truth - 1));
    }
    QVERIFY2(worst < 1.2e-7, qPrintable(QString::number(worst)));
  }

  void smallTransmissionsAreClippedAndCounted() {
    std::vector<float> values(10000, 0.5F);
    for (const std::size_t i :
         {std::size_t{0}, std::size_t{4095}, std::size_t{4096}, std::size_t{9999}})
      values[i] = -1;
    values[1] = 0;
    values[2] = std::nextafter(least, 0.0F);
    values[3] = least;  // is none of them
    std::size_t below = 0;
    const std::vector<float> found = line_integrals(values, below);
    QCOMPARE(below, std::size_t{6});
    for (const std::size_t i :
         {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{4096}, std::size_t{9999}})
      QCOMPARE(found[i], found[3]);
    QVERIFY(std::abs(found[3] - 13.815511F) < 2e-6F);
    QVERIFY(std::abs(found[5000] - 0.6931472F) < 1e-7F);
  }
};

GANTRY_TEST(TestTransmissionKernels)
#include "test_transmission_kernels.moc"
