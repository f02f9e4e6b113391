// Films of runs: what is written, read back by Qt, and which iterates are shown.
#include "core/base/error.hpp"
#include "gui/data/save_targets.hpp"
#include "gui/track/film.hpp"
#include "gui/track/gif_film.hpp"
#include "gui/track/video_film.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"
#ifdef GANTRY_LIBAV
#include "tests/gui/track/decoded_video.hpp"
#endif

#include <QApplication>
#include <QBuffer>
#include <QFile>
#include <QFileDialog>
#include <QImageReader>
#include <QProgressDialog>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace gantry;
using namespace gantry::test;

class TestFilm : public QObject {
  Q_OBJECT

  /// Opens an experiment and runs its selected run to the end, when a film of it can be saved.
  static void runOnce(WindowFixture& w, const Experiment& experiment) {
    w.open(experiment);
    const int id = w.window->selection().run();
    w.controller().start(id);
    WAIT_FOR(w.state(id) == RunState::finished);
    auto& button = w.part<QToolButton>("trackFilm");
    WAIT_FOR(button.isVisible() && button.isEnabled());
  }

  static std::vector<QImage> read(QByteArray bytes, std::vector<int>& delays) {
    QBuffer buffer(&bytes);
    QImageReader reader(&buffer, "gif");
    std::vector<QImage> pictures;
    for (QImage picture = reader.read(); !picture.isNull(); picture = reader.read()) {
      delays.push_back(reader.nextImageDelay());
      pictures.push_back(picture);
    }
    return pictures;
  }

 private slots:
  void picturesComeBack() {
    if (!can_write_films()) QSKIP("built without giflib");
    std::vector<QImage> pictures;
    for (const QRgb colour : {qRgb(128, 128, 128), qRgb(230, 159, 0), qRgb(0, 114, 178)}) {
      QImage picture(50, 30, QImage::Format_RGB32);
      picture.fill(colour);
      for (int x = 0; x < 50; ++x) picture.setPixel(x, 7, qRgb(5 * x, 5 * x, 5 * x));
      pictures.push_back(picture);
    }
    std::vector<int> delays;
    const auto shown = read(gif_film(pictures, 120), delays);
    QCOMPARE(shown.size(), pictures.size());
    for (std::size_t i = 0; i < shown.size(); ++i) {
      QCOMPARE(shown[i].size(), pictures[i].size());
      const auto near = [&](int x, int y, int most) {
        const QColor a = shown[i].pixelColor(x, y), b = pictures[i].pixelColor(x, y);
        return std::abs(a.red() - b.red()) <= most && std::abs(a.green() - b.green()) <= most &&
               std::abs(a.blue() - b.blue()) <= most;
      };
      QVERIFY(near(20, 20, 33));  // half a step of the colours
      for (int x = 0; x < 50; ++x) QVERIFY(near(x, 7, 3));
    }
    QCOMPARE(delays[0], 120);
    QCOMPARE(delays[2], 600);
    EXPECT_THROWS(UsageError, gif_film({}, 120), "needs pictures");
  }

