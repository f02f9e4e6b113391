// Weights of the rays: every solver of the catalogue either uses them or says that it does not.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/catalog/catalog.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <limits>

using namespace gantry;
using namespace gantry::test;

class TestWeights : public QObject {
  Q_OBJECT

  static constexpr int steps = 6;
  Catalog catalog_;
  CpuBackend backend_;
  std::unique_ptr<Projector> A_;
  std::vector<float> b_;
  Array zero_;  // image

  /// The problem has a start image of zeros, because a solver's own start may use all rays.
  Problem problem(const Array& b, const Array* weights) { return {A_.get(), &b, &zero_, weights}; }
  std::unique_ptr<Solver> make(const std::string& key) {
    return catalog_.solvers.make(key, "cpu", {});
  }
  std::vector<float> solve(const std::string& key, const std::vector<float>& b,
                           const std::vector<float>& weights) {
    const auto solver = make(key);
    const Array data = Array::from(backend_, b);
    const Array w = weights.empty() ? Array() : Array::from(backend_, weights);
    solver->init(problem(data, weights.empty() ? nullptr : &w));
    for (int i = 0; i < steps; ++i) solver->step();
    return solver->solution().to_host();
  }
  /// sum w (b - A x)^2, from one product.
  double objective(const Array& x, const std::vector<float>& w) {
    Array y(backend_, A_->range_size());
    A_->forward(x, y);
    double sum = 0;
    for (std::size_t i = 0; i < b_.size(); ++i)
      sum += w[i] * std::pow(static_cast<double>(b_[i]) - y.host()[i], 2);
    return sum;
  }
  void every_solver_that_weights() {
    QTest::addColumn<QString>("key");
    for (const auto* entry : catalog_.solvers.on("cpu"))
      if (entry->traits.uses_ray_weights)
        QTest::addRow("%s", entry->key.c_str()) << QString::fromStdString(entry->key);
  }

 private slots:
  void initTestCase() {
    add_core(catalog_);
    A_ = catalog_.projectors.make("siddon", "cpu", backend_, share(fan_spec(30, 48, 3)),
                                  VolumeGrid::centered(24, 24, 1, {3, 3, 3}), {});
    zero_ = Array::filled(backend_, A_->domain_size(), 0);
    const Array truth = Array::from(backend_, random_values(A_->domain_size(), 3, 0, 0.04F));
    Array y(backend_, A_->range_size());
    A_->forward(truth, y);
    b_ = y.to_host();
    const std::vector<float> noise = random_values(b_.size(), 4, -0.1F, 0.1F);
    for (std::size_t i = 0; i < b_.size(); ++i) b_[i] += noise[i];
  }

  void othersRefuseThem() {
    const std::vector<float> ones(b_.size(), 1.0F);
    int users = 0;
    for (const auto* entry : catalog_.solvers.on("cpu")) {
      if (entry->traits.uses_ray_weights) {
        ++users;
        continue;
      }
      EXPECT_THROWS(UsageError, solve(entry->key, b_, ones), "does not weight rays");
    }
    QVERIFY(users >= 1);
  }

  void impossibleWeightsAreRefused_data() { every_solver_that_weights(); }
  void impossibleWeightsAreRefused() {
    QFETCH(QString, key);
    constexpr float infinity = std::numeric_limits<float>::infinity();
    for (const float bad : {-1e-3F, infinity, -infinity, std::nanf("")}) {
      std::vector<float> weights(b_.size(), 1.0F);
      weights[weights.size() / 2] = bad;
      EXPECT_THROWS(UsageError, solve(key.toStdString(), b_, weights),
                    "a weight of a ray is negative or not finite");
    }
    EXPECT_THROWS(ShapeError, solve(key.toStdString(), b_, {1, 1, 1}),
                  "there are 3 weights for 1440 rays");
  }

  void weightsOfOneAreNone_data() { every_solver_that_weights(); }
  void weightsOfOneAreNone() {
    QFETCH(QString, key);
    QVERIFY(solve(key.toStdString(), b_, std::vector<float>(b_.size(), 1.0F)) ==
            solve(key.toStdString(), b_, {}));
  }

  /// What weighs nothing can be anything; what weighs something cannot.
  void aRayOfNoWeightIsNotSeen_data() { every_solver_that_weights(); }
  void aRayOfNoWeightIsNotSeen() {
    QFETCH(QString, key);
    std::vector<float> weights = random_values(b_.size(), 6, 0.1F, 1), other = b_;
    for (std::size_t i = 0; i < b_.size(); i += 3) {
      weights[i] = 0;
      other[i] = 50;
    }
    const std::vector<float> expected = solve(key.toStdString(), b_, weights);
    QVERIFY(solve(key.toStdString(), other, weights) == expected);
    other[25] += 0.5F;  // through the middle
    QVERIFY(solve(key.toStdString(), other, weights) != expected);
  }

  void theWeightedObjectiveFalls_data() { every_solver_that_weights(); }
  void theWeightedObjectiveFalls() {
    QFETCH(QString, key);
    const std::vector<float> weights = random_values(b_.size(), 8, 0, 1);
    const auto solver = make(key.toStdString());
    const Array data = Array::from(backend_, b_), w = Array::from(backend_, weights);
    solver->init(problem(data, &w));
    double before = objective(solver->solution(), weights);
    for (int i = 0; i < 2 * steps; ++i) {
      solver->step();
      const double now = objective(solver->solution(), weights);
      QVERIFY(now <= before * (1 + 1e-6));
      before = now;
    }
  }
};

GANTRY_TEST(TestWeights)
#include "test_weights.moc"
