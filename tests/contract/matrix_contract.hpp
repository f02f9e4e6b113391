// What every matrix format of the catalogue promises on a backend, with every projector that gives
// single weights: the products are those of the weights, and what is said to be stored is.
#pragma once

#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/catalog/catalog.hpp"
#include "tests/contract/contract_bench.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/nth_check.hpp"
#include "tests/support/ray_book.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/threads.hpp"

#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace gantry::test {

/// The awkward scans of the projectors, and some that map onto themselves when turned or mirrored:
/// there are formats for these alone.
inline std::vector<ScanCase> matrix_cases() {
  std::vector<ScanCase> cases = scan_cases();
  const auto add = [&](const std::string& name, Beam beam, int views, double first, double span,
                       int columns, VolumeGrid grid) {
    ScanSpec spec = fan_spec(views, columns, 3);
    spec.beam = beam;
    spec.detector = beam == Beam::fan ? DetectorShape::arc : DetectorShape::flat;
    spec.view_angles_rad = angles_from_degrees(first * span / views, span / views, views);
    cases.push_back({"symmetric, " + name, share(std::move(spec)), grid});
  };
  const VolumeGrid even = VolumeGrid::centered(20, 20, 1, {2, 2, 2}),
                   odd = VolumeGrid::centered(17, 17, 1, {2, 2, 2});
  add("8 views off the axes", Beam::fan, 8, 0.5, 360, 24, even);
  add("16 views from the axis", Beam::fan, 16, 0, 360, 25, odd);
  add("12 views off the axes", Beam::fan, 12, 0.5, 360, 23, odd);
  add("20 views from the axis", Beam::fan, 20, 0, 360, 24, even);
  add("parallel, half a turn", Beam::parallel, 8, 0.5, 180, 22, even);
  add("not square", Beam::fan, 8, 0.5, 360, 24, VolumeGrid::centered(20, 14, 1, {2, 2, 2}));
  ScanSpec cone = fan_spec(12, 15, 5);
  cone.beam = Beam::cone;
  cone.detector_rows = 7;
  cone.central_row = 3;
  cone.view_angles_rad = angles_from_degrees(15, 30, 12);
  cases.push_back({"symmetric, in space", share(cone), VolumeGrid::centered(12, 12, 5, {3, 3, 4})});
  return cases;
}

class MatrixContract : public QObject {
  Q_OBJECT

 public:
  explicit MatrixContract(ContractBench bench) : bench_(std::move(bench)) {}

 private:
  /// A format with its parameters.
  struct Variant {
    std::string name, key;
    Params params;
  };
  struct Scan {
    std::string projector;
    std::size_t scan;
    bool operator<(const Scan& other) const {
      return std::tie(projector, scan) < std::tie(other.projector, other.scan);
    }
  };

  ContractBench bench_;
  const Catalog& catalog_ = bench_.catalog;
  Backend& backend_ = *bench_.backend;
  const std::string& on_ = bench_.key;
  CpuBackend host_;
  std::vector<ScanCase> cases_ = matrix_cases();
  std::vector<Variant> variants_;
  std::map<Scan, RayBook> books_;

  std::unique_ptr<Projector> weights(const std::string& projector, std::size_t scan) {
    const ScanCase& c = cases_[scan];
    return catalog_.projectors.make(projector, on_, backend_, c.geometry, c.grid, {});
  }
  std::unique_ptr<MatrixFormat> format(const Variant& variant) {
    return catalog_.matrix_formats.make(variant.key, on_, variant.params);
  }
  const Variant& variant() {
    QFETCH_GLOBAL(int, variant);
    return variants_[static_cast<std::size_t>(variant)];
  }
  Scan scan() {
    QFETCH(QString, projector);
    QFETCH(int, scan);
    return {projector.toStdString(), static_cast<std::size_t>(scan)};
  }
  /// The weights of the projector's twin on the CPU: the definition is one.
  const RayBook& book(const Scan& of) {
    const auto found = books_.find(of);
    if (found != books_.end()) return found->second;
    const ScanCase& c = cases_[of.scan];
    return books_
        .try_emplace(of,
                     *catalog_.projectors.make(of.projector, "cpu", host_, c.geometry, c.grid, {}))
        .first->second;
  }
  /// Null where the format refuses the scan, which refusalsSayWhy looks at. Parameters of a format
  /// are tried with one projector.
  std::unique_ptr<StoredMatrix> matrix(const Scan& of) {
    if (!variant().params.values().empty() && of.projector != "siddon") return nullptr;
    try {
      return std::make_unique<StoredMatrix>(weights(of.projector, of.scan), format(variant()));
    } catch (const UsageError&) {
      return nullptr;
    }
  }