  /// A decoder that has nothing to do with the writer finds the pictures.
  void aVideoIsDecoded() {
#ifdef GANTRY_LIBAV
    if (!can_write_videos()) QSKIP("built without VTK's writer of Ogg Theora");
    std::vector<QImage> pictures;
    for (int i = 0; i < 7; ++i) {
      QImage picture(99, 61, QImage::Format_RGB32);  // no multiple of Theora's blocks
      picture.fill(qRgb(30 * i, 200 - 20 * i, 90));
      pictures.push_back(picture);
    }
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("film.ogv"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(film_file(path, pictures, 100));
    file.close();
    const DecodedVideo video = decode_video(path.toStdString());
    QCOMPARE(video.width, 99);
    QCOMPARE(video.height, 61);
    QCOMPARE(video.pictures.size(), std::size_t{7});
    EXPECT_NEAR(video.seconds, 0.1 * (7 + 4), 0.05);  // the last one stays five times as long
    for (std::size_t i = 0; i < video.pictures.size(); ++i) {
      const QRgb wanted = pictures[i].pixel(50, 30);
      const auto [r, g, b] = video.pictures[i].at(50, 30);
      QVERIFY(std::abs(r - qRed(wanted)) <= 6 && std::abs(g - qGreen(wanted)) <= 6 &&
              std::abs(b - qBlue(wanted)) <= 6);
    }
    EXPECT_THROWS(UsageError, video_film({}, 120), "needs pictures");
#else
    QSKIP("libavformat, which would decode the film, was not found when the tests were built");
#endif
  }

  void theEndingChoosesTheKind() {
    const std::vector<QImage> one(1, QImage(8, 8, QImage::Format_RGB32));
    if (can_write_films()) QVERIFY(film_file(QStringLiteral("a.GIF"), one, 100).startsWith("GIF8"));
    if (can_write_videos())
      QVERIFY(film_file(QStringLiteral("a.ogv"), one, 100).startsWith("OggS"));
    EXPECT_THROWS(UsageError, film_file(QStringLiteral("a.avi"), one, 100), ".ogv");
    QCOMPARE(film_filters().contains(QStringLiteral("*.ogv")), can_write_videos());
  }

  /// The film of a run is saved by the dialog, which goes away.
  void aFilmIsSaved() {
    if (!can_write_films()) QSKIP("built without giflib");
    WindowFixture w;
    Experiment few = WindowFixture::small();
    for (RunSpec& run : few.runs) run.iterations = 4;
    w.model().reset(few, {});
    const int id = w.run(0);
    w.controller().start(id);
    WAIT_FOR(w.state(id) == RunState::finished && w.controller().status(id).iterates->size() == 4);
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("run.gif"));
    bool saved = false;
    QString problem;
    const auto picture = [](int iteration) {
      QImage image(20, 10 + iteration, QImage::Format_RGB32);  // captions may wrap
      image.fill(Qt::gray);
      return image;
    };
    const auto save = [&](const QString& to) {
      save_film(w.window.get(), w.window->playhead(), w.controller().status(id).iterates,
                {.path = to,
                 .picture = picture,
                 .saved = [&] { saved = true; },
                 .failed = [&](const QString& message) { problem = message; }});
    };
    save(path);
    WAIT_FOR(saved || !problem.isEmpty());
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    std::vector<int> delays;
    const auto shown = read(file.readAll(), delays);
    QCOMPARE(shown.size(), std::size_t{4});
    QCOMPARE(shown[0].size(), QSize(20, 14));
    WAIT_FOR(w.window->findChild<QProgressDialog*>() == nullptr);
    save(folder.filePath(QStringLiteral("none/run.gif")));
    WAIT_FOR(!problem.isEmpty());
  }

