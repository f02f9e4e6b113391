// The study of Liu et al. 2017: that its parts have their rows, that its printed numbers are those
// of the paper, and that its formulas are right. What it measures is not judged.
#include "core/backend/cpu_backend.hpp"
#include "core/base/cpu_threads.hpp"
#include "core/base/error.hpp"
#include "core/base/timing.hpp"
#include "core/phantoms/solid_phantom.hpp"
#include "core/projectors/distance_driven/distance_driven.hpp"
#include "studies/branchless_dd/branchless_context.hpp"
#include "studies/branchless_dd/difference.hpp"
#include "studies/branchless_dd/flattened.hpp"
#include "studies/branchless_dd/printed.hpp"
#include "studies/study_list.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/interrupted_study.hpp"
#include "tests/support/study_table.hpp"
#include "tests/support/test_program.hpp"

#include <QRegularExpression>

#include <algorithm>
#include <map>
#include <numeric>

using namespace gantry;
using namespace gantry::test;
using namespace gantry::branchless_dd;

namespace {

/// The program's algorithms on the processor; with `gpus`, the names of a CUDA device's are there
/// as well, and the processor stands behind them.
struct Machine {
  Catalog catalog;
  BackendList backends;

  explicit Machine(int gpus = 0) {
    add_core(catalog);
    backends.add("cpu", std::make_unique<CpuBackend>());
    if (gpus == 0) return;
    backends.add("cuda", std::make_unique<CpuBackend>());
    backends.add("cuda-all", std::make_unique<CpuBackend>());
    auto& projectors = catalog.projectors;
    projectors.also_on("cuda", "distance_driven", "cpu");
    for (const char* key : {"dd_gpu_bl", "dd_gpu_bz", "dd_gpu_db", "dd_gpu_bs"})
      projectors.add({.key = key, .label = key}, "cuda", make_distance_driven);
    for (const auto* entry : projectors.on("cuda"))
      projectors.add_on("cuda-all", entry->key, make_distance_driven, group_params(gpus));
  }
  static std::vector<ParamSpec> group_params(int gpus) {
    return {{.key = "gpus",
             .label = "",
             .unit = "",
             .fallback = std::int64_t{gpus},
             .min = 1,
             .max = 1.0 * gpus,
             .help = ""}};
  }
  StudyOptions options() const {
    return {.iterations = 2, .scale = 1.0 / 64, .catalog = &catalog, .backends = &backends};
  }
};

/// All numbers of a line of the paper, in order.
std::vector<double> numbers(const QString& line) {
  std::vector<double> found;
  static const QRegularExpression number(QStringLiteral("(?<![A-Z-])\\d+(\\.\\d+)?"));
  for (auto match = number.globalMatch(line); match.hasNext();)
    found.push_back(match.next().captured().toDouble());
  return found;
}

/// The numbers in the columns whose name holds "printed", in order, rows of `name` in turn.
std::vector<double> printed_of(const StudyTable& t, const std::function<bool(std::size_t)>& row) {
  std::vector<double> found;
  for (std::size_t r = 0; r < t.rows.size(); ++r)
    for (std::size_t c = 0; c < t.columns.size(); ++c)
      if (row(r) && t.columns[c].name.find("printed") != std::string::npos && t.rows[r][c].number)
        found.push_back(*t.rows[r][c].number);
  return found;
}

std::vector<double> printed_of(const StudyTable& t, const std::string& name) {
  return printed_of(t, [&](std::size_t r) { return t.rows[r][0].words == name; });
}

void expect_whole(const StudyResult& result) {
  for (const char* key :
       {"table-2", "table-3", "views", "in-plane", "slices", "bl-against-bz", "growth", "texture",
        "ones-measured", "bar-measured", "table-4", "table-5", "phantoms", "fig-18", "fig-19"}) {
    const auto found = std::ranges::find(result.tables, key, &StudyTable::key);
    QVERIFY2(found != result.tables.end(), key);
    QVERIFY2(!found->rows.empty(), key);
    for (const auto& row : found->rows) QCOMPARE(row.size(), found->columns.size());
  }
  for (const StudyChart& chart : result.charts) {
    QVERIFY2(!chart.curves.empty(), chart.key.c_str());
    for (const StudyCurve& curve : chart.curves) QCOMPARE(curve.x.size(), curve.y.size());
  }
}

}  // namespace

