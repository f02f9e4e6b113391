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

#include <array>
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
      EXPECT_NEAR(size.gb[printed::cusparse].value(), 6e-3 * size.nonzeros_1e6, 0.012);
      for (std::size_t b = 0; b < printed::block_rays.size(); ++b) {
        // Between 200 and 270 W where launches do not count, once nJ are mJ.
        const double watts = size.nj[b] / size.ms[b].value();
        QVERIFY2(size.side < 256 || (watts > 200 && watts < 270),
                 qPrintable(QString::number(watts)));
        QVERIFY(size.gb[b].value() > 0.95 * size.gb[printed::cusparse].value());
        // Times and sizes grow with the image, once misprints are read as they are meant.
        if (&size == &printed::sizes.front()) continue;
        const printed::Size& smaller = *(&size - 1);
        QVERIFY(size.ms[b].value() > smaller.ms[b].value());
        QVERIFY(size.gb[b].value() > smaller.gb[b].value());
      }
    }
  }

  void misprintsStandAsPrinted() {
    const PrintedNumber &ms = printed::sizes[0].ms[printed::tensor_8],
                        &gb = printed::sizes[3].gb[printed::tensor_16];
    QVERIFY(ms.as_printed == 0.7 && ms.meant == 0.07);
    QVERIFY(gb.as_printed == 4.94 && gb.meant == 1.94);
    const Machine machine;
    const StudyResult result = study_tensor_cores(machine.options({"blocks"}, {320}));
    QVERIFY(
        says(result, "Table 4, 64^2, Tensor Cores, blocks of 8 rays, ms: 0.7 as printed, 0.07"));
    QVERIFY(says(result, "Table 5, 320^2, Tensor Cores, blocks of 16 rays, GB: 4.94 as printed"));
    QVERIFY(says(result, "nJ as printed; mJ are meant"));
    // Fig. 6: both sections have nonzeros, which share fewer blocks of 16 x 16 after reordering.
    QCOMPARE(result.images.size(), std::size_t{2});
    std::vector<double> fill;
    for (const StudyImage& image : result.images) {
      std::set<int> met;
      int nonzeros = 0;
      for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x)
          if (image.values[static_cast<std::size_t>(y * image.width + x)] != 0) {
            ++nonzeros;
            met.insert(y / 16 * 16 + x / 16);
          }
      QVERIFY(nonzeros > 200);
      fill.push_back(nonzeros / (256.0 * static_cast<double>(met.size())));
    }
    QVERIFY2(fill[1] > 2 * fill[0], QTest::toString(fill[1] / fill[0]));
    const StudyTable& t = table(result, "table-5");
    QVERIFY(t.title.find("one of 13 groups of 32 rays") != std::string::npos);
    int misprints = 0;
    for (const auto& row : t.rows) {
      if (row[2].words != "16x16" || row[3].words != "pseudo-morton") continue;
      ++misprints;
      QVERIFY(*row[4].number == 4.94 && *row[5].number == 1.94);
      EXPECT_NEAR(*row[7].number, 100 * (*row[6].number / 1.94 - 1), 0.01);
    }
    QCOMPARE(misprints, 2);
  }

  /// Table 3: 720 x 512 rays and 512 x 512 pixels in blocks of 16 pixels.
  void blocksAreCountedWithTheEmptyOnes() {
    const Machine machine;
    const StudyResult result = study_tensor_cores(machine.options({"blocks"}, {512}));
    expect_whole(result);
    // Table 1: M.N.K multiplies M x K by K x N, and the tile of A is a block of the matrix.
    const StudyTable& fragments = table(result, "table-1");
    QCOMPARE(fragments.rows.size(), std::size_t{3});
    for (const auto& row : fragments.rows) {
      const QStringList mnk = QString::fromStdString(row[0].words).split('.');
      QCOMPARE(QString::fromStdString(row[1].words), mnk[0] + 'x' + mnk[2]);
      QCOMPARE(QString::fromStdString(row[2].words), mnk[2] + 'x' + mnk[1]);
      QCOMPARE(QString::fromStdString(row[3].words), mnk[0] + 'x' + mnk[1]);
      QCOMPARE(row[4].words, row[1].words);
    }
    const StudyTable& counts = table(result, "table-3-counts");
    QCOMPARE(counts.rows.size(), std::size_t{3});
    const std::array<double, 3> rays = {8, 16, 32}, printed = {755, 377.5, 188.7};
    for (std::size_t b = 0; b < 3; ++b) {
      QCOMPARE(*counts.rows[b][2].number, printed[b]);
      EXPECT_NEAR(*counts.rows[b][3].number, 720e-6 * 512 * 512 * 512 / (16 * rays[b]), 1e-9);
    }
    QCOMPARE(std::ranges::count_if(result.tables.back().rows,
                                   [](const auto& row) {
                                     return row[1].words.starts_with("blocks of the matrix, ") &&
                                            row[3].number && row[4].number;
                                   }),
             std::ptrdiff_t{3});
  }

  void printedNumbersStandBesideTheirMethods() {
    const auto of = [](const std::string& format, Params params) {
      return printed_values({"cuda", "distance_driven", {}, format, std::move(params)},
                            printed::sizes.back());
    };
    const auto of_print = [&](const char* block) {
      return of("bsr_half", {{"block", std::string(block)},
                             {"order", std::string("pseudo-morton")},
                             {"product", std::string("wmma")}});
    };
    // Print's method has both the order and the products; a part of it is another.
    QCOMPARE(*of_print("8x16").ms.number, 0.62);
    QCOMPARE(*of_print("8x16").energy.number, 151.0);
    QCOMPARE(*of_print("16x16").gb.number, 3.92);
    QCOMPARE(*of_print("32x16").energy.number, 190.0);
    QVERIFY(!of("bsr_half", {}).ms.number);
    QVERIFY(!of("bsr_half", {{"order", std::string("pseudo-morton")}}).ms.number);
    QVERIFY(!of("bsr_half", {{"product", std::string("wmma")}}).ms.number);
    QCOMPARE(*of("cusparse_spmm", {}).gb.number, 1.93);
    QVERIFY(!of("cusparse_spmm", {{"product", std::string("spmv")}}).ms.number);
    // In print half2 goes over the blocks.
    QCOMPARE(*of("bsr_half",
                 {{"order", std::string("pseudo-morton")}, {"product", std::string("half2")}})
                  .ms.number,
             2.30);
    QVERIFY(!of("csr_half2", {}).ms.number);
    QVERIFY(!of("csr", {}).ms.number);
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
    for (const auto& row : table(result, "table-5-formats").rows) QVERIFY(*row[5].number > 0);
    // Overlaps are another reading of print's numbers, which those of linear interpolation are.
    QVERIFY(!nonzeros.rows[2][5].number && nonzeros.rows[3][5].number);
    // 97.49 % of 720 x 512 x 64 x 64 elements leave 37.9e6.
    const StudyTable& zeros = table(result, "sparsity");
    QCOMPARE(zeros.rows.size(), std::size_t{2});
    EXPECT_NEAR(*zeros.rows[0][2].number, 100 * (1 - 37.9e6 / (720.0 * 512 * 64 * 64)), 0.005);
    EXPECT_NEAR(*zeros.rows[0][3].number,
                100 * (1 - 1e6 * *nonzeros.rows[1][4].number / (720.0 * 512 * 64 * 64)), 1e-9);
    // Table 2 prints 1.5e9 and 96.6e9 elements of 720 x 512 rays and n x n pixels.
    const StudyTable& elements = table(result, "elements");
    QCOMPARE(elements.rows.size(), std::size_t{2});
    QVERIFY(*elements.rows[0][1].number == 1.5 && *elements.rows[1][1].number == 96.6);
    EXPECT_NEAR(*elements.rows[0][2].number, 720 * 512 * 64 * 64e-9, 1e-12);
    EXPECT_NEAR(*elements.rows[1][2].number, 720 * 512 * 512 * 512e-9, 1e-12);
    const auto summed = [&](const std::string& what) {
      return std::ranges::count_if(result.tables.back().rows, [&](const auto& row) {
        return row[1].words.starts_with(what) && row[3].number && row[4].number;
      });
    };
    QVERIFY(summed("elements of the matrix, ") == 2 && summed("zeros among the elements, ") == 2);
    // Linear interpolation: 39.0 where print has 37.9, and 311.9 where it has 321.9.
    QVERIFY(says(result, "gives them within 3.11 %"));
  }

  void timesAndIterationsStandBesidePrint() {
    const Machine machine;
    const StudyResult result = study_tensor_cores(machine.options({"times", "iterations"}));
    expect_whole(result);
    for (const auto& row : table(result, "products").rows) QVERIFY(*row[6].number > 0);
    std::set<std::string> solvers;
    int printed_only = 0, missing = 0;
    for (const auto& row : table(result, "iterations").rows) {
      if (row[8].words.starts_with("here")) {
        solvers.insert(row[1].words);
        QVERIFY2(row[0].words.ends_with(" beam"), row[0].words.c_str());  // print's is a fan
        QVERIFY(*row[4].number > 0);
      } else {
        QVERIFY(!row[4].number);  // what this machine did not measure is not of here
        printed_only += row[8].words.starts_with("print, ") ? 1 : 0;
        missing += row[8].words.starts_with("there is no ") ? 1 : 0;
      }
    }
    QCOMPARE(solvers.size(), std::size_t{3});
    QCOMPARE(printed_only, 5);  // of the one size that was chosen
    QCOMPARE(missing, 5);       // WMMA with three blocks, half2 and cuSPARSE
    const auto fly = [&](const std::string& solver) {
      for (const auto& row : table(result, "iterations").rows)
        if (row[1].words == solver && row[2].words.starts_with("on the fly")) return row[3];
      return StudyCell();
    };
    QCOMPARE(*fly("CGLS").number, 6.72);
    QCOMPARE(*fly("MLEM").number, 4.79);
    QVERIFY(!fly("SIRT").number);
    // What was measured elsewhere has a table without a column of this machine, with its day.
    const StudyTable& elsewhere = table(result, "elsewhere");
    QVERIFY(std::ranges::find(elsewhere.columns, "here", &StudyColumn::name) ==
            elsewhere.columns.end());
    for (const auto& row : elsewhere.rows) {
      QVERIFY(!row[0].words.starts_with("Gantry"));
      QCOMPARE(row[5].words, std::string("2026-11-22"));
      QVERIFY(row[6].words.find("field of 1.07 image sides") != std::string::npos);
    }
    // Products are no iteration.
    for (const auto& row : table(result, "summary").rows)
      QVERIFY(row[0].words != "times" || !row[5].number);
    QVERIFY(says(result, "Energy is not measured"));
    QVERIFY(says(result, "of iterations medians of 3 to 20, after one to warm up"));
  }

  /// Tables 6 and 7: print's blocks, order and octant; on the CPU print's other two methods are
  /// missing, which the rows say.
  void oneImageIsProjectedInPrintsForm() {
    Machine machine;
    machine.backends.add_energy("cpu", [] { return std::make_unique<Clockwork>(); });
    const StudyResult result = study_tensor_cores(machine.options({"single-image"}, {64, 512}));
    expect_whole(result);
    const StudyTable& t = table(result, "tables-6-7");
    QCOMPARE(t.rows.size(), std::size_t{2 * (3 + 3 + 2)});
    const auto row = [&](const std::string& method, const std::string& measure, int nth) {
      for (const auto& one : t.rows)
        if (one[1].words == method && one[3].words == measure && nth-- == 0) return one;
      return std::vector<StudyCell>(8);
    };
    const auto time = row("the CPU (print: Tensor Cores)", "W x, ms", 1);
    QCOMPARE(*time[5].number, 1.22);
    QVERIFY(*time[6].number > 0);
    for (const char* said : {"octant", "32x16", "pseudo-morton", "weights half"})
      QVERIFY2(time[2].words.find(said) != std::string::npos, time[2].words.c_str());
    const auto energy = row("the CPU (print: Tensor Cores)", "energy of W x, mJ (print: nJ)", 1);
    QCOMPARE(*energy[5].number, 108.0);
    QVERIFY(*energy[6].number > 0);
    QCOMPARE(*row("cuSPARSE", "W x, ms", 0)[5].number, 0.72);
    QCOMPARE(*row("cuSPARSE", "matrix, GB", 1)[5].number, 0.33);
    // Table 7 at print's sizes: an eighth of the nonzeros, which Table 2 has for the whole matrix,
    // take 8 bytes each.
    const StudyTable& matrices = table(result, "table-7");
    QCOMPARE(matrices.rows.size(), std::size_t{4});
    const std::vector<double> printed = {0.04, 0.04, 0.63, 0.33};
    for (std::size_t r = 0; r < 4; ++r) QCOMPARE(*matrices.rows[r][2].number, printed[r]);
    EXPECT_NEAR(*matrices.rows[3][3].number, 321.9e6 * 8 / 8 * 1e-9, 0.01);
    QVERIFY(matrices.rows[2][1].words.find("weights half") != std::string::npos);
    EXPECT_NEAR(*matrices.rows[2][3].number, 4.98 / 8, 0.1);  // Table 5 over eight
    for (const std::size_t column : {4, 6})                   // in the place of the value too
      QCOMPARE(row("half2", "W x, ms", 0)[column].words,
               std::string("there is no bsr_half on cpu"));
  }

  void energyIsTheCountersOrSaidToBeMissing() {
    Machine machine;
    const StudyResult without = study_tensor_cores(machine.options({"energy"}));
    expect_whole(without);
    QVERIFY(says(without, "Energy is not measured"));
    QCOMPARE(table(without, "energy").columns[3].unit, std::string("mJ"));
    for (const auto& row : table(without, "energy").rows) QVERIFY(!row[3].number);
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
    QCOMPARE(solvers.size(), std::size_t{5});
    // CGLS on the fly, and BSR in float32 and in halves; no block and no order by itself.
    QCOMPARE(table(result, "errors").rows.size(), std::size_t{3 + 4});
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
