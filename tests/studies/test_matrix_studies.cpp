// The studies of stored matrices: that their parts have their rows, that printed numbers are those
// of the papers, and that ours are computed. What they time is not judged.
#include "core/backend/cpu_backend.hpp"
#include "core/matrix/rows/csr.hpp"
#include "core/projectors/area/area_integral.hpp"
#include "core/solvers/view_order.hpp"
#include "studies/cuart/object.hpp"
#include "studies/cuart/parts.hpp"
#include "studies/cuart/printed.hpp"
#include "studies/matrix_cbct/printed.hpp"
#include "studies/matrix_cbct/sweep_growth.hpp"
#include "studies/matrix_study_context.hpp"
#include "studies/stored_art.hpp"
#include "studies/study_list.hpp"
#include "studies/tracked_run.hpp"
#include "studies/view_art.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/interrupted_study.hpp"
#include "tests/support/study_table.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>

using namespace gantry;
using namespace gantry::test;

namespace {

/// The program's algorithms on the processor; with `device`, under the name of a CUDA device's as
/// well, and with a format that is called cuSPARSE's.
struct Machine {
  Catalog catalog;
  BackendList backends;

  explicit Machine(bool device = false) {
    add_core(catalog);
    backends.add("cpu", std::make_unique<CpuBackend>());
    if (!device) return;
    backends.add("cuda", std::make_unique<CpuBackend>());
    const std::vector<ParamSpec> transpose = {{.key = "transpose",
                                               .label = "",
                                               .unit = "",
                                               .fallback = std::string("stored"),
                                               .choices = {"stored", "op", "convert"},
                                               .help = ""}};
    catalog.matrix_formats.add({.key = "cusparse", .label = "", .params = transpose}, "cuda",
                               make_csr);
    catalog.projectors.also_on("cuda", "area_integral", "cpu");
    catalog.matrix_formats.also_on("cuda", "scsr", "cpu");
  }
  StudyOptions options(std::vector<std::string> parts, double scale = 1.0 / 32) const {
    return {.iterations = 3,
            .scale = scale,
            .parts = std::move(parts),
            .catalog = &catalog,
            .backends = &backends};
  }
  MatrixStudyContext context(double scale = 1.0 / 32) const {
    return {options({}, scale),
            "cuart",
            "area_integral",
            {{"normalisation", std::string("area")}},
            1.0 / 8};
  }
};

/// Printed, here and deviation of the summary's row of this name.
std::vector<StudyCell> summed(const StudyResult& result, const std::string& what) {
  for (const auto& row : table(result, "summary").rows)
    if (row[1].words.find(what) != std::string::npos) return {row[3], row[4], row[5]};
  throw std::runtime_error("no line " + what);
}

void expect_whole(const StudyResult& result) {
  QCOMPARE(result.tables.back().key, std::string("summary"));
  for (const StudyTable& t : result.tables) {
    QVERIFY2(!t.rows.empty(), t.key.c_str());
    for (const auto& row : t.rows) QCOMPARE(row.size(), t.columns.size());
  }
  for (const StudyChart& chart : result.charts) {
    QVERIFY2(!chart.curves.empty(), chart.key.c_str());
    for (const StudyCurve& curve : chart.curves) QCOMPARE(curve.x.size(), curve.y.size());
  }
}

}  // namespace

class TestMatrixStudies : public QObject {
  Q_OBJECT