class TestBranchlessStudy : public QObject {
  Q_OBJECT

 private slots:
  void withoutGpuEveryPartHasItsRows() {
    const Machine machine;
    const StudyResult result = study_branchless_dd(machine.options());
    expect_whole(result);
    QVERIFY(std::ranges::any_of(result.notes, [](const std::string& note) {
      return note.find("There is no CUDA device") != std::string::npos;
    }));
    // "from 256^2 to 1408^2 with a step size of 128", "from 64 to 480 with a step size of 32"
    QCOMPARE(table(result, "in-plane").rows.size(), std::size_t{10});
    QCOMPARE(table(result, "slices").rows.size(), std::size_t{14});
    // Lines of methods that need a device have their printed numbers and none of ours.
    int of_gpus = 0;
    for (const auto& row : table(result, "table-2").rows) {
      if (!row[0].words.starts_with("GPU")) continue;
      ++of_gpus;
      QVERIFY(!row[3].number && !row[8].number);
      QCOMPARE(row[8].words, std::string("needs a CUDA device"));
    }
    QVERIFY(of_gpus > 0);
    // So does every printed number of theirs among the comparisons.
    for (const auto& row : result.tables.back().rows)
      if (row[1].words.starts_with("GPU-") || row[0].words == "Table IV")
        QVERIFY2(row[4].words == "needs a CUDA device", row[1].words.c_str());
    // In the place of GPU-BL stands the branchless pair of the CPU, beside a row that says so.
    std::map<std::string, int> reconstructed;
    for (const auto& row : table(result, "phantoms").rows) {
      ++reconstructed[row[2].words + " less " + row[3].words];
      if (row[2].words == "GPU-BL")
        QCOMPARE(row[5].words, std::string("needs a CUDA device"));
      else
        QVERIFY(row[8].number && *row[8].number > 0);
    }
    const std::string branchless = "distance_driven_branchless, cpu";
    QCOMPARE(reconstructed, (std::map<std::string, int>{{"CPU-32 less truth", 2},
                                                        {branchless + " less truth", 2},
                                                        {branchless + " less CPU-32", 2},
                                                        {"GPU-BL less CPU-32", 2}}));
    for (const auto& [key, printed] : {std::pair{"fig-18", 0.57}, {"fig-19", 0.9905}}) {
      const auto& row = table(result, key).rows.back();
      QCOMPARE(row[1].words, std::string("GPU-BL"));
      QCOMPARE(*row[8].number, printed);
      QCOMPARE(row[9].words, std::string("needs a CUDA device"));
    }
    QCOMPARE(result.devices, std::vector<std::string>{machine.backends.resolve("cpu").name()});
    // The RMSE of backprojections are of all views; Fig. 13, a single one, has none.
    std::map<std::string, std::vector<double>> seen;
    for (const auto& row : table(result, "ones-measured").rows) {
      if (row[7].number) seen[row[0].words.substr(0, 7)].push_back(*row[7].number);
      QCOMPARE(row[5].number, row[0].words.starts_with("Fig. 12")   ? std::optional(0.002)
                              : row[0].words.starts_with("Fig. 14") ? std::optional(0.0002)
                                                                    : std::nullopt);
    }
    QCOMPARE(seen["Fig. 12"], (std::vector<double>{2.77e-2, 3.50e-4, 2.77e-2, 3.50e-4}));
    QCOMPARE(seen["Fig. 14"], (std::vector<double>{5.24e-2, 6.92e-4}));
    QVERIFY(!seen.contains("Fig. 13"));
    for (const auto& row : table(result, "bar-measured").rows)
      QCOMPARE(row[3].words == "below 0.2",
               row[0].number == 30.0 && row[1].words.starts_with("GPU-BL"));
    // Images of phantoms are three planes each.
    std::map<std::string, int> planes;
    for (const StudyImage& image : result.images) {
      QCOMPARE(image.values.size(), static_cast<std::size_t>(image.width * image.height));
      for (const char* plane : {"transverse plane", "sagittal plane", "coronal plane"})
        planes[plane] += image.title.ends_with(plane) ? 1 : 0;
    }
    QVERIFY(planes["transverse plane"] >= 6);  // truth, image and error of two phantoms
    QVERIFY(planes["transverse plane"] == planes["sagittal plane"] &&
            planes["transverse plane"] == planes["coronal plane"]);
    // Growth is told in words in print, which state a power.
    int linear = 0, quadratic = 0;
    for (const auto& row : table(result, "growth").rows) {
      QCOMPARE(row[3].words.empty(), row[2].words == "most over the CPU, times");
      linear += row[3].words == "linear" && *row[3].number == 1 ? 1 : 0;
      quadratic += row[3].words == "quadratic" && *row[3].number == 2 ? 1 : 0;
    }
    QCOMPARE(linear, 4);  // over views and over slices
    QCOMPARE(quadratic, 2);
    // Fig. 11 (c), 12 and 15 have their curves and images.
    const auto chart = [&](const char* key) {
      return *std::ranges::find(result.charts, key, &StudyChart::key);
    };
    const StudyCurve errors = chart("texture-errors").curves.front(),
                     values = chart("texture").curves.front();
    for (std::size_t i = 0; i < errors.y.size(); ++i)
      EXPECT_NEAR(errors.y[i], values.y[i] - errors.x[i] / 32768, 1e-12);
    const std::vector<StudyCurve> bars = chart("bar-profiles-measured").curves;
    // A bar of ones, 25 mm long, from its end: the sum over the cells is its area.
    double area = 0;
    for (const double value : bars.front().y) area += 1.41 * value;
    EXPECT_NEAR(area, 25, 0.3);
    QVERIFY(std::ranges::any_of(result.images, [](const StudyImage& image) {
      return image.title.starts_with("Fig. 12, 0 degrees: ") && image.low == 0 && image.high > 400;
    }));
    QCOMPARE(table(result, "fig-18").rows.back()[3].words, std::string("-3 to 5"));
    // Figs 13 to 19 are found by their numbers: contours, products and differences of the model,
    // reconstructions and their differences.
    const auto titles = [&](const std::string& a, const std::string& b) {
      return std::ranges::count_if(result.images, [&](const StudyImage& image) {
        return image.title.starts_with(a) && image.title.find(b) != std::string::npos;
      });
    };
    for (const char* figure : {"Fig. 13, one view: ", "Fig. 14, 16 views: "}) {
      QCOMPARE(titles(figure, "contours of "), std::ptrdiff_t{3});
      QCOMPARE(titles(figure, "contours of eqs 14 to 18"), std::ptrdiff_t{1});
      QCOMPARE(titles(figure, "contours of GPU-BL, modelled on the CPU"), std::ptrdiff_t{1});
      QCOMPARE(titles(figure, "contours of GPU-DB, modelled on the CPU"), std::ptrdiff_t{1});
      QCOMPARE(titles(figure, ": GPU-BL, modelled on the CPU less eqs 14"), std::ptrdiff_t{1});
      QCOMPARE(titles(figure, ": GPU-DB, modelled on the CPU less eqs 14"), std::ptrdiff_t{1});
      const auto product = std::ranges::find(
          result.images, figure + std::string("GPU-BL, modelled on the CPU"), &StudyImage::title);
      QVERIFY2(product != result.images.end(), figure);
      QVERIFY(std::ranges::max(product->values) > 0);
    }
    QCOMPARE(titles("CPU-32, ", "(Fig. 18)"), std::ptrdiff_t{1});
    QCOMPARE(titles(branchless + " less CPU-32", "(Fig. 18)"), std::ptrdiff_t{1});
    QCOMPARE(titles("FDK, ", "(Fig. 19)"), std::ptrdiff_t{1});
    for (const char* image : {"CPU-32, ", "CPU-32 less FDK"})
      QCOMPARE(titles(image, "(Fig. 19)"), std::ptrdiff_t{1});
    for (const char* other : {", ", " less FDK", " less CPU-32"})
      QCOMPARE(titles(branchless + other, "(Fig. 19)"), std::ptrdiff_t{1});
    // The model is not the definition: eight bits are seen in the differences of Fig. 13.
    const auto apart = std::ranges::find_if(result.images, [](const StudyImage& image) {
      return image.title.starts_with("Fig. 13, one view: GPU-BL, modelled on the CPU less");
    });
    QVERIFY(std::ranges::any_of(apart->values, [](float value) { return value != 0; }));
    for (const StudyColumn& column : table(result, "table-4").columns)
      QVERIFY(column.name.find("here") == std::string::npos);
  }

