// The study of symmetric CSR: that its parts have their rows, that printed numbers are those of the
// paper, and that ours are computed. What it times is not judged.
#include "core/projectors/area/area_integral.hpp"
#include "core/solvers/view_order.hpp"
#include "studies/cuart/object.hpp"
#include "studies/cuart/parts.hpp"
#include "studies/cuart/printed.hpp"
#include "studies/stored_art.hpp"
#include "studies/study_list.hpp"
#include "studies/tracked_run.hpp"
#include "studies/view_art.hpp"
#include "tests/studies/matrix_machine.hpp"
#include "tests/support/interrupted_study.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestCuartStudy : public QObject {
  Q_OBJECT

 private slots:
  void sizesAreThePublished() {
    const Machine machine;
    StudyOptions options = machine.options({"sizes"});
    options.sizes = {1024};  // the study nonzeros counts all of Table 1
    const StudyResult cuart = study_cuart(options);
    expect_whole(cuart);
    const StudyTable& gb = table(cuart, "area-integral");
    QCOMPARE(gb.rows.size(), std::size_t{4});
    for (const auto& row : gb.rows) QVERIFY(std::abs(*row.back().number) < 9);  // %
    // 8 bytes a nonzero, 4 a row start (8 past 2^31): 1613037960 nonzeros of 1024^2, 720 views.
    EXPECT_NEAR(*summed(cuart, "CSR, 1024^2, 720 views")[1].number,
                (8 * 1613037960.0 + 4 * 737281.0) / 1e9, 1e-5);
    QCOMPARE(*gb.rows[3][4].number, 1.50);  // SCSR, which the summary leaves out: an eighth
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
        QVERIFY(*row[8].number > 0.98 && *row[8].number <= 1.01);
      }
    }
    QVERIFY(estimated > 0 && of_csr > 0);
    // Fig. 16: print's six ratios, beside what is estimated for the whole matrix.
    const std::map<std::string, std::pair<double, double>> in_print = {
        {"512^2", {7.6, 7.8}}, {"1024^2", {7.7, 7.9}}, {"2048^2", {7.8, 7.9}}};
    for (const auto& [image, ratios] : in_print)
      for (const auto& [blocking, ratio] :
           {std::pair{"global", ratios.first}, {"view", ratios.second}}) {
        const auto line = summed(cuart, "over SCSR, " + image + ", blocking " + blocking);
        QCOMPARE(*line[0].number, ratio);
        QVERIFY2(std::abs(*line[2].number) < 5, image.c_str());  // %
      }
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
    QCOMPARE(summed(result, "building SCSR, view level over building cusparse")[0].words,
             std::string("nearly the same"));
    const auto built = [&](const std::string& method, const std::string& variant) {
      std::vector<double> seconds;
      for (const auto& row : cuda.rows)
        if (row[1].words == method && row[2].words == variant) seconds.push_back(*row[4].number);
      return seconds;
    };
    const auto ours = built("scsr", "blocking view"), csr = built("cusparse", "");
    QCOMPARE(*summed(result, "building SCSR, view level over building cusparse")[1].number,
             ours.at(2) / csr.at(2));
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

  /// Split and fused, in each blocking and without one; the CPU has no launches.
  void launchesAreTimed() {
    const Machine machine(true);
    const StudyResult cuart = study_cuart(machine.options({"launches"}));
    expect_whole(cuart);
    QVERIFY(std::ranges::none_of(
        cuart.tables, [](const StudyTable& table) { return table.key == "launches-cpu"; }));
    const StudyTable& launches = table(cuart, "launches-cuda");
    QCOMPARE(launches.rows.size(), std::size_t{3});
    for (const auto& row : launches.rows) {
      QVERIFY2(row[3].words.empty(), row[3].words.c_str());
      QVERIFY(row[1].number && *row[1].number > 0 && row[2].number && *row[2].number > 0);
    }
  }

  /// A rotation leaves collisions that another order avoids; print calls it free of them.
  void permutationsAreCountedAndTimed() {
    const Machine machine(true);
    const StudyResult cuart = study_cuart(machine.options({"permutation"}, 1.0 / 8));
    expect_whole(cuart);
    const StudyTable& collide = table(cuart, "permutation");
    QCOMPARE(collide.rows.size(), std::size_t{6});
    for (std::size_t blocking = 0; blocking < 2; ++blocking) {
      const auto share = [&](std::size_t order) {
        return *collide.rows[3 * blocking + order][3].number;
      };
      QVERIFY(share(0) > share(1) && share(1) > 10 * share(2) && share(0) < 100);
      QCOMPARE(collide.rows[3 * blocking + 1][2].words, std::string("never"));
      QVERIFY(!collide.rows[3 * blocking][2].number);
      QVERIFY(!collide.rows[3 * blocking + 1][4].number);  // another size
    }
    for (const char* backend : {"cpu", "cuda"}) {
      const StudyTable& times = table(cuart, std::string("permutation-") + backend);
      QCOMPARE(times.rows.size(), std::size_t{6});  // the format of the CPU, which gathers
      for (const auto& row : times.rows) {
        EXPECT_NEAR(*row[1].number + *row[2].number, *row[3].number, 1e-9);
        QVERIFY(row[4].words.empty());
      }
      QCOMPARE(times.rows[5][0].words, std::string("blocking view, permutation distinct"));
    }
  }

  /// Print's numbers of iterations in every format; all formats give one image at a level.
  void wholeReconstructionsHaveEveryFormat() {
    const Machine machine(true);
    StudyOptions options = machine.options({"reconstructions"});
    options.iterations = 100;
    const StudyResult result = study_cuart(options);
    expect_whole(result);
    const StudyTable& all = table(result, "reconstructions-cuda");
    // By case and level; by case, level and format, of print's blocking where there is one.
    std::map<std::string, double> error, fastest;
    std::map<std::string, double> art;
    for (const auto& row : all.rows) {
      const std::string level = row[0].words + row[1].words;
      if (row[1].words == "ART, 1 thread") {
        QCOMPARE(*row[3].number, 15.0);
        art[row[0].words] = *row[6].number;
        continue;
      }
      QCOMPARE(*row[3].number, row[1].words == "view level" ? 30.0 : 50.0);
      const auto [at, first] = error.emplace(level, *row[4].number);
      QVERIFY2(std::abs(at->second - *row[4].number) < 1e-3 * at->second, row[2].words.c_str());
      QCOMPARE(*row[8].number, art.at(row[0].words) / *row[6].number);
      QVERIFY(*row[7].number >= *row[6].number + *row[5].number);
      const std::string format = row[2].words.substr(0, row[2].words.find(','));
      const std::string blocking =
          row[1].words == "view level" ? "blocking view" : "blocking global";
      const bool of_print = row[2].words.ends_with(blocking);
      const auto [best, new_format] = fastest.emplace(level + format, *row[6].number);
      if (of_print || format != "scsr") best->second = std::min(best->second, *row[6].number);
      if (of_print) best->second = *row[6].number;
    }
    QCOMPARE(art.size(), std::size_t{3});
    QCOMPARE(error.size(), std::size_t{6});
    double most = 0;
    for (const auto& [name, seconds] : art)
      most = std::max(
          most, fastest.at(name + "global levelcusparse") / fastest.at(name + "view levelscsr"));
    const auto over = summed(result, "view level, scsr, blocking view, over cusparse, cuda");
    QCOMPARE(*over[0].number, 6.8);
    QCOMPARE(*over[1].number, most);
    QVERIFY(over[2].words.starts_with("another size"));
    for (const auto& [what, printed] :
         {std::pair{"global level, scsr, blocking global, over ART on one thread, cuda", 18.7},
          {"global level, scsr, blocking global, over cusparse, cuda", 6.1},
          {"cusparse over ART on one thread, cuda", 3.7},
          // BRC and CSR5 are not the published programs.
          {"global level, scsr, blocking global, over brc (simplified), cpu", 6.6},
          {"csr5 (simplified) over ART on one thread, cpu", 4.8},
          // On the CPU CSR stands where cuSPARSE does in print.
          {"csr (print: cusparse) over ART on one thread, cpu", 3.7},
          {"global level, scsr, blocking global, over csr (print: cusparse), cpu", 6.1},
          {"view level, scsr, blocking view, over csr (print: cusparse), cpu", 6.8}}) {
      QCOMPARE(*summed(result, what)[0].number, printed);
      QVERIFY2(*summed(result, what)[1].number > 0, what);
    }
  }

  void convergenceIsInThePublishedOrder() {
    const Machine machine;
    StudyOptions options = machine.options({"convergence"}, 1.0 / 16);
    options.iterations = 40;
    const StudyResult result = study_cuart(options);
    expect_whole(result);
    for (const char* key : {"rmse-shepp-logan", "rmse-substitute-437", "rmse-substitute-459"}) {
      const StudyTable& t = table(result, key);
      QCOMPARE(t.rows.size(), std::size_t{7});
      const auto& itself = t.rows.back();  // Table 2 has the phantom beside its images
      QVERIFY(*itself[6].number == 1);
      EXPECT_NEAR(*itself[7].number, 1, 1e-12);
      const auto rmse = [&](std::size_t r) { return *t.rows[r][5].number; };
      QVERIFY(rmse(0) < rmse(3) &&
              rmse(3) < rmse(1));  // weak lambda: ART, view level, global level
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
      if (row[1].words.starts_with("iterations until the SSIM"))
        QVERIFY(!row[3].number && !row[5].number);
    // 64^2 here, 1024^2 in print.
    QVERIFY(
        summed(result, "SSIM, global level, lambda 1")[2].words.starts_with("another size: 64^2"));
    QCOMPARE(summed(result, "SSIM, view level, half of the largest step, golden")[2].words,
             std::string("print: views as measured"));
    // Fig. 13: as many iterations as the curve shows.
    const auto chart =
        std::ranges::find(result.charts, std::string("rmse-shepp-logan"), &StudyChart::key);
    QVERIFY(chart != result.charts.end());
    const double level = 1.05 * chart->curves[0].y.back();  // ART
    const std::vector<double>& y = chart->curves[4].y;      // view level, half of the largest step
    const auto there = std::ranges::find_if(y, [&](double value) { return value <= level; });
    const auto line = summed(result, ": view level, half of the largest step");
    QCOMPARE(*line[0].number, 30.0);
    if (there == y.end())
      QVERIFY(line[1].words.starts_with("not in ") && std::isinf(*line[1].number));
    else
      QCOMPARE(*line[1].number, 1.0 * (there - y.begin() + 1));
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
      if (row[0].words.starts_with("global level") || row[0].words == "CGLS" ||
          row[0].words == "SIRT, 1.9")
        QVERIFY(!row[8].number);
      if (row[0].words == "view level, half of the largest step") QVERIFY(row[8].number);
    }
    // The same method takes as many iterations whatever the format.
    std::map<std::string, double> iterations;
    for (const auto& row : plateau.rows) {
      if (!row[2].number) continue;
      const auto [at, first] = iterations.emplace(row[0].words, *row[2].number);
      QVERIFY2(first || std::abs(at->second - *row[2].number) <= 1, row[0].words.c_str());
    }
    QVERIFY2(iterations.size() >= 4, qPrintable(QString::number(iterations.size())));
    // Over ART at its best, in the same order and as in print, which alone is compared with print.
    std::vector<StudyCell> in_print;
    for (const auto& row : table(result, "summary").rows)
      if (row[1].words.find("one thread: view level") != std::string::npos) {
        QVERIFY(*row[4].number > 0 && !row[5].number);
        in_print.push_back(row[3]);
      }
    // ART in the same order has no ratio where it does not reach the plateau.
    QVERIFY(in_print.size() == 2 || in_print.size() == 3);
    QCOMPARE(*in_print.back().number, 24.8);
    in_print.pop_back();
    for (const StudyCell& other : in_print) QVERIFY(!other.number);
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
    expect_interruptible(study_cuart, machine.options({"profiles", "times"}), 5);
    EXPECT_THROWS(UsageError, study_cuart(machine.options({"tims"})), "use some of sizes");
    EXPECT_THROWS(UsageError, study_cuart({}), "needs the program");
  }
};

GANTRY_TEST(TestCuartStudy)
#include "test_cuart_study.moc"
