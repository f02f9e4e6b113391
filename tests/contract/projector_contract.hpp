// The contract of every projector of the catalogue on a backend, on every scan of
// tests/support/scans.hpp.
#pragma once

#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/catalog/catalog.hpp"
#include "core/operator/column_access.hpp"
#include "core/operator/gradient_step.hpp"
#include "core/operator/row_access.hpp"
#include "core/operator/subset_sweep.hpp"
#include "tests/contract/projector_bench.hpp"
#include "tests/contract/rounding_caps.hpp"
#include "tests/contract/row_norms_check.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"

#include <array>
#include <cmath>
#include <utility>

namespace gantry::test {

class ProjectorContract : public ProjectorBench {
  Q_OBJECT

 public:
  explicit ProjectorContract(ContractBench bench) : ProjectorBench(std::move(bench)) {}

 private:
  /// Returns why a projector refuses a scan; empty if it accepts the scan.
  std::string refusal(const std::string& key, const ScanCase& c) {
    try {
      catalog_.projectors.make(key, on_, backend_, c.geometry, c.grid, {});
      return {};
    } catch (const UsageError& error) {
      return error.what();
    }
  }

  /// Checks an update against max(x + 0.7 C A^T R (b - A x), -0.2). C is the inverse of the matrix
  /// column sums above 0.05, or common_weight if that is not 0.
  void expect_formula(const Projector& A, ViewSubset subset, float common_weight) {
    const Array start = image(A, 9), b = rays(A, 10), weight = rays(A, 11);
    Array x = start.clone();
    const bool own = common_weight == 0;
    const auto sweep = make_subset_sweep(A, weight.clone(), {0.7F, -0.2F, 0.05F, common_weight});
    const double applied = A.applications();
    const UpdateNorms norms = sweep->run(x, b, {&subset, 1});
    EXPECT_NEAR(A.applications() - applied, (own ? 3.0 : 2.0) * subset.count / A.views(), 1e-12);
    Array ones = Array::filled(backend_, A.range_size(), 1), r(backend_, A.range_size()),
          column(backend_, A.domain_size()), gradient(backend_, A.domain_size());
    A.adjoint(ones, column, subset);
    const double residual = A.residual_adjoint(start, b, &weight, r, gradient, subset);
    EXPECT_NEAR(norms.residual_square, residual, 1e-5 * residual);
    double change = 0;
    const std::vector<float> sums = column.to_host(), steps = gradient.to_host(),
                             before = start.to_host(), after = x.to_host();
    for (std::size_t j = 0; j < after.size(); ++j) {
      const double sum = sums[j];
      // Rounding decides whether the sum exceeds 0.05.
      if (own && std::abs(sum - 0.05) < 1e-5) continue;
      const double step = !own         ? 0.7 * common_weight * steps[j]
                          : sum > 0.05 ? 0.7 * steps[j] / sum
                                       : 0;
      const double expected = std::max(before[j] + step, -0.2);
      EXPECT_NEAR(after[j], expected, 2e-5 * std::max(1.0, std::abs(step)));
      change += (expected - before[j]) * (expected - before[j]);
    }
    EXPECT_NEAR(norms.update_square, change, 1e-3 * change + 1e-9);
  }

  template <class Entry>
  std::unique_ptr<Projector> make(const Entry& entry, std::shared_ptr<const ScanGeometry> geometry,
                                  const VolumeGrid& grid) {
    return entry.make(on_, backend_, std::move(geometry), grid, {});
  }
  /// Adds the rows of projectors that make their own `Step` of that scan. All others share the
  /// code of the general step, which is tested on one scan each of a slice, a stack and a cone.
  template <class Makes>
  void stepRows() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<int>("scan");
    for (const auto* entry : catalog_.projectors.on(on_)) {
      std::array<bool, 3> has_general{};
      for (std::size_t i = 0; i < cases_.size(); ++i) {
        const ScanCase& c = cases_[i];
        if (!entry->traits_on(on_).scans.include(*c.geometry)) continue;
        const auto A = make(*entry, c.geometry, c.grid);
        if (dynamic_cast<const Makes*>(A.get()) == nullptr) {
          const std::size_t kind = c.geometry->beam() == Beam::cone ? 2 : c.grid.nz > 1 ? 1 : 0;
          if (std::exchange(has_general[kind], true)) continue;
        }
        QTest::addRow("%s, %s", entry->key.c_str(), c.name.c_str())
            << QString::fromStdString(entry->key) << static_cast<int>(i);
      }
    }
  }