  /// Beside the playhead, as in the menu; disabled, it says what is missing.
  /// Where no view is open, there are no pictures to make a film of.
  void withoutViewsThereIsNoFilm() {
    WindowFixture w;
    runOnce(w, WindowFixture::small());
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("none.gif"));
    QString failure;
    save_film(w.window.get(), w.window->playhead(), w.controller().status(w.run(0)).iterates,
              {.path = path,
               .picture = [](int) { return QImage(); },
               .saved = [] { QFAIL("nothing was to be saved"); },
               .failed = [&](const QString& message) { failure = message; }});
    QVERIFY2(failure.contains(QStringLiteral("No view shows an image")), qPrintable(failure));
    QVERIFY(!QFile::exists(path));
  }

  void theTrackHasAButtonForFilms() {
    if (!can_write_films()) QSKIP("built without giflib");
    WindowFixture w;
    Experiment few = WindowFixture::small();
    for (RunSpec& run : few.runs) run.iterations = 4;
    w.open(few);
    auto& button = w.part<QToolButton>("trackFilm");
    WAIT_FOR(button.isVisible());
    QVERIFY(!button.isEnabled() && button.toolTip().contains(QStringLiteral("start it first")));
    const int id = w.window->selection().run();
    w.controller().start(id);
    WAIT_FOR(w.state(id) == RunState::finished && button.isEnabled());
    QVERIFY(button.toolTip().contains(QStringLiteral("*.gif")));
    QCOMPARE(button.accessibleName(), QStringLiteral("Save film…"));
    QCOMPARE(button.defaultAction()->text(), QStringLiteral("Save film…"));
    w.controller().discard(id);
    QVERIFY(!button.isEnabled());
  }

  /// The proposed name is taken as it is, the digits of a relaxation in it included.
  void theProposedNameIsTaken() {
    if (!can_write_films()) QSKIP("built without giflib");
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    WindowFixture w;
    QTemporaryDir folder;
    QSettings().setValue(QStringLiteral("resultsFolder"), folder.path());
    Experiment few = WindowFixture::small();
    for (RunSpec& run : few.runs) {
      run.iterations = 4;
      run.name = "SART 0.05";
    }
    runOnce(w, few);
    auto& button = w.part<QToolButton>("trackFilm");
    QTimer answers;
    connect(&answers, &QTimer::timeout, this, [] {
      if (auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget()))
        QMetaObject::invokeMethod(dialog, "accept");
    });
    answers.start(5);
    // What failed before is no longer said once a film is saved.
    w.window->banners().show(QStringLiteral("Save film"), Banners::Kind::error,
                             QStringLiteral("x"));
    button.click();
    const QString path = folder.filePath(QStringLiteral("SART-0.05.gif"));
    WAIT_FOR(QFileInfo::exists(path));
    WAIT_FOR(w.bannerText().isEmpty());
    answers.stop();
    QSettings().remove(QStringLiteral("resultsFolder"));
    QVERIFY(has_ending(QStringLiteral("a.gif")) && has_ending(QStringLiteral("a.b/c.mp4")));
    QVERIFY(!has_ending(QStringLiteral("SART-0.05")) && !has_ending(QStringLiteral("a.b/c")));
  }

  /// Another experiment may be opened while the dialog asks for a name; the window then says so.
  void aRunMayEndWhileTheFilmIsNamed() {
    if (!can_write_films()) QSKIP("built without giflib");
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    WindowFixture w;
    Experiment few = WindowFixture::small();
    for (RunSpec& run : few.runs) run.iterations = 4;
    runOnce(w, few);
    auto& button = w.part<QToolButton>("trackFilm");
    QTemporaryDir folder;
    bool answered = false;
    QTimer answers;
    connect(&answers, &QTimer::timeout, this, [&] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr) return;
      answered = true;
      w.model().reset(few, {});
      dialog->selectFile(folder.filePath(QStringLiteral("run.gif")));
      QMetaObject::invokeMethod(dialog, "accept");
    });
    answers.start(5);
    button.click();
    QVERIFY(answered);
    const QStringList said = w.bannerTexts();
    QVERIFY2(said.join(QString()).contains(QStringLiteral("keeps no iterates any more")),
             qPrintable(said.join(QLatin1Char('\n'))));
    QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("run.gif"))));
  }

  void theIteratesAreShownInOrder() {
    WindowFixture w;
    Experiment few = WindowFixture::small();
    for (RunSpec& run : few.runs) run.iterations = 9;
    w.model().reset(few, {});
    const int id = w.run(0);
    w.controller().start(id);
    WAIT_FOR(w.state(id) == RunState::finished && w.controller().status(id).iterates->size() == 9);
    std::vector<int> iterations;
    const auto picture = [&](int iteration) {
      iterations.push_back(w.window->playhead().iterateOf(w.controller().status(id))->iteration);
      if (iterations.back() != iteration) iterations.push_back(-1);
      return QImage(4, 4, QImage::Format_RGB32);
    };
    const IterateList& kept = *w.controller().status(id).iterates;
    QCOMPARE(film_pictures(w.window->playhead(), kept, 100, picture).size(), std::size_t{9});
    QCOMPARE(iterations, (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
    QVERIFY(!w.window->playhead().position());
    iterations.clear();
    film_pictures(w.window->playhead(), kept, 3, picture);
    QCOMPARE(iterations, (std::vector<int>{1, 5, 9}));
    QVERIFY(film_pictures(w.window->playhead(), {}, 3, picture).empty());
    // Cancelled after two pictures: no film, and live again.
    iterations.clear();
    const auto two = [](std::size_t done, std::size_t) { return done < 2; };
    QVERIFY(film_pictures(w.window->playhead(), kept, 100, picture, two).empty());
    QCOMPARE(iterations.size(), std::size_t{2});
    QVERIFY(!w.window->playhead().position());
  }
};

GANTRY_TEST(TestFilm)
#include "test_film.moc"
