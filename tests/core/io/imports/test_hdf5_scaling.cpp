// Numbers in HDF5 that attributes scale: frames, flats, darks and angles are the values, and it is
// said.
#include "core/base/error.hpp"
#include "core/io/files/containers/hdf5_file.hpp"
#include "tests/core/io/imports/counted_arrays.hpp"
#include "tests/core/io/imports/hdf5_folder.hpp"
#include "tests/core/io/imports/written_hdf5.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Returns the numbers that `factor` x number + `addend` turns into these values, which are to be
/// whole ones.
Frame packed(const Frame& values, double factor, double addend) {
  Frame numbers;
  for (const std::uint16_t value : values)
    numbers.push_back(static_cast<std::uint16_t>(std::lround((value - addend) / factor)));
  return numbers;
}

}  // namespace

class TestHdf5Scaling : public QObject, private Hdf5Folder {
  Q_OBJECT
  /// DataExchange whose counts and angles are scaled; the projections are packed in chunks.
  void write_exchange(const char* name, const char* factor, const char* addend) const {
    const Hdf5Writer file(path(name));
    file.add("/exchange/data", size_of(7), packed(joined_frames(projections(7)), 2, 100), {}, false,
             {2, 6, 9});
    file.add("/exchange/data_white", size_of(1), packed(CountedFrames::flat_frame(0), 0.5, -50));
    file.add("/exchange/data_dark", size_of(1), packed(CountedFrames::dark_frame(0), 4, 0));
    std::vector<double> thirds = half_turn;
    for (double& angle : thirds) angle = angle / 3 + 1;
    file.add("/exchange/theta", {7}, thirds, "degrees");
    const auto scale = [&](const char* object, double by, double plus) {
      file.add_attribute(object, factor, std::vector<double>{by});
      if (plus != 0) file.add_attribute(object, addend, std::vector<double>{plus});
    };
    scale("/exchange/data", 2, 100);
    scale("/exchange/data_white", 0.5, -50);
    scale("/exchange/data_dark", 4, 0);
    scale("/exchange/theta", 3, -3);
  }
  /// DataExchange of plain numbers, of which one data set has an attribute.
  template <class Value>
  void write_with(const char* name, const char* object, const char* attribute,
                  const Value& value) const {
    const Hdf5Writer file(path(name));
    file.add("/exchange/data", size_of(7), joined_frames(projections(7)));
    file.add("/exchange/data_white", size_of(1), CountedFrames::flat_frame(0));
    file.add("/exchange/data_dark", size_of(1), CountedFrames::dark_frame(0));
    file.add("/exchange/theta", {7}, half_turn, "degrees");
    file.add_attribute(object, attribute, value);
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }
  void cleanup() { qunsetenv("GANTRY_DECODER"); }

  void framesAndAnglesAreScaled_data() {
    QTest::addColumn<QByteArray>("factor");
    QTest::addColumn<QByteArray>("addend");
    QTest::addColumn<QByteArray>("decoder");
    QTest::newRow("netCDF") << QByteArray("scale_factor") << QByteArray("add_offset")
                            << QByteArray();
    QTest::newRow("NeXus") << QByteArray("scaling_factor") << QByteArray("offset") << QByteArray();
    QTest::newRow("in this process")
        << QByteArray("scale_factor") << QByteArray("add_offset") << QByteArray("none");
  }
  void framesAndAnglesAreScaled() {
    QFETCH(QByteArray, factor);
    QFETCH(QByteArray, addend);
    QFETCH(QByteArray, decoder);
    if (!decoder.isEmpty()) qputenv("GANTRY_DECODER", decoder);
    write_exchange("x.h5", factor.constData(), addend.constData());
    const ImportedScan scan = imported("x.h5");
    expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
    expect_angles(scan, half_turn);
    QVERIFY(is_assumed(scan, "values of /exchange/data", "number x 2 + 100"));
    QVERIFY(is_assumed(scan, "values of /exchange/data_white", "number x 0.5 - 50"));
    QVERIFY(is_assumed(scan, "values of /exchange/data_dark", "number x 4"));
    QVERIFY(is_assumed(scan, "values of /exchange/theta", "number x 3 - 3"));
  }

  /// The frames of an NXtomo, and data sets by their paths.
  void otherFilesAreScaledToo() {
    const Frame frames =
        joined_frames({CountedFrames::dark_frame(0), CountedFrames::flat_frame(0),
                       CountedFrames::projection(0), CountedFrames::projection(1)});
    {
      const Hdf5Writer file(path("t.nxs"));
      file.add("/entry/instrument/detector/data", size_of(4), packed(frames, 2, 100));
      file.add("/entry/instrument/detector/image_key", {4}, Frame{2, 1, 0, 0});
      file.add("/entry/sample/rotation_angle", {4}, std::vector<double>{0, 0, 0, 90}, "deg");
      file.add_attribute("/entry/instrument/detector/data", "scale_factor", std::vector<double>{2});
      file.add_attribute("/entry/instrument/detector/data", "add_offset", std::vector<double>{100});
    }
    const ImportedScan marked = imported("t.nxs");
    expect_line_integrals(marked, {0, 1});
    QVERIFY(is_assumed(marked, "values of /entry/instrument/detector/data", "number x 2 + 100"));
    {
      const Hdf5Writer file(path("p.h5"));
      file.add("/frames", size_of(2), packed(joined_frames(projections(2)), 2, 100));
      file.add("/flats", size_of(1), packed(CountedFrames::flat_frame(0), 2, 100));
      file.add("/darks", size_of(1), CountedFrames::dark_frame(0));
      file.add("/theta", {2}, std::vector<double>{0, 90}, "deg");
      for (const char* object : {"/frames", "/flats"}) {
        file.add_attribute(object, "scale_factor", std::vector<double>{2});
        file.add_attribute(object, "add_offset", std::vector<double>{100});
      }
    }
    const ImportedScan plain = imported("p.h5");
    expect_line_integrals(plain, {0, 1});
    QVERIFY(is_assumed(plain, "values of /frames", "number x 2 + 100"));
    QVERIFY(is_assumed(plain, "values of /flats", "number x 2 + 100"));
  }

