// What the library says of a run or of data is shown in the words of the window.
#include "gui/runs/runs_panel.hpp"
#include "gui/widgets/field_names.hpp"
#include "tests/gui/data/tiff_scan.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

using namespace gantry;
using namespace gantry::test;

class TestFieldNames : public QObject {
  Q_OBJECT
  Program program_ = compose();

 private slots:
  void keysBecomeNames_data() {
    QTest::addColumn<QString>("message");
    QTest::addColumn<QString>("shown");
    const auto row = [](const char* message, const char* shown) {
      QTest::addRow("%s", message) << QString::fromUtf8(message) << QString::fromUtf8(shown);
    };
    row("use sirt, os_sart or cgls", "use SIRT, OS-SART or CGLS");
    row("source_to_isocenter_mm: 0 is too small", "Source to axis: 0 is too small");
    row("photons_per_ray: use 1", "Photons: use 1");
    row("choose distance_driven", "choose Distance-driven");
    row("coarse_levels: use 0", "Coarse grids: use 0");
    row("the size is not known; --pixel states it",
        "the size is not known; \"Cell of the detector\" states it");
    row("give flats (--flat), or columns of air (--air)",
        "give flats (\"Flats\"), or columns of air (\"Columns of air\")");
    row("name it (--flat-data)", "name it (\"Data set of flats\")");
    // Parts of other words, and words that are keys by chance, stay.
    row("my_os_sart_2 has weight and no prior", "my_os_sart_2 has weight and no prior");
    row("an art of tv", "an ART of tv");
  }
  void keysBecomeNames() {
    QFETCH(QString, message);
    QFETCH(QString, shown);
    QCOMPARE(in_names_of_fields(message, program_.catalog), shown);
  }

  /// Nor does a scan whose cells have no size name the option of the command line that states it.
  void aCorrectionThatFailsNamesNoOption() {
    const QTemporaryDir folder;
    TiffScan().write(folder.filePath(QStringLiteral("scan")));
    WindowFixture w;
    QVERIFY(QTest::qWaitForWindowExposed(w.window.get()));
    w.window->open(folder.filePath(QStringLiteral("scan")));
    WAIT_FOR(w.isReady() && w.model().experiment().source.kind == SourceKind::scan);
    w.model().edit(QStringLiteral("Add"), [](Experiment& e) {
      e.corrections = {{"phase_retrieval", {}}};
    });
    w.controller().prepareData();
    WAIT_FOR(w.bannerText().contains(QStringLiteral("\"Cell of the detector\"")));
    QVERIFY2(!w.bannerText().contains(QStringLiteral("--")), qPrintable(w.bannerText()));
    const auto& said = w.part<QLabel>("importAssumptions");
    QVERIFY2(!said.text().contains(QStringLiteral("--")), qPrintable(said.text()));
  }

  void aRunThatFailsNamesNoKey() {
    WindowFixture w;
    Experiment experiment = WindowFixture::small();
    experiment.runs[0].solver = "cgls";
    experiment.runs[0].solver_params = {};
    experiment.runs[0].projector = "voxel_driven";
    w.model().reset(experiment, {});
    w.controller().prepareData();
    WAIT_FOR(w.isReady());
    w.controller().start(w.run(0));
    WAIT_FOR(w.state(w.run(0)) == RunState::failed);
    const QString message = w.controller().status(w.run(0)).message;
    QVERIFY2(message.contains(QStringLiteral("Distance-driven")), qPrintable(message));
    QVERIFY2(!message.contains(QLatin1Char('_')), qPrintable(message));
  }
};

GANTRY_TEST(TestFieldNames)
#include "test_field_names.moc"
