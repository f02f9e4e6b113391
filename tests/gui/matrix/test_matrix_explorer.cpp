// Stored matrices in the window: the choice of a run's format, and the
// explorer, whose pictures and curves are held against the weights themselves.
#include "core/base/error.hpp"
#include "core/job/experiment_file.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/widgets/banners.hpp"
#include "tests/gui/matrix/matrix_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/gestures.hpp"
#include "tests/support/test_program.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTreeWidget>

#include <algorithm>
#include <limits>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Refuses every scan, or needs more than there is.
class Impossible final : public MatrixFormat {
 public:
  explicit Impossible(bool refuses) : refuses_(refuses) {}
  void require(const Projector&) const override {
    if (refuses_) throw UsageError("view 3 has no partner", "format", "use csr");
  }
  std::size_t estimate_bytes(const NonzeroEstimate&, const Projector&) const override {
    return std::size_t{1} << 60;
  }
  std::unique_ptr<const Matrix> build(const Projector&) const override { return nullptr; }

 private:
  bool refuses_;
};

void add_impossible(Program& program) {
  for (const bool refuses : {true, false})
    program.catalog.matrix_formats.add(
        {refuses ? "choosy" : "huge", refuses ? "Choosy" : "Huge", "of this test", "", {}}, "cpu",
        [refuses](const Params&) { return std::make_unique<Impossible>(refuses); });
}

}  // namespace

class TestMatrixExplorer : public MatrixFixture {
  Q_OBJECT

  QTemporaryDir folder_;

  /// As with the keyboard, so that the box tells that it was the user.
  void choose(QComboBox& box, const QString& key) {
    const int to = box.findData(key);
    QVERIFY(to >= 0);
    for (int i = 0; i < 100 && box.currentIndex() != to; ++i)
      QTest::keyClick(&box, box.currentIndex() < to ? Qt::Key_Down : Qt::Key_Up);
    QCOMPARE(box.currentIndex(), to);
  }
  QString needs() { return find<QLabel>("deviceNeeds").text(); }

  /// The dot of a picture that element (x, y) of `across` x `down` is drawn by.
  static QColor dot(const QImage& image, int x, int y, int across, int down) {
    return image.pixelColor(x * image.width() / across, y * image.height() / down);
  }

 private slots:
  void init() { openWindow(add_impossible); }
  void cleanup() { closeWindow(); }

  void theRunSaysHowItsMatrixIsStored() {
    openSmall();
    auto& box = find<QComboBox>("matrix");
    QCOMPARE(box.itemText(0), QStringLiteral("on the fly"));
    const auto& formats = w_->program.catalog.matrix_formats.entries();
    const auto usual = std::ranges::count(formats, false, &AlgorithmInfo::is_for_studies);
    QCOMPARE(box.count(), 1 + static_cast<int>(usual));
    for (int i = 0; i < box.count(); ++i)
      QVERIFY(!box.itemData(i, Qt::ToolTipRole).toString().isEmpty());
    QVERIFY(!needs().contains(QStringLiteral("matrix")));
    choose(box, QStringLiteral("csr"));
    QCOMPARE(w_->model().run(w_->run(0))->format, std::string("csr"));
    w_->waitForEstimates();
    QVERIFY2(needs().contains(QStringLiteral("the matrix will take about")), qPrintable(needs()));
    w_->model().undoStack().undo();
    QCOMPARE(w_->model().run(w_->run(0))->format, std::string());
    QCOMPARE(box.currentIndex(), 0);
  }

  void whatCannotBeIsOneLine() {
    openSmall();
    auto& box = find<QComboBox>("matrix");
    choose(box, QStringLiteral("choosy"));
    w_->waitForEstimates();
    QVERIFY2(needs().contains(QStringLiteral("view 3 has no partner")), qPrintable(needs()));
    choose(box, QStringLiteral("huge"));
    w_->waitForEstimates();
    QVERIFY2(needs().contains(QStringLiteral("too much")) &&
                 needs().contains(QStringLiteral("the matrix will take about")),
             qPrintable(needs()));
    // Started all the same: refused before anything is built, in words.
    w_->controller().start(w_->run(0));
    WAIT_FOR(w_->state(w_->run(0)) == RunState::failed);
    QVERIFY2(w_->controller()
                 .status(w_->run(0))
                 .message.contains(QStringLiteral("this run with its stored matrix needs 1.15 EB")),
             qPrintable(w_->controller().status(w_->run(0)).message));
  }

