// Opening DICOM series and files without a unit: the chooser of series, HU, messages.
#include "core/io/files/memory_allowance.hpp"
#include "core/io/scans/scan_file.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "core/job/experiment_file.hpp"
#include "gui/data/file_actions.hpp"
#include "gui/data/series_chooser.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/stage/data_board.hpp"
#include "gui/widgets/banners.hpp"
#include "gui/worker/volume_look.hpp"
#include "tests/gui/box_answer.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/tiny_dicom.hpp"

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QMessageBox>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidget>

using namespace gantry;
using namespace gantry::test;

class TestOpening : public QObject {
  Q_OBJECT
  std::unique_ptr<WindowFixture> w_;
  QTemporaryDir folder_;

  MainWindow& window() { return *w_->window; }
  QString path(const QString& name) const { return folder_.filePath(name); }
  QString made(const QString& name) const {
    QDir().mkpath(path(name));
    return path(name);
  }
  QString withHu(const QString& name) {
    VolumeToWrite out;
    out.grid = VolumeGrid::centered(24, 24, 3, {8, 8, 8});
    std::vector<float> values(out.grid.voxels(), -1000.0F);
    for (std::size_t i = 0; i < values.size(); i += 3) values[i] = 800;
    out.mu = values;
    write_volume(path(name).toStdString(), out);
    return path(name);
  }
  static DicomSeriesInfo series(const char* description, int images) {
    DicomSeriesInfo info;
    info.series_uid = "1.2.840.113619.2.1";
    info.description = description;
    info.modality = "CT";
    info.study_date = "20040119";
    info.images = images;
    info.rows = 512;
    info.columns = 400;
    return info;
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
  }
  void cleanup() { w_.reset(); }

  void aSeriesIsDescribedWithoutItsUid() {
    QCOMPARE(series_line(series("Abdomen", 120)),
             QStringLiteral("Abdomen, CT, 120 slices of 400 x 512, 2004-01-19"));
    QCOMPARE(series_line(series("", 1)),
             QStringLiteral("no description, CT, 1 slice of 400 x 512, 2004-01-19"));
  }

  /// Series without a description are told apart by their files. Dates of before 1993 have points.
  void seriesWithoutADescriptionAreToldApart() {
    DicomSeriesInfo unnamed = series("", 12);
    unnamed.files = {"/patients/doe/scan 2/IM0001", "/patients/doe/scan 2/IM0002"};
    unnamed.study_date = "1993.04.30";
    QCOMPARE(series_columns(unnamed)[0], QStringLiteral("from scan 2/IM0001"));
    QCOMPARE(series_columns(unnamed)[4], QStringLiteral("1993-04-30"));
    unnamed.study_date = "spring 1993";
    QCOMPARE(series_columns(unnamed)[4], QStringLiteral("spring 1993"));
    unnamed.description = "Abdomen";
    QCOMPARE(series_columns(unnamed)[0], QStringLiteral("Abdomen"));
  }