  void keyRows() {
    QTest::addColumn<QString>("key");
    for (const auto* entry : catalog_.projectors.on(on_))
      QTest::addRow("%s", entry->key.c_str()) << QString::fromStdString(entry->key);
  }

 private slots:
  /// The traits in the catalogue are those of the projector.
  void traitsAreThoseOfTheProjector_data() { keyRows(); }
  void traitsAreThoseOfTheProjector() {
    QFETCH(QString, key);
    const auto& entry = catalog_.projectors.at(key.toStdString(), on_);
    const ProjectorTraits& traits = entry.traits_on(on_);
    int taken = 0;
    for (const ScanCase& c : cases_) {
      const std::string why_not = refusal(entry.key, c);
      QVERIFY2(why_not.empty() == traits.scans.include(*c.geometry),
               (c.name + ": " + why_not).c_str());
      if (!why_not.empty()) continue;
      ++taken;
      const auto A = make(entry, c.geometry, c.grid);
      QCOMPARE(A->matched(), traits.is_exact_pair);
      QCOMPARE(A->row_source() != nullptr, traits.has_single_weights);
      QCOMPARE(gives_columns(*A), traits.has_columns);
      QCOMPARE(gives_rows(*A), traits.has_rows);
      if (traits.memory == nullptr) continue;
      const OperatorMemory actual = memory_of(*A);
      const OperatorMemory estimate =
          operator_memory(A->domain_size(), A->cells_per_view(), A->views(),
                          traits.memory(*c.geometry, c.grid, bench_.multiprocessors));
      QCOMPARE(estimate.product_bytes, actual.product_bytes);
      QCOMPARE(estimate.columns_bytes, actual.columns_bytes);
      QVERIFY2(estimate.gradient_step == actual.gradient_step, c.name.c_str());
    }
    QVERIFY(taken > 0);
  }

  void roundingIsCapped_data() { keyRows(); }
  void roundingIsCapped() {
    QFETCH(QString, key);
    const auto& entry = catalog_.projectors.at(key.toStdString(), on_);
    const double cap = rounding_cap_of_projector(entry.key, on_);
    int taken = 0;
    for (const ScanCase& c : cases_) {
      if (!entry.traits_on(on_).scans.include(*c.geometry)) continue;
      ++taken;
      const double declared = make(entry, c.geometry, c.grid)->rounding();
      QVERIFY2(declared > 0 && declared <= cap,
               qPrintable(QStringLiteral("%1 on %2").arg(declared).arg(c.name.c_str())));
    }
    QVERIFY(taken > 0);
  }

  void initTestCase() {
    if (!bench_.absent.empty()) QSKIP(bench_.absent.c_str());
    cases_.insert(cases_.end(), free_.begin(), free_.end());
    QVERIFY(!catalog_.projectors.on(on_).empty());
  }

  void freePosesAreTakenOrRefused_data() { keyRows(); }
  void freePosesAreTakenOrRefused() {
    QFETCH(QString, key);
    CpuBackend host;
    for (const ScanCase& c : free_) {
      const std::string why = refusal(key.toStdString(), c);
      QVERIFY2(why.empty() || why.find("not free poses") != std::string::npos, why.c_str());
      if (!why.empty()) continue;  // the refusal is checked above
      // An accepted projector must use the poses and not a circle: the sums are close to Siddon's
      // chords, except at the rim of the volume, which some projectors smooth.
      const auto A = catalog_.projectors.make(key.toStdString(), on_, backend_, c.geometry, c.grid,
                                              {}),
                 chords = catalog_.projectors.make("siddon", "cpu", host, c.geometry, c.grid, {});
      Array y(backend_, A->range_size()), sums(host, A->range_size());
      A->forward(Array::filled(backend_, A->domain_size(), 1), y);
      chords->forward(Array::filled(host, A->domain_size(), 1), sums);
      const Array z = Array::from(backend_, sums.to_host());
      QVERIFY2(distance(y, z) <= 0.2 * length(z), c.name.c_str());
    }
  }

  void onlyConesMayBeRefusedOnACircle() {
    for (const auto* entry : catalog_.projectors.on(on_))
      for (const ScanCase& c : cases_) {
        if (!c.geometry->rotates()) continue;
        const std::string why = refusal(entry->key, c);
        const bool may_refuse =
            c.geometry->beam() == Beam::cone && !entry->traits_on(on_).scans.cone;
        QVERIFY2(why.empty() != may_refuse, (entry->key + ", " + c.name + ": " + why).c_str());
        QVERIFY2(!may_refuse || why.find("does not cover cone beams") != std::string::npos,
                 why.c_str());
      }
  }