  void aStoredMatrixGivesTheSameImage() {
    openSmall([](Experiment& e) {
      e.runs.resize(1, e.runs.front());
      e.runs.front().iterations = 5;
      e.runs.push_back(e.runs.front());
      e.runs[1].format = "csr";
    });
    openExplorer();
    window().runs().selectRun(w_->run(1));
    window().runActions().run()->trigger();
    std::vector<std::vector<float>> images;
    for (const int id : w_->model().runIds()) {
      WAIT_FOR(w_->state(id) == RunState::finished);
      std::shared_ptr<const std::vector<float>> volume;
      w_->controller().requestVolume(id, [&](auto values, int) { volume = values; });
      WAIT_FOR(volume != nullptr);
      images.push_back(*volume);
    }
    const float largest = std::ranges::max(images[0]);
    for (std::size_t j = 0; j < images[0].size(); ++j)
      EXPECT_NEAR(images[1][j], images[0][j], 1e-4 * largest);
    QVERIFY(run_label(*w_->model().run(w_->run(1)), w_->program.catalog) !=
            run_label(*w_->model().run(w_->run(0)), w_->program.catalog));
    // What it took, part by part, as it was built.
    std::size_t nonzeros = 0;
    for (int v = 0; v < 60; ++v)
      for (int u = 0; u < 64; ++u) nonzeros += row(v, u).size();
    const auto& built = w_->controller().status(w_->run(1)).snapshot->matrix;
    QVERIFY(built.has_value());
    QCOMPARE(built->nonzeros, nonzeros);
    settle();
    auto& parts = find<QTreeWidget>("matrixParts");
    QCOMPARE(parts.topLevelItemCount(), 4);
    QCOMPARE(parts.topLevelItem(1)->text(0), QStringLiteral("weights"));
    QCOMPARE(parts.topLevelItem(1)->text(1), QString::fromStdString(format_bytes(4 * nonzeros)));
    window().runs().selectRun(w_->run(0));
    settle();
    QVERIFY(parts.isHidden());
  }

  void theFormatIsSavedAndOpened() {
    openSmall();
    choose(find<QComboBox>("matrix"), QStringLiteral("csr"));
    const QString path = folder_.filePath(QStringLiteral("stored.json"));
    window().files().saveExperiment(path);
    openSmall();
    QCOMPARE(find<QComboBox>("matrix").currentIndex(), 0);
    window().open(path);
    WAIT_FOR(w_->model().run(w_->run(0))->format == "csr");
    window().runs().selectRun(w_->run(0));
    QCOMPARE(find<QComboBox>("matrix").currentData().toString(), QStringLiteral("csr"));
    QCOMPARE(w_->model().run(w_->run(1))->format, std::string());
  }

  void theExplorerIsOutOfTheWay() {
    openSmall();
    QVERIFY(!explorer().isVisible());
    QVERIFY(!explorer().probe().source().has_value());  // and nothing is
                                                        // computed for it
    openExplorer();
    QVERIFY(explorer().probe().source().has_value());
  }

