// Arrays of projections whose axes lie in any order: stated by the user, or told by the number of
// angles.
#include "core/base/error.hpp"
#include "core/io/imports/arrays/array_axes.hpp"
#include "core/io/imports/import_json.hpp"
#include "tests/core/io/imports/counted_arrays.hpp"
#include "tests/core/io/imports/hdf5_folder.hpp"
#include "tests/core/io/imports/written_hdf5.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <cmath>

using namespace gantry;
using namespace gantry::test;

namespace {

QByteArray shape_of(const std::vector<hsize_t>& sizes) {
  QByteArray text = "(";
  for (const hsize_t size : sizes) text += QByteArray::number(static_cast<qulonglong>(size)) + ",";
  return text + ")";
}

}  // namespace

class TestArrayAxes : public QObject, private Hdf5Folder {
  Q_OBJECT

  ImportRequest request(const char* name, const char* order) const {
    ImportRequest request;
    request.path = path(name);
    request.centre = 4;
    if (order[0] != '\0') request.axes = *axis_order_in(order);
    return request;
  }
  static Frame dark() { return CountedFrames::dark_frame(0); }
  void write_hdf5(const char* name, const std::string& group, const std::string& order,
                  const std::vector<std::string>& names) const {
    const Hdf5Writer file(path(name));
    file.add((group + names[0]).c_str(), sizes_in(order, 7),
             values_in(order, counted_projections(7)));
    file.add((group + names[1]).c_str(), sizes_in(order, 3), values_in(order, counted_flats()));
    file.add((group + names[2]).c_str(), size_of(1), dark());  // in the usual order
    file.add((group + "theta").c_str(), {7}, half_turn, "deg");
  }
  void write_npz(const char* name, const std::string& order, bool is_deflated,
                 bool is_fortran = false) const {
    AxisOrder fastest_last = axis_order_in(order).value();
    if (is_fortran) std::ranges::reverse(fastest_last);
    const auto array = [&](const Frame& values, std::size_t views) {
      return npy("<u2", shape_of(sizes_in(order, views)),
                 bytes_of_numbers(values_in(text_of(fastest_last), values)), is_fortran);
    };
    write_file(path(name), zip({{"data.npy", array(counted_projections(7), 7)},
                                {"flats.npy", array(counted_flats(), 3)},
                                {"dark.npy", npy("<u2", "(6, 9)", bytes_of_numbers(dark()))},
                                {"theta_deg.npy", npy("<f8", "(7,)", bytes_of_numbers(half_turn))}},
                               is_deflated));
  }
  /// Expects that a part, as it is read from a file, is that of the whole scan.
  static void expect_part_of(const ImportedScan& whole, ImportRequest wanted) {
    wanted.part = {.columns = {2, 7}, .rows = {1, 3}, .bin = 1, .every = 3};
    const ImportedScan part = import_scan(wanted);
    std::vector<float> expected;
    for (const std::size_t view : {0, 3, 6})
      for (std::size_t row = 2; row < 5; ++row)  // rows 1 to 3 from above
        for (std::size_t column = 2; column < 8; ++column)
          expected.push_back(whole.scan.line_integrals[(view * 6 + row) * 9 + column]);
    QCOMPARE(part.scan.line_integrals, expected);
  }
  static std::string why_axes(const ImportedScan& scan) {
    for (const Assumption& one : scan.assumptions)
      if (one.what == "axes of the projections") return one.why;
    return {};
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void ordersInTexts() {
    for (const char* text : {"views,rows,columns", "columns,rows,views", "views,columns"})
      QCOMPARE(text_of(*axis_order_in(text)), std::string(text));
    QCOMPARE(text_of(*axis_order_in(" View, ROW ,column")), std::string("views,rows,columns"));
    for (const char* text : {"", "columns", "views,rows", "views,views,columns", "views,rows,",
                             "views rows columns", "z,y,x", "rows,columns,views,views"})
      QVERIFY2(!axis_order_in(text), text);
  }

  void statedOrders_data() {
    QTest::addColumn<QString>("order");
    for (const char* order : {"views,rows,columns", "views,columns,rows", "rows,views,columns",
                              "rows,columns,views", "columns,views,rows", "columns,rows,views"})
      QTest::newRow(order) << QString::fromLatin1(order);
  }
  /// In HDF5, plain or DataExchange, and in archives of NumPy, packed or not.
  void statedOrders() {
    QFETCH(QString, order);
    const QByteArray text = order.toLatin1();
    write_hdf5("p.h5", "/", text.toStdString(), {"data", "flats", "darks"});
    write_hdf5("e.h5", "/exchange/", text.toStdString(), {"data", "data_white", "data_dark"});
    write_npz("a.npz", text.toStdString(), false);
    write_npz("packed.npz", text.toStdString(), true);
    write_npz("fortran.npz", text.toStdString(), false, true);
    QString words = order;
    words.replace(QStringLiteral("s"), QString())
        .replace(QStringLiteral(","), QStringLiteral(", "));
    for (const char* name : {"p.h5", "e.h5", "a.npz", "packed.npz", "fortran.npz"}) {
      const ImportedScan scan = import_scan(request(name, text));
      expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
      expect_angles(scan, half_turn);
      expect_part_of(scan, request(name, text));
      const bool is_usual = name[0] == 'e' && order.startsWith(QStringLiteral("views,rows"));
      QCOMPARE(why_axes(scan), std::string(is_usual ? "" : "as was asked"));
      QCOMPARE(is_assumed(scan, "axes of the projections", words.toStdString()), !is_usual);
    }
  }

  /// Flats in a file of their own lie in the same order, or in the usual one.
  void flatsInOtherFiles() {
    const std::string order = "columns,rows,views";
    write_hdf5("p.h5", "/", order, {"data", "x", "y"});
    write_npz("a.npz", order, false);
    {
      const Hdf5Writer flats(path("f.h5"));
      flats.add("/same", sizes_in(order, 3), values_in(order, counted_flats()));
      flats.add("/usual", size_of(3), counted_flats());
    }
    write_file(path("f.npy"), npy("<u2", "(3, 6, 9)", bytes_of_numbers(counted_flats())));
    write_file(path("d.npy"), npy("<u2", "(6, 9)", bytes_of_numbers(dark())));
    for (const char* name : {"p.h5", "a.npz"})
      for (const char* flats : {"f.h5:/same", "f.h5:/usual", "f.npy"}) {
        const bool is_turned = std::string(flats) == "f.h5:/same";
        if (is_turned && name[0] == 'a')
          continue;  // of another format, which has an order of its own
        ImportRequest wanted = request(name, order.c_str());
        wanted.data_sets.projections = name[0] == 'p' ? "/data" : "";
        wanted.flats = {path(flats)};
        wanted.darks = {path("d.npy")};
        expect_line_integrals(import_scan(wanted), {0, 1, 2, 3, 4, 5, 6});
      }
  }

  /// Sinograms of a single row, and a single projection.
  void ordersOfTwoAxes() {
    const auto of = [&](const char* order) {
      std::vector<float> values;
      for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k) values.push_back(static_cast<float>(10 * i + k));
      write_file(path("s.npy"), npy("<f4", "(4, 3)", bytes_of_numbers(values)));
      ImportRequest wanted = request("s.npy", order);
      wanted.arc_deg = 180;
      wanted.centre = 1;
      wanted.normalise.are_line_integrals = true;
      return import_scan(wanted);
    };
    QCOMPARE(of("views,columns").scan.geometry->views(), 4);
    const ImportedScan turned = of("columns,views");
    QCOMPARE(turned.scan.geometry->views(), 3);
    for (std::size_t view = 0; view < 3; ++view)
      for (std::size_t column = 0; column < 4; ++column)
        QCOMPARE(turned.scan.line_integrals[4 * view + column],
                 static_cast<float>(10 * column + view));
    const ImportedScan single = of("columns,rows");
    QCOMPARE(single.scan.geometry->views(), 1);
    QCOMPARE(single.scan.geometry->rows(), 3);
    QCOMPARE(single.scan.geometry->columns(), 4);
  }

