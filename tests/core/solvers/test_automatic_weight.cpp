// The automatic weight of a prior: the noise and the attenuation that it is made of, its formula,
// and that an image does not depend on the units.
#include "core/backend/cpu_backend.hpp"
#include "core/catalog/catalog.hpp"
#include "core/solvers/automatic_weight.hpp"
#include "core/solvers/penalty.hpp"
#include "core/solvers/run.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/penalties.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <random>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr int columns = 400, rows = 50;

/// Chords of a disc of water seen by 360 of 400 cells, with a step as of an implant.
std::vector<float> chords() {
  std::vector<float> b;
  for (int row = 0; row < rows; ++row)
    for (int c = 0; c < columns; ++c) {
      const double s = c - 0.5 * (columns - 1), square = 180.0 * 180 - s * s;
      b.push_back(static_cast<float>(square > 0 ? 0.01 * 2 * std::sqrt(square) : 0));
      if (std::abs(s - 3 * row) < 10) b.back() += 2;
    }
  return b;
}

void add_noise(std::vector<float>& b, const std::vector<float>& weights, double sigma) {
  std::mt19937 engine(7);
  std::normal_distribution<double> normal(0, sigma);
  for (std::size_t i = 0; i < b.size(); ++i)
    b[i] += static_cast<float>(normal(engine) / (weights.empty() ? 1 : std::sqrt(weights[i])));
}

}  // namespace

class TestAutomaticWeight : public QObject {
  Q_OBJECT

  Catalog catalog_;
  CpuBackend backend_;
  Penalties penalties_{catalog_, "cpu"};

  static ScanSpec scan(double length) {
    ScanSpec spec = fan_spec(16, 24, 4 * length);
    spec.source_to_isocenter_mm *= length;
    spec.source_to_detector_mm *= length;
    return spec;
  }
  std::unique_ptr<Projector> projector(double length = 1) {
    return catalog_.projectors.make(
        "siddon", "cpu", backend_, share(scan(length)),
        VolumeGrid::centered(20, 16, 1, {2.5 * length, 2.5 * length, 2.5 * length}), {});
  }
  /// A box of water with noise, in multiples of the true attenuation.
  Array data(double attenuation = 1) {
    const auto A = projector();
    std::vector<float> x(A->domain_size());
    for (int iy = 4; iy < 12; ++iy)
      for (int ix = 3; ix < 15; ++ix) x[A->grid().index(ix, iy, 0)] = ix < 8 ? 0.02F : 0.03F;
    Array b(backend_, A->range_size());
    A->forward(Array::from(backend_, x), b);
    backend_.axpby(1, Array::from(backend_, random_values(b.size(), 11, -0.05F, 0.05F)), 1, b);
    backend_.axpby(0, b, static_cast<float>(attenuation), b);
    return b;
  }
  Params automatic(const std::string& prior, double attenuation, double sharpness = 0) {
    Params params{{"scale", std::string("automatic")}, {"sharpness", sharpness}};
    for (const ParamSpec& spec : catalog_.priors.at(prior).params)
      if (spec.unit == "HU") params.set(spec.key, std::get<double>(spec.fallback) * attenuation);
    return params;
  }
  double lambda(const std::string& prior, const Array& b, const Array* weights, double sharpness,
                double noise_variance = 0) {
    const auto A = projector();
    Penalty penalty = penalties_.make(prior, *A, automatic(prior, 1, sharpness));
    penalty.noise_variance = noise_variance;
    return penalty_weight(*A, b, weights, penalty);
  }
  /// Ten iterations where lengths and attenuations are multiples of the usual ones.
  std::vector<float> image(const std::string& prior, double length, double attenuation) {
    const auto A = projector(length);
    const Array b = data(attenuation * length);
    const bool proximal = !catalog_.priors.at(prior).traits.has_gradient;
    const auto solver = catalog_.solvers.make(proximal ? "fista" : "wls_pcg", "cpu", {});
    run(*solver,
        {.A = A.get(),
         .b = &b,
         .penalty = penalties_.make(prior, *A, automatic(prior, attenuation))},
        {10, 0}, {});
    return solver->solution().to_host();
  }

 private slots:
  void initTestCase() { add_core(catalog_); }

  void noiseIsThatOfTheData_data() {
    QTest::addColumn<bool>("weighted");
    QTest::addColumn<double>("sigma");
    for (const double sigma : {0.003, 0.03})
      for (const bool weighted : {false, true})
        QTest::addRow("%g%s", sigma, weighted ? ", weighted" : "") << weighted << sigma;
  }
  void noiseIsThatOfTheData() {
    QFETCH(bool, weighted);
    QFETCH(double, sigma);
    std::vector<float> b = chords();
    std::vector<float> weights;
    if (weighted)
      for (const float p : b) weights.push_back(std::exp(-p));
    add_noise(b, weights, sigma);
    const double found = std::sqrt(estimated_noise_variance(b, weights, columns));
    EXPECT_NEAR(found, sigma, 0.05 * sigma);
  }