  void withGpusTheirColumnsAreFilled() {
    const Machine machine(3);
    const StudyResult result = study_branchless_dd(machine.options());
    expect_whole(result);
    int of_gpus = 0;
    for (const auto& row : table(result, "table-2").rows) {
      if (!row[0].words.starts_with("GPU")) continue;
      ++of_gpus;
      QVERIFY(row[8].number && *row[8].number > 0);
    }
    QVERIFY(of_gpus > 0);
    const StudyTable& gpus = table(result, "table-4");
    QCOMPARE(gpus.columns[gpus.columns.size() - 2].name, std::string("here, 3"));
    QCOMPARE(gpus.rows[0].back().words, std::string("this machine has 3 GPUs"));
    for (const auto& row : gpus.rows)  // what is not in print is not missing
      QCOMPARE(row.back().words.empty(), row[3].words.ends_with("without transfers"));
    QVERIFY(gpus.rows[0][8].number && gpus.rows[0][9].number && gpus.rows[0][10].number);
    // All methods are the processor's pair here: none differs from it, and all differ alike from
    // print's model, whose backprojection is another quantity.
    std::map<std::string, double> apart;
    int measured = 0;
    for (const auto& row : table(result, "ones-measured").rows) {
      const double rmse = *row[8].number;
      if (row[2].words == "distance_driven, cpu") {
        QCOMPARE(rmse, 0.0);
        continue;
      }
      ++measured;
      QCOMPARE(row[2].words, std::string("eqs 14 to 18 on the CPU"));
      QVERIFY(rmse > 0);
      QCOMPARE(apart.try_emplace(row[0].words, rmse).first->second, rmse);
      // Eight bits are modelled for the method that has them, whichever stands in for it.
      QCOMPARE(row[3].number.has_value(), row[1].words == "GPU-BL" || row[1].words == "GPU-DB");
    }
    QVERIFY(measured > 0);
    // Figs 13 and 14 have contours of the reference and of three methods each.
    QCOMPARE(std::ranges::count_if(result.images,
                                   [](const StudyImage& image) {
                                     return image.title.find("contours of") != std::string::npos;
                                   }),
             std::ptrdiff_t{8});
    QCOMPARE(result.devices.size(), std::size_t{3});
    // Print's 0.57 HU is GPU-BL's, and no deviation is of other data.
    for (const auto& row : table(result, "fig-18").rows) {
      QCOMPARE(row[8].number.has_value(), row[1].words.starts_with("GPU-BL"));
      QVERIFY(!row[10].number);
    }
    bool compared = false;
    for (const auto& row : table(result, "phantoms").rows)
      if (row[3].words == "CPU-32") {
        QCOMPARE(*row[6].number, 100.0);
        QCOMPARE(*row[8].number, 0.0);
        compared = true;
      }
    QVERIFY(compared);
  }

