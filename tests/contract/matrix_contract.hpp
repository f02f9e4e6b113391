// The contract of every matrix format of the catalogue on a backend, with every projector that
// gives single weights: the products are those of the weights, and the reported storage is right.
#pragma once

#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/catalog/catalog.hpp"
#include "tests/contract/contract_bench.hpp"
#include "tests/contract/matrix_cases.hpp"
#include "tests/contract/rounding_caps.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/interrupt_at_check.hpp"
#include "tests/support/reference_weights.hpp"
#include "tests/support/threads.hpp"

#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace gantry::test {

class MatrixContract : public QObject {
  Q_OBJECT

 public:
  explicit MatrixContract(ContractBench bench) : bench_(std::move(bench)) {}

 private:
  /// A format with parameter values.
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

  /// A format, and weights that it accepts.
  struct Accepted {
    int variant;
    Scan of;
  };

  ContractBench bench_;
  const Catalog& catalog_ = bench_.catalog;
  Backend& backend_ = *bench_.backend;
  const std::string& on_ = bench_.key;
  CpuBackend host_;
  std::vector<ScanCase> cases_ = matrix_cases(), large_ = large_matrix_cases();
  std::vector<Variant> variants_;
  std::vector<Accepted> accepted_;
  std::map<Scan, ReferenceWeights> books_;

  std::unique_ptr<Projector> weights(const std::string& projector, std::size_t scan) {
    const ScanCase& c = cases_[scan];
    return catalog_.projectors.make(projector, on_, backend_, c.geometry, c.grid, {});
  }
  std::unique_ptr<MatrixFormat> format(const Variant& variant) {
    return catalog_.matrix_formats.make(variant.key, on_, variant.params);
  }
  const Variant& variant() {
    QFETCH(int, variant);
    return variants_[static_cast<std::size_t>(variant)];
  }
  Scan scan() {
    QFETCH(QString, projector);
    QFETCH(int, scan);
    return {projector.toStdString(), static_cast<std::size_t>(scan)};
  }
  std::unique_ptr<Projector> large_weights(const ScanCase& c) {
    return catalog_.projectors.make("siddon", on_, backend_, c.geometry, c.grid, {});
  }
  bool accepts(const Variant& variant, const ScanCase& c) {
    try {
      format(variant)->require(*large_weights(c));
      return true;
    } catch (const UsageError&) {
      return false;
    }
  }
  /// Returns the weights of the same projector on the CPU, which defines the weights of all
  /// backends.
  const ReferenceWeights& book(const Scan& of) {
    const auto found = books_.find(of);
    if (found != books_.end()) return found->second;
    const ScanCase& c = cases_[of.scan];
    return books_
        .try_emplace(of,
                     *catalog_.projectors.make(of.projector, "cpu", host_, c.geometry, c.grid, {}))
        .first->second;
  }
  std::unique_ptr<StoredMatrix> matrix(const Scan& of) {
    return std::make_unique<StoredMatrix>(weights(of.projector, of.scan), format(variant()));
  }

  /// Returns whether the transposed product is exact.
  bool is_right(const Variant& variant) { return format(variant)->caveat().empty(); }
  bool is_right() { return is_right(variant()); }

  /// Returns whether the backend has the projector for the scan, with single weights that both
  /// products have in common.
  bool gives_weights(const std::string& projector, std::size_t scan) {
    if (!catalog_.projectors.has(projector, on_)) return false;
    const ProjectorTraits& traits = catalog_.projectors.at(projector).traits_on(on_);
    return traits.is_exact_pair && traits.has_single_weights &&
           traits.scans.include(*cases_[scan].geometry);
  }

