// The study of Tensor Cores on the processor, small: that its parts have their rows beside the
// printed numbers, what stands in for images that are not public, and that energy which nobody
// counts is said to be so. What it times is not judged.
#include "core/backend/cpu_backend.hpp"
#include "studies/study_list.hpp"
#include "studies/tensor_cores/parts.hpp"
#include "studies/tensor_cores/pictures.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/study_table.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <set>

using namespace gantry;
using namespace gantry::test;
using namespace gantry::tensor_cores;

namespace {

struct Machine {
  Catalog catalog;
  BackendList backends;

  Machine() {
    add_core(catalog);
    backends.add("cpu", std::make_unique<CpuBackend>());
  }
  StudyOptions options(std::vector<std::string> parts, std::vector<int> sizes = {512}) const {
    return {.iterations = 3,
            .scale = 1.0 / 16,
            .parts = std::move(parts),
            .sizes = std::move(sizes),
            .catalog = &catalog,
            .backends = &backends};
  }
  MatrixStudyContext context(StudyOptions options) const {
    return {std::move(options), "tensor-cores", "distance_driven", {}, 1.0 / 8};
  }
};

/// Counts what passes, 50 mJ at a time.
class Clockwork final : public EnergyCounter {
 public:
  double millijoules() const override { return 50.0 * static_cast<double>(++looks_); }