  /// Lines as they stand in the paper.
  void printedTablesAreThePapers() {
    const Machine machine;
    StudyOptions options = machine.options();
    options.parts = {"times", "gpus", "phantoms"};
    const StudyResult result = study_branchless_dd(options);
    // Table I: what stands here is what is printed.
    const StudyTable& one = table(result, "table-1");
    QCOMPARE(one.rows.size(), std::size_t{8});
    for (const auto& row : one.rows) {
      QCOMPARE(row[2].words, row[3].words);
      QCOMPARE(row[2].number.has_value(), row[3].number.has_value());
      if (row[2].number) EXPECT_NEAR(*row[2].number, *row[3].number, 2e-3);
    }
    const StudyTable& two = table(result, "table-2");
    for (const auto& [name, line] :
         std::vector<std::pair<std::string, QString>>{{"CPU-1", "195.59(1.00x) 195.44(1.00x)"},
                                                      {"CPU-8", "24.10(8.12x) 24.89(7.85x)"},
                                                      {"CPU-32", "11.48(17.04x) 11.48(17.02x)"},
                                                      {"GPU-BL", "1.42(137.74x) 1.04(187.92x)"},
                                                      {"GPU-BS", "2.77(57.61x) 3.02(64.72x)"},
                                                      {"GPU-DB", "13.46(14.53x) 17.68(11.05x)"},
                                                      {"GPU-BZ", "N/A 1.21(161.52x)"}})
      QCOMPARE(printed_of(two, name), numbers(line));
    // The CPU of this machine has other threads than print's CPU-32.
    if (const int threads = cpu_threads(); threads != 32) {
      const std::string named = "CPU-32, here " + std::to_string(threads) + " thread";
      int lines = 0;
      for (const auto& row : table(result, "against-print").rows)
        if (row[1].words.starts_with("CPU-32")) {
          QVERIFY2(row[1].words.starts_with(named), row[1].words.c_str());
          ++lines;
        }
      QCOMPARE(lines, 4 + 2 + 2);
    }
    // Columns CPU-32, GPU-BL, GPU-BS, GPU-DB, GPU-BZ.
    const StudyTable& three = table(result, "table-3");
    const auto of = [&](const char* product) {
      return printed_of(three, [&](std::size_t r) { return three.rows[r][2].words == product; });
    };
    QCOMPARE(of("projection"), numbers("1.57 17.65 5.25 1.34 N/A"));
    QCOMPARE(of("backprojection"), numbers("1.49 17.93 6.05 0.86 16.58"));
    const QStringList four = {
        "1.478 1.107 1.102 1.101", "1.009 0.703 0.579 0.457", "0.016 0.012 0.010 0.010",
        "1.041 0.953 0.944 0.886", "0.618 0.454 0.346 0.272", "0.029 0.026 0.026 0.024",
        "2.550 2.045 1.762 1.581", "2.012 1.411 1.184 0.897", "0.033 0.028 0.025 0.021",
        "1.933 1.504 1.351 1.261", "1.260 0.832 0.703 0.552", "0.059 0.054 0.053 0.048",
        "4.685 3.513 2.841 2.542", "4.029 2.853 2.305 1.791", "0.069 0.058 0.055 0.052",
        "3.579 2.754 2.253 1.842", "2.693 1.746 1.461 1.174", "0.125 0.120 0.117 0.113"};
    QCOMPARE(printed_of(table(result, "table-4"), [](std::size_t) { return true; }),
             numbers(four.join(' ')));
    const StudyTable& five = table(result, "table-5");
    QCOMPARE(printed_of(five, "CPU-32"), numbers("24.13 26.63"));
    QCOMPARE(printed_of(five, "GPU-BL"), numbers("2.75 2.25 2.78 1.92"));
    QCOMPARE(printed_of(five, "GPU-BS"), numbers("5.89 5.65 8.07 7.82"));
  }

