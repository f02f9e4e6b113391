// What an import is told by the views themselves, axis and arc, and one scan in three formats.
#include "core/io/scans/scan_file.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "tests/cli/command.hpp"
#include "tests/support/data.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/python.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace gantry;
using namespace gantry::test;

class TestCliImportTold : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  QString path(const QString& name) const { return folder_.filePath(name); }
  Answer cli(const QStringList& arguments) const { return gantry_cli(arguments, folder_.path()); }

  static constexpr int disc_columns = 64, disc_rows = 8, disc_views = 90;
  /// Writes line integrals of two discs over a whole turn, of which one goes round an axis at
  /// column 30.2; the bad cells show no beam. Returns the path.
  QString discs(const QString& name, const std::vector<std::size_t>& bad) const {
    constexpr std::size_t cells = disc_columns * disc_rows;
    std::vector<float> p;
    for (int view = 0; view < disc_views; ++view)
      for (int cell = 0; cell < static_cast<int>(cells); ++cell) {
        const double off = 10 * std::cos(0.7 + 2 * std::numbers::pi * view / disc_views);
        const auto chord = [&](double at, double radius) {
          const double away = cell % disc_columns - at;
          return std::sqrt(std::max(0.0, radius * radius - away * away));
        };
        p.push_back(static_cast<float>(0.02 * chord(30.2, 20) + 0.05 * chord(30.2 + off, 6)));
      }
    for (const std::size_t cell : bad)
      for (std::size_t at = cell; at < p.size(); at += cells) p[at] = 13.8F;
    VolumeToWrite frames;
    frames.grid = VolumeGrid::centered(disc_columns, disc_rows, disc_views, {1, 1, 1});
    frames.mu = p;
    write_volume(path(name).toStdString(), frames);
    return path(name);
  }

 private slots:
  /// The frames, flat, dark and angles of a measured scan in three formats.
  void oneScanInThreeFormats() {
    NEED_DATA("scans-in/proj_i13_24737_tiff");
    const QString python = python_with(QStringLiteral("numpy, skimage.io, h5py"));
    if (python.isEmpty()) QSKIP("no Python with scikit-image and h5py: nothing writes the formats");
    const QString sample = QString::fromStdString(data_path("scans-in/proj_i13_24737_tiff"));
    EXPECT_DONE(run_program(python,
                            {"-c", QStringLiteral(R"(
import glob, h5py, numpy as np
from skimage.io import imread
f = imread('%1/flat_00001.tiff'); d = imread('%1/dark_00001.tiff')
p = np.array([imread(n) for n in sorted(glob.glob('%1/tiffs/*.tiff'))])
angles = np.loadtxt('%1/angles.txt')[10:10 + len(p)]  # 10 more at both ends, of the flat and the dark
np.savez('i13.npz', data=p, flat=f, dark=d, theta_deg=angles)
with h5py.File('i13.nxs', 'w') as h:
    entry = h.create_group('entry1/tomo_entry')
    entry['definition'] = 'NXtomo'
    entry['instrument/detector/data'] = np.concatenate([d[None], f[None], p])
    entry['instrument/detector/image_key'] = np.array([2, 1] + [0] * len(p))
    entry['sample/rotation_angle'] = np.concatenate([[angles[0]] * 2, angles])
    entry['sample/rotation_angle'].attrs['units'] = 'degrees'
)")
                                       .arg(sample)},
                            folder_.path()));
    const auto import = [this](const QString& what, const QString& out) {
      const Answer answer = cli({"import", what, "--out", out});
      QVERIFY2(answer.code == 0, answer.text());  // a dead cell is noted
    };
    import(sample, "tiff.scan.json");
    const LoadedScan tiff = read_scan(path("tiff.scan.json").toStdString());
    EXPECT_NEAR(tiff.geometry->spec().central_column, 85.9, 0.3);
    for (const char* name : {"i13.npz", "i13.nxs"}) {
      import(name, "other.scan.json");
      const LoadedScan other = read_scan(path("other.scan.json").toStdString());
      QCOMPARE(other.line_integrals.size(), tiff.line_integrals.size());
      double largest = 0;
      for (std::size_t i = 0; i < tiff.line_integrals.size(); ++i)
        largest = std::max(largest, std::abs(static_cast<double>(tiff.line_integrals[i]) -
                                             other.line_integrals[i]));
      QVERIFY2(largest < 1e-6, qPrintable(QString::number(largest)));
      for (int view = 0; view < tiff.geometry->views(); ++view)
        EXPECT_NEAR(tiff.geometry->angle_rad(view), other.geometry->angle_rad(view), 1e-6);
      EXPECT_NEAR(other.geometry->spec().central_column, 85.9, 0.3);
    }
  }

  /// The order of the axes of a data set, which is said.
  void theOrderOfAxes() {
    QVERIFY(
        QFile::copy(QStringLiteral(GANTRY_SOURCE_DIR "/tests/fuzz/beside/hdf5_frames/several.h5"),
                    path("s.h5")));
    const QStringList plain = {"import", "s.h5:/scan/raw",   "--arc", "180",        "--centre",
                               "2",      "--line-integrals", "--out", "s.scan.json"};
    const Answer answer = cli(plain + QStringList{"--axes", "columns,rows,views"});
    EXPECT_DONE(answer);
    QVERIFY2(
        answer.output.contains("assumed axes of the projections: column, row, view (as was asked)"),
        answer.text());
    const LoadedScan scan = read_scan(path("s.scan.json").toStdString());
    QCOMPARE(scan.geometry->views(), 9);
    QCOMPARE(scan.geometry->rows(), 6);
    QCOMPARE(scan.geometry->columns(), 5);
    for (const char* order : {"z,y,x", "views,rows", "views,views,columns"}) {
      const Answer wrong = cli(plain + QStringList{"--axes", QLatin1String(order)});
      QCOMPARE(wrong.code, 2);
      QCOMPARE(wrong.error_lines().size(), 1);
      QVERIFY2(wrong.errors.contains("is no order of axes; name each axis once, such as "),
               wrong.text());
    }
    const Answer both = cli(plain + QStringList{"--axes", "views,rows,columns", "--sinograms"});
    QCOMPARE(both.code, 2);
  }

  /// What a cell shows in air, in the place of what is assumed, but beside nothing else that says
  /// it.
  void theLevelOfAir() {
    const QStringList plain = {
        "import", discs("level.tif", {}), "--arc", "360", "--open", "--centre", "30.2",
        "--out",  "level.scan.json"};
    const QStringList level = {"--white-level", "2"};
    const Answer answer = cli(plain + level);  // values of 0 are noted
    QVERIFY2(answer.code == 0, answer.text());
    const LoadedScan scan = read_scan(path("level.scan.json").toStdString());
    EXPECT_NEAR(*std::ranges::min_element(scan.line_integrals), -std::log(0.69991 / 2), 1e-4);
    for (const QStringList& other :
         {QStringList{"--line-integrals"}, {"--interpolate-flats"}, {"--flat", path("level.tif")}})
      QCOMPARE(cli(plain + level + other).code, 2);
  }

  void deadCellsDoNotTurnTheAxis() {
    const QString file =
        discs("dead.tif", {disc_columns + 40, 4 * disc_columns + 22, 6 * disc_columns + 38});
    const Answer answer = cli(
        {"import", file, "--line-integrals", "--arc", "360", "--open", "--out", "dead.scan.json"});
    EXPECT_DONE(answer);
    QVERIFY2(answer.output.contains("half a turn apart, without 3 bad cells)"), answer.text());
    const LoadedScan scan = read_scan(path("dead.scan.json").toStdString());
    EXPECT_NEAR(scan.geometry->spec().central_column, 30.2, 0.05);
    EXPECT_DONE(cli({"import", discs("sound.tif", {}), "--line-integrals", "--arc", "360", "--open",
                     "--out", "sound.scan.json"}));
    const LoadedScan sound = read_scan(path("sound.scan.json").toStdString());
    EXPECT_NEAR(scan.geometry->spec().central_column, sound.geometry->spec().central_column, 0.011);
    // The data stay as they were measured.
    QCOMPARE(std::ranges::count(scan.line_integrals, 13.8F), 3 * disc_views);
  }

  /// Columns that are added at the ends of the rows hide from later runs that these were cut off.
  void rowsThatAreCutOffAreNotedBeforeTheyArePadded() {
    const QStringList plain = {"import",
                               discs("wide.tif", {}),
                               "--line-integrals",
                               "--arc",
                               "360",
                               "--open",
                               "--out",
                               "padded.scan.json",
                               "--pad",
                               "8"};
    const char* note = "detector rows do not end in air";
    const QStringList cut = {"--columns", "14:47"};
    const Answer whole = cli(plain), faded = cli(plain + cut),
                 zeros = cli(plain + cut + QStringList{"--pad-with", "zero"});
    QCOMPARE(whole.code, 0);
    QVERIFY2(!whole.errors.contains(note), whole.text());
    QVERIFY2(faded.errors.contains(note) && faded.errors.contains("only guess how the rows go on"),
             faded.text());
    QVERIFY2(zeros.errors.contains("which columns of 0 do not mend"), zeros.text());
    // The file says so, too: its rows end in columns of 0.
    const QStringList reconstruction = {"reconstruct", "padded.scan.json", "--solver", "fbp",
                                        "--out",       "padded.mha"};
    const Answer hidden = cli(reconstruction);
    QVERIFY2(hidden.errors.contains("columns were added to detector rows that do not end in air"),
             hidden.text());
    QCOMPARE(cli(plain).code, 0);
    QVERIFY(!cli(reconstruction).errors.contains("end in air"));
  }

  /// The arc that all views tell holds for a part of them, too.
  void everyThirdViewOfAnArcThatIsFound() {
    const QString file = discs("discs.tif", {});
    EXPECT_DONE(cli({"import", file, "--line-integrals", "--out", "all.scan.json"}));
    const Answer answer =
        cli({"import", file, "--line-integrals", "--every", "3", "--out", "third.scan.json"});
    EXPECT_DONE(answer);
    QVERIFY2(answer.output.contains("assumed angles: 0 to 360 degrees, without the end"),
             answer.text());
    const LoadedScan all = read_scan(path("all.scan.json").toStdString()),
                     third = read_scan(path("third.scan.json").toStdString());
    QCOMPARE(third.geometry->views(), disc_views / 3);
    EXPECT_NEAR(all.geometry->spec().central_column, 30.2, 0.05);
    EXPECT_NEAR(third.geometry->spec().central_column, 30.2, 0.05);
    const std::size_t cells = all.geometry->cells();
    for (int view = 0; view < disc_views / 3; ++view) {
      EXPECT_NEAR(third.geometry->angle_rad(view), all.geometry->angle_rad(3 * view), 1e-9);
      const auto from = all.line_integrals.begin() + 3 * view * static_cast<int>(cells);
      QVERIFY(std::equal(from, from + static_cast<int>(cells),
                         third.line_integrals.begin() + view * static_cast<int>(cells)));
    }
  }
};

GANTRY_TEST(TestCliImportTold)
#include "test_cli_import_told.moc"
