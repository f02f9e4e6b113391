// The rail of steps on the left: no form of a step makes the rail wider than it is planned, so that
// pictures keep their size when another step is opened.
#include "gui/panels/panel_docks.hpp"
#include "gui/panels/rail.hpp"
#include "gui/widgets/eliding_label.hpp"
#include "tests/gui/data/tiff_scan.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

using namespace gantry;
using namespace gantry::test;

class TestRail : public QObject {
  Q_OBJECT
  std::unique_ptr<WindowFixture> w_;

  Rail& rail() { return *w_->window->findChild<Rail*>(); }

  /// Returns the widgets of a form that alone need more than the form may have.
  static QString wide(const QWidget& form, int most) {
    QStringList names;
    for (const QWidget* one : form.findChildren<QWidget*>())
      if (one->isVisible() && one->minimumSizeHint().width() > most)
        names << QStringLiteral("%1 %2 %3")
                     .arg(QLatin1String(one->metaObject()->className()), one->objectName())
                     .arg(one->minimumSizeHint().width());
    return names.join(QStringLiteral("; "));
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    w_->window->resize(1280, 800);
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
  }
  void cleanup() { w_.reset(); }

  /// A text that is too long for one line takes two, and is cut at the end of the second.
  void aStateTakesAtMostTwoLines() {
    ElidingLabel label;
    label.setLines(2);
    label.setText(QStringLiteral("fan flat, 720 views, 512 cells"));
    const QFontMetrics metrics = label.fontMetrics();
    const int one = metrics.horizontalAdvance(label.text()) + 2, line = metrics.lineSpacing();
    QCOMPARE(label.linesFor(one), QStringList{label.text()});
    QCOMPARE(label.heightForWidth(one), line);
    const int two = metrics.horizontalAdvance(QStringLiteral("fan flat, 720 views,")) + 2;
    QCOMPARE(label.linesFor(two),
             (QStringList{QStringLiteral("fan flat, 720 views,"), QStringLiteral("512 cells")}));
    QCOMPARE(label.heightForWidth(two), 2 * line);
    const QStringList cut =
        label.linesFor(metrics.horizontalAdvance(QStringLiteral("fan flat, 7")));
    QCOMPARE(cut.size(), qsizetype{2});
    QVERIFY2(cut[1].endsWith(QChar(0x2026)), qPrintable(cut[1]));
  }

  void noStepMakesTheRailWider_data() {
    QTest::addColumn<QString>("data");
    QTest::newRow("phantom in the plane") << QStringLiteral("small");
    QTest::newRow("phantom in space") << QStringLiteral("spatial");
    QTest::newRow("imported scan") << QStringLiteral("imported");
  }
  void noStepMakesTheRailWider() {
    QFETCH(const QString, data);
    const QTemporaryDir folder;
    if (data == QLatin1String("imported")) {
      TiffScan().write(folder.filePath(QStringLiteral("scan")));
      w_->window->open(folder.filePath(QStringLiteral("scan")));
      WAIT_FOR(w_->isReady() && w_->model().experiment().source.kind == SourceKind::scan);
    } else {
      data == QLatin1String("small") ? w_->openSmall() : w_->openSpatial();
      WAIT_FOR(w_->isReady());
    }
    for (const char* key : {"data", "scan", "runs", "results"}) {
      rail().open(QLatin1String(key));
      const bool fits = QTest::qWaitFor([&] { return rail().width() == Rail::width_px; }, 1000);
      QVERIFY2(fits, qPrintable(QStringLiteral("%1 makes the rail %2 wide: %3")
                                    .arg(QLatin1String(key))
                                    .arg(rail().width())
                                    .arg(wide(*rail().step(QLatin1String(key)), 150))));
    }
  }
};

GANTRY_TEST(TestRail)
#include "test_rail.moc"