  void printedWordsAreThePapers() {
    const auto near = [](double a, double b) { return std::abs(a - b) < 1e-12; };
    QVERIFY(near(printed::bl_projection_rmse, 0.0277));            // "2.77 x 10^-2"
    QVERIFY(near(printed::db_projection_rmse, 0.00035));           // "3.50 x 10^-4"
    QVERIFY(near(printed::bl_backprojection_rmse, 0.0524));        // "5.24 x 10^-2"
    QVERIFY(near(printed::db_backprojection_rmse, 0.000692));      // "6.92 x 10^-4"
    QVERIFY(near(printed::largest_staircase_error, 0.001953125));  // "1/2^9"
    QVERIFY(printed::samples_a_step == 128 && printed::projection_over_cpu == 10 &&
            printed::backprojection_over_cpu == 11);
    QVERIFY(printed::helical_rmse_hu == 0.57 && printed::clinical_ssim == 0.9905);
    // Speed-ups are those of the printed times; GPU-BS's projection is a misprint.
    QCOMPARE(printed::table_2[4].projection_faster.as_printed, 57.61);
    QVERIFY(printed::fig_12_half_window == 0.002 && printed::fig_14_half_window == 0.0002);
    for (const printed::Row& row : printed::table_2) {
      if (row.projection != printed::none)
        EXPECT_NEAR(195.59 / row.projection, row.projection_faster.value(),
                    0.004 * row.projection_faster.value());
      EXPECT_NEAR(195.44 / row.backprojection, row.backprojection_faster,
                  0.002 * row.backprojection_faster);
    }
  }