  void cellsOfWeightZeroDoNotCount() {
    std::vector<float> b = chords();
    std::vector<float> weights(b.size(), 1);
    add_noise(b, weights, 0.01);
    for (std::size_t i = 0; i < b.size(); ++i)
      if (i % 4 == 0) {
        b[i] = 40;
        weights[i] = 0;
      }
    EXPECT_NEAR(std::sqrt(estimated_noise_variance(b, weights, columns)), 0.01, 1e-3);
  }

  void attenuationIsTheMeanOverThePath() {
    // A detector of 96 mm is 64 mm at the isocentre; the grid's harmonic mean of 50 and 40 mm is
    // less.
    const auto A = projector();
    std::vector<float> b(A->range_size(), 0.0F);
    for (std::size_t i = 0; i < b.size() / 2; ++i) b[i] = i % 2 == 0 ? 0.5F : 1.5F;
    EXPECT_NEAR(typical_attenuation(b, A->geometry(), A->grid()), 1 / (2 * 50 * 40 / 90.0), 1e-9);
    const VolumeGrid large = VolumeGrid::centered(100, 90, 1, {1, 1, 1});
    EXPECT_NEAR(typical_attenuation(b, A->geometry(), large), 1 / 64.0, 1e-9);
  }

  /// lambda = v sigma_y^2 / sigma_x^degree, by hand from the parts.
  void weightIsThatOfTheFormula() {
    const auto A = projector();
    const Array b = data();
    const std::vector<float> host = b.to_host();
    const double typical = typical_attenuation(host, A->geometry(), A->grid()),
                 variance = estimated_noise_variance(host, {}, A->geometry().columns()),
                 voxel = 2.5 / (4 * 200.0 / 300);
    const auto expect = [](double found, double expected) {
      EXPECT_NEAR(found, expected, 1e-9 * expected);
    };
    expect(lambda("tv", b, nullptr, 0), voxel * variance / (0.2 * typical));
    expect(lambda("tikhonov", b, nullptr, 0), voxel * variance / std::pow(0.2 * typical, 2));
    expect(lambda("qggmrf", b, nullptr, 1), voxel * variance / std::pow(0.4 * typical, 2));
    expect(lambda("qggmrf", b, nullptr, 0, 1e-4), voxel * 1e-4 / std::pow(0.2 * typical, 2));
    // Weights ten times as large belong to a variance ten times as large of a ray of weight 1.
    const Array ten = Array::filled(backend_, b.size(), 10);
    expect(lambda("qggmrf", b, &ten, 0), 10 * lambda("qggmrf", b, nullptr, 0));
  }

  void imageDoesNotDependOnUnits_data() {
    QTest::addColumn<QString>("prior");
    for (const auto* prior : catalog_.priors.on("cpu"))
      QTest::addRow("%s", prior->key.c_str()) << QString::fromStdString(prior->key);
  }
  void imageDoesNotDependOnUnits() {
    QFETCH(QString, prior);
    const std::string key = prior.toStdString();
    const std::vector<float> one = image(key, 1, 1);
    const auto compare = [&](const std::vector<float>& other, double factor) {
      for (std::size_t j = 0; j < one.size(); ++j)
        EXPECT_NEAR(other[j] / factor, one[j], 1e-5 * 0.03);
    };
    compare(image(key, 1, 4), 4);        // four times as dense
    compare(image(key, 4, 0.25), 0.25);  // four times as large, the same line integrals
    compare(image(key, 0.125, 2), 2);    // small and dense
  }

  void noWeightIsRefused() {
    const auto A = projector();
    const auto refused = [&](const LinearOperator& matrix, const Array& b, const char* why) {
      const Penalty penalty = penalties_.make("tv", *A, automatic("tv", 1));
      try {
        penalty_weight(matrix, b, nullptr, penalty);
        QFAIL("an automatic weight was found");
      } catch (const UsageError& error) {
        const std::string text = error.what();
        QVERIFY2(text.find(why) != std::string::npos, text.c_str());
        QVERIFY2(text.find("prior.scale") != std::string::npos, text.c_str());
      }
    };
    refused(*A, Array::filled(backend_, A->range_size(), 0), "none");
    const auto two_columns = catalog_.projectors.make("siddon", "cpu", backend_,
                                                      share(fan_spec(16, 2, 4)), A->grid(), {});
    refused(*two_columns, Array::filled(backend_, two_columns->range_size(), 1), "three");
  }
};

GANTRY_TEST(TestAutomaticWeight)
#include "test_automatic_weight.moc"