  void adjointIsTheTranspose_data() { rows(&ProjectorTraits::is_exact_pair); }
  void adjointIsTheTranspose() {
    const auto A = projector();
    const Array x = image(*A, 1), y = rays(*A, 2);
    Array Ax(backend_, A->range_size()), Aty(backend_, A->domain_size());
    A->forward(x, Ax);
    A->adjoint(y, Aty);
    const double scale = length(Ax) * length(y);
    EXPECT_NEAR(backend_.dot(Ax, y), backend_.dot(x, Aty), 1e-6 * scale);
    QFETCH(int, scan);
    QCOMPARE(scale == 0, sees_nothing(cases_[static_cast<std::size_t>(scan)]));
  }

  void productsAreThoseOfTheSingleWeights_data() { rows(&ProjectorTraits::has_single_weights); }
  void productsAreThoseOfTheSingleWeights() {
    const auto A = projector();
    const Array x = image(*A, 14);
    Array y(backend_, A->range_size());
    A->forward(x, y);
    const std::vector<float> image_values = x.to_host(), sums = y.to_host();
    double largest = 0, worst = 0;
    RowWeights weights;
    std::size_t i = 0;
    for (int v = 0; v < A->views(); ++v) {
      const auto view = A->row_source()->view_rows(v);
      for (int row = 0; row < A->geometry().rows(); ++row)
        for (int column = 0; column < A->geometry().columns(); ++column, ++i) {
          view->weights(column, row, weights);
          double sum = 0;
          for (std::size_t k = 0; k < weights.size(); ++k) {
            QVERIFY(weights.weight[k] > 0 && weights.voxel[k] < A->domain_size());
            sum += weights.weight[k] * static_cast<double>(image_values[weights.voxel[k]]);
          }
          largest = std::max(largest, sum);
          worst = std::max(worst, std::abs(sum - sums[i]));
        }
    }
    // Rays along grid planes may belong to either neighbour.
    QFETCH(int, scan);
    const bool ambiguous =
        cases_[static_cast<std::size_t>(scan)].name.find("diagonals") != std::string::npos;
    QVERIFY2(worst <= (ambiguous ? 0.5 : 2e-5) * largest,
             qPrintable(QStringLiteral("off by %1 of %2").arg(worst).arg(largest)));
  }

  void isLinear_data() { rows(); }
  void isLinear() {
    const auto A = projector();
    const Array x1 = image(*A, 3), x2 = image(*A, 4);
    Array combined = x2.clone(), y1(backend_, A->range_size()), y2(backend_, A->range_size()),
          y(backend_, A->range_size());
    backend_.axpby(2.5F, x1, -0.75F, combined);
    A->forward(x1, y1);
    A->forward(x2, y2);
    A->forward(combined, y);
    backend_.axpby(2.5F, y1, -0.75F, y2);
    QVERIFY(distance(y, y2) <= 2 * A->rounding() * (2.5 * length(y1) + length(y)));

    const Array r1 = rays(*A, 5), r2 = rays(*A, 6);
    Array mixed = r2.clone(), b1(backend_, A->domain_size()), b2(backend_, A->domain_size()),
          b(backend_, A->domain_size());
    backend_.axpby(2.5F, r1, -0.75F, mixed);
    A->adjoint(r1, b1);
    A->adjoint(r2, b2);
    A->adjoint(mixed, b);
    backend_.axpby(2.5F, b1, -0.75F, b2);
    QVERIFY(distance(b, b2) <= 2 * A->rounding() * (2.5 * length(b1) + length(b)));
  }

  void outputsAreOverwritten_data() { rows(); }
  void outputsAreOverwritten() {
    const auto A = projector();
    const Array x = image(*A, 7), y = rays(*A, 8);
    Array clean(backend_, A->range_size()),
        dirty = Array::filled(backend_, A->range_size(), std::nanf(""));
    A->forward(x, clean);
    A->forward(x, dirty);
    QCOMPARE(distance(clean, dirty), 0.0);
    Array clean_image(backend_, A->domain_size()),
        dirty_image = Array::filled(backend_, A->domain_size(), std::nanf(""));
    A->adjoint(y, clean_image);
    A->adjoint(y, dirty_image);
    QVERIFY(distance(clean_image, dirty_image) <=
            (A->repeatable() ? 0.0 : A->rounding() * length(clean_image)));
  }