  /// Eq. 29: 512^3 x 360 / 1024^3 = 45.
  void updatesAreCountedAsInPrint() {
    const double voxels = 512.0 * 512 * 512;
    EXPECT_NEAR(giga_updates_per_second(voxels, 360, 1), 45, 1e-12);
    EXPECT_NEAR(giga_updates_per_second(voxels, 360, 2.5), 18, 1e-12);
  }

  void timesAreMediansAfterWarmingUp() {
    int calls = 0;
    time_calls([&] { ++calls; }, 4);
    QCOMPARE(calls, 5);
    calls = 0;
    time_within([&] { ++calls; }, 0, 3, 10);
    QCOMPARE(calls, 4);
    calls = 0;
    time_within([&] { ++calls; }, 1e9, 3, 10);
    QCOMPARE(calls, 11);
    calls = 0;
    time_within([&] { ++calls; }, 0, 0, 0);
    QCOMPARE(calls, 2);
    QCOMPARE(median({5, 1, 3}), 3.0);
    QCOMPARE(median({5, 1, 3, 2}), 2.5);
  }

  /// Smaller numbers over the same lengths and angles.
  void scalingKeepsTheScanner() {
    const Machine machine;
    StudyOptions options = machine.options();
    options.scale = 1;
    const Setting whole = BranchlessContext(options).scanner();
    const ScanSpec& a = whole.geometry->spec();
    QCOMPARE(a.detector_columns, 888);
    QCOMPARE(a.detector_rows, 64);
    QCOMPARE(whole.geometry->views(), 984);
    QVERIFY(whole.grid == VolumeGrid::centered(512, 512, 64, {500.0 / 512, 500.0 / 512, 0.625}));
    EXPECT_NEAR((443.5 - a.central_column) * 1.0239, -1.28, 1e-3);  // Table I: offset
    const Setting half = scaled(whole, 0.5);
    const ScanSpec& b = half.geometry->spec();
    QCOMPARE(b.detector_columns, 444);
    QCOMPARE(b.detector_rows, 32);
    EXPECT_NEAR(b.column_pitch_mm, 2 * 1.0239, 1e-12);
    EXPECT_NEAR(b.row_pitch_mm, 2 * 1.0963, 1e-12);
    // The ray through the isocentre meets the same place.
    EXPECT_NEAR((b.central_column + 0.5) / 444, (a.central_column + 0.5) / 888, 1e-12);
    EXPECT_NEAR(half.geometry->angle_rad(1) - half.geometry->angle_rad(0), 2 * pi / 492, 1e-12);
    const auto mean = [](const std::vector<double>& angles) {
      return std::accumulate(angles.begin(), angles.end(), 0.0) /
             static_cast<double>(angles.size());
    };
    EXPECT_NEAR(mean(b.view_angles_rad), mean(a.view_angles_rad), 1e-9);
    QVERIFY(half.grid.nx == 256 && half.grid.nz == 32);
    const Vec3 off = half.grid.lower_corner_mm() - whole.grid.lower_corner_mm();
    EXPECT_NEAR(norm(off), 0, 1e-9);
    EXPECT_NEAR(half.grid.spacing_mm.z, 1.25, 1e-12);
  }