  void ordersThatDoNotFitAreRefused() {
    write_hdf5("p.h5", "/", "views,rows,columns", {"data", "flats", "darks"});
    EXPECT_THROWS(UsageError, import_scan(request("p.h5", "views,columns")),
                  "p.h5:/data: is of 7 x 6 x 9 numbers, but the order of axes (--axes) names 2; "
                  "name what each axis is: views,rows,columns");
    ImportRequest both = request("p.h5", "views,rows,columns");
    both.images = ImageContent::sinograms;
    EXPECT_THROWS(UsageError, import_scan(both), "leave out that they are projections or");
    EXPECT_THROWS(InputError, import_scan(request("p.h5", "columns,rows,views")),
                  "has 7 angles for 9 frames");
    write_pages(path("t.tif"), projections(2), 9);
    EXPECT_THROWS(UsageError, import_scan(request("t.tif", "views,rows,columns")),
                  "leave out the order of axes (--axes)");
    {
      const Hdf5Writer file(path("t.nxs"));
      file.add("/entry/data", size_of(7), joined_frames(projections(7)));
      file.add("/entry/image_key", {7}, std::vector<std::uint16_t>(7));
    }
    EXPECT_THROWS(UsageError, import_scan(request("t.nxs", "rows,views,columns")),
                  "is NXtomo, whose frames follow each other along the first axis");
    QVERIFY(QDir(folder_->path()).mkdir(QStringLiteral("folder")));
    for (const char* name : {"folder/a_0.npy", "folder/a_1.npy"})
      write_file(path(name), npy("<u2", "(6, 9)", bytes_of_numbers(dark())));
    EXPECT_THROWS(UsageError, import_scan(request("folder", "views,rows,columns")),
                  "is a folder of arrays, whose frames are of rows and columns");
  }