  void subsetsMakeUpTheWhole_data() { rows(); }
  void subsetsMakeUpTheWhole() {
    const auto A = projector();
    const Array x = image(*A, 9), y = rays(*A, 10);
    Array whole(backend_, A->range_size()),
        parts = Array::filled(backend_, A->range_size(), std::nanf(""));
    Array whole_image(backend_, A->domain_size()), part(backend_, A->domain_size()),
        sum = Array::filled(backend_, A->domain_size(), 0);
    A->forward(x, whole);
    A->adjoint(y, whole_image);
    const int subsets = std::min(3, A->views());
    for (int s = 0; s < subsets; ++s) {
      const ViewSubset views = ViewSubset::interleaved(s, subsets, A->views());
      A->forward(x, parts, views);
      A->adjoint(y, part, views);
      backend_.axpby(1, part, 1, sum);
    }
    QVERIFY(distance(whole, parts) <= 1e-6 * length(whole));
    QVERIFY(distance(whole_image, sum) <= 2e-6 * length(whole_image));
  }

  /// Some projectors compute updates of few views in another way: the result is that of the
  /// formula.
  void theUpdateIsItsFormula_data() { stepRows<MakesSubsetSweeps>(); }
  void theUpdateIsItsFormula() {
    const auto A = projector();
    for (const float common_weight : {0.0F, 0.3F})
      for (const int count : {1, 3, 6})
        for (int first = 0; first < std::min(3, A->views()); ++first)
          expect_formula(*A, {first, 1, std::min(count, A->views() - first)}, common_weight);
  }

  /// The norms of matrix rows that methods divide by are those of the weights, although they are
  /// computed once for views that are images of each other.
  void normsOfRowsAreTheRows_data() { rows(&ProjectorTraits::has_single_weights); }
  void normsOfRowsAreTheRows() {
    const auto A = projector();
    std::size_t compared = 0;
    expect_row_norms(*A, compared);
    QFETCH(int, scan);
    QCOMPARE(compared == 0, sees_nothing(cases_[static_cast<std::size_t>(scan)]));
  }

  /// Several updates in one call give the result of single updates. Repeated calls with the same
  /// arguments may be computed in another way (recorded device calls).
  void theSweepIsItsUpdates_data() { stepRows<MakesSubsetSweeps>(); }
  void theSweepIsItsUpdates() {
    const auto A = projector();
    const Array start = image(*A, 9), b = rays(*A, 10), weight = rays(*A, 11);
    const int subsets = std::min(3, A->views());
    Array x(backend_, A->domain_size());
    std::unique_ptr<SubsetSweep> single, sweep;
    for (int time = 0; time < 8; ++time) {
      const SubsetUpdate update{0.7F, -0.2F, 0.05F, time < 4 ? 0.0F : 0.02F};
      if (time % 4 == 0) {
        single = make_subset_sweep(*A, weight.clone(), update);
        sweep = make_subset_sweep(*A, weight.clone(), update);
      }
      std::vector<ViewSubset> order;
      for (int s = 0; s < subsets; ++s)
        order.push_back(ViewSubset::interleaved((s + time) % subsets, subsets, A->views()));
      Array expected = start.clone();
      UpdateNorms sum;
      for (const ViewSubset& subset : order) {
        const UpdateNorms norms = single->run(expected, b, {&subset, 1});
        sum.residual_square += norms.residual_square;
        sum.update_square += norms.update_square;
      }
      backend_.copy(start, x);
      const UpdateNorms norms = sweep->run(x, b, order);
      EXPECT_NEAR(norms.residual_square, sum.residual_square, 1e-5 * sum.residual_square);
      EXPECT_NEAR(norms.update_square, sum.update_square, 1e-4 * sum.update_square + 1e-12);
      QVERIFY(distance(x, expected) <= 2e-5 * length(expected));
    }
  }

