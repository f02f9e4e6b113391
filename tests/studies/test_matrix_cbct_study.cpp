// The study of SART with stored matrices: that its parts have their rows, that printed numbers are
// those of the paper, and that ours are computed. What it times is not judged.
#include "core/solvers/view_order.hpp"
#include "studies/matrix_cbct/printed.hpp"
#include "studies/matrix_cbct/sweep_growth.hpp"
#include "studies/study_list.hpp"
#include "tests/studies/matrix_machine.hpp"
#include "tests/support/interrupted_study.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestMatrixCbctStudy : public QObject {
  Q_OBJECT

 private slots:
  void sizesAreThePublished() {
    const Machine machine;
    const StudyResult cbct = study_matrix_cbct(machine.options({"sizes"}));
    expect_whole(cbct);
    QCOMPARE(*summed(cbct, "dense, 256^2")[1].number, 11.25);
    QCOMPARE(*summed(cbct, "dense, 512^2")[1].number, 180.0);
    EXPECT_NEAR(*summed(cbct, "CSR, 256^2")[2].number, -0.17, 0.02);
    EXPECT_NEAR(*summed(cbct, "CSR, 512^2, fan, 180 x 1024")[2].number, -0.1, 0.02);
    QCOMPARE(summed(cbct, "CSR, 512^2, fan, 360 x 512")[2].words, std::string("print: 180 angles"));
    // Fig. 3: the two matrices are transposes; images begin with the last row.
    const auto image = [&](const char* key) {
      return *std::ranges::find(cbct.images, key, &StudyImage::key);
    };
    const StudyImage forward = image("fig-3-projection"), back = image("fig-3-backprojection");
    QVERIFY(forward.width == back.height && forward.height == back.width && forward.width == 1024);
    int nonzeros = 0;
    for (int i = 0; i < forward.height; ++i)
      for (int j = 0; j < forward.width; ++j) {
        const auto at = [](const StudyImage& of, int row, int column) {
          return of.values[static_cast<std::size_t>((of.height - 1 - row) * of.width + column)];
        };
        QCOMPARE(at(forward, i, j), at(back, j, i));
        nonzeros += at(forward, i, j) != 0 ? 1 : 0;
      }
    // A ray crosses some 32 to 63 of 32 x 32 pixels, or misses them.
    QVERIFY(nonzeros > 20 * forward.height && nonzeros < 63 * forward.height);
  }

  /// SART as printed diverges on rays that are further apart than pixels are wide, by an eigenvalue
  /// of 1.01065 a sweep (numpy, dense, float64); in one norm errors never grow.
  void sartAsPrintedMayDiverge() {
    const Machine machine;
    StudyOptions options = machine.options({"errors"}, 1.0 / 16);
    options.iterations = 1000;
    options.sizes = {256};
    const StudyResult result = study_matrix_cbct(options);
    expect_whole(result);
    const StudyTable& t = table(result, "table-3");
    QCOMPARE(t.rows.size(), std::size_t{5});
    QCOMPARE(*t.rows[4][7].number, 9.362e-4);  // method C of print, which needs a GPU
    QCOMPARE(t.rows[4][8].words, std::string("needs a CUDA device"));
    QCOMPARE(*t.rows[0][7].number, 7.666e-4);
    for (std::size_t r = 0; r < 4; ++r) {  // print's numbers are of its own method
      QCOMPARE(t.rows[r][7].number.has_value(), r == 0);
      QVERIFY(!t.rows[r][9].number);
    }
    // The same eigenvalue from the dense matrix of a sweep; all four by numpy from crossings of its
    // own.
    const matrix_cbct::SweepGrowth growth(
        MatrixStudyContext(machine.options({}), "matrix-cbct", "siddon", {}, 0.25));
    EXPECT_NEAR(growth.of({}), 1.0106529, 1e-6);
    EXPECT_NEAR(growth.of({.relaxation = 0.01}), 1.0000274, 1e-6);
    EXPECT_NEAR(growth.of({.least_column = 0.1}), 1.0063252, 1e-6);
    EXPECT_NEAR(growth.of({.one_norm = true}), 1, 1e-6);  // errors that no ray sees
    QVERIFY(growth.of({.order = ViewOrder::golden}) > 1.005);
    QVERIFY(std::ranges::any_of(result.notes, [](const std::string& note) {
      return note.find("is 1.01065; with a relaxation of 0.01 1.0000") != std::string::npos;
    }));
    const std::vector<double>& printed = result.charts.front().curves[0].y;
    EXPECT_NEAR(printed[999] / printed[998], 1.01065, 2e-5);
    QVERIFY(*t.rows[0][4].number < 20);  // its best iteration
    for (const std::size_t sound : {1, 3}) {
      const std::vector<double>& rmse = result.charts.front().curves[sound].y;
      for (std::size_t k = 1; k < rmse.size(); ++k) QVERIFY(rmse[k] <= rmse[k - 1] * (1 + 1e-6));
    }
    QVERIFY(*t.rows[3][5].number < *t.rows[1][5].number);  // x >= 0 tells something
    // What is compared with print is the error of the phantom's own values, in no chosen unit.
    EXPECT_NEAR(*t.rows[3][8].number, result.charts.front().curves[3].y.back(), 1e-12);
    // What diverges leaves the chart, so that the others keep their height.
    QVERIFY(result.charts.front().top >= 10 * printed.front());
    QVERIFY(result.charts.front().top < 0.1 * printed.back());
  }

  void threadsAreSwept() {
    const Machine machine;
    const StudyResult few = study_matrix_cbct(machine.options({"threads"}, 1.0 / 16));
    expect_whole(few);
    // T of 1 to 32 on the processor; padding grows with it.
    const StudyTable& threads = table(few, "threads");
    QVERIFY(threads.rows.size() >= 6);
    std::vector<double> padding;
    for (const auto& row : threads.rows)
      if (row[2].words == "ellr_t") padding.push_back(*row[8].number);
    QVERIFY(padding.size() == 6 && std::ranges::is_sorted(padding));
  }

  void timesOfSartStandBesideThePrinted() {
    const Machine machine;
    const StudyResult result = study_matrix_cbct(machine.options({"times"}));
    expect_whole(result);
    const StudyTable& t = table(result, "table-2");
    // Print's dense matrix, one thread on the fly and stored, every format, on the fly, and what
    // only a GPU gives; two sizes.
    QCOMPARE(t.rows.size(), 2 * (5 + machine.catalog.matrix_formats.on("cpu").size()));
    QCOMPARE(*t.rows[0][7].number, 1653.0);
    QCOMPARE(t.rows[0][8].words, std::string("no dense matrix is stored here"));
    QCOMPARE(*t.rows.back()[7].number, 170.0);
    QCOMPARE(t.rows.back()[8].words, std::string("needs a CUDA device"));
    QVERIFY(!t.rows[1][7].number);  // not print's
    QCOMPARE(*t.rows[2][7].number, 159.0);
    QVERIFY(*t.rows[1][8].number > 0 && *t.rows[2][8].number > 0);
    EXPECT_NEAR(*t.rows[1][8].number, *t.rows[1][6].number, 1e-9 * *t.rows[1][8].number);
    for (const char* what : {"GPU, block CSR and ELLR-T", "GPU over CPU, stored"})
      QCOMPARE(summed(result, what)[1].words, std::string("needs a CUDA device"));
    QCOMPARE(summed(result, "GPU over CPU, dense matrix")[1].words,
             std::string("no dense matrix is stored here"));
    QCOMPARE(*summed(result, "GPU over CPU, stored")[0].number, 3.6);
    QVERIFY(std::ranges::any_of(result.notes, [](const std::string& note) {
      return note.find("3.6 as printed, 3.06 meant: 159 s / 52 s") != std::string::npos;
    }));
  }

  void interruptsAreHeardAndPartsNamed() {
    const Machine machine;
    expect_interruptible(study_matrix_cbct, machine.options({}), 5);
    EXPECT_THROWS(UsageError, study_matrix_cbct(machine.options({"tims"})), "use some of sizes");
    EXPECT_THROWS(UsageError, study_matrix_cbct({}), "needs the program");
  }
};

GANTRY_TEST(TestMatrixCbctStudy)
#include "test_matrix_cbct_study.moc"