  /// The number of angles tells the axis of views alone, and rows and columns are a guess.
  void theNumberOfAnglesIsSaidToTellTheViews() {
    const std::string order = "columns,rows,views";
    const Frame values = values_in(order, counted_projections(7));
    {
      const Hdf5Writer plain(path("g.h5")), exchange(path("e.h5"));
      plain.add("/data", sizes_in(order, 7), values);
      plain.add("/theta", {7}, half_turn, "deg");
      exchange.add("/exchange/data", sizes_in(order, 7), values);
      exchange.add("/exchange/theta", {7}, half_turn, "deg");
    }
    write_file(
        path("g.npz"),
        zip({{"data.npy", npy("<u2", shape_of(sizes_in(order, 7)), bytes_of_numbers(values))},
             {"theta_deg.npy", npy("<f8", "(7,)", bytes_of_numbers(half_turn))}},
            false));
    for (const char* name : {"g.h5", "e.h5", "g.npz"}) {
      ImportRequest wanted = request(name, "");
      wanted.normalise.are_line_integrals = true;
      wanted.centre = 2;
      const ImportedScan scan = import_scan(wanted);
      expect_angles(scan, half_turn);
      QCOMPARE(scan.scan.geometry->rows(), 9);
      QCOMPARE(scan.scan.geometry->columns(), 6);
      QCOMPARE(why_axes(scan),
               std::string("of 9 x 6 x 7, only the third is as long as the 7 angles, and rows "
                           "mostly lie before columns; --axes states another order"));
    }
  }
  /// So does a text with the angles, unless it may also have the one that closes a turn.
  void aListOfAnglesTellsTheViewsOfHdf5() {
    const auto views_of = [&](const std::string& order, const ImportRequest& wanted) {
      {
        const Hdf5Writer file(path("t.h5"));
        file.add("/data", sizes_in(order, 7), values_in(order, counted_projections(7)));
      }
      return import_scan(wanted).scan.geometry->views();
    };
    write_file(path("a.txt"), "0\n30\n60\n90\n120\n150\n180\n");
    ImportRequest wanted = request("t.h5", "");
    wanted.normalise.are_line_integrals = true;
    wanted.angles = path("a.txt");
    QCOMPARE(views_of("columns,views,rows", wanted), 7);
    QCOMPARE(views_of("rows,views,columns", wanted), 6);
    wanted.axes = *axis_order_in("rows,views,columns");
    QCOMPARE(views_of("rows,views,columns", wanted), 7);
  }

