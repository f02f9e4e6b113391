// Flats and darks of HDF5 that follows no convention, by the names of their data sets.
#include "core/base/error.hpp"
#include "core/io/imports/array_frames.hpp"
#include "tests/core/io/imports/counted_arrays.hpp"
#include "tests/core/io/imports/hdf5_folder.hpp"
#include "tests/core/io/imports/written_hdf5.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

using namespace gantry;
using namespace gantry::test;

class TestHdf5Roles : public QObject, private Hdf5Folder {
  Q_OBJECT

  ImportRequest request_of(const char* name) const {
    ImportRequest request;
    request.path = path(name);
    request.centre = 4;
    return request;
  }
  static Frame darks() {
    return joined_frames(
        {CountedFrames::dark_frame(0), CountedFrames::dark_frame(1), CountedFrames::dark_frame(2)});
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  /// Data sets are called as files are.
  void flatsAndDarksAreCalledAsFilesAre_data() {
    QTest::addColumn<QString>("flat");
    QTest::addColumn<QString>("dark");
    const auto add = [](const char* flat, const char* dark) {
      QTest::addRow("%s, %s", flat, dark) << QString::fromLatin1(flat) << QString::fromLatin1(dark);
    };
    add("/img_bkg", "/img_dark");
    add("/flood", "/dark_current");
    add("/empty_beam", "/Darks_pre");
    add("/tomo_flat", "/drk");
    add("/ref/data", "/no_beam/data");
  }
  void flatsAndDarksAreCalledAsFilesAre() {
    QFETCH(QString, flat);
    QFETCH(QString, dark);
    for (const bool are_single : {false, true}) {
      {
        const Hdf5Writer file(path("g.h5"));
        const std::size_t count = are_single ? 1 : 3;
        const auto size = are_single ? std::vector<hsize_t>{6, 9} : size_of(count);
        file.add("/data", size_of(7), joined_frames(projections(7)));
        file.add(flat.toUtf8().constData(), size,
                 are_single ? CountedFrames::flat_frame(0) : counted_flats());
        file.add(dark.toUtf8().constData(), size,
                 are_single ? CountedFrames::dark_frame(0) : darks());
        file.add("/theta", {7}, half_turn, "deg");
      }
      const ImportedScan scan = imported("g.h5");
      expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
      QVERIFY(is_assumed(scan, "flats", flat.toStdString()));
      QVERIFY(is_assumed(scan, "darks", dark.toStdString()));
    }
  }

  /// Flats of before and after are one series, and corrected projections are no flats.
  void flatsOfBeforeAndAfterAreJoined() {
    const auto write = [&](const char* projections_path) {
      const Hdf5Writer file(path("g.h5"));
      file.add(projections_path, size_of(7), joined_frames(projections(7)));
      file.add("/flats_pre", size_of(1), CountedFrames::flat_frame(0));
      file.add("/flats_post", size_of(1), CountedFrames::flat_frame(1));
      file.add("/dark", size_of(3), darks());
      file.add("/theta", {7}, half_turn, "deg");
    };
    for (const char* name : {"/data", "/flat_corrected"}) {
      write(name);
      expect_line_integrals(imported("g.h5"), {0, 1, 2, 3, 4, 5, 6});
      const RawScan raw = import_formats().to_read(path("g.h5")).read(request_of("g.h5"));
      QCOMPARE(raw.flats->frames(), 2);
      QCOMPARE(raw.flat_views, (std::vector<double>{6.5, -0.5}));  // in the order of the file
    }
  }

  /// Flats that do not fit may say that the axes were taken in a wrong order.
  void flatsOfAnotherSizeLeadToTheAxes() {
    {
      const Hdf5Writer file(path("s.h5"));
      file.add("/tomo", {6, 7, 9}, sinograms_of(joined_frames(projections(7))));
      file.add("/flats", {6, 3, 9}, sinograms_of(counted_flats()));
      file.add("/darks", {6, 3, 9}, sinograms_of(darks()));
    }
    ImportRequest wanted = request_of("s.h5");
    wanted.arc_deg = 180;
    EXPECT_THROWS(InputError, import_scan(wanted),
                  "a flat has 9 x 3 cells, the projections have 9 x 7; give frames of one size, or "
                  "the order of the axes (--axes) if it is another");
    wanted.axes = *axis_order_in("rows,views,columns");
    expect_line_integrals(import_scan(wanted), {0, 1, 2, 3, 4, 5, 6});
  }

  /// What may be a flat by its size alone is named where the beam is a guess.
  void framesOfTheSameSizeAreNamed() {
    {
      const Hdf5Writer file(path("c.h5"));
      file.add("/data", size_of(7), joined_frames(projections(7)));
      file.add("/mask", {6, 9}, CountedFrames::flat_frame(0));
      file.add("/other", {5, 9}, Frame(45, 1));
      file.add("/theta", {7}, half_turn, "deg");
    }
    const char* note = "not used, though as large as the projections: /mask (6 x 9); --flat-data";
    ImportRequest wanted = request_of("c.h5");
    QVERIFY(has_part(import_scan(wanted).scan.notes, note));
    wanted.data_sets.flats = "/mask";
    QVERIFY(!has_part(import_scan(wanted).scan.notes, "not used"));
  }
};

GANTRY_TEST(TestHdf5Roles)
#include "test_hdf5_roles.moc"