  void theLargestSeriesIsOfferedFirst() {
    const QString folder = made(QStringLiteral("two"));
    for (int i = 0; i < 5; ++i) {
      TinyDicom image;
      image.at(2 * i, i).text(0x0020000e, "UI", i < 2 ? "2.25.7" : "2.25.8");
      if (i >= 2) image.text(0x0008103e, "LO", "Thorax");
      image.save(folder + QStringLiteral("/%1.dcm").arg(i));
    }
    window().files().setAsksUser(true);
    QStringList rows;
    int current = -1;
    QTimer timer;
    connect(&timer, &QTimer::timeout, this, [&] {
      auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr) return;
      auto* list = dialog->findChild<QTreeWidget*>(QStringLiteral("seriesList"));
      for (int i = 0; i < list->topLevelItemCount(); ++i) rows << list->topLevelItem(i)->text(0);
      current = list->indexOfTopLevelItem(list->currentItem());
      timer.stop();
      QTest::keyClick(list, Qt::Key_Return);
    });
    timer.start(20);
    window().open(folder);
    WAIT_FOR(w_->isReady() && w_->model().experiment().title == "DICOM series");
    QCOMPARE(rows, (QStringList{QStringLiteral("from two/0.dcm"), QStringLiteral("Thorax")}));
    QCOMPARE(rows[current], QStringLiteral("Thorax"));
    QCOMPARE(w_->controller().data()->source_slices, 3);
  }

  /// Images of patients are read in HU; the user may show them otherwise, until another is opened.
  void imagesOfPatientsAreShownInHu() {
    const QString folder = made(QStringLiteral("patient"));
    for (int i = 0; i < 3; ++i)
      TinyDicom().at(2 * i, i).save(folder + QStringLiteral("/%1.dcm").arg(i));
    w_->openSmall();
    auto& unit = w_->part<QComboBox>("viewUnit");
    QCOMPARE(unit.currentText(), QStringLiteral("1/mm"));
    window().open(folder);
    WAIT_FOR(w_->isReady() && w_->model().experiment().title == "DICOM series");
    QCOMPARE(unit.currentText(), QStringLiteral("HU"));
    emit unit.activated(0);
    QCOMPARE(unit.currentText(), QStringLiteral("1/mm"));
    emit w_->controller().dataChanged();  // of the same file
    QCOMPARE(unit.currentText(), QStringLiteral("1/mm"));
    w_->openSmall();
    QCOMPARE(unit.currentText(), QStringLiteral("1/mm"));
  }

  /// While a series is being chosen the stage shows the selected one, and not what was open;
  /// cancelling brings that back.
  void theSelectedSeriesIsLookedAt() {
    const QString folder = made(QStringLiteral("looked at"));
    for (int i = 0; i < 5; ++i)
      TinyDicom()
          .at(2 * i, i)
          .text(0x0020000e, "UI", i < 2 ? "2.25.7" : "2.25.8")
          .save(folder + QStringLiteral("/%1.dcm").arg(i));
    w_->openSmall();
    WAIT_FOR(w_->isReady());
    window().files().setAsksUser(true);
    const auto* look = window().findChild<VolumeLook*>();
    QStringList slices;
    QTimer timer;
    connect(&timer, &QTimer::timeout, this, [&] {
      auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr || !look->grid() || !window().board().isHidden()) return;
      const QString now = QString::number(look->grid()->nz);
      if (slices.contains(now)) return;
      slices << now;
      if (slices.size() == 2) return dialog->reject();
      QTest::keyClick(dialog->findChild<QTreeWidget*>(QStringLiteral("seriesList")), Qt::Key_Up);
    });
    timer.start(20);
    window().open(folder);
    WAIT_FOR(slices.size() == 2 && window().layout() == WindowLayout::compare);
    QCOMPARE(slices, (QStringList{QStringLiteral("3"), QStringLiteral("2")}));
    QVERIFY(!look->isOpen() && window().board().isVisible());
    QCOMPARE(w_->model().experiment().title, std::string("small"));
    QVERIFY(window().windowTitle().startsWith(QStringLiteral("small")));
  }

  /// The series that is chosen stays in sight while it is opened, and is not read a second time.
  void theChosenSeriesStaysInSight() {
    const QString folder = made(QStringLiteral("stays"));
    for (int i = 0; i < 5; ++i)
      TinyDicom()
          .at(2 * i, i)
          .text(0x0020000e, "UI", i < 2 ? "2.25.7" : "2.25.8")
          .save(folder + QStringLiteral("/%1.dcm").arg(i));
    w_->openSmall();
    WAIT_FOR(w_->isReady());
    window().files().setAsksUser(true);
    const auto* look = window().findChild<VolumeLook*>();
    bool is_chosen = false;
    int lost = 0;
    connect(look, &VolumeLook::changed, this, [&] { lost += is_chosen && !look->grid() ? 1 : 0; });
    QTimer timer;
    connect(&timer, &QTimer::timeout, this, [&] {
      auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr || !look->grid()) return;
      timer.stop();
      is_chosen = true;
      dialog->accept();
    });
    timer.start(20);
    window().open(folder);
    WAIT_FOR(is_chosen);
    WAIT_FOR(w_->isReady() && w_->model().experiment().title == "DICOM series");
    QCOMPARE(lost, 0);
    QCOMPARE(window().layout(), WindowLayout::data);
  }

  /// A folder that is dropped stands for the only volume in it; of several headers none is guessed.
  void theVolumeOfAFolderIsOpened() {
    const QString folder = made(QStringLiteral("sample"));
    VolumeToWrite volume;
    volume.grid = VolumeGrid::centered(8, 6, 3, {1, 1, 1});
    const std::vector<float> values(144, 0.02F);
    volume.mu = values;
    write_volume((folder + QStringLiteral("/head.mhd")).toStdString(), volume);
    window().open(folder);
    WAIT_FOR(w_->isReady() && w_->model().experiment().title == "head");
    QCOMPARE(w_->controller().data()->source_slices, 3);
    QVERIFY2(w_->bannerText().contains(QStringLiteral("head.mhd is opened, the only volume in it")),
             qPrintable(w_->bannerText()));
    write_volume((folder + QStringLiteral("/neck.mhd")).toStdString(), volume);
    window().open(folder);
    WAIT_FOR(w_->bannerText().contains(
        QStringLiteral("holds several volumes; open one of head.mhd, neck.mhd")));
  }

  /// A window has no environment variables: its errors, those of the decoder's process as well,
  /// name the menu that lets a large file be read.
  void largeFilesAreAllowedByTheMenu() {
    QFile bomb(path(QStringLiteral("bomb.mha")));
    QVERIFY(bomb.open(QIODevice::WriteOnly));
    bomb.write(
        "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\n"
        "CompressedData = True\nDimSize = 4000 250 70\nElementSpacing = 1 1 1\n"
        "ElementType = MET_UCHAR\nElementDataFile = LOCAL\n" +
        qCompress(QByteArray(4000 * 250 * 70, '\0')).mid(4));
    bomb.close();
    window().open(bomb.fileName());
    WAIT_FOR(w_->bannerText().contains(QStringLiteral("claims 70000000 voxels")));
    QVERIFY2(w_->bannerText().contains(QStringLiteral("tick File > Allow large files")) &&
                 !w_->bannerText().contains(QStringLiteral("GANTRY_")),
             qPrintable(w_->bannerText()));
    QCOMPARE(with_own_way_to_confirm("too large; set GANTRY_ALLOW_LARGE=1 if it is sound"),
             std::string("too large; tick File > Allow large files if it is sound"));
    auto& allow = w_->part<QAction>("allowLargeFiles");
    QVERIFY(!allow.isChecked() && !large_files_confirmed());
    allow.trigger();
    QVERIFY(large_files_confirmed());
    allow.trigger();
    QVERIFY(!large_files_confirmed());
  }

  void dicomAlwaysHoldsHu() {
    const QString folder = made(QStringLiteral("hu"));
    for (int i = 0; i < 3; ++i)
      TinyDicom().at(2 * i, i).save(folder + QStringLiteral("/%1.dcm").arg(i));
    auto* hu = window().findChild<QCheckBox*>(QStringLiteral("valuesAreHu"));
    window().open(folder);
    WAIT_FOR(w_->isReady() && w_->model().experiment().title == "DICOM series");
    QVERIFY(hu->isChecked() && !hu->isEnabled());
    QVERIFY(hu->toolTip().contains(QStringLiteral("DICOM always")));
    window().open(withHu(QStringLiteral("plain.mha")));
    WAIT_FOR(w_->isReady() && w_->model().experiment().title == "plain");
    QVERIFY(!hu->isChecked() && hu->isEnabled());
  }

  void valuesThatAreNoAttenuationAreTakenAsHuOnRequest() {
    window().open(withHu(QStringLiteral("h.mha")));
    WAIT_FOR(w_->isReady() && w_->bannerText().contains(QStringLiteral("may hold HU")));
    QVERIFY2(!w_->bannerText().contains(QStringLiteral("--")), qPrintable(w_->bannerText()));
    w_->bannerButton(QStringLiteral("Values are HU"))->click();
    WAIT_FOR(w_->controller().data()->reference->range < 1);
    QVERIFY(w_->model().experiment().source.values_are_hu);
    WAIT_FOR(!w_->bannerText().contains(QStringLiteral("may hold HU")));
  }

  /// Beside the pictures of a file that is still being read, nothing speaks of the former one.
  void whatIsBeingOpenedIsNamed() {
    w_->openSmall();
    WAIT_FOR(w_->isReady() && window().windowTitle().startsWith(QStringLiteral("small")));
    auto& kind = w_->part<QComboBox>("sourceKind");
    window().panels().open(QStringLiteral("data"));
    auto* line = window().findChild<QLabel*>(QStringLiteral("openingLine"));
    QVERIFY(kind.isVisible() && (line == nullptr || !line->isVisible()));
    window().open(withHu(QStringLiteral("new.mha")));
    QVERIFY(w_->controller().isPreparing());
    QCOMPARE(window().windowTitle(), QStringLiteral("Opening new.mha… — Gantry"));
    QVERIFY(line != nullptr);
    QCOMPARE(line->text(), QStringLiteral("Opening new.mha…"));
    QVERIFY(line->isVisible() && !kind.isVisible() && !w_->part<QComboBox>("phantom").isVisible());
    w_->controller().cancelPreparing();
    WAIT_FOR(w_->isReady() && kind.isVisible());
    QVERIFY2(window().windowTitle().startsWith(QStringLiteral("small")),
             qPrintable(window().windowTitle()));
    window().open(withHu(QStringLiteral("new.mha")));
    WAIT_FOR(w_->isReady() && window().windowTitle().startsWith(QStringLiteral("new")));
    WAIT_FOR(kind.isVisible() && !line->isVisible());

    const QString experiment = path(QStringLiteral("other.json"));
    write_experiment(experiment.toStdString(), WindowFixture::small());
    QSignalSpy names(&window().files(), &FileActions::openingChanged);
    window().open(experiment);
    WAIT_FOR(names.count() >= 2);
    QCOMPARE(names.front().front().toString(), QStringLiteral("other.json"));
    QCOMPARE(names.back().front().toString(), QString());
  }

  /// A preamble may hold the mark of TIFF, so that programs for pictures read the file, too.
  void aTruncatedFileOfDicomIsNoTiff() {
    const QString name = path(QStringLiteral("cut.dcm"));
    TinyDicom().at(0, 0).save(name);
    QFile file(name);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QCOMPARE(file.read(132).right(4), QByteArray("DICM"));
    QVERIFY(file.seek(0) && file.write("II*\0\x10\0\0\0", 8) == 8 && file.resize(180));
    file.close();
    window().open(name);
    WAIT_FOR(!w_->bannerText().isEmpty());
    QVERIFY2(w_->bannerText().contains(QStringLiteral("DICOM")) &&
                 !w_->bannerText().contains(QStringLiteral("TIFF")),
             qPrintable(w_->bannerText()));
  }

  void theQuestionAboutHuStaysClosed() {
    window().open(withHu(QStringLiteral("c.mha")));
    WAIT_FOR(w_->isReady() && w_->bannerButton(QStringLiteral("They are 1/mm")) != nullptr);
    w_->bannerButton(QStringLiteral("They are 1/mm"))->click();
    const auto before = w_->controller().data();
    w_->model().edit(QStringLiteral("x"), [](Experiment& e) { e.noise.seed = 9; });
    w_->controller().prepareData();
    WAIT_FOR(w_->isReady() && w_->controller().data() != before);
    QVERIFY(!w_->bannerText().contains(QStringLiteral("may hold HU")));
  }

  /// Of 6 images, one is smaller and one lies askew; the largest regular part is opened on request.
  void aMixedSeriesOpensItsLargestRegularPart() {
    const QString folder = made(QStringLiteral("mixed"));
    for (int i = 0; i < 6; ++i) {
      TinyDicom image;
      image.at(2 * i, i);
      if (i == 1) image.number(0x00280010, 2).pixels({0, 1, 2, 3, 10, 11, 12, 13});
      if (i == 5) image.text(0x00200037, "DS", "0\\1\\0\\1\\0\\0");
      image.save(folder + QStringLiteral("/%1.dcm").arg(i));
    }
    window().files().setAsksUser(true);
    const BoxAnswer box(QStringLiteral("Open the largest regular part: 3 of its 6 slices"));
    window().open(folder);
    WAIT_FOR(!box.asked().isEmpty());
    QVERIFY2(box.asked().contains(QStringLiteral("differ in size")) &&
                 box.asked().contains(QStringLiteral("2 are unlike the others")),
             qPrintable(box.asked()));
    WAIT_FOR(w_->isReady() && w_->model().experiment().title == "DICOM series");
    QCOMPARE(w_->controller().data()->source_slices, 3);
    WAIT_FOR(window().data().isVisible() && window().look().volume() != nullptr);
    QCOMPARE(window().look().grid()->nz, 3);
    WAIT_FOR(w_->bannerText().contains(QStringLiteral("left out")));  // and this stays to be read
    QVERIFY(window().banners().findChildren<QTimer*>().isEmpty());
  }

  void messagesDoNotSpeakOfTheCommandLine() {
    w_->openSmall();
    WAIT_FOR(w_->isReady());
    const QString gap = made(QStringLiteral("gap"));
    for (const int z : {0, 1, 3})
      TinyDicom().at(2 * z, z).save(gap + QStringLiteral("/%1.dcm").arg(z));
    window().open(gap);
    WAIT_FOR(w_->bannerText().contains(QStringLiteral("a slice is missing")));
    QVERIFY2(!w_->bannerText().contains(QStringLiteral("--")), qPrintable(w_->bannerText()));
    const auto now = w_->controller().data();
    const QString scan = path(QStringLiteral("away.scan.json"));
    write_scan(scan.toStdString(), *now->geometry, now->line_integrals, "away");
    QFile file(scan);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray json = file.readAll().replace("\"away", "\"../away");
    file.close();
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(json) > 0);
    file.close();
    window().open(scan);
    WAIT_FOR(w_->bannerText().contains(QStringLiteral("lies outside the folder")));
    QVERIFY2(!w_->bannerText().contains(QStringLiteral("--")), qPrintable(w_->bannerText()));
  }

  /// A scan with free poses needs a projector that knows them, also in a run that is added.
  void runsAddedToAScanSuitIt() {
    w_->openSmall();
    WAIT_FOR(w_->isReady());
    const ScanGeometry circle(default_scan(128, 40, 16));
    ScanSpec spec = circle.spec();
    spec.view_angles_rad = angles_from_degrees(0, 30, 12);
    const ScanGeometry few(spec);
    spec.trajectory = Trajectory::poses;
    for (int v = 0; v < few.views(); ++v) spec.poses.push_back(few.view(v));
    const ScanGeometry poses(spec);
    const QString scan = path(QStringLiteral("poses.scan.json"));
    write_scan(scan.toStdString(), poses, std::vector<float>(poses.rays(), 0.1F), "poses");
    window().open(scan);
    WAIT_FOR(w_->isReady() && w_->model().experiment().source.kind == SourceKind::scan);
    window().findChild<QToolButton*>(QStringLiteral("addRun"))->click();
    QCOMPARE(w_->model().runIds().size(), std::size_t{3});
    for (const int id : w_->model().runIds()) {
      w_->model().editRun(id, QStringLiteral("short"), [](RunSpec& run) { run.iterations = 1; });
      w_->controller().start(id);
    }
    for (const int id : w_->model().runIds()) {
      WAIT_FOR(w_->state(id) == RunState::finished || w_->state(id) == RunState::failed);
      QVERIFY2(w_->state(id) == RunState::finished,
               qPrintable(w_->controller().status(id).message));
    }
  }
};

GANTRY_TEST(TestOpening)
#include "test_opening.moc"