  void theGradientStepIsItsFormula_data() { stepRows<MakesGradientSteps>(); }
  void theGradientStepIsItsFormula() {
    const auto A = projector();
    const Array start = image(*A, 9), b = rays(*A, 10), weight = rays(*A, 11),
                column = image(*A, 12);
    for (const Array* row_weight : {&weight, static_cast<const Array*>(nullptr)}) {
      Array r(backend_, A->range_size()), gradient(backend_, A->domain_size());
      const double residual = A->residual_adjoint(start, b, row_weight, r, gradient, A->all());
      Array expected = start.clone();
      const double change = backend_.scaled_update(expected, 0.7F, column, gradient, -0.2F);
      const auto step = make_gradient_step(*A);
      if (row_weight != nullptr) step->scale_rows(row_weight->clone());
      // Repeated calls with the same arguments may be computed in another way.
      Array x(backend_, A->domain_size());
      for (int time = 0; time < 3; ++time) {
        backend_.copy(start, x);
        const UpdateNorms norms = step->apply(x, b, column, {0.7F, -0.2F});
        EXPECT_NEAR(norms.residual_square, residual, 1e-5 * residual);
        EXPECT_NEAR(norms.update_square, change, 1e-5 * change + 1e-12);
        QVERIFY(distance(x, expected) <= 2 * A->rounding() * length(expected));
      }
    }
  }

  void otherViewsStayUntouched_data() { rows(nullptr, 3); }
  void otherViewsStayUntouched() {
    const auto A = projector();
    const Array x = image(*A, 11);
    Array y = Array::filled(backend_, A->range_size(), -7);
    A->forward(x, y, {1, 2, 1});
    const std::vector<float> values = y.to_host();
    for (int v = 0; v < A->views(); ++v)
      if (v != 1)
        for (std::size_t i = 0; i < A->cells_per_view(); ++i)
          QCOMPARE(values[static_cast<std::size_t>(v) * A->cells_per_view() + i], -7.0F);
  }

  void resultsAreFiniteAndNotNegative_data() { rows(); }
  void resultsAreFiniteAndNotNegative() {
    const auto A = projector();
    Array y(backend_, A->range_size()), x(backend_, A->domain_size());
    A->forward(Array::filled(backend_, A->domain_size(), 1), y);
    A->adjoint(Array::filled(backend_, A->range_size(), 1), x);
    // Rounding of prefix sums may leave an error relative to the largest value.
    for (const float value : y.to_host()) QVERIFY(std::isfinite(value) && value >= 0);
    float largest = 0;
    const std::vector<float> image_values = x.to_host();
    for (const float value : image_values) largest = std::max(largest, value);
    for (const float value : image_values)
      QVERIFY(std::isfinite(value) && value >= -A->rounding() * largest);
  }

  void wrongShapesAreRefused() {
    const ScanCase& c = cases_.front();
    for (const auto* entry : catalog_.projectors.on(on_)) {
      const auto A = make(*entry, c.geometry, c.grid);
      Array x(backend_, A->domain_size()), y(backend_, A->range_size()), wrong(backend_, 3);
      EXPECT_THROWS(ShapeError, A->forward(wrong, y), "image of 3");
      EXPECT_THROWS(ShapeError, A->adjoint(wrong, x), "rays of 3");
      EXPECT_THROWS(ShapeError, A->forward(x, y, {0, 1, 10000}), "outside the scan");
      CpuBackend other;
      Array foreign(other, A->domain_size());
      EXPECT_THROWS(ShapeError, A->forward(foreign, y), "another backend");
    }
  }

  void sourceInsideTheVolumeIsRefused() {
    ScanSpec spec = fan_spec(4, 16, 3);
    spec.source_to_isocenter_mm = 20;
    for (const auto* entry : catalog_.projectors.on(on_))
      EXPECT_THROWS(UsageError, make(*entry, share(spec), cases_.front().grid), "inside");
  }

  void raisedInterruptStopsWork() {
    const ScanCase& c = cases_.front();
    for (const auto* entry : catalog_.projectors.on(on_)) {
      const auto A = make(*entry, c.geometry, c.grid);
      Interrupt interrupt;
      A->set_interrupt(&interrupt);
      const Array x = image(*A, 12), y = rays(*A, 13);
      Array Ax(backend_, A->range_size()), Aty(backend_, A->domain_size());
      A->forward(x, Ax);
      const double counted = A->applications();
      QCOMPARE(counted, 1.0);
      interrupt.raise();
      QVERIFY_THROWS_EXCEPTION(Interrupted, A->forward(x, Ax));
      QVERIFY_THROWS_EXCEPTION(Interrupted, A->adjoint(y, Aty));
      QCOMPARE(A->applications(), counted);
      interrupt.lower();
      Array again(backend_, A->range_size());
      A->forward(x, again);
      A->forward(x, Ax);
      QCOMPARE(distance(again, Ax), 0.0);
    }
  }
};

}  // namespace gantry::test