  /// Finds each format with its defaults, and with every other choice of each parameter.
  void find_variants() {
    for (const auto* entry : catalog_.matrix_formats.on(on_)) {
      variants_.push_back({entry->key, entry->key, {}});
      for (const ParamSpec& spec : entry->params)
        for (const std::string& choice : spec.choices)
          if (spec.fallback != ParamValue(choice))
            variants_.push_back(
                {entry->key + ", " + spec.key + " " + choice, entry->key, {{spec.key, choice}}});
    }
  }
  /// Finds the weights that each format accepts; refusalsSayWhy checks the refusals. Parameters
  /// other than the defaults are tested with one projector only.
  void find_accepted() {
    for (const auto* entry : catalog_.projectors.on(on_))
      for (std::size_t scan = 0; scan < cases_.size(); ++scan) {
        if (!catalog_.projectors.has(entry->key, "cpu") || !gives_weights(entry->key, scan))
          continue;
        const auto A = weights(entry->key, scan);
        for (std::size_t v = 0; v < variants_.size(); ++v) try {
            if (!variants_[v].params.values().empty() && entry->key != "siddon") continue;
            format(variants_[v])->require(*A);
            accepted_.push_back({static_cast<int>(v), {entry->key, scan}});
          } catch (const UsageError&) {  // does not accept the scan
          }
      }
  }

  static bool every(const Variant&) { return true; }
  /// Adds a row for every variant that is wanted, with all weights that it accepts.
  void rows(const auto& wanted) {
    QTest::addColumn<int>("variant");
    QTest::addColumn<QString>("projector");
    QTest::addColumn<int>("scan");
    int added = 0;
    for (const auto& [index, of] : accepted_) {
      const Variant& one = variants_[static_cast<std::size_t>(index)];
      if (!wanted(one)) continue;
      ++added;
      QTest::addRow("%s, %s, %s", one.name.c_str(), of.projector.c_str(),
                    cases_[of.scan].name.c_str())
          << index << QString::fromStdString(of.projector) << static_cast<int>(of.scan);
    }
    if (added == 0) QSKIP("no format of this backend has what is tested");
  }
  /// Adds a row for every variant that is wanted.
  void variantRows(const auto& wanted) {
    QTest::addColumn<int>("variant");
    int added = 0;
    for (std::size_t v = 0; v < variants_.size(); ++v) {
      if (!wanted(variants_[v])) continue;
      ++added;
      QTest::addRow("%s", variants_[v].name.c_str()) << static_cast<int>(v);
    }
    if (added == 0) QSKIP("no format of this backend has what is tested");
  }

