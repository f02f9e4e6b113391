// Angles in "grad", which are degrees in some languages and 400 to a turn in others.
#include "core/io/imports/angle_list.hpp"
#include "tests/core/io/imports/frames_folder.hpp"
#include "tests/core/io/imports/written_hdf5.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestAngleGrads : public QObject, private FramesFolder {
  Q_OBJECT
 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void theNumbersTellWhatTheyAre_data() {
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<double>("last");  // of 41 lines from 0 on
    QTest::addColumn<int>("frames");
    QTest::addColumn<double>("degrees");  // that the last frame has
    QTest::addColumn<QString>("unit");    // that is assumed; empty: it is stated plainly
    const auto row = [](const char* name, const char* header, double last, int frames,
                        double degrees, const char* unit) {
      QTest::addRow("%s", name) << QByteArray(header) << last << frames << degrees << QString(unit);
    };
    const char* grad = "Winkel [Grad]";
    row("a turn of degrees", grad, 360, 41, 360, "degrees");
    row("without its end", grad, 360.0 * 40 / 41, 41, 360.0 * 40 / 41, "degrees");
    row("half a turn", grad, 180, 41, 180, "degrees");
    row("part of a turn", grad, 100, 41, 100, "degrees");
    row("a turn of gon", "angle (grad)", 400, 41, 360, "gon");
    row("a turn of gon without its end", grad, 400.0 * 40 / 41, 41, 360.0 * 40 / 41, "gon");
    row("half a turn of gon", grad, 200, 41, 180, "gon");
    row("with the line that closes it", grad, 400, 40, 351, "gon");
    row("gon", "angle [gon]", 100, 41, 90, "gon");
    row("degrees", "angle [grad, \u00b0]", 400, 41, 400, "");
  }
  void theNumbersTellWhatTheyAre() {
    QFETCH(const QByteArray, header);
    QFETCH(const double, last);
    QFETCH(const int, frames);
    QFETCH(const double, degrees);
    QFETCH(const QString, unit);
    QByteArray text = header + "\n";
    for (int i = 0; i < 41; ++i) text += QByteArray::number(last * i / 40, 'f', 6) + "\n";
    write_file(path("a.txt"), text);
    std::vector<Assumption> assumptions;
    const std::vector<double> found = angles_in_file(path("a.txt"), {frames}, assumptions);
    QCOMPARE(found.size(), static_cast<std::size_t>(frames));
    EXPECT_NEAR(found.back(), degrees, 1e-5);
    const auto said = std::ranges::find(assumptions, unit_of_angles, &Assumption::what);
    QCOMPARE(said == assumptions.end(), unit.isEmpty());
    if (!unit.isEmpty()) QCOMPARE(said->value, unit.toStdString());
    const bool is_unclear = header != "angle [gon]" && !unit.isEmpty();
    QCOMPARE(
        said != assumptions.end() && said->why.find("may mean degrees or gon") != std::string::npos,
        is_unclear);
  }

  void inHdf5Too() {
    const std::vector<double> gon = {0, 50, 100, 150, 200};
    std::vector<std::uint16_t> values;
    for (int i = 0; i < 5; ++i)
      for (const std::uint16_t value : CountedFrames::projection(i)) values.push_back(value);
    {
      const Hdf5Writer writer(path("a.h5"));
      writer.add("/exchange/data", {5, 6, 9}, values);
      writer.add("/exchange/theta", {5}, gon, "grad");
    }
    ImportRequest one = half_turn("a.h5");
    one.arc_deg.reset();
    const ImportedScan scan = import_scan(one);
    expect_angles(scan, {0, 45, 90, 135, 180});
    QVERIFY(is_assumed(scan, "unit of the angles", "gon"));
  }
};

GANTRY_TEST(TestAngleGrads)
#include "test_angle_grads.moc"