 private slots:
  void sizesAreThePublished() {
    const Machine machine;
    const StudyResult cuart = study_cuart(machine.options({"sizes"}));
    expect_whole(cuart);
    const StudyTable& gb = table(cuart, "area-integral");
    QCOMPARE(gb.rows.size(), std::size_t{12});
    for (const auto& row : gb.rows) QVERIFY(std::abs(*row.back().number) < 9);  // %
    // 8 bytes a nonzero, 4 a row start (8 past 2^31): 628858584 nonzeros of 512^2, 720 views.
    EXPECT_NEAR(*summed(cuart, "CSR, 512^2, 720 views")[1].number,
                (8 * 628858584.0 + 4 * 737281.0) / 1e9, 1e-5);
    QCOMPARE(*summed(cuart, "SCSR, 2048^2, 720 views")[0].number, 4.68);
    const StudyTable& built = table(cuart, "footprints-cpu");
    QCOMPARE(built.rows.size(),
             // SCSR's compact and two blockings; BSR's two other blocks and orders,
             // halves; of the symmetric one these and the octant
             machine.catalog.matrix_formats.on("cpu").size() + 3 + 5 + 6);
    int estimated = 0, of_csr = 0;
    for (const auto& row : built.rows) {
      // The symmetric formats store an eighth of the matrix and one more octant of its diagonals;
      // ELLR-T stores the transpose as well.
      const bool symmetric = row[0].words == "scsr" || row[0].words == "bsr_symmetric";
      const double copies = symmetric ? 8 : row[0].words == "ellr_t" ? 0.5 : 1;
      if (row[1].words.find("octant") != std::string::npos) {
        QVERIFY(8 * *row[3].number > *row[2].number && 6 * *row[3].number < *row[2].number);
        continue;
      }
      if (row[2].number) {
        ++estimated;
        EXPECT_NEAR(*row[3].number * copies, *row[2].number, 0.5);
      }
      if (row[0].words == "csr") {
        ++of_csr;
        QVERIFY(*row[9].number > 0.98 && *row[9].number <= 1.01);
      }
    }
    QVERIFY(estimated > 0 && of_csr > 0);
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

  /// Each view's nonzeros are those that counting without computing them finds.
  void profilesAreOfTheMatrix() {
    const Machine machine;
    const StudyResult result = study_cuart(machine.options({"profiles"}));
    expect_whole(result);
    const BenchCase setting = cuart::on_axis();
    const auto& curves = result.charts.front().curves;
    QCOMPARE(curves.size(), std::size_t{6});
    for (std::size_t i = 0; i < curves.size(); ++i) {
      double sum = 0;
      for (const double nonzeros : curves[i].y) sum += nonzeros;
      // A corner that is just touched counts or not.
      EXPECT_NEAR(sum,
                  static_cast<double>(count_area_weights(*setting.geometry, setting.grid,
                                                         cuart::printed::profile_views[i])),
                  10);
    }
    for (const char* what : {"fewest", "view 0", "view 89"})
      QVERIFY2(std::abs(*summed(result, what)[2].number) < 6, what);
    QCOMPARE(*summed(result, "border view")[1].number, 5.0);
  }

  void timesHaveEveryFormat() {
    const Machine machine(true);
    const StudyResult result = study_cuart(machine.options({"times"}));
    expect_whole(result);
    const StudyTable& cuda = table(result, "times-cuda");
    for (const char* name :
         {"ART, 1 thread, an iteration", "cusparse", "scsr", "on the fly: area_integral"})
      QCOMPARE(std::ranges::count_if(
                   cuda.rows,
                   [&](const auto& row) { return row[1].words == name && row[2].words.empty(); }),
               3);
    for (const char* variant : {"transpose convert", "weights compact", "blocking view"})
      QCOMPARE(std::ranges::count_if(cuda.rows,
                                     [&](const auto& row) { return row[2].words == variant; }),
               3);
    QVERIFY(*summed(result, "g-l (scsr blocking global) over cusparse, cuda")[1].number > 0);
    // Print's ratios are of whole reconstructions: 6.8 with 30 iterations against 50.
    const auto view = summed(result, "v-l (scsr blocking view) over cusparse, cuda");
    QCOMPARE(*view[0].number, 6.8);
    QVERIFY(*view[1].number > 0 && !view[2].number);
    QVERIFY(view[2].words.starts_with("print: whole reconstructions of 30 iterations against 50"));
    const auto global = summed(result, "g-l (scsr blocking global) over cusparse, cuda");
    QCOMPARE(*global[0].number, 6.1);
    QVERIFY(global[2].words.starts_with("print: whole reconstructions, with"));
    QVERIFY(!summed(result, "fastest SCSR")[0].number);
    QVERIFY(*summed(result, "fastest SCSR")[1].number > 0);
    // On the processor other projectors are told from the study's.
    std::map<std::string, std::string> told;  // by method
    for (const auto& row : table(result, "times-cpu").rows) told[row[1].words] = row[3].words;
    QCOMPARE(told["on the fly: area_integral"], std::string("the same"));
    QCOMPARE(told["on the fly: siddon"], std::string("another"));
    const auto says = [&](const std::string& text) {
      return std::ranges::any_of(
          result.notes, [&](const auto& note) { return note.find(text) != std::string::npos; });
    };
    QVERIFY(says("storing is") || says("computing anew beats the stored matrix"));
  }

  void convergenceIsInThePublishedOrder() {
    const Machine machine;
    StudyOptions options = machine.options({"convergence"}, 1.0 / 16);
    options.iterations = 40;
    const StudyResult result = study_cuart(options);
    expect_whole(result);
    for (const char* key : {"rmse-shepp-logan", "rmse-substitute-437", "rmse-substitute-459"}) {
      const StudyTable& t = table(result, key);
      QCOMPARE(t.rows.size(), std::size_t{6});
      const auto rmse = [&](std::size_t r) { return *t.rows[r][5].number; };
      QVERIFY(rmse(0) < rmse(3) && rmse(3) < rmse(1));  // weak lambda: ART, v-l, g-l
      QVERIFY(rmse(4) < rmse(2) && rmse(2) < rmse(1));  // sound steps
      QVERIFY(rmse(5) < rmse(4));                       // and views in golden order
    }
    QVERIFY(table(result, "rmse-substitute-437").title.find("SUBSTITUTE") != std::string::npos);
    QVERIFY(*table(result, "rmse-substitute-437").rows[0][5].number !=
            *table(result, "rmse-substitute-459").rows[0][5].number);
    // Ended when it was as alike as in print, or after all its iterations.
    const auto& likeness = table(result, "likeness").rows;
    QCOMPARE(likeness.size(), std::size_t{6});
    QCOMPARE(*likeness[0][2].number, 0.9878);
    QCOMPARE(*likeness[2][2].number, 0.9901);
    // The similarity that ended a run is compared with nothing.
    for (const auto& row : table(result, "summary").rows)
      if (row[1].words.starts_with("iterations until")) QVERIFY(!row[3].number && !row[5].number);
    // 64^2 here, 1024^2 in print.
    QVERIFY(summed(result, "SSIM, g-l, lambda 1")[2].words.starts_with("another size: 64^2"));
    QCOMPARE(summed(result, "SSIM, v-l, half the bound, golden")[2].words,
             std::string("print: views as measured"));
    for (std::size_t r = 0; r < 3; ++r)
      QVERIFY(*likeness[r + 3][6].number > *likeness[r][6].number);  // x >= 0 tells something
  }

  void theWayToThePlateauIsMeasured() {
    const Machine machine;
    StudyOptions options = machine.options({"plateau"}, 1.0 / 16);
    options.iterations = 300;
    options.sizes = {512};
    std::size_t shown = 0;
    options.so_far = [&](const StudyResult& so_far) {
      const std::size_t rows = so_far.tables.back().rows.size();
      QVERIFY(rows > shown);
      shown = rows;
    };
    const StudyResult result = study_cuart(options);
    expect_whole(result);
    const StudyTable& plateau = table(result, "plateau-cpu");
    QCOMPARE(plateau.rows.size(), shown);
    // ART with four relaxations in two orders, then SCSR and its compact form by six ways, the
    // others by CGLS.
    QCOMPARE(plateau.rows.size(), 8 + 2 * 6 + machine.catalog.matrix_formats.on("cpu").size());
    QVERIFY(plateau.rows[0][0].words.starts_with("ART, lambda 1, natural order"));
    QCOMPARE(*plateau.rows[0][2].number, 15.0);
    // The baseline of the claim is the fastest of them, so that no other ratio is smaller.
    const double printed = *plateau.rows[0][6].number;
    double best = printed;
    for (std::size_t r = 0; r < 8; ++r)
      best = std::min(best, plateau.rows[r][6].number.value_or(best));
    QVERIFY(best > 0);
    for (const auto& row : plateau.rows) {
      if (!row[6].number) continue;
      EXPECT_NEAR(*row[7].number, best / *row[6].number, 1e-9 * best / *row[6].number);
      EXPECT_NEAR(*row[9].number, printed / *row[6].number, 1e-9 * printed / *row[6].number);
      QVERIFY(*row[7].number <= row[8].number.value_or(*row[7].number) * (1 + 1e-9));
      QVERIFY(*row[7].number <= *row[9].number * (1 + 1e-9));
      // Methods of all rays at once have no order.
      if (row[0].words.starts_with("g-l") || row[0].words == "CGLS" || row[0].words == "SIRT, 1.9")
        QVERIFY(!row[8].number);
      if (row[0].words == "v-l, half the bound") QVERIFY(row[8].number);
    }
    // The same method takes as many iterations whatever the format.
    std::map<std::string, double> iterations;
    for (const auto& row : plateau.rows) {
      if (!row[2].number) continue;
      const auto [at, first] = iterations.emplace(row[0].words, *row[2].number);
      QVERIFY2(first || std::abs(at->second - *row[2].number) <= 1, row[0].words.c_str());
    }
    QVERIFY2(iterations.size() >= 4, qPrintable(QString::number(iterations.size())));
    const auto faster = summed(result, "one thread: v-l");
    QCOMPARE(*faster[0].number, 24.8);
    QVERIFY(*faster[1].number > 0 && !faster[2].number);
    for (const char* others : {"one thread: SART", "one thread: CGLS"})
      QVERIFY2(!summed(result, others)[0].number && *summed(result, others)[1].number > 0, others);
    options.sizes = {1000};
    EXPECT_THROWS(UsageError, study_cuart(options), "use some of 512, 1024, 2048");
  }

  /// The claim is over ART in the relaxation and order that are there first.
  void theBaselineIsArtAtItsBest() {
    cuart::Object object;
    object.art_rmse = {3, 2, 1};
    object.baselines = {{1, false, {3, 2, 1}, 30},
                        {0.2, false, {2, 0.9}, 20},
                        {1, true, {1.5}, 11},
                        {0.5, true, {0.8}, 12},
                        {0.1, true, {1.1}, 10}};
    QCOMPARE(object.as_printed().all_s, 30.0);
    QCOMPARE(object.best_of_order(false).all_s, 20.0);
    QCOMPARE(object.best_of_order(true).name(), std::string("lambda 0.5, golden order"));
    QCOMPARE(object.best().all_s, 12.0);  // those of 11 and 10 s are not at the level
    object.baselines.erase(object.baselines.begin() + 3);
    QCOMPARE(object.best().all_s, 20.0);
    QVERIFY(!object.reaches_level(object.best_of_order(true)));
  }

  /// A view at a time, by what its rows have in common, rounds are those of ray after ray, in any
  /// order of the views.
  void artByViewsIsArt() {
    const Machine machine;
    const MatrixStudyContext context = machine.context();
    for (const char* name : {"ge512", "near1024"}) {
      const auto A = context.weights_on_cpu(scaled(bench_cases(name).front(), 1.0 / 16, 8));
      std::vector<int> views;
      for (int view = 0; view < A->views(); view += 2) views.push_back(view);
      const std::vector<int> order =
          visiting_order(ViewOrder::golden, static_cast<int>(views.size()), 1, 0);
      std::vector<int> visited;
      for (const int v : order) visited.push_back(views[static_cast<std::size_t>(v)]);
      const StoredArt art(*A, visited), as_measured(*A, views);
      // Views in an order as rows in that order.
      std::vector<float> in_order(A->domain_size(), 0.0F), as_rows = in_order;
      const ViewArt by_views(as_measured);
      std::vector<float> rays(A->range_size());
      for (std::size_t i = 0; i < rays.size(); ++i) rays[i] = static_cast<float>(i % 7) + 1;
      as_measured.sweep(rays, 0.8, in_order, order);
      art.sweep(rays, 0.8, as_rows);
      QVERIFY(in_order == as_rows);
      std::vector<float> one(A->domain_size(), 0.5F), other = one;
      for (int round = 0; round < 3; ++round) {
        art.sweep(rays, 0.8, one);
        by_views.sweep(rays, 0.8, order, other);
        double largest = 0, difference = 0;
        for (std::size_t j = 0; j < one.size(); ++j) {
          largest = std::max(largest, std::abs(1.0 * one[j]));
          difference = std::max(difference, std::abs(1.0 * one[j] - other[j]));
        }
        QVERIFY2(difference < 1e-5 * largest, name);
      }
    }
  }

  /// One round by hand: f += lambda (p_i - <w_i, f>) / ||w_i||^2 w_i over dense rows.
  void storedArtIsKaczmarz() {
    const Machine machine;
    const MatrixStudyContext context = machine.context();
    const BenchCase setting = scaled(bench_cases("ge512").front(), 1.0 / 32, 8);
    const auto A = context.weights_on_cpu(setting);
    std::vector<float> rays(A->range_size());
    for (std::size_t i = 0; i < rays.size(); ++i) rays[i] = static_cast<float>(i % 7) + 1;
    std::vector<double> expected(A->domain_size(), 0.0);
    std::vector<int> views;
    for (int view = 1; view < A->views(); view += 3) {
      views.push_back(view);
      const auto rows = A->row_source()->view_rows(view);
      RowWeights row;
      for (int c = 0; c < setting.geometry->columns(); ++c) {
        rows->weights(c, 0, row);
        double dot = 0, square = 0;
        for (std::size_t k = 0; k < row.size(); ++k) {
          dot += row.weight[k] * expected[row.voxel[k]];
          square += row.weight[k] * row.weight[k];
        }
        const std::size_t i =
            static_cast<std::size_t>(view) * A->cells_per_view() + static_cast<std::size_t>(c);
        for (std::size_t k = 0; k < row.size() && square > 0; ++k)
          expected[row.voxel[k]] += 0.5 * (rays[i] - dot) / square * row.weight[k];
      }
    }
    std::vector<float> image(A->domain_size(), 0.0F);
    StoredArt(*A, views).sweep(rays, 0.5, image);
    double largest = 0, difference = 0;
    for (std::size_t j = 0; j < image.size(); ++j) {
      largest = std::max(largest, std::abs(expected[j]));
      difference = std::max(difference, std::abs(expected[j] - image[j]));
    }
    QVERIFY(largest > 0);
    QVERIFY(difference < 1e-4 * largest);
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
    QCOMPARE(t.rows.size(), std::size_t{4});
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
    // Print's dense matrix, one thread on the fly and stored, every format, on the fly; two sizes.
    QCOMPARE(t.rows.size(), 2 * (4 + machine.catalog.matrix_formats.on("cpu").size()));
    QCOMPARE(*t.rows[0][7].number, 1653.0);
    QVERIFY(!t.rows[0][8].number);  // not repeated here
    QVERIFY(!t.rows[1][7].number);  // not print's
    QCOMPARE(*t.rows[2][7].number, 159.0);
    QVERIFY(*t.rows[1][8].number > 0 && *t.rows[2][8].number > 0);
    EXPECT_NEAR(*t.rows[1][8].number, *t.rows[1][6].number, 1e-9 * *t.rows[1][8].number);
    QVERIFY(!summed(result, "GPU, block CSR and ELLR-T")[1].number);  // there is none here
    QCOMPARE(*summed(result, "GPU over CPU, stored")[0].number, 3.6);
    QVERIFY(std::ranges::any_of(result.notes, [](const std::string& note) {
      return note.find("3.6 as printed, 3.06 meant: 159 s / 52 s") != std::string::npos;
    }));
  }

  void profilesAverageNineNeighbours() {
    const VolumeGrid grid = VolumeGrid::centered(5, 5, 1, {1, 1, 1});
    std::vector<float> image(25, 0.0F);
    image[grid.index(2, 2, 0)] = 9;
    QCOMPARE(averaged_profile(image, grid), (std::vector<double>{1, 1, 1}));
    image[grid.index(0, 1, 0)] = 18;
    QCOMPARE(averaged_profile(image, grid), (std::vector<double>{3, 1, 1}));
    QCOMPARE(rmse_of({1, 2}, {1, 4}), std::sqrt(2.0));
  }

  void interruptsAreHeardAndPartsNamed() {
    const Machine machine;
    for (const auto& study : {study_cuart, study_matrix_cbct}) {
      expect_interruptible(study, machine.options({}), 5);
      const StudyOptions options = machine.options({"tims"});
      EXPECT_THROWS(UsageError, study(options), "use some of sizes");
      EXPECT_THROWS(UsageError, study({}), "needs the program");
    }
  }
};

GANTRY_TEST(TestMatrixStudies)
#include "test_matrix_studies.moc"