  void aViewsPatternIsDrawn() {
    openSmall();
    openExplorer();
    find<QSlider>("matrixView").setValue(17);
    settle();
    const QImage picture = plot("matrixSparsity").image();
    QVERIFY(picture.width() > 50 && picture.height() > 50);
    QVERIFY(plot("matrixSparsity").title().contains(QStringLiteral("17")));
    std::vector<bool> expected(static_cast<std::size_t>(picture.width() * picture.height()));
    for (int u = 0; u < 64; ++u)
      for (const auto& [voxel, weight] : row(17, u))
        expected[static_cast<std::size_t>(u * picture.height() / 64 * picture.width()) +
                 voxel * static_cast<std::size_t>(picture.width()) / 4096] = true;
    int filled = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) {
        const bool drawn = !isBlank(picture.pixelColor(x, y));
        QCOMPARE(drawn, expected[static_cast<std::size_t>(y * picture.width() + x)]);
        filled += drawn ? 1 : 0;
      }
    QVERIFY(filled > 100);
    // The curve over it is of the same view.
    const auto& series = find<ChartView>("matrixProfile").chart().model().series().back();
    QVERIFY(series.style.label.find("17") != std::string::npos);
    for (int u = 0; u < 64; ++u)
      QCOMPARE(series.ys[static_cast<std::size_t>(u)], static_cast<double>(row(17, u).size()));
  }

  void aClickedRayIsDrawnWithItsCopies() {
    openSmall([](Experiment& e) { e.geometry->view_angles_rad = angles_from_degrees(3, 6, 60); });
    openExplorer();
    find<QSlider>("matrixView").setValue(4);
    settle();
    ImagePlot& pattern = plot("matrixSparsity");
    QTest::mouseClick(&pattern, Qt::LeftButton, {}, pattern.toWidget({2000, 23}).toPoint());
    QCOMPARE(explorer().ray(), (RayIndex{4, 23, 0}));
    QCOMPARE(find<QSpinBox>("matrixRay").value(), 23);
    settle();
    QCOMPARE(explorer().probe().rays().size(), std::size_t{8});
    const auto colours = [&] {
      std::map<QRgb, int> counts;
      const QImage image = plot("matrixFootprint").image();
      for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
          if (image.pixelColor(x, y).saturation() > 60) ++counts[image.pixel(x, y)];
      return counts;
    };
    const auto coloured = [&] {
      int sum = 0;
      for (const auto& [colour, count] : colours()) sum += count;
      return sum;
    };
    const int with_copies = coloured();
    find<QCheckBox>("matrixCopies").setChecked(false);
    const int alone = coloured();
    QVERIFY(alone > 20 && with_copies > 5 * alone);
    // Every pixel of the row, and no other, has colour; +y is up.
    const QImage image = plot("matrixFootprint").image();
    const auto weights = row(4, 23);
    for (int iy = 0; iy < 64; ++iy)
      for (int ix = 0; ix < 64; ++ix) {
        const QColor colour = dot(image, ix, 63 - iy, 64, 64);
        const bool hit = weights.contains(static_cast<std::size_t>(iy * 64 + ix));
        QVERIFY2(hit == (colour.blue() > colour.red() + 20),
                 qPrintable(QStringLiteral("pixel %1, %2").arg(ix).arg(iy)));
      }
  }

  void aClickedVoxelIsACurve() {
    openSmall();
    openExplorer();
    ImagePlot& image = plot("matrixFootprint");
    const VolumeGrid grid = w_->controller().data()->grid;
    const VoxelIndex voxel{45, 20, 0};
    const Vec3 at = grid.voxel_center_mm(voxel.x, voxel.y, 0);
    QTest::mouseClick(&image, Qt::LeftButton, {}, image.toWidget({at.x, at.y}).toPoint());
    QCOMPARE(explorer().voxel(), voxel);
    settle();
    const QImage curve = plot("matrixCurve").image();
    std::vector<bool> expected(static_cast<std::size_t>(curve.width() * curve.height()));
    int hits = 0;
    for (int v = 0; v < 60; ++v)
      for (int u = 0; u < 64; ++u)
        if (row(v, u).contains(grid.index(voxel.x, voxel.y, 0))) {
          ++hits;
          expected[static_cast<std::size_t>(v * curve.height() / 60 * curve.width() +
                                            u * curve.width() / 64)] = true;
        }
    QVERIFY(hits >= 50);
    QVERIFY(plot("matrixCurve").title().contains(QString::number(hits)));
    for (int y = 0; y < curve.height(); ++y)
      for (int x = 0; x < curve.width(); ++x)
        QCOMPARE(!isBlank(curve.pixelColor(x, y)),
                 expected[static_cast<std::size_t>(y * curve.width() + x)]);
    // From the curve to the ray.
    ImagePlot& sinogram = plot("matrixCurve");
    QTest::mouseClick(&sinogram, Qt::LeftButton, {}, sinogram.toWidget({31, 44}).toPoint());
    QCOMPARE(explorer().ray(), (RayIndex{44, 31, 0}));
    settle();
    QCOMPARE(explorer().probe().view()->view, 44);
  }

  void allRowsAreCounted() {
    openSmall();
    openExplorer();
    std::map<std::size_t, double> counts;
    const auto& histogram = find<ChartView>("matrixHistogram").chart().model().histogram();
    QVERIFY(histogram.has_value());
    for (int v = 0; v < 60; ++v)
      for (int u = 0; u < 64; ++u) {
        const auto length = static_cast<double>(row(v, u).size());
        for (std::size_t bin = 0; bin < histogram->counts.size(); ++bin)
          if (length > histogram->edges[bin] && length < histogram->edges[bin + 1]) ++counts[bin];
      }
    for (std::size_t bin = 0; bin < histogram->counts.size(); ++bin)
      QCOMPARE(histogram->counts[bin], counts[bin]);
  }

  void formatsSayWhetherTheyFit() {
    openSmall();
    openExplorer();
    auto& table = find<QTreeWidget>("matrixFormats");
    std::map<QString, QString> verdicts;
    for (int i = 0; i < table.topLevelItemCount(); ++i)
      verdicts[table.topLevelItem(i)->text(0)] = table.topLevelItem(i)->text(2);
    const QString csr = QString::fromStdString(w_->program.catalog.matrix_formats.at("csr").label);
    QVERIFY2(verdicts[csr].startsWith(QStringLiteral("fits")), qPrintable(verdicts[csr]));
    QVERIFY(verdicts[QStringLiteral("Huge")].startsWith(QStringLiteral("does not fit")));
    QVERIFY(verdicts[QStringLiteral("Choosy")].contains(QStringLiteral("view 3 has no partner")));
  }

  void aVolumeHasRowsAndSlices() {
    openSmall([](Experiment& e) {
      e.geometry->detector_rows = 5;
      e.geometry->central_row = 2;
      e.geometry->row_pitch_mm = 8;
      e.grid = VolumeGrid::centered(32, 32, 5, {8, 8, 8});
    });
    openExplorer();
    QVERIFY(find<QSpinBox>("matrixRow").isVisible());
    find<QSpinBox>("matrixSlice").setValue(1);
    find<QSpinBox>("matrixRow").setValue(1);
    find<QCheckBox>("matrixCopies").setChecked(false);
    settle();
    const RayIndex ray = explorer().ray();
    QCOMPARE(ray.row, 1);
    const auto weights = row(ray.view, ray.column, 1);
    const QImage image = plot("matrixFootprint").image();
    int hits = 0;
    for (int iy = 0; iy < 32; ++iy)
      for (int ix = 0; ix < 32; ++ix) {
        const QColor colour = dot(image, ix, 31 - iy, 32, 32);
        const bool hit = weights.contains(static_cast<std::size_t>((32 + iy) * 32 + ix));
        QCOMPARE(colour.blue() > colour.red() + 20, hit);
        hits += hit ? 1 : 0;
      }
    QVERIFY(hits > 10);
  }

  void aDarkWindowIsDrawnDark() {
    QPalette dark;
    dark.setColor(QPalette::Base, QColor(25, 25, 25));
    dark.setColor(QPalette::Text, QColor(230, 230, 230));
    dark.setColor(QPalette::Window, QColor(45, 45, 45));
    dark.setColor(QPalette::WindowText, QColor(230, 230, 230));
    dark.setColor(QPalette::Button, QColor(60, 60, 60));
    dark.setColor(QPalette::ButtonText, QColor(230, 230, 230));
    const QPalette before = QApplication::palette();
    QApplication::setPalette(dark);
    openSmall();
    openExplorer();
    const QImage pattern = plot("matrixSparsity").image();
    int ground = 0, lighter = 0;
    for (int y = 0; y < pattern.height(); ++y)
      for (int x = 0; x < pattern.width(); ++x) {
        const int grey = qGray(pattern.pixel(x, y));
        ground += grey == 25 ? 1 : 0;
        lighter += grey > 60 ? 1 : 0;
      }
    QVERIFY(ground > 0 && lighter > 0);
    QCOMPARE(ground + lighter, pattern.width() * pattern.height());
    // The ray stands out from the ground, and so do the axes from the window.
    const QImage shown = explorer().grab().toImage();
    QCOMPARE(shown.pixelColor(1, 1), QColor(45, 45, 45));
    QApplication::setPalette(before);
  }

  /// Another scan while the last is being looked at: no answer of the old one
  /// is drawn.
  void theSelectedRunsMatrixIsShown() {
    openSmall([](Experiment& e) {
      e.runs.resize(2, e.runs.front());
      e.runs[1].projector = "distance_driven";
    });
    openExplorer();
    QCOMPARE(explorer().probe().source()->projector, std::string("siddon"));
    const auto before = explorer().probe().rays().front().row.size();
    window().runs().selectRun(w_->run(1));
    settle();
    QCOMPARE(explorer().probe().source()->projector, std::string("distance_driven"));
    QVERIFY(explorer().probe().rays().front().row.size() > before);
    openSmall([](Experiment& e) { e.grid = VolumeGrid::centered(24, 24, 1, {10, 10, 10}); });
    settle();
    QCOMPARE(explorer().probe().source()->grid.nx, 24);
    QVERIFY(explorer().voxel().x < 24);
  }

  void theMouseReadsNumbers() {
    openSmall();
    openExplorer();
    const auto weights = row(explorer().ray().view, explorer().ray().column);
    const auto& [voxel, weight] = *std::next(weights.begin(), 10);
    const VolumeGrid grid = w_->controller().data()->grid;
    const Vec3 at =
        grid.voxel_center_mm(static_cast<double>(voxel % 64), static_cast<double>(voxel / 64), 0);
    ImagePlot& image = plot("matrixFootprint");
    hover(image, image.toWidget({at.x, at.y}).toPoint());
    const QString text = find<QLabel>("matrixReadout").text();
    QVERIFY2(text.contains(QString::number(weight, 'g', 4)), qPrintable(text));
  }
};

GANTRY_TEST(TestMatrixExplorer)
#include "test_matrix_explorer.moc"
