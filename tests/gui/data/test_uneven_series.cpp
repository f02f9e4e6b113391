// A series of uneven slices, and frames of which some are damaged: the window offers what the
// command line does.
#include "gui/data/unsaved_work.hpp"
#include "gui/widgets/banners.hpp"
#include "tests/gui/box_answer.hpp"
#include "tests/gui/data/tiff_scan.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/tiny_dicom.hpp"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

using namespace gantry;
using namespace gantry::test;

class TestUnevenSeries : public QObject {
  Q_OBJECT

  WindowFixture w_;
  QTemporaryDir folder_;

 private slots:
  /// A series with a gap: the window offers what the command line does, and cancelling keeps what
  /// was open.
  void anUnevenSeriesAsksHow_data() {
    QTest::addColumn<QString>("answer");
    QTest::addColumn<int>("slices");
    QTest::newRow("resample") << "Open all of it, interpolated onto an even grid" << 9;
    QTest::newRow("part") << "Open the largest regular part: 5 of its 8 slices" << 5;
    QTest::newRow("cancel") << "Cancel" << 0;
  }
  void anUnevenSeriesAsksHow() {
    QFETCH(QString, answer);
    QFETCH(int, slices);
    w_.openSmall();
    WAIT_FOR(w_.isReady());
    QDir().mkpath(folder_.filePath(QStringLiteral("gap")));
    for (int z = 0; z < 9; ++z)
      if (z != 5)
        TinyDicom().at(2 * z, z).save(folder_.filePath(QStringLiteral("gap/%1.dcm").arg(z)));
    w_.window->files().setAsksUser(true);
    const BoxAnswer box(answer);
    w_.window->open(folder_.filePath(QStringLiteral("gap")));
    WAIT_FOR(!box.asked().isEmpty());
    QVERIFY2(box.asked().contains(QStringLiteral("gap: a slice is missing")) &&
                 box.asked().contains(QLatin1Char('|') + answer) &&
                 !box.asked().contains(QStringLiteral("--uneven")),
             qPrintable(box.asked()));
    if (slices == 0) {
      QTest::qWait(50);
      QCOMPARE(w_.model().experiment().title, std::string("small"));
      QVERIFY(!w_.controller().isPreparing());
      QCOMPARE(w_.bannerTexts(), QStringList());
      return;
    }
    WAIT_FOR(w_.model().experiment().title == "DICOM series");
    QCOMPARE(w_.controller().data()->source_slices, slices);
    QVERIFY(w_.model().experiment().source.slice < slices);
    QVERIFY(!w_.window->unsavedWork().edits());
  }

  /// Damaged frames of a scan are left out where the user says so.
  void damagedFramesAreLeftOutOnRequest_data() {
    QTest::addColumn<bool>("leaves");
    QTest::newRow("left out") << true;
    QTest::newRow("cancel") << false;
  }
  void damagedFramesAreLeftOutOnRequest() {
    QFETCH(bool, leaves);
    w_.openSmall();
    WAIT_FOR(w_.isReady());
    const TiffScan scan;
    const QTemporaryDir folder;
    scan.write(folder.path());
    QFile frame(folder.filePath(QStringLiteral("raw_030.tif")));
    QVERIFY(frame.resize(frame.size() / 2));
    w_.window->files().setAsksUser(true);
    const QString leave = QStringLiteral("Leave out damaged files and their angles");
    const BoxAnswer box(leaves ? leave : QStringLiteral("Cancel"));
    w_.window->open(folder.path());
    WAIT_FOR(!box.asked().isEmpty());
    QCOMPARE(box.byReturn(), QStringLiteral("Cancel"));  // nothing is left out by accident
    QVERIFY2(box.asked().contains(QStringLiteral("raw_030.tif: ")) &&
                 box.asked().contains(QLatin1Char('|') + leave) &&
                 !box.asked().contains(QStringLiteral("--leave-out")),
             qPrintable(box.asked()));
    if (!leaves) {
      QTest::qWait(50);
      QCOMPARE(w_.model().experiment().title, std::string("small"));
      QVERIFY(!w_.controller().isPreparing());
      return;
    }
    WAIT_FOR(w_.isReady() && w_.model().experiment().source.kind == SourceKind::scan);
    QVERIFY(w_.model().experiment().source.import_settings.leaves_out_damaged);
    QCOMPARE(w_.controller().data()->geometry->views(), scan.views - 1);
    QVERIFY2(w_.bannerText().contains(QStringLiteral("a damaged file was left out")),
             qPrintable(w_.bannerText()));
  }

  /// Where nothing is open, cancelling shows the start page, and no empty pictures.
  void cancellingTheFirstSeriesShowsTheStartPage() {
    WindowFixture w;
    for (const int z : {0, 1, 3})
      TinyDicom().at(2 * z, z).save(folder_.filePath(QStringLiteral("first%1.dcm").arg(z)));
    w.window->files().setAsksUser(true);
    const BoxAnswer box(QStringLiteral("Cancel"));
    w.window->open(folder_.path());
    WAIT_FOR(w.window->layout() == WindowLayout::start);
    QVERIFY(w.model().runIds().empty());
  }

  void nobodyIsAskedAboutUnevenSlicesWhereNobodyIsThere() {
    w_.window->files().setAsksUser(false);
    w_.openSmall();
    WAIT_FOR(w_.isReady());
    for (int z : {0, 1, 3})
      TinyDicom().at(2 * z, z).save(folder_.filePath(QStringLiteral("%1.dcm").arg(z)));
    w_.window->open(folder_.path());
    // A banner of progress may be there first.
    WAIT_FOR(w_.bannerText().contains(QStringLiteral("a slice is missing")));
    QCOMPARE(w_.bannerTexts().size(), 1);
  }
};

GANTRY_TEST(TestUnevenSeries)
#include "test_uneven_series.moc"