  /// A ball pressed to half its height is an ellipsoid of half the height.
  void pressedPhantomsAreExact() {
    const Vec3 half{40, 40, 40};
    const Flattened pressed(
        std::make_unique<SolidPhantom>(std::vector{ellipsoid({3, 1, 8}, {20, 20, 20}, 0.5)},
                                       Overlap::add, half),
        2);
    const SolidPhantom same({ellipsoid({3, 1, 4}, {20, 20, 10}, 0.5)}, Overlap::add, half);
    for (int i = 0; i < 20; ++i) {
      const Ray ray{{-100.0 + i, -3.0 * i, 12}, normalized({1.0, 0.1 * i - 0.5, 0.03 * i - 0.4})};
      EXPECT_NEAR(pressed.line_integral(ray), same.line_integral(ray), 1e-12);
      const Vec3 point{0.5 * i, 0.3 * i, 1.0 * i - 8};
      QCOMPARE(pressed.mu_at(point), same.mu_at(point));
    }
    QVERIFY(pressed.half_extent_mm() == (Vec3{40, 40, 20}));
  }

  void differencesByHand() {
    const std::vector<float> a = {1, 2, 3, 4}, b = {1, 2.5, 3, 2};
    const Difference d = difference(a, b, -0.5, 0.5);
    EXPECT_NEAR(d.rmse, std::sqrt((0.25 + 4) / 4), 1e-12);
    QCOMPARE(d.largest, 2.0);
    QCOMPARE(d.within, 75.0);
    QCOMPARE(difference(a, b, -0.5, 2).within, 100.0);  // 0, -0.5, 0, 2
    QCOMPARE(difference(a, b, 0, 2).within, 75.0);
    std::vector<float> image(8);
    std::iota(image.begin(), image.end(), 0.0F);
    const auto middle = middle_slices(image, VolumeGrid::centered(1, 1, 8, {1, 1, 1}));
    QVERIFY(middle.size() == 4 && middle.front() == 2);
  }

  /// Without fractions of few bits a pixel is read off as a straight line.
  void theProcessorHasNoStairs() {
    const Machine machine;
    StudyOptions options = machine.options();
    options.parts = {"texture"};
    const StudyResult result = study_branchless_dd(options);
    const StudyTable& t = table(result, "texture");
    EXPECT_NEAR(*t.rows[0][3].number, 1, 0.01);
    QVERIFY(*t.rows[1][3].number < 1e-4);
    QCOMPARE(*t.rows[2][2].number, 128.0);
  }

  void progressGrowsAndInterruptsAreHeard() {
    const Machine machine;
    expect_interruptible(study_branchless_dd, machine.options(), 12);
  }

  void unknownPartsAreNamed() {
    const Machine machine;
    StudyOptions options = machine.options();
    options.parts = {"tims"};
    EXPECT_THROWS(UsageError, study_branchless_dd(options), "use some of times, sweeps");
    EXPECT_THROWS(UsageError, study_branchless_dd({}), "needs the program");
  }
};

GANTRY_TEST(TestBranchlessStudy)
#include "test_branchless_study.moc"
