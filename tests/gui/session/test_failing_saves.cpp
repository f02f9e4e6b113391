// What test_cli_failing_files shows of commands holds for what the window writes: sessions, the
// folders in which the window saves itself, films and figures are all old or all new, whichever
// call fails.
#include "gui/track/gif_film.hpp"
#include "gui/track/video_film.hpp"
#include "tests/cli/failing_files.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry::test;

namespace {

FailingTrial of_window(const char* name, const QString& kind, const QString& path,
                       const QString& result) {
  FailingTrial trial = failing_trial(name, kind + " %1 " + path, "1", "2", {result});
  trial.program = GANTRY_WINDOW_FILES;
  return trial;
}

const QList<FailingTrial>& trials() {
  static const QList<FailingTrial> all = [] {
    QList<FailingTrial> list = {
        of_window("session", "session", "o.gantry", "/o.gantry$"),
        of_window("autosave", "autosave", "o", "/o/session.gantry$"),
        of_window("PNG", "figure", "o.png", "/o.png$"),
        of_window("SVG", "figure", "o.svg", "/o.svg$"),
        of_window("PDF", "figure", "o.pdf", "/o.pdf$"),
    };
    if (gantry::can_write_films()) list << of_window("GIF film", "film", "o.gif", "/o.gif$");
    if (gantry::can_write_videos()) list << of_window("Ogg film", "film", "o.ogv", "/o.ogv$");
    return list;
  }();
  return all;
}

}  // namespace

class TestFailingSaves : public QObject {
  Q_OBJECT
 private slots:
  void everyFileIsOldOrNew_data() { add_failing_rows(trials()); }
  void everyFileIsOldOrNew() {
    QFETCH(int, index);
    QFETCH(QString, how);
    const Desk desk;
    EXPECT_OLD_OR_NEW(trials()[index], desk, how.toLatin1());
  }
};

GANTRY_TEST(TestFailingSaves)
#include "test_failing_saves.moc"
