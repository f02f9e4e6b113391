// What belongs to one experiment does not stay over the next: window and level, the lesson's text,
// the quantity shown; messages make room; full screen comes back to what was.
#include "core/io/scans/scan_file.hpp"
#include "gui/data/lessons.hpp"
#include "gui/help/notes_panel.hpp"
#include "gui/track/convergence_panel.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/widgets/banners.hpp"
#include "tests/gui/data/tiff_scan.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QComboBox>
#include <QDockWidget>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QMimeData>
#include <QTemporaryDir>
#include <QUrl>

#include <cmath>
#include <random>

using namespace gantry;
using namespace gantry::test;

class TestNewData : public QObject {
  Q_OBJECT

  std::unique_ptr<WindowFixture> w_;
  QTemporaryDir folder_;

  MainWindow& window() { return *w_->window; }
  void openSmall() {
    w_->openSmall();
    WAIT_FOR(w_->isReady());
  }
  /// A measured scan: there is no truth.
  QString measuredScan() {
    const auto data = w_->controller().data();
    const QString path = folder_.filePath(QStringLiteral("m.scan.json"));
    write_scan(path.toStdString(), *data->geometry, data->line_integrals, "measured");
    return path;
  }

  /// Drops files on the window.
  void drop(const QStringList& paths) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& path : paths) urls << QUrl::fromLocalFile(path);
    data.setUrls(urls);
    QDropEvent event(QPointF(9, 9), Qt::CopyAction, &data, Qt::LeftButton, {});
    static_cast<QObject*>(w_->window.get())->event(&event);
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
  }
  void cleanup() { w_.reset(); }

  void aFlatPictureIsGrey() {
    std::vector<float> rounded(4096);
    for (std::size_t i = 0; i < rounded.size(); ++i)
      rounded[i] = 0.02F + 1e-9F * static_cast<float>(i % 7);
    const WindowLevel flat = automatic_window(rounded);
    QVERIFY(flat.window > 0.01 && std::abs(flat.level - 0.02) < 1e-6);
    const WindowLevel empty = automatic_window(std::vector<float>(100, 0.0F));
    QVERIFY(empty.window > 0.01);
    std::vector<float> speck(10000, 0.0F);  // less than a hundredth of the picture
    for (std::size_t i = 0; i < 50; ++i) speck[i * 101] = 0.5F;
    const WindowLevel seen = automatic_window(speck);
    QVERIFY(seen.window > 0.4 && seen.window < 0.6);
  }

  /// A disc of 0.1 % of the picture, three times as bright as the body, is not saturated; nor is a
  /// dark one. Metal leaves the body a fifth of the grey scale.
  void smallObjectsAreInTheWindow() {
    const auto with_disc = [](float value) {
      SliceImage image;
      image.width = image.height = 256;
      for (int iv = 0; iv < 256; ++iv)
        for (int iu = 0; iu < 256; ++iu) {
          const double body = std::hypot(iu - 128, iv - 128), disc = std::hypot(iu - 90, iv - 128);
          image.values.push_back(disc < 5 ? value : body < 110 ? 0.02F : 0.0F);
        }
      return automatic_window(image);
    };
    const auto low = [](const WindowLevel& w) { return w.level - 0.5 * w.window; };
    const auto high = [](const WindowLevel& w) { return w.level + 0.5 * w.window; };
    QVERIFY(high(with_disc(0.06F)) > 0.06 && high(with_disc(0.06F)) < 0.065);
    QVERIFY(low(with_disc(-0.01F)) < -0.01);
    const WindowLevel metal = with_disc(1.0F);
    QVERIFY(0.02 > low(metal) + 0.2 * metal.window);
  }
  /// Whether each pixel varies by itself or with its neighbours; hot pixels are not objects.
  void noiseDoesNotWidenTheWindow() {
    std::mt19937 random(1);
    std::normal_distribution<float> noise(0, 0.002F);
    SliceImage image;
    image.width = image.height = 512;
    for (int i = 0; i < 512 * 512; ++i) image.values.push_back(0.02F + noise(random));
    for (std::size_t i = 1000; i < image.values.size(); i += 5000) image.values[i] = 0.5F;
    QVERIFY(automatic_window(image).window < 1.01 * automatic_window(image.values).window);
    SliceImage smooth = image;
    for (std::size_t i = 513; i + 513 < image.values.size(); ++i) {
      if (image.values[i] > 0.1F) image.values[i] = 0.02F;
      smooth.values[i] = 0;
      for (const std::size_t row : {i - 512, i, i + 512})
        for (const std::size_t at : {row - 1, row, row + 1})
          smooth.values[i] += std::min(image.values[at], 0.03F) / 9;
    }
    QVERIFY(automatic_window(smooth).window < 1.6 * automatic_window(smooth.values).window);
  }

  /// The empty chart says what it waits for.
  void theFirstIterationIsAwaited() {
    openSmall();
    const ChartScene& chart = window().convergence().chart().chart();
    QCOMPARE(chart.hint(), std::string("Start a run to see it converge"));
    std::string awaited;
    connect(&w_->controller(), &RunController::stateChanged, this, [&](int id) {
      const RunStatus& status = w_->controller().status(id);
      if (status.state == RunState::running && status.history.empty()) awaited = chart.hint();
    });
    const int id = w_->run(1);
    w_->controller().start(id);
    WAIT_FOR(w_->iterations(id) > 0);
    QCOMPARE(awaited, std::string("The first iteration is being computed"));
  }

  /// The window of a file that shows nothing yet is not that of the file before.
  void theWindowIsNotCarriedToTheNextFile() {
    openSmall();
    const QString path = measuredScan();
    window().viewState().setWindowLevel(1e-6, 3);
    window().open(path);
    WAIT_FOR(w_->controller().data()->reference == nullptr);
    QVERIFY(window().viewState().windowIsAutomatic());
    QVERIFY(window().viewState().window() > 0.01);
    QVERIFY(std::abs(window().viewState().level()) < 0.1);
  }

  /// Whatever iteration is the first to be seen, the window follows it.
  void theWindowFollowsTheFirstEstimate() {
    openSmall();
    window().open(measuredScan());
    WAIT_FOR(w_->controller().data()->reference == nullptr);
    const double before = window().viewState().window();
    w_->model().editRun(w_->run(0), QStringLiteral("more"),
                        [](RunSpec& run) { run.iterations = 19; });
    w_->controller().start(w_->run(0));
    WAIT_FOR(w_->state(w_->run(0)) == RunState::finished);
    WAIT_FOR(window().viewState().window() != before);
  }

  void theDifferenceWindowIsFittedAnew() {
    openSmall();
    w_->controller().start(w_->run(0));
    WAIT_FOR(w_->state(w_->run(0)) == RunState::finished);
    SliceTile* tile = window().board().tile(w_->run(0));
    tile->setDifference(true);
    window().viewState().setDifferenceWindow(1e-9);
    w_->model().edit(QStringLiteral("noise"), [](Experiment& e) { e.noise.photons_per_ray = 1e3; });
    w_->controller().start(w_->run(0));
    WAIT_FOR(w_->controller().isCurrent(w_->run(0)) && w_->iterations(w_->run(0)) > 3);
    WAIT_FOR(window().viewState().differenceWindow() > 1e-6);
  }

  void theTextOfALessonGoesWithIt() {
    auto* text = window().findChild<QLabel*>(QStringLiteral("lessonText"));
    w_->startFirstLesson();
    QVERIFY(text->isVisible() && text->text().contains(QStringLiteral("SART")));
    openSmall();
    QVERIFY(!text->isVisible());
  }

  void theQuantityComesBackWithTheTruth() {
    openSmall();
    auto* quantity = window().convergence().findChild<QComboBox*>(QStringLiteral("quantity"));
    const QString before = quantity->currentText();
    window().open(measuredScan());
    WAIT_FOR(quantity->currentText() == QStringLiteral("Residual"));
    openSmall();
    WAIT_FOR(quantity->currentText() == before);
  }

  void theSameMessageIsCountedNotRepeated() {
    openSmall();
    for (int i = 0; i < 4; ++i) window().open(QStringLiteral("/nowhere/scan.scan.json"));
    WAIT_FOR(w_->bannerTexts().size() == 1);
    QVERIFY2(w_->bannerTexts()[0].contains(QStringLiteral("(4 times)")),
             qPrintable(w_->bannerTexts()[0]));
  }

  void manyMessagesMakeRoom() {
    openSmall();
    Banners& banners = window().banners();
    for (int i = 0; i < 9; ++i)
      banners.show(QStringLiteral("subject %1").arg(i), Banners::Kind::error,
                   QStringLiteral("message %1").arg(i));
    WAIT_FOR(w_->bannerTexts().size() == 3);
    QVERIFY(w_->bannerText().contains(QStringLiteral("message 8")));
    const QString notes = window().findChild<NotesPanel*>()->about();
    QVERIFY2(
        notes.contains(QStringLiteral("message 0")) && notes.contains(QStringLiteral("message 5")),
        qPrintable(notes));
  }

  /// Of several files that could not be opened the last one is told of, whatever was wrong with
  /// them; what was said before stands in the notes.
  void aMessageAboutOpeningReplacesTheFormerOne() {
    openSmall();
    WAIT_FOR(w_->isReady());
    const QTemporaryDir folder;
    const auto put = [&](const char* name, const QByteArray& bytes) {
      QFile file(folder.filePath(QLatin1String(name)));
      return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? file.fileName()
                                                                                  : QString();
    };
    const QString diary = put("diary.xyz", "Dear diary\n"), empty = put("empty.tif", {});
    window().open(QStringLiteral("/nowhere/scan.scan.json"));
    WAIT_FOR(w_->bannerTexts().size() == 1);
    window().open(empty);
    WAIT_FOR(w_->bannerText().contains(QStringLiteral("the file is empty")));
    QCOMPARE(w_->bannerTexts().size(), 1);
    window().open(diary);
    WAIT_FOR(w_->bannerText().contains(QStringLiteral("diary")));
    QCOMPARE(w_->bannerTexts().size(), 1);
    const QString notes = window().findChild<NotesPanel*>()->about();
    QVERIFY2(notes.contains(QStringLiteral("nowhere")), qPrintable(notes));
    // All formats are named behind the message, which takes two lines at most.
    QVERIFY2(!w_->bannerText().contains(QStringLiteral("MetaImage")), qPrintable(w_->bannerText()));
    const int folded = window().banners().height();
    QVERIFY(folded < 4 * window().fontMetrics().lineSpacing());
    w_->bannerButton(QStringLiteral("Details"))->click();
    WAIT_FOR(window().banners().height() > folded);
    QVERIFY2(w_->bannerText().contains(QStringLiteral("MetaImage")), qPrintable(w_->bannerText()));
  }

  /// A long message takes two lines until more of it is wanted.
  void aLongMessageIsUnfolded() {
    openSmall();
    QStringList lines;
    for (int i = 0; i < 7; ++i)
      lines << QStringLiteral("note %1 that says something about the data of the runs").arg(i);
    Banners& banners = window().banners();
    banners.show(QStringLiteral("long"), Banners::Kind::warning, lines.join(QLatin1Char('\n')));
    WAIT_FOR(w_->bannerButton(QStringLiteral("More")) != nullptr);
    const int line = window().fontMetrics().lineSpacing();
    WAIT_FOR(banners.height() < 4 * line);
    QVERIFY(w_->bannerText().contains(QStringLiteral("note 6")));  // for whoever hears it
    w_->bannerButton(QStringLiteral("More"))->click();
    WAIT_FOR(banners.height() > 7 * line);
    w_->bannerButton(QStringLiteral("Less"))->click();
    WAIT_FOR(banners.height() < 4 * line);
    w_->bannerButton(QStringLiteral("More"))->click();
    WAIT_FOR(banners.height() > 7 * line);
    banners.show(QStringLiteral("long"), Banners::Kind::warning, QStringLiteral("short"));
    WAIT_FOR(banners.height() < 3 * line);
    QVERIFY(w_->bannerButton(QStringLiteral("More")) == nullptr);
  }

  /// Several files that are dropped are the images of one scan, or not: nothing is opened, and no
  /// file left out, without a question.
  void severalDroppedFilesAskWhatTheyAre() {
    const QString folder = folder_.filePath(QStringLiteral("dropped"));
    TiffScan().write(folder);
    QStringList paths;
    for (const char* name : {"raw_000.tif", "raw_001.tif", "raw_002.tif"})
      paths << folder + QLatin1Char('/') + QLatin1String(name);
    drop(paths);
    WAIT_FOR(w_->bannerButton(QStringLiteral("Open the folder dropped")) != nullptr);
    QVERIFY2(w_->bannerText().contains(QStringLiteral("3 files")), qPrintable(w_->bannerText()));
    QVERIFY(!w_->controller().isPreparing() && w_->controller().data() == nullptr);
    w_->bannerButton(QStringLiteral("Open the folder dropped"))->click();
    WAIT_FOR(w_->isReady() && w_->model().experiment().source.kind == SourceKind::scan);
    QCOMPARE(w_->model().experiment().source.path, folder.toStdString());
    QCOMPARE(w_->controller().data()->geometry->views(), TiffScan().views);

    drop(paths);
    WAIT_FOR(w_->bannerButton(QStringLiteral("Open raw_000.tif alone")) != nullptr);
    w_->bannerButton(QStringLiteral("Open raw_000.tif alone"))->click();
    WAIT_FOR(w_->isReady() && w_->model().experiment().source.path == paths[0].toStdString());
    // Files of several folders have none that is meant.
    drop({paths[0], measuredScan()});
    WAIT_FOR(w_->bannerText().contains(QStringLiteral("2 files")));
    QVERIFY(w_->bannerButton(QStringLiteral("Open the folder dropped")) == nullptr);
  }

  void fullScreenComesBackToWhatWas() {
    auto* full = window().findChild<QAction*>(QStringLiteral("fullScreen"));
    window().findChild<QDockWidget*>(QStringLiteral("sinogram"))->hide();
    window().showMaximized();
    WAIT_FOR(window().isMaximized());
    full->trigger();
    WAIT_FOR(window().isFullScreen());
    full->trigger();
    WAIT_FOR(!window().isFullScreen());
    QVERIFY(window().isMaximized());
    QVERIFY(!window().findChild<QDockWidget*>(QStringLiteral("sinogram"))->isVisible());
    window().showNormal();
    WAIT_FOR(!window().isMaximized());
    full->trigger();
    WAIT_FOR(window().isFullScreen());
    full->trigger();
    WAIT_FOR(!window().isFullScreen());
    QVERIFY(!window().isMaximized());
  }
};

GANTRY_TEST(TestNewData)
#include "test_new_data.moc"