 private:
  mutable long looks_ = 0;
};

void expect_whole(const StudyResult& result) {
  QCOMPARE(result.tables.back().key, std::string("summary"));
  for (const StudyTable& t : result.tables)
    for (const auto& row : t.rows) QCOMPARE(row.size(), t.columns.size());
  for (const StudyChart& chart : result.charts)
    for (const StudyCurve& curve : chart.curves) QCOMPARE(curve.x.size(), curve.y.size());
}

bool says(const StudyResult& result, const std::string& words) {
  return std::ranges::any_of(
      result.notes, [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

}  // namespace

class TestTensorStudy : public QObject {
  Q_OBJECT

 private slots:
  /// Nourazar and Goossens (2021), tables 2 to 5: CSR takes 6 bytes a nonzero, and energy over time
  /// is a power that the GPU can have.
  void printedNumbersAgreeWithEachOther() {
    for (const printed::Size& size : printed::sizes) {
      EXPECT_NEAR(size.gb[printed::cusparse], 6e-3 * size.nonzeros_1e6, 0.012);
      for (std::size_t b = 0; b < printed::block_rays.size(); ++b) {
        // Between 200 and 270 W where launches do not count, once nJ are mJ.
        const double watts = size.mj[b] / size.ms[b];
        QVERIFY2(size.side < 256 || (watts > 200 && watts < 270),
                 qPrintable(QString::number(watts)));
        QVERIFY(size.gb[b] > 0.95 * size.gb[printed::cusparse]);
      }
    }
  }

  void printedNumbersStandBesideTheirMethods() {
    const auto of = [](const std::string& format, const std::string& key, const char* value) {
      MatrixMethod method{"cuda", "distance_driven", {}, format};
      if (!key.empty()) method.params.set(key, std::string(value));
      return printed_values(method, printed::sizes.back());
    };
    QCOMPARE(*of("bsr_half", "", "").ms.number, 0.62);
    QCOMPARE(*of("bsr_half", "order", "pseudo-morton").mj.number, 151.0);
    QCOMPARE(*of("bsr_half", "block", "16x16").gb.number, 3.92);
    QCOMPARE(*of("bsr_half", "block", "32x16").mj.number, 190.0);
    QCOMPARE(*of("cusparse_spmm", "", "").gb.number, 1.93);
    QVERIFY(!of("cusparse_spmm", "product", "spmv").ms.number);
    QCOMPARE(*of("csr_half2", "", "").ms.number, 2.30);
    QVERIFY(!of("csr_half2", "", "").gb.number);
    QVERIFY(!of("csr", "", "").ms.number);
  }

  void sizesAreOfEveryFormat() {
    const Machine machine;
    const StudyResult result = study_tensor_cores(machine.options({"sizes"}, {64, 512}));
    expect_whole(result);
    const StudyTable& nonzeros = table(result, "footprints");
    QCOMPARE(nonzeros.rows.size(), std::size_t{4});
    // Table 2 at 512^2 prints 321.9e6; overlaps at this field have 322.3e6.
    EXPECT_NEAR(*nonzeros.rows[2][4].number, 322.3, 0.1);
    QCOMPARE(*nonzeros.rows[2][3].number, 321.9);
    for (const auto& row : table(result, "table-5-formats").rows) QVERIFY(*row[4].number > 0);
  }

  void timesAndIterationsStandBesidePrint() {
    const Machine machine;
    const StudyResult result = study_tensor_cores(machine.options({"times", "iterations"}));
    expect_whole(result);
    QCOMPARE(*table(result, "table-4").rows.front()[6].number, 6.72);
    std::set<std::string> solvers;
    int elsewhere = 0;
    for (const auto& row : table(result, "iterations").rows) {
      if (row[8].words.starts_with("here")) {
        solvers.insert(row[1].words);
        QVERIFY(*row[4].number > 0);
      } else {
        QVERIFY(!row[4].number);  // what this machine did not measure is not of here
        ++elsewhere;
      }
    }
    QCOMPARE(solvers.size(), std::size_t{3});
    QCOMPARE(elsewhere, 6 + 4);  // of print, and measured apart
    QVERIFY(says(result, "Energy is not measured"));
  }

  void energyIsTheCountersOrSaidToBeMissing() {
    Machine machine;
    const StudyResult without = study_tensor_cores(machine.options({"energy"}));
    expect_whole(without);
    QVERIFY(says(without, "Energy is not measured"));
    for (const auto& row : table(without, "energy").rows) QVERIFY(!row[5].number);
    machine.backends.add_energy("cpu", [] { return std::make_unique<Clockwork>(); });
    StudyOptions options = machine.options({"energy"});
    MatrixStudyContext context = machine.context(options);
    StudyResult with;
    QVERIFY(energy_counter(context, with) != nullptr);
    QVERIFY(with.notes.empty());
  }

  void errorsFallWithTheIterations() {
    const Machine machine;
    const StudyResult result = study_tensor_cores(machine.options({"errors"}));
    expect_whole(result);
    QVERIFY(says(result, "substitutes"));
    std::set<std::string> solvers;
    for (const auto& row : table(result, "errors").rows) solvers.insert(row[1].words);
    QCOMPARE(solvers.size(), std::size_t{4});
    // CGLS on the fly, and BSR in float32 and in halves; no block and no order by itself.
    QCOMPARE(table(result, "errors").rows.size(), std::size_t{3 + 3});
    for (const StudyCurve& curve : result.charts.front().curves) {
      QCOMPARE(curve.y.size(), std::size_t{3});
      QVERIFY2(curve.y.back() < curve.y.front() && curve.y.front() < 1.5, curve.name.c_str());
    }
  }

  /// 23 as in print: phantoms, then what was given, evenly chosen.
  void picturesAreLabelled() {
    const Machine machine;
    const VolumeGrid grid = VolumeGrid::centered(24, 24, 23, {512.0 / 24, 512.0 / 24, 1});
    StudyOptions options = machine.options({});
    const Pictures alone = make_pictures(machine.context(options), grid);
    QCOMPARE(alone.names.size(), std::size_t{23});
    QVERIFY(alone.describe().find("13 of random_ellipses") != std::string::npos);
    for (int z = 0; z < 24; ++z)
      options.pictures.push_back({"slice of test", 30, 20, std::vector<float>(600, 1.0F + z)});
    const Pictures given = make_pictures(machine.context(options), grid);
    QCOMPARE(given.names.size(), std::size_t{23});
    QVERIFY(given.describe().ends_with("13 of slice of test"));
    QCOMPARE(given.values.size(), grid.voxels());
    for (std::size_t i = 0; i < 23; ++i) {
      const auto first = given.values.begin() + static_cast<std::ptrdiff_t>(i * 576);
      QCOMPARE(*std::max_element(first, first + 576), 1.0F);
      QVERIFY(*std::min_element(first, first + 576) >= 0);
    }
    // As wide as the grid, and its height with it: 16 of 24 rows.
    const float* last = given.values.data() + 22 * 576;
    QCOMPARE(last[12 * 24], 1.0F);
    QCOMPARE(last[1 * 24 + 12], 0.0F);
    QCOMPARE(last[22 * 24 + 12], 0.0F);
  }

  void theErrorIsTheMeanOverTheImages() {
    const std::vector<float> exact = {3, 4, 1, 0}, found = {3, 3, 1, 2};
    EXPECT_NEAR(mean_relative_error(found, exact, 2), 0.5 * (1.0 / 5 + 2.0), 1e-12);
  }
};

GANTRY_TEST(TestTensorStudy)
#include "test_tensor_study.moc"
