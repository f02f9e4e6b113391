// Films of runs: what is written, read back by Qt, and which iterates are shown.
#include "core/base/error.hpp"
#include "gui/track/film.hpp"
#include "gui/widgets/gif_film.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QBuffer>
#include <QImageReader>

#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestFilm : public QObject {
  Q_OBJECT

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

  void theIteratesAreShownInOrder() {
    WindowFixture w;
    Experiment few = WindowFixture::small();
    for (RunSpec& run : few.runs) run.iterations = 9;
    w.model().reset(few, {});
    const int id = w.run(0);
    w.controller().start(id);
    WAIT_FOR(w.state(id) == RunState::finished && w.controller().status(id).iterates->size() == 9);
    std::vector<int> iterations;
    const auto picture = [&] {
      iterations.push_back(w.window->playhead().iterateOf(w.controller().status(id))->iteration);
      return QImage(4, 4, QImage::Format_RGB32);
    };
    const RunStatus& run = w.controller().status(id);
    QCOMPARE(film_pictures(w.window->playhead(), run, 100, picture).size(), std::size_t{9});
    QCOMPARE(iterations, (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
    QVERIFY(!w.window->playhead().position());
    iterations.clear();
    film_pictures(w.window->playhead(), run, 3, picture);
    QCOMPARE(iterations, (std::vector<int>{1, 5, 9}));
    QVERIFY(film_pictures(w.window->playhead(), RunStatus{}, 3, picture).empty());
  }
};

GANTRY_TEST(TestFilm)
#include "test_film.moc"