  /// Returns all views, every second, a single one, some with stride 3, and two in the middle, as
  /// far as there are enough views.
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
      difference += std::pow(values[i] - expected[i], 2);
      square += std::pow(expected[i], 2);
    }
    EXPECT_NEAR(std::sqrt(difference), 0, rounding * std::sqrt(square));  // fails for NaN, too
  }

 private slots:
  void initTestCase() {
    if (!bench_.absent.empty()) QSKIP(bench_.absent.c_str());
    find_variants();
    find_accepted();
    QVERIFY(!variants_.empty());
    QVERIFY(!accepted_.empty());  // of which there are none, every test would be skipped
  }

  void roundingIsCapped_data() { variantRows(every); }
  void roundingIsCapped() {
    const auto& entry = catalog_.matrix_formats.at(variant().key, on_);
    const double cap = rounding_cap_of_format(
                     entry.key, resolve_params(variant().params, entry.params_on(on_), entry.key)),
                 declared = format(variant())->rounding();
    QVERIFY2(declared > 0 && declared <= cap, qPrintable(QString::number(declared)));
  }

  void refusalsSayWhy_data() { variantRows(every); }
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

  void productsAreThoseOfTheWeights_data() { rows(every); }
  void productsAreThoseOfTheWeights() {
    const auto A = matrix(scan());
    const ReferenceWeights& exact = book(scan());
    const double rounding = format(variant())->rounding();
    const std::vector<float> x = random_values(A->domain_size(), 1),
                             y = random_values(A->range_size(), 2);
    const Array image = Array::from(backend_, x), rays = Array::from(backend_, y);
    for (const ViewSubset& views : subsets(A->views())) {
      // Rays of other views keep their values; the former values of the views, and of the image,
      // are overwritten.
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

  /// r = C (b - A x) and out = A^T r, which some formats compute together.
  void residualsAreThoseOfTheWeights_data() { rows(every); }
  void residualsAreThoseOfTheWeights() {
    const auto A = matrix(scan());
    const ReferenceWeights& exact = book(scan());
    const double rounding = 4 * format(variant())->rounding();
    const std::vector<float> x = random_values(A->domain_size(), 3),
                             c = random_values(A->range_size(), 4, 0.5F, 1);
    std::vector<float> b = random_values(A->range_size(), 5, 1, 2);
    for (const ViewSubset& views : subsets(A->views())) {
      const std::vector<double> sums = exact.forward(x, views, 0);
      // b is well above A x, so that the difference keeps all digits.
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

  /// Formats with a caveat state it in their note and are not reported as repeatable.
  void whatMayBeWrongSaysSo_data() {
    variantRows([this](const Variant& one) { return !is_right(one); });
  }
  void whatMayBeWrongSaysSo() {
    const auto A = matrix({"siddon", taken_case()});
    QVERIFY(A->note().find(format(variant())->caveat()) != std::string::npos);
    QVERIFY(!A->repeatable());
    for (const ParamSpec& spec : catalog_.matrix_formats.at(variant().key, on_).params)
      QVERIFY(variant().params.values().count(spec.key) == 0 ||
              spec.fallback != variant().params.values().at(spec.key));
  }

  void adjointIsTheTranspose_data() {
    rows([this](const Variant& one) { return is_right(one); });
  }
  void adjointIsTheTranspose() {
    const auto A = matrix(scan());
    const Array x = Array::from(backend_, random_values(A->domain_size(), 6)),
                y = Array::from(backend_, random_values(A->range_size(), 7));
    Array Ax(backend_, A->range_size()), Aty(backend_, A->domain_size());
    A->forward(x, Ax);
    A->adjoint(y, Aty);
    EXPECT_NEAR(backend_.dot(Ax, y), backend_.dot(x, Aty),
                std::max(1e-6, A->rounding()) * length(Ax) * length(y));
  }

  void storageCountsTheWeights_data() { rows(every); }
  void storageCountsTheWeights() {
    const auto A = matrix(scan());
    const auto announced = static_cast<double>(A->workspace_bytes() - A->build_bytes());
    const MatrixStorage storage = A->storage();
    // Where edges of cells and pixels coincide, rounding decides which of two mirrored views has a
    // weight.
    const auto counted = static_cast<double>(book(scan()).nonzeros()),
               by_rounding = static_cast<double>(book(scan()).nonzeros_below(1e-9));
    // Where a ray touches the corner of a voxel, rounding on a device differs from that on the CPU.
    const double touched = backend_.kind() == BackendKind::cpu ? 0 : 0.02 * counted;
    EXPECT_NEAR(static_cast<double>(storage.nonzeros), counted, 2 * by_rounding + touched);
    QVERIFY(storage.stored <= 2 * storage.nonzeros);  // twice with a stored transpose
    QVERIFY(storage.build_s >= 0 && !storage.parts.empty());
    std::set<std::string> names;
    for (const MatrixPart& part : storage.parts) names.insert(part.name);
    QCOMPARE(names.size(), storage.parts.size());
    // Each stored entry takes two bytes at least.
    QVERIFY(storage.bytes() >= 2 * (storage.stored + storage.padding));
    // On a device small matrices are mostly padding: memoryGrowsByTheStorage() has larger ones.
    const auto taken = static_cast<double>(A->workspace_bytes());
    if (backend_.kind() == BackendKind::cpu) EXPECT_NEAR(announced, taken, 0.05 * taken);
  }

  /// The allocated memory grows by the reported parts, of matrices so large that the allocator's
  /// own bytes do not count, and by more during the build only where that is stated.
  void memoryGrowsByTheStorage_data() {
    if (!bench_.allocated_bytes) QSKIP("the C library does not tell what is allocated");
    QTest::addColumn<int>("variant");
    QTest::addColumn<int>("scan");
    for (std::size_t v = 0; v < variants_.size(); ++v)
      for (std::size_t c = 0; c < large_.size(); ++c)
        if (accepts(variants_[v], large_[c]))
          QTest::addRow("%s, %s", variants_[v].name.c_str(), large_[c].name.c_str())
              << static_cast<int>(v) << static_cast<int>(c);
  }
  void memoryGrowsByTheStorage() {
    QFETCH(int, scan);
    const ScanCase& c = large_[static_cast<std::size_t>(scan)];
    StoredMatrix A(large_weights(c), format(variant()));
    const auto announced = static_cast<double>(A.workspace_bytes() - A.build_bytes());
    const double before = bench_.allocated_bytes();
    A.build();
    const double grown = bench_.allocated_bytes() - before;
    const MatrixStorage& storage = A.storage();
    const auto workspace = static_cast<double>(storage.bytes(PartOf::workspace)),
               kept = static_cast<double>(storage.bytes()) - workspace,
               taken = static_cast<double>(A.workspace_bytes());
    std::string figures = "announced " + std::to_string(announced) + ", taken " +
                          std::to_string(taken) + ", grown by " + std::to_string(grown) +
                          ", kept " + std::to_string(kept) + ", workspace " +
                          std::to_string(workspace);
    for (const MatrixPart& part : storage.parts)
      figures += "; " + part.name + " " + std::to_string(part.bytes);
    // Workspace is allocated by the build or by the first product.
    QVERIFY2(grown >= 0.95 * kept && grown <= 1.05 * kept + workspace, figures.c_str());
    QVERIFY2(std::abs(announced - taken) <= 0.05 * taken, figures.c_str());
  }

  /// While a matrix is built, no more memory is taken than is stated before, and a good part of it.
  void aBuildTakesWhatIsStated_data() {
    if (!bench_.most_bytes_during) QSKIP("nothing tells how much is allocated at a time");
    memoryGrowsByTheStorage_data();
  }
  void aBuildTakesWhatIsStated() {
    QFETCH(int, scan);
    const ScanCase& c = large_[static_cast<std::size_t>(scan)];
    StoredMatrix A(large_weights(c), format(variant()));
    const auto stated = static_cast<double>(A.workspace_bytes());
    const double before = bench_.allocated_bytes(),
                 most = bench_.most_bytes_during([&] { A.build(); }) - before;
    const auto workspace = static_cast<double>(A.storage().bytes(PartOf::workspace));
    const std::string figures =
        "stated " + std::to_string(stated) + ", most taken " + std::to_string(most) + ", kept " +
        std::to_string(bench_.allocated_bytes() - before) + ", nonzeros " +
        std::to_string(A.storage().nonzeros) + ", stored " + std::to_string(A.storage().stored);
    // Workspace may be allocated by the first product.
    QVERIFY2(most <= 1.05 * stated && stated <= 1.25 * most + workspace, figures.c_str());
  }

  /// A build that is interrupted, at each of its checks in turn, leaves no memory behind and can be
  /// repeated.
  void anInterruptedBuildLeavesNothing_data() { variantRows(every); }
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
    InterruptAtCheck check;
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

  void aRaisedInterruptStopsProducts_data() { variantRows(every); }
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

  void productsRepeat_data() {
    variantRows([this](const Variant& one) { return format(one)->repeatable(); });
  }
  void productsRepeat() {
    const Scan of{"siddon", taken_case()};
    const auto A = matrix(of);
    QVERIFY(A->repeatable());
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
  /// Returns the last scan that the format accepts with Siddon's weights.
  std::size_t taken_case() {
    QFETCH(int, variant);
    std::size_t last = 0;
    for (const auto& [index, of] : accepted_)
      if (index == variant && of.projector == "siddon") last = of.scan;
    return last;
  }
};

}  // namespace gantry::test