  /// Whether the transposed product may be taken at its word.
  bool is_right() { return format(variant())->caveat().empty(); }

  /// Whether the backend has the projector for the scan, with single weights.
  bool gives_weights(const std::string& projector, std::size_t scan) {
    try {
      return weights(projector, scan)->row_source() != nullptr;
    } catch (const UsageError&) {
      return false;
    }
  }

  /// Every projector that gives single weights on every scan that it takes.
  void rows() {
    QTest::addColumn<QString>("projector");
    QTest::addColumn<int>("scan");
    for (const auto* entry : catalog_.projectors.on(on_))
      for (std::size_t i = 0; i < cases_.size(); ++i)
        if (catalog_.projectors.has(entry->key, "cpu") && gives_weights(entry->key, i))
          QTest::addRow("%s, %s", entry->key.c_str(), cases_[i].name.c_str())
              << QString::fromStdString(entry->key) << static_cast<int>(i);
  }

  /// All views, every other, a single one, a few in the middle: as far as there are as many.
  static std::vector<ViewSubset> subsets(int views) {
    std::vector<ViewSubset> all = {ViewSubset::all(views), {views - 1, 1, 1}};
    if (views > 2) all.push_back(ViewSubset::interleaved(1, 2, views));
    if (views > 4) all.push_back({1, 3, (views - 2) / 3 + 1});
    if (views > 3) all.push_back({1, 1, 2});
    return all;
  }