  /// Nor does a single angle tell that an axis of one element is that of views.
  void aSingleAngleTellsNothing() {
    {
      const Hdf5Writer file(path("e.h5"));
      file.add("/exchange/data", {7, 1, 9}, Frame(7 * 9, 900));
      file.add("/exchange/theta", {1}, std::vector<double>{0}, "deg");
    }
    EXPECT_THROWS(InputError, import_scan(request("e.h5", "")), "has 1 angle for 7 frames");
  }

  /// Where the data tell no axis of rotation in the order that was concluded, another one is named:
  /// if the rows and columns are exchanged, only where the data tell the axis so.
  void anotherOrderIsNamedWhereNoAxisIsFound() {
    constexpr int views = 37, rows = 10, columns = 48;
    std::vector<double> angles, values;
    for (int view = 0; view < views; ++view) {
      angles.push_back(5 * view);
      const double middle = 21 + 9 * std::cos(radians(angles.back()));
      for (int row = 0; row < rows; ++row)  // a ball that reaches beyond the uppermost row
        for (int column = 0; column < columns; ++column)
          values.push_back(
              std::sqrt(std::max(0.0, 64 - std::pow(column - middle, 2) - std::pow(row - 8, 2))));
    }
    const std::vector<double> turned = first_axis_fastest(values, views, rows, columns);
    {
      const Hdf5Writer file(path("t.h5")), even(path("e.h5"));
      file.add("/data", {columns, rows, views}, turned);
      file.add("/theta", {views}, angles, "deg");
      even.add("/data", {views, rows, columns}, std::vector<double>(values.size(), 0.5));
      even.add("/theta", {views}, angles, "deg");
    }
    write_file(path("t.npy"), npy("<f8", "(48, 10, 37)", bytes_of_numbers(turned)));
    const auto why_centre = [&](const char* name, const char* order, bool has_arc = false) {
      ImportRequest wanted = request(name, order);
      wanted.centre.reset();
      wanted.normalise.are_line_integrals = true;
      if (has_arc) wanted.arc_deg = 180;
      for (const Assumption& one : import_scan(wanted).assumptions)
        if (one.what == "centre of rotation") return one.value + ": " + one.why;
      return std::string();
    };
    const std::string no_axis = ", the middle: no column is given, and the data do not tell it";
    QCOMPARE(why_centre("t.h5", ""),
             "column 4.5" + no_axis +
                 "; they tell one with the rows and columns of the array exchanged: give --axes "
                 "columns,rows,views if that is their order");
    QVERIFY(why_centre("t.h5", "columns,rows,views").starts_with("column 21"));
    QCOMPARE(why_centre("e.h5", ""), "column 23.5" + no_axis);
    QCOMPARE(why_centre("t.npy", "", true),
             "column 18" + no_axis +
                 "; if the columns of the array are its first axis, give --axes "
                 "columns,rows,views");
    QCOMPARE(why_centre("t.npy", "views,rows,columns", true), "column 18" + no_axis);
  }

  void theExperimentHoldsTheOrder() {
    ImportSettings settings;
    settings.axes = *axis_order_in("columns,rows,views");
    const nlohmann::json json = to_json(settings, path(""));
    QCOMPARE(json.at("axes").get<std::string>(), std::string("columns,rows,views"));
    QVERIFY(import_from_json(JsonFields(json, "e.json"), path("")) == settings);
    const nlohmann::json wrong = {{"axes", "z,y,x"}};
    EXPECT_THROWS(InputError, import_from_json(JsonFields(wrong, "e.json"), path("")),
                  "is no order of axes");
  }

  /// Where sizes do not tell it, a single frame lies in the order of the projections' axes.
  void aSingleFrameBesideASquareDetector() {
    StoredArray array;
    array.size = {4, 4, 3};
    const FrameAxes axes{.view = 2, .row = 1, .column = 0};
    const auto frames = frames_of_array(array, axes);
    const FrameAxes single{.view = {}, .row = 1, .column = 0};
    QVERIFY(axes_beside({4, 4}, *frames, axes) == single);
    QVERIFY(axes_beside({3, 4, 4}, *frames, axes) == usual_axes);
  }
};

GANTRY_TEST(TestArrayAxes)
#include "test_array_axes.moc"
