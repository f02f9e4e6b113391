// A text with angles, opened while projections are open, gives these their angles.
#include "gui/data/file_actions.hpp"
#include "tests/gui/data/tiff_scan.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QFile>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <numbers>

using namespace gantry;
using namespace gantry::test;

class TestDroppedAngles : public QObject {
  Q_OBJECT
  std::unique_ptr<WindowFixture> w_;
  QTemporaryDir folder_;

  QString path(const char* name) const { return folder_.filePath(QLatin1String(name)); }
  void write(const char* name, const QString& text) const {
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text.toUtf8()) > 0);
  }
  double last_angle_deg() {
    const ScanGeometry& scan = *w_->controller().data()->geometry;
    return scan.angle_rad(scan.views() - 1) * 180 / std::numbers::pi;
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
  }
  void cleanup() { w_.reset(); }

  void theyAreThoseOfTheOpenProjections() {
    const TiffScan scan;
    scan.write(path("scan"));
    QString angles;
    for (int view = 0; view < scan.views; ++view) angles += QString::number(2.5 * view) + "\n";
    write("measured.txt", angles);
    w_->window->open(path("scan"));
    WAIT_FOR(w_->isReady() && w_->model().experiment().source.kind == SourceKind::scan);
    EXPECT_NEAR(last_angle_deg(), 180, 1e-9);  // taken for granted

    QSignalSpy said(&w_->window->files(), &FileActions::remark);
    auto before = w_->controller().data();
    w_->window->open(path("measured.txt"));
    WAIT_FOR(w_->isReady() && w_->controller().data() != before);
    EXPECT_NEAR(last_angle_deg(), 150, 1e-5);
    QVERIFY(!said.isEmpty() && said.last()[0].toString().contains("measured.txt"));

    before = w_->controller().data();
    w_->model().undoStack().undo();
    WAIT_FOR(w_->isReady() && w_->controller().data() != before);
    EXPECT_NEAR(last_angle_deg(), 180, 1e-9);
  }

  /// The refusal of a table with several possible columns names the field that chooses one.
  void theColumnIsChosen() {
    const TiffScan scan;
    scan.write(path("scan"));
    QString table;
    for (int view = 0; view < scan.views; ++view)
      table += QStringLiteral("%1 %2\n").arg(2.5 * view).arg(1.5 * view + 7);
    write("table.txt", table);
    w_->window->open(path("scan"));
    WAIT_FOR(w_->isReady() && w_->model().experiment().source.kind == SourceKind::scan);
    w_->window->open(path("table.txt"));
    WAIT_FOR(w_->bannerText().contains(QStringLiteral("several columns that may hold the angles")));
    QVERIFY2(w_->bannerText().contains(QStringLiteral("\"Column of angles\"")),
             qPrintable(w_->bannerText()));
    auto& column = w_->part<QLineEdit>("importAngleColumn");
    const auto before = w_->controller().data();
    column.setText(QStringLiteral("2"));
    emit column.editingFinished();
    WAIT_FOR(w_->isReady() && w_->controller().data() != before);
    EXPECT_NEAR(last_angle_deg(), 1.5 * (scan.views - 1) + 7, 1e-5);
  }

  /// A text that is no list of numbers, or one without projections that it could belong to.
  void otherTextsAreRefused() {
    write("angles.txt", "0\n90\n");
    write("words.txt", "nothing of the kind\n");
    QSignalSpy refused(&w_->window->files(), &FileActions::failed);
    w_->window->open(path("angles.txt"));
    WAIT_FOR(refused.size() == 1);
    TiffScan().write(path("another"));
    w_->window->open(path("another"));
    WAIT_FOR(w_->isReady() && w_->model().experiment().source.kind == SourceKind::scan);
    w_->window->open(path("words.txt"));
    WAIT_FOR(refused.size() == 2);
    QVERIFY(w_->model().experiment().source.import_settings.angles.empty());
  }
};

GANTRY_TEST(TestDroppedAngles)
#include "test_dropped_angles.moc"