  static void expect_close(const Array& found, const std::vector<double>& expected,
                           double rounding) {
    const std::vector<float> values = found.to_host();
    QCOMPARE(values.size(), expected.size());
    double difference = 0, square = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      QVERIFY(std::isfinite(values[i]));
      difference += std::pow(values[i] - expected[i], 2);
      square += std::pow(expected[i], 2);
    }
    EXPECT_NEAR(std::sqrt(difference), 0, rounding * std::sqrt(square));
  }

 private slots:
  void initTestCase_data() {
    // A format with each choice of each parameter in turn.
    for (const auto* entry : catalog_.matrix_formats.on(on_)) {
      variants_.push_back({entry->key, entry->key, {}});
      for (const ParamSpec& spec : entry->params)
        for (const std::string& choice : spec.choices)
          if (spec.fallback != ParamValue(choice))
            variants_.push_back(
                {entry->key + ", " + spec.key + " " + choice, entry->key, {{spec.key, choice}}});
    }
    QTest::addColumn<int>("variant");
    for (std::size_t i = 0; i < variants_.size(); ++i)
      QTest::addRow("%s", variants_[i].name.c_str()) << static_cast<int>(i);
  }
  void initTestCase() {
    if (!bench_.absent.empty()) QSKIP(bench_.absent.c_str());
    QVERIFY(!variants_.empty());
  }

  void refusalsSayWhy() {
    int taken = 0;
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      if (!gives_weights("siddon", i)) continue;
      try {
        StoredMatrix(weights("siddon", i), format(variant()));
        ++taken;
      } catch (const UsageError& error) {
        const std::string why = error.what(),
                          label = catalog_.matrix_formats.at(variant().key).label;
        QVERIFY2(why.find(label) != std::string::npos && why.find('\n') == std::string::npos,
                 why.c_str());
      }
    }
    QVERIFY(taken > 0);
  }

  void productsAreThoseOfTheWeights_data() { rows(); }
  void productsAreThoseOfTheWeights() {
    const auto A = matrix(scan());
    if (A == nullptr) return;
    const RayBook& exact = book(scan());
    const double rounding = format(variant())->rounding();
    const std::vector<float> x = random_values(A->domain_size(), 1),
                             y = random_values(A->range_size(), 2);
    const Array image = Array::from(backend_, x), rays = Array::from(backend_, y);
    for (const ViewSubset& views : subsets(A->views())) {
      // Rays of other views stay as they are; what was in the views, and in the image, is gone.
      std::vector<double> before = exact.forward(x, views, -7);
      for (double& value : before) value = value == -7 ? -7 : std::nan("");
      Array sums = Array::from(backend_, std::vector<float>(before.begin(), before.end())),
            back = Array::filled(backend_, A->domain_size(), std::nanf(""));
      A->forward(image, sums, views);
      expect_close(sums, exact.forward(x, views, -7), rounding);
      A->adjoint(rays, back, views);
      if (is_right()) expect_close(back, exact.adjoint(y, views), rounding);
    }
    Array nothing = Array::filled(backend_, A->range_size(), -7), zero = image.clone();
    A->forward(image, nothing, {0, 1, 0});
    QCOMPARE(nothing.to_host(), std::vector<float>(A->range_size(), -7.0F));
    A->adjoint(rays, zero, {0, 1, 0});
    QCOMPARE(length(zero), 0.0);
  }

  /// r = C (b - A x) and out = A^T r, which some formats compute in one.
  void residualsAreThoseOfTheWeights_data() { rows(); }
  void residualsAreThoseOfTheWeights() {
    const auto A = matrix(scan());
    if (A == nullptr) return;
    const RayBook& exact = book(scan());
    const double rounding = 4 * format(variant())->rounding();
    const std::vector<float> x = random_values(A->domain_size(), 3),
                             c = random_values(A->range_size(), 4, 0.5F, 1);
    std::vector<float> b = random_values(A->range_size(), 5, 1, 2);
    for (const ViewSubset& views : subsets(A->views())) {
      const std::vector<double> sums = exact.forward(x, views, 0);
      // Well above A x, so that the difference has no digits less.
      for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(2 * sums[i] + b[i]);
      for (const bool weighted : {true, false}) {
        std::vector<double> expected(b.size(), 0.0);
        std::vector<float> residual(b.size(), 0.0F);
        double square = 0;
        for (int i = 0; i < views.count; ++i)
          for (std::size_t cell = 0; cell < A->cells_per_view(); ++cell) {
            const std::size_t at =
                static_cast<std::size_t>(views.view(i)) * A->cells_per_view() + cell;
            const double difference = b[at] - sums[at];
            square += difference * difference;
            expected[at] = difference * (weighted ? c[at] : 1);
            residual[at] = static_cast<float>(expected[at]);
          }
        const Array weight = Array::from(backend_, c);
        Array r = Array::filled(backend_, A->range_size(), 0),
              out = Array::filled(backend_, A->domain_size(), std::nanf(""));
        const double found = A->residual_adjoint(Array::from(backend_, x), Array::from(backend_, b),
                                                 weighted ? &weight : nullptr, r, out, views);
        EXPECT_NEAR(found, square, rounding * square);
        expect_close(r, expected, rounding);
        if (is_right()) expect_close(out, exact.adjoint(residual, views), rounding);
      }
    }
  }

  /// What is for study alone says so, and does not claim to repeat itself.
  void whatMayBeWrongSaysSo() {
    if (is_right()) return;
    const auto A = matrix({"siddon", taken_case()});
    QVERIFY(A->note().find(format(variant())->caveat()) != std::string::npos);
    QVERIFY(!A->repeatable());
    for (const ParamSpec& spec : catalog_.matrix_formats.at(variant().key, on_).params)
      QVERIFY(variant().params.values().count(spec.key) == 0 ||
              spec.fallback != variant().params.values().at(spec.key));
  }

  void adjointIsTheTranspose_data() { rows(); }
  void adjointIsTheTranspose() {
    const auto A = matrix(scan());
    if (A == nullptr || !is_right()) return;
    const Array x = Array::from(backend_, random_values(A->domain_size(), 6)),
                y = Array::from(backend_, random_values(A->range_size(), 7));
    Array Ax(backend_, A->range_size()), Aty(backend_, A->domain_size());
    A->forward(x, Ax);
    A->adjoint(y, Aty);
    EXPECT_NEAR(backend_.dot(Ax, y), backend_.dot(x, Aty),
                std::max(1e-6, A->rounding()) * length(Ax) * length(y));
  }

  void storageCountsTheWeights_data() { rows(); }
  void storageCountsTheWeights() {
    const auto A = matrix(scan());
    if (A == nullptr) return;
    const std::size_t announced = A->workspace_bytes();
    const MatrixStorage storage = A->storage();
    // Where edges of cells and pixels coincide, it is rounding that decides which of two views that
    // mirror each other has a weight there, and whether a device finds one where a ray touches a
    // voxel's corner.
    const auto counted = static_cast<double>(book(scan()).nonzeros()),
               by_rounding = static_cast<double>(book(scan()).nonzeros_below(1e-9));
    // A device rounds in its own way where a ray touches a voxel's corner.
    const double touched = backend_.kind() == BackendKind::cpu ? 0 : 0.02 * counted;
    EXPECT_NEAR(static_cast<double>(storage.nonzeros), counted, 2 * by_rounding + touched);
    QVERIFY(storage.stored <= 2 * storage.nonzeros);  // twice with a transpose of its own
    QVERIFY(storage.build_s >= 0 && !storage.parts.empty());
    std::set<std::string> names;
    for (const MatrixPart& part : storage.parts) names.insert(part.name);
    QCOMPARE(names.size(), storage.parts.size());
    // Of each stored entry there is something, and the estimate is one.
    QVERIFY(storage.bytes() >= 2 * (storage.stored + storage.padding));
    // Small ones are padding mostly, and on a device also alignment.
    const double slack = (backend_.kind() == BackendKind::cpu ? 4096 : 1 << 22) +
                         64.0 * static_cast<double>(A->range_size() + A->domain_size());
    QVERIFY(A->workspace_bytes() <= 3.0 * static_cast<double>(announced) + slack);
    QVERIFY(announced <= 3.0 * static_cast<double>(A->workspace_bytes()) + slack);
  }

  /// A build that gives way, at each place in turn where it can, holds nothing and is made again.
  void anInterruptedBuildLeavesNothing() {
    const Scan of{"siddon", taken_case()};
    const auto calm = matrix(of);
    const Array x = Array::from(backend_, random_values(calm->domain_size(), 8)),
                y = Array::from(backend_, random_values(calm->range_size(), 9));
    Array Ax(backend_, calm->range_size()), Aty(backend_, calm->domain_size());
    calm->forward(x, Ax);
    calm->adjoint(y, Aty);
    const auto A = matrix(of);
    const std::size_t empty = A->workspace_bytes();
    NthCheck check;
    A->set_interrupt(&check);
    int interruptions = 0;
    for (int place = 1; place < 1000 && !A->built(); ++place) {
      check.set(place);
      try {
        A->build();
      } catch (const Interrupted&) {
        ++interruptions;
        QVERIFY(!A->built());
        QCOMPARE(A->workspace_bytes(), empty);
      }
    }
    QVERIFY(A->built() && interruptions > 0);
    check.set(0);
    Array again(backend_, A->range_size()), back(backend_, A->domain_size());
    A->forward(x, again);
    A->adjoint(y, back);
    QVERIFY(distance(again, Ax) <= (A->repeatable() ? 0 : A->rounding() * length(Ax)));
    if (is_right())
      QVERIFY(distance(back, Aty) <= (A->repeatable() ? 0 : A->rounding() * length(Aty)));
    QCOMPARE(A->storage().bytes(), calm->storage().bytes());
  }

  void aRaisedInterruptStopsProducts() {
    const auto A = matrix({"siddon", taken_case()});
    Interrupt interrupt;
    A->set_interrupt(&interrupt);
    const Array x = Array::from(backend_, random_values(A->domain_size(), 10)),
                y = Array::from(backend_, random_values(A->range_size(), 11));
    Array Ax(backend_, A->range_size()), Aty(backend_, A->domain_size());
    interrupt.raise();
    QVERIFY_THROWS_EXCEPTION(Interrupted, A->build());
    interrupt.lower();
    A->build();
    interrupt.raise();
    QVERIFY_THROWS_EXCEPTION(Interrupted, A->forward(x, Ax));
    QVERIFY_THROWS_EXCEPTION(Interrupted, A->adjoint(y, Aty));
    interrupt.lower();
    A->forward(x, Ax);
    QVERIFY(length(Ax) > 0);
  }

  void productsRepeat() {
    const Scan of{"siddon", taken_case()};
    const auto A = matrix(of);
    if (!A->repeatable()) return;
    if (backend_.kind() == BackendKind::cpu) expect_same_products_on_any_threads(*A);
    const Array x = Array::from(backend_, random_values(A->domain_size(), 12)),
                y = Array::from(backend_, random_values(A->range_size(), 13));
    Array first(backend_, A->range_size()), back(backend_, A->domain_size());
    A->forward(x, first);
    A->adjoint(y, back);
    for (int time = 0; time < 3; ++time) {
      Array again(backend_, A->range_size()), back_again(backend_, A->domain_size());
      A->forward(x, again);
      A->adjoint(y, back_again);
      QCOMPARE(again.to_host(), first.to_host());
      QCOMPARE(back_again.to_host(), back.to_host());
    }
  }

 private:
  /// The last of the scans that the format takes with Siddon's weights.
  std::size_t taken_case() {
    for (std::size_t i = cases_.size(); i-- > 0;)
      if (gives_weights("siddon", i) && matrix({"siddon", i}) != nullptr) return i;
    return 0;
  }
};

}  // namespace gantry::test
