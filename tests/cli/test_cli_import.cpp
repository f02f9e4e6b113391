// Measured scans of other programs become scan files; scikit-image and numpy judge the values.
#include "core/io/scans/scan_file.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "tests/cli/command.hpp"
#include "tests/support/data.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/python.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace gantry;
using namespace gantry::test;

/// The program succeeded; it may have said something.
#define EXPECT_OK(answer)                                    \
  do {                                                       \
    const Answer answer_ = (answer);                         \
    QVERIFY2(answer_.code == 0, answer_.text().constData()); \
  } while (false)

class TestCliImport : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  QString python_;  // with scikit-image; empty: there is none

  QString path(const QString& name) const { return folder_.filePath(name); }
  Answer cli(const QStringList& arguments) const { return gantry_cli(arguments, folder_.path()); }
  static QString sample(const char* name) {
    return QString::fromStdString(data_path(std::string("scans-in/") + name));
  }
  /// Computes line integrals by a Python program, which writes float32 to "o.f32".
  void ask_python(const QString& program) const {
    EXPECT_OK(run_program(python_, {"-c", program}, folder_.path()));
  }
  std::vector<float> held(const QString& name) const {
    return floats_in(bytes_of_file(path(name)));
  }
  inline static const VolumeGrid stack_grid = VolumeGrid::centered(9, 6, 5, {1, 1, 1});
  static std::vector<float> stack_values() {
    std::vector<float> values;
    for (std::size_t i = 0; i < stack_grid.voxels(); ++i)
      values.push_back(0.25F * static_cast<float>(i));
    return values;
  }
  /// Writes five frames of 9 x 6 line integrals as TIFF and returns the path.
  QString stack() const {
    const std::vector<float> values = stack_values();
    VolumeToWrite frames;
    frames.grid = stack_grid;
    frames.mu = values;
    frames.lengths_are_known = false;
    write_volume(path("stack.tif").toStdString(), frames);
    return path("stack.tif");
  }
  static double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
    double largest = a.size() == b.size() ? 0 : INFINITY;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
      largest = std::max(largest, std::abs(static_cast<double>(a[i]) - b[i]));
    return largest;
  }

 private slots:
  void initTestCase() { python_ = python_with(QStringLiteral("numpy, skimage.io")); }

  /// Of every fourth projection, over 176 degrees, none has an opposite one.
  void withoutOppositeViewsTheEndsTellTheAxis() {
    NEED_DATA("scans-in/proj_i13_24737_tiff");
    const Answer answer =
        cli({"import", sample("proj_i13_24737_tiff"), "--every", "4", "--out", "fourth.scan.json"});
    QVERIFY2(answer.code == 0, answer.text());
    QVERIFY2(answer.output.contains("(from 3 views at each end of half a turn)"), answer.text());
    const LoadedScan scan = read_scan(path("fourth.scan.json").toStdString());
    EXPECT_NEAR(scan.geometry->spec().central_column, 85.9, 1);
  }

  /// A folder with projections, a flat, a dark and angles, of which more lines than projections.
  void aFolderOfTiff() {
    NEED_DATA("scans-in/proj_i13_24737_tiff");
    const Answer answer = cli({"import", sample("proj_i13_24737_tiff"), "--out", "i13.scan.json"});
    QVERIFY2(answer.code == 0, answer.text());
    for (const char* said :
         {"assumed projections: raw_00000.tiff to raw_00090.tiff, 91 files (by their names)",
          "assumed flats: flat_00001.tiff", "assumed darks: dark_00001.tiff",
          "assumed angles: from angles.txt", "111 lines for 91 frames", "assumed beam: parallel",
          "assumed size of a cell: unknown"})
      QVERIFY2(answer.output.contains(QLatin1String(said)), answer.text());
    QVERIFY2(answer.errors.contains("1 dead cell"), answer.text());
    const LoadedScan scan = read_scan(path("i13.scan.json").toStdString());
    QCOMPARE(scan.geometry->views(), 91);
    QCOMPARE(scan.geometry->rows(), 135);
    QCOMPARE(scan.geometry->columns(), 160);
    QVERIFY(!scan.lengths_are_known);
    QVERIFY2(answer.output.contains("91 views x 160 x 135 cells of unknown size"), answer.text());
    EXPECT_NEAR(scan.geometry->spec().central_column, 85.9, 0.3);
    EXPECT_NEAR(scan.geometry->angle_rad(0) * 180 / std::numbers::pi, -88.2, 1e-4);
    EXPECT_NEAR(scan.geometry->angle_rad(90) * 180 / std::numbers::pi, 91.8, 1e-3);
    if (python_.isEmpty()) QSKIP("no Python with scikit-image: the values were not compared");
    ask_python(QStringLiteral(R"(
import glob, numpy as np
from skimage.io import imread
f = imread('%1/flat_00001.tiff').astype(float); d = imread('%1/dark_00001.tiff').astype(float)
p = np.array([imread(n) for n in sorted(glob.glob('%1/tiffs/*.tiff'))]).astype(float)
with np.errstate(all='ignore'):
    o = -np.log(np.maximum((p - d) / (f - d), 1e-6))
o[:, 0, 0] = np.nanmean([o[:, 0, 1], o[:, 1, 0], o[:, 1, 1]], axis=0)
o[:, ::-1].astype(np.float32).tofile('o.f32')
)")
                   .arg(sample("proj_i13_24737_tiff")));
    QVERIFY(largest_difference(scan.line_integrals, held("o.f32")) < 1e-5);
  }

  /// Columns are added after the corrections, and the file says so.
  void columnsAreAdded() {
    const QStringList plain = {"import", stack(),         "--line-integrals", "--arc",
                               "180",    "--projections", "--correct",        "scale:factor=2"};
    EXPECT_OK(cli(plain + QStringList{"--out", "plain.scan.json"}));
    const Answer answer =
        cli(plain + QStringList{"--pad", "4", "--pad-with", "edge", "--out", "wide.scan.json"});
    EXPECT_OK(answer);
    QVERIFY2(answer.errors.contains("4 columns were added at each end"), answer.text());
    const LoadedScan narrow = read_scan(path("plain.scan.json").toStdString()),
                     wide = read_scan(path("wide.scan.json").toStdString());
    QVERIFY(wide.description.ends_with("corrected: scale, padded by 4 columns at each end"));
    QCOMPARE(wide.geometry->columns(), 17);
    QCOMPARE(wide.geometry->spec().central_column, narrow.geometry->spec().central_column + 4);
    for (std::size_t row = 0; row < 30; ++row)
      for (std::size_t column = 0; column < 17; ++column)
        QCOMPARE(wide.line_integrals[row * 17 + column],
                 narrow.line_integrals[row * 9 + std::clamp<std::size_t>(column, 4, 12) - 4]);
    const Answer alone = cli(plain + QStringList{"--pad-with", "edge", "--out", "x.scan.json"});
    QCOMPARE(alone.code, 2);
  }

  /// The same frames as NXtomo; flat and dark are rounded to whole numbers there.
  void nxtomoEqualsTheTiff() {
    NEED_DATA("scans-in/nxtomo_i13_24737_derived");
    NEED_DATA("scans-in/proj_i13_24737_tiff");
    EXPECT_OK(cli({"import", sample("proj_i13_24737_tiff"), "--out", "tiff.scan.json"}));
    const Answer answer = cli({"import", sample("nxtomo_i13_24737_derived") + "/24737_nxtomo.nxs",
                               "--out", "nx.scan.json"});
    EXPECT_OK(answer);
    QVERIFY2(answer.output.contains("the file is NXtomo"), answer.text());
    const LoadedScan tiff = read_scan(path("tiff.scan.json").toStdString()),
                     nexus = read_scan(path("nx.scan.json").toStdString());
    QVERIFY(largest_difference(tiff.line_integrals, nexus.line_integrals) < 1e-3);
    for (int view = 0; view < 91; ++view)
      EXPECT_NEAR(tiff.geometry->angle_rad(view), nexus.geometry->angle_rad(view), 1e-9);
    EXPECT_NEAR(nexus.geometry->spec().central_column, 85.9, 0.3);
  }

  void aDanglingLinkIsNamed() {
    NEED_DATA("scans-in/nexus_i13_24888_dangling_link");
    const Answer answer = cli({"import", sample("nexus_i13_24888_dangling_link") + "/24888.nxs",
                               "--arc", "180", "--out", "d.scan.json"});
    QCOMPARE(answer.code, 1);
    QCOMPARE(answer.error_lines().size(), 1);
    QVERIFY2(answer.errors.contains("links lead nowhere: /") && answer.errors.contains(" -> "),
             answer.text());
  }

  /// A file that states a geometry, without its projections.
  void missingProjectionsAreNamed() {
    NEED_DATA("scans-in/nikon_xtekct_R02");
    const Answer answer =
        cli({"import", sample("nikon_xtekct_R02") + "/settings.xtekct", "--out", "n.scan.json"});
    QCOMPARE(answer.code, 1);
    QCOMPARE(answer.error_lines().size(), 1);
    QVERIFY2(answer.errors.contains("its projections are missing: there is no SNO20160707_R02"),
             answer.text());
  }

  /// The geometry that the files state is the scan's, and a number that is given takes its place.
  void aStatedGeometry() {
    NEED_DATA("scans-in/proj_cone_tetra_raw_json");
    const QString file = sample("proj_cone_tetra_raw_json") + "/tetra.json";
    const Answer answer = cli({"import", file, "--out", "t.scan.json"});
    QVERIFY2(answer.code == 0, answer.text());
    QVERIFY2(answer.output.contains("wrote t.scan.json: cone flat, 21 views x 150 x 150"),
             answer.text());
    const Answer info = cli({"info", file});
    QVERIFY2(info.output.contains("geometry: cone flat, 21 views x 150 x 150"), info.text());
    const Answer given = cli({"import", file, "--centre", "74", "--out", "c.scan.json"});
    QVERIFY2(
        given.errors.contains("the column of the axis that was given, 74, took the place of 74.5"),
        given.text());
    QCOMPARE(read_scan(path("c.scan.json").toStdString()).geometry->spec().central_column, 74.0);
    // A scan's own geometry may be given for it, too.
    const Answer again = cli({"import", file, "--geometry", "c.scan.json", "--out", "g.scan.json"});
    QVERIFY2(again.code == 0, again.text());
    QVERIFY(read_scan(path("g.scan.json").toStdString()).geometry->spec() ==
            read_scan(path("c.scan.json").toStdString()).geometry->spec());
  }

  /// A folder that is no series stands for the only scan in it.
  void aFolderOfAScanFile() {
    NEED_DATA("scans-in/proj_cone_tetra_raw_json");
    const QString folder = sample("proj_cone_tetra_raw_json");
    for (const QStringList& command :
         {QStringList{"info", folder}, QStringList{"import", folder, "--out", "f.scan.json"}}) {
      const Answer answer = cli(command);
      QVERIFY2(answer.code == 0, answer.text());
      QVERIFY2(answer.errors.contains("tetra.json is opened, the only scan"), answer.text());
      QVERIFY2(answer.output.contains("cone flat, 21 views x 150 x 150"), answer.text());
    }
    const Answer wrong = cli({"import", folder, "--sinograms", "--out", "s.scan.json"});
    QCOMPARE(wrong.code, 2);
    QVERIFY2(wrong.errors.contains("CTSimU scan itself tells"), wrong.text());
  }

  void aSinogramWithAir() {
    NEED_DATA("scans-in/sino_neutron360_rings");
    const QString file = sample("sino_neutron360_rings") + "/sinogram_360_neutron_image.tif";
    const Answer answer = cli({"import", file, "--arc", "360", "--air", "30", "--centre", "244.75",
                               "--pixel", "0.05", "--out", "n.scan.json"});
    QVERIFY2(answer.code == 0, answer.text());
    QVERIFY2(answer.output.contains("a sinogram, a view per row"), answer.text());
    const LoadedScan scan = read_scan(path("n.scan.json").toStdString());
    QCOMPARE(scan.geometry->views(), 459);
    QCOMPARE(scan.geometry->columns(), 503);
    EXPECT_NEAR(scan.geometry->angle_rad(458), 2 * std::numbers::pi, 1e-9);
    if (python_.isEmpty()) QSKIP("no Python with scikit-image: the values were not compared");
    ask_python(QStringLiteral(R"(
import numpy as np
from skimage.io import imread
p = imread('%1').astype(float); air = np.concatenate([p[:, :30], p[:, -30:]], axis=1)
(-np.log(np.maximum(p / air.mean(axis=1, keepdims=True), 1e-6))).astype(np.float32).tofile('o.f32')
)")
                   .arg(file));
    // Both clip at 1e-6; the sums of the air differ by their rounding.
    const double difference = largest_difference(scan.line_integrals, held("o.f32"));
    QVERIFY2(difference < 1e-5, QByteArray::number(difference));
  }

  /// The options reach the import, and the command says what it assumed and wrote.
  void aStackOfLineIntegrals() {
    const QString file = stack();
    const Answer answer = cli({"import", file, "--arc", "180", "--line-integrals", "--pixel", "0.1",
                               "--centre", "4", "--out", "stack.scan.json"});
    EXPECT_DONE(answer);
    for (const char* said : {"assumed beam: parallel", "wrote stack.scan.json: "})
      QVERIFY2(answer.output.contains(QLatin1String(said)), answer.text());
    const LoadedScan scan = read_scan(path("stack.scan.json").toStdString());
    QCOMPARE(scan.geometry->views(), 5);
    QCOMPARE(scan.geometry->spec().central_column, 4.0);
    EXPECT_NEAR(scan.geometry->spec().column_pitch_mm, 0.1, 1e-12);
    EXPECT_NEAR(scan.geometry->angle_rad(4), std::numbers::pi, 1e-9);
    const VolumeGrid& grid = stack_grid;
    for (int view = 0; view < 5; ++view)
      for (int row = 0; row < 6; ++row)  // from below
        for (int column = 0; column < 9; ++column)
          QCOMPARE(scan.line_integrals[grid.index(column, row, view)],
                   stack_values()[grid.index(column, 5 - row, view)]);
  }

  /// A data set of HDF5 by its path, behind the name of the file or as an option.
  void aDataSetOfHdf5() {
    QVERIFY(
        QFile::copy(QStringLiteral(GANTRY_SOURCE_DIR "/tests/fuzz/beside/hdf5_frames/several.h5"),
                    path("s.h5")));
    const Answer unclear = cli({"import", "s.h5", "--out", "h.scan.json"});
    QCOMPARE(unclear.code, 1);
    QCOMPARE(unclear.error_lines().size(), 1);
    QVERIFY2(unclear.errors.contains("/scan/raw (5 x 6 x 9), /scan/shorter (3 x 6 x 9); name that "
                                     "of the projections (--data)"),
             unclear.text());
    const Answer twice = cli({"import", "s.h5:/scan/raw", "--data", "/x", "--out", "h.scan.json"});
    QVERIFY2(twice.code != 0 && twice.errors.contains("is given twice"), twice.text());
    for (const QStringList& named :
         {QStringList{"s.h5::/scan/raw"}, QStringList{"s.h5", "--data", "scan/raw"}}) {
      EXPECT_DONE(cli(QStringList{"import"} + named +
                      QStringList{"--flat", "s.h5:/scan/white", "--angles-data", "/scan/steps",
                                  "--centre", "4", "--out", "h.scan.json"}));
      const LoadedScan scan = read_scan(path("h.scan.json").toStdString());
      QCOMPARE(scan.geometry->views(), 5);
      EXPECT_NEAR(scan.geometry->angle_rad(4), 0.8 * std::numbers::pi, 1e-9);
      for (int view = 0; view < 5; ++view)
        for (int row = 0; row < 6; ++row)
          for (int column = 0; column < 9; ++column) {
            const double first = 600 + 100 * row + 10 * column;
            EXPECT_NEAR(
                scan.line_integrals[static_cast<std::size_t>(9 * (6 * view + 5 - row) + column)],
                -std::log((first + 1000 * view) / (first + 9000)), 1e-5);
          }
    }
  }

  /// Files made of a scan whose cells are of unknown size say mm, which a line tells. DICOM says HU
  /// too, and cannot tell that these are of attenuation per cell.
  void filesOfUnknownLengthsAreSaid() {
    EXPECT_OK(cli({"import", stack(), "--arc", "180", "--line-integrals", "--centre", "4", "--out",
                   "cells.scan.json"}));
    const QByteArray line =
        ": the size of the scan's cells is not known: mm in the file are cells, "
        "and 1/mm and HU are of attenuation per cell; import the scan with "
        "--pixel to state the size";
    const QStringList run{"reconstruct", "cells.scan.json", "--solver", "fbp", "--out"};
    const Answer mha = cli(run + QStringList{"cells.mha"});
    EXPECT_OK(mha);
    QVERIFY2(mha.errors.contains("note: cells.mha" + line), mha.text());
    const Answer dicom = cli(run + QStringList{"cells_dicom"});
    QCOMPARE(dicom.code, 2);
    QVERIFY2(
        dicom.errors.endsWith("gantry-cli: cells_dicom: DICOM states mm and HU, and the size of "
                              "the scan's cells is not known; state the size of the cells, or "
                              "save MetaImage, NRRD, NIfTI or TIFF\n"),
        dicom.text());
    QVERIFY(!QFile::exists(path("cells_dicom")));
    QVERIFY2(!dicom.output.contains("iteration"), dicom.text());
    QCOMPARE(cli({"convert", "cells.mha", "cells_dicom"}).code, 2);
    const Answer rtk = cli({"export", "cells.scan.json", "--to", "rtk", "--out", "cells_rtk"});
    EXPECT_OK(rtk);
    QVERIFY2(rtk.errors.contains("note: cells_rtk" + line), rtk.text());
    QVERIFY2(rtk.output.contains("5 views x 9 x 6 cells of unknown size, for RTK"), rtk.text());
    EXPECT_OK(cli({"import", stack(), "--arc", "180", "--line-integrals", "--centre", "4",
                   "--pixel", "1", "--out", "mm.scan.json"}));
    const Answer known = cli({"reconstruct", "mm.scan.json", "--solver", "fbp", "--out", "mm.mha"});
    QVERIFY2(!known.errors.contains("not known"), known.text());
  }

  /// Of a file of DataExchange the sample rises by a cell a view, along axes that it does not
  /// state.
  void translationsAreTakenAsIsSaid() {
    QVERIFY(QFile::copy(
        QStringLiteral(GANTRY_SOURCE_DIR "/tests/fuzz/beside/hdf5_frames/translated.h5"),
        path("t.h5")));
    const QStringList import = {"import", "t.h5", "--centre", "4", "--out", "t.scan.json"};
    const auto heights_mm = [&] {
      std::vector<double> heights;
      const LoadedScan scan = read_scan(path("t.scan.json").toStdString());
      for (int view = 0; view < 5; ++view)
        heights.push_back(scan.geometry->view(view).detector_mm.z);
      return heights;
    };
    const Answer silent = cli(import);
    QVERIFY2(silent.code == 0 && silent.errors.contains("y_translation changes by 4 mm over the"),
             silent.text());
    QCOMPARE(heights_mm(), (std::vector<double>{0, 0, 0, 0, 0}));
    const Answer said = cli(import + QStringList{"--translations", "nexus"});
    QVERIFY2(said.code == 0 && said.output.contains("y_translation, over 4 mm, upwards"),
             said.text());
    const std::vector<double> sinking = {2, 1, 0, -1, -2};  // as the sample rises
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(heights_mm()[i], sinking[i], 1e-9);
    QCOMPARE(cli(import + QStringList{"--translations", "lab"}).code, 2);
    QCOMPARE(cli(import + QStringList{"--translations", "esrf", "--only-turns"}).code, 2);
    EXPECT_OK(cli(import + QStringList{"--only-turns"}));
    const Answer tiff =
        cli({"import", stack(), "--translations", "esrf", "--arc", "180", "--out", "u.scan.json"});
    QVERIFY2(tiff.code == 2 && tiff.errors.contains("leave out their axes"), tiff.text());
  }

  /// Groups of cells of the upper four rows and of eight columns, of every second projection.
  void aPartOfAStack() {
    EXPECT_OK(cli({"import", stack(), "--arc", "180", "--line-integrals", "--pixel", "0.1",
                   "--centre", "4", "--columns", "1:8", "--rows", ":3", "--bin", "2", "--every",
                   "2", "--out", "part.scan.json"}));
    const LoadedScan scan = read_scan(path("part.scan.json").toStdString());
    QCOMPARE(scan.geometry->views(), 3);
    QCOMPARE(scan.geometry->rows(), 2);
    QCOMPARE(scan.geometry->columns(), 4);
    QCOMPARE(scan.geometry->spec().central_column, 1.25);
    EXPECT_NEAR(scan.geometry->spec().column_pitch_mm, 0.2, 1e-12);
    EXPECT_NEAR(scan.geometry->angle_rad(1), std::numbers::pi / 2, 1e-9);
    std::size_t ray = 0;
    for (int view = 0; view < 5; view += 2)
      for (int row = 2; row >= 0; row -= 2)  // from below
        for (int column = 1; column < 9; column += 2) {
          double sum = 0;
          for (const int r : {row, row + 1})
            for (const int c : {column, column + 1})
              sum += stack_values()[stack_grid.index(c, r, view)];
          EXPECT_NEAR(scan.line_integrals[ray++], sum / 4, 1e-5 * std::abs(sum));
        }
    const Answer outside =
        cli({"import", stack(), "--arc", "180", "--columns", "1:9", "--out", "no.scan.json"});
    QCOMPARE(outside.code, 1);
    QVERIFY2(outside.errors.contains("columns 1 to 9 lie outside the 9 columns"), outside.text());
    const Answer wrong = cli({"import", stack(), "--rows", "1-3", "--out", "no.scan.json"});
    QCOMPARE(wrong.code, 2);
    QVERIFY2(wrong.errors.contains("--rows: \"1-3\" is no range; write"), wrong.text());
  }

  /// Steps are applied in their order, and said; so does the reconstruction of a scan.
  void correctionsAreApplied() {
    const QStringList usual = {"import",           stack(),    "--arc", "180",
                               "--line-integrals", "--centre", "4"};
    EXPECT_OK(cli(usual + QStringList{"--out", "plain.scan.json"}));
    const Answer answer =
        cli(usual + QStringList{"--correct", "scale:factor=2", "--correct",
                                "beam_hardening:a1=0,a2=0.5", "--out", "corrected.scan.json"});
    EXPECT_OK(answer);
    QVERIFY2(answer.errors.contains("note: Scale: all line integrals were multiplied by 2"),
             answer.text());
    const LoadedScan plain = read_scan(path("plain.scan.json").toStdString()),
                     corrected = read_scan(path("corrected.scan.json").toStdString());
    QVERIFY(corrected.description.ends_with(", corrected: scale, beam_hardening"));
    for (std::size_t i = 0; i < plain.line_integrals.size(); ++i) {
      const float p = plain.line_integrals[i];
      QCOMPARE(corrected.line_integrals[i], 2 * p * p);
    }
    const Answer reconstructed = cli({"reconstruct", "plain.scan.json", "--correct",
                                      "scale:factor=3", "--iterations", "1", "--out", "v.mha"});
    EXPECT_OK(reconstructed);
    QVERIFY2(reconstructed.errors.contains("multiplied by 3"), reconstructed.text());
  }

  void wrongCorrectionsAreRefused_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("said");
    QTest::addRow("unknown") << "polish"
                             << "use one of bad_cells, zingers, rings";
    QTest::addRow("parameter") << "rings:width=3"
                               << "rings.width";
    QTest::addRow("value") << "rings:snr=much"
                           << "rings.snr";
    QTest::addRow("form") << "rings:snr"
                          << "write KEY:param=value";
  }
  void wrongCorrectionsAreRefused() {
    QFETCH(QString, text);
    QFETCH(QString, said);
    const Answer answer = cli({"import", stack(), "--correct", text, "--out", "n.scan.json"});
    QCOMPARE(answer.code, 2);
    QCOMPARE(answer.error_lines().size(), 1);
    QVERIFY2(answer.errors.contains(said), answer.text());
  }

  /// Without the size of a cell, the strength of phase retrieval is not known.
  void phaseRetrievalNeedsTheSizeOfACell() {
    QStringList words = {"import",    stack(),           "--arc", "180",
                         "--correct", "phase_retrieval", "--out", "n.scan.json"};
    const Answer answer = cli(words);
    QCOMPARE(answer.code, 1);
    QCOMPARE(answer.error_lines().size(), 1);
    QVERIFY2(answer.errors.contains("size of a cell is not known"), answer.text());
    const Answer with_size = cli(words << "--pixel"
                                       << "0.01");
    QVERIFY2(with_size.code == 0, with_size.text());
  }
  /// An axis far outside and an arc in radians; darks that are missing beside flats.
  void whatCannotBeIsSaid() {
    const Answer far = cli({"import", stack(), "--arc", "180", "--line-integrals", "--centre",
                            "90000", "--out", "far.scan.json"});
    QVERIFY(far.code != 0);
    QCOMPARE(far.error_lines().size(), 1);
    QVERIFY2(far.errors.contains("column 90000 is far outside the detector"), far.text());
    QVERIFY(!QFile::exists(path("far.scan.json")));
    const Answer dark = cli({"import", stack(), "--arc", "180", "--flat", stack(), "--centre", "12",
                             "--out", "dark.scan.json"});
    EXPECT_OK(dark);
    QVERIFY2(dark.output.contains("assumed darks: 0 in each cell (none are found or given)"),
             dark.text());
    QVERIFY2(dark.errors.contains("column 12, lies outside the detector of 9 columns"),
             dark.text());
  }

  void anArcOfNothingIsRefused() {
    const Answer answer = cli({"import", stack(), "--arc", "0", "--out", "n.scan.json"});
    QCOMPARE(answer.code, 2);
    QVERIFY2(answer.errors.contains("cannot have the same angle"), answer.text());
  }
  void aSingleViewIsNoted() {
    const Answer answer =
        cli({"import", stack(), "--arc", "180", "--every", "1000", "--out", "n.scan.json"});
    QVERIFY2(answer.code == 0 && answer.errors.contains("single view"), answer.text());
  }

  void whatIsNotKnownIsAsked() {
    const Answer answer = cli({"import", stack(), "--out", "n.scan.json"});
    QCOMPARE(answer.code, 1);
    QCOMPARE(answer.error_lines().size(), 1);
    QVERIFY2(answer.errors.contains("does not state the angles of its projections; give a list"),
             answer.text());
  }

  /// A file that was cut anywhere gives one line and no scan.
  void cutFilesAreRefused() {
    const QByteArray bytes = bytes_of_file(stack());
    for (int part = 0; part < 50; part += 7) {
      write_file(path("cut.tif"), bytes.left(bytes.size() * part / 50));
      const Answer answer = cli({"import", "cut.tif", "--arc", "360", "--out", "cut.scan.json"});
      QVERIFY2(answer.code == 1, answer.text());
      QVERIFY2(answer.error_lines().size() == 1, answer.text());
      QVERIFY(!QFile::exists(path("cut.scan.json")));
    }
  }
};

GANTRY_TEST(TestCliImport)
#include "test_cli_import.moc"