  /// What is left of an addend that is large beside it does not lose its digits.
  void valuesAreScaledInDoublePrecision() {
    {
      const Hdf5Writer file(path("d.h5"));
      std::vector<double> numbers;
      for (int i = 0; i < 54; ++i) numbers.push_back(1e9 + i);
      file.add("/frames", size_of(1), numbers);
      file.add_attribute("/frames", "add_offset", std::vector<double>{-1e9});
    }
    const Hdf5File file(path("d.h5"));
    std::vector<float> values(54);
    file.read_frame(*file.find("/frames"), 0, values);
    for (int i = 0; i < 54; ++i) QCOMPARE(values[static_cast<std::size_t>(i)], float(i));
  }

  void whatCannotBeAppliedIsRefusedByName() {
    write_with("a.h5", "/exchange/data", "scale_factor", std::string("two"));
    EXPECT_THROWS(InputError, imported("a.h5"),
                  "/exchange/data cannot be scaled: its attribute scale_factor is no number");
    write_with("a.h5", "/exchange/theta", "add_offset", std::vector<double>{1, 2});
    EXPECT_THROWS(InputError, imported("a.h5"),
                  "/exchange/theta cannot be scaled: its attribute add_offset is no single number");
    write_with("a.h5", "/exchange/data_dark", "scaling_factor", std::vector<double>{0});
    EXPECT_THROWS(InputError, imported("a.h5"),
                  "/exchange/data_dark cannot be scaled: its attribute scaling_factor is 0");
    write_with("a.h5", "/exchange/data", "scale_factor", std::vector<double>{std::nan("")});
    EXPECT_THROWS(InputError, imported("a.h5"), "scale_factor is no finite number");
  }

  void attributesThatContradictAreRefused() {
    {
      const Hdf5Writer file(path("c.h5"));
      file.add("/exchange/data", size_of(1), CountedFrames::projection(0));
      file.add_attribute("/exchange/data", "scale_factor", std::vector<double>{2});
      file.add_attribute("/exchange/data", "scaling_factor", std::vector<double>{3});
      file.add("/exchange/theta", {1}, std::vector<double>{0}, "deg");
    }
    EXPECT_THROWS(InputError, imported("c.h5"), "scaling_factor contradicts scale_factor");
  }

  /// Fields beside the frames, as NXdata has them, are no attributes.
  void fieldsThatMayScaleAreNamed() {
    for (const double factor : {0.5, 1.0}) {
      {
        const Hdf5Writer file(path("f.h5"));
        file.add("/entry/frames", size_of(7), joined_frames(projections(7)));
        file.add("/entry/flats", size_of(1), CountedFrames::flat_frame(0));
        file.add("/entry/darks", size_of(1), CountedFrames::dark_frame(0));
        file.add("/entry/theta", {7}, half_turn, "deg");
        file.add("/entry/frames_scaling_factor", {1}, std::vector<double>{factor});
        file.add("/entry/offset", {1}, std::vector<double>{1 - factor});
      }
      const std::vector<std::string> notes = imported("f.h5").scan.notes;
      QCOMPARE(has_part(notes, "/entry/frames_scaling_factor, 0.5, which may scale /entry/frames"),
               factor != 1);
      QCOMPARE(has_part(notes, "/entry/offset, 0.5, which may scale"), factor != 1);
    }
  }

  /// An axis of NXtransformations has a place as its offset.
  void whatChangesNothingIsNotSaid() {
    write_with("a.h5", "/exchange/data", "scale_factor", std::vector<double>{1});
    const ImportedScan one = imported("a.h5");
    expect_line_integrals(one, {0, 1, 2, 3, 4, 5, 6});
    QVERIFY(!is_assumed(one, "values of /exchange/data", "number"));
    {
      const Hdf5Writer file(path("v.h5"));
      file.add("/frames", size_of(7), joined_frames(projections(7)));
      file.add("/flats", size_of(1), CountedFrames::flat_frame(0));
      file.add("/darks", size_of(1), CountedFrames::dark_frame(0));
      file.add("/theta", {7}, half_turn, "deg");
      file.add_attribute("/theta", "offset", std::vector<double>{0, 0, 5});
      file.add_attribute("/theta", "vector", std::vector<double>{0, 1, 0});
    }
    expect_angles(imported("v.h5"), half_turn);
  }
};

GANTRY_TEST(TestHdf5Scaling)
#include "test_hdf5_scaling.moc"
