// Real scans through the program: sizes in mm, holes, orientation, two methods that agree.
#include "tests/cli/command.hpp"
#include "tests/cli/plain_volume.hpp"
#include "tests/support/data.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <numbers>
#include <utility>

using namespace gantry::test;

namespace {

/// A connected set of pixels.
struct Region {
  int pixels = 0, left = 0, right = 0, low = 0, high = 0;
  double x_mm = 0, y_mm = 0;  ///< centre of mass
  bool touches_border = false;
};

/// The connected sets (by edges) of the pixels that `inside` chooses, the largest first.
template <class Inside>
std::vector<Region> regions(const PlainVolume& v, const Inside& inside) {
  std::vector<char> open(v.values.size());
  const auto at = [&](int ix, int iy) -> char& {
    return open[static_cast<std::size_t>(iy) * v.nx + ix];
  };
  for (int iy = 0; iy < v.ny; ++iy)
    for (int ix = 0; ix < v.nx; ++ix) at(ix, iy) = inside(v.at(ix, iy)) ? 1 : 0;
  std::vector<Region> found;
  for (int sy = 0; sy < v.ny; ++sy)
    for (int sx = 0; sx < v.nx; ++sx) {
      if (!at(sx, sy)) continue;
      Region r{0, sx, sx, sy, sy};
      std::vector<std::pair<int, int>> waiting = {{sx, sy}};
      at(sx, sy) = 0;
      while (!waiting.empty()) {
        const auto [x, y] = waiting.back();
        waiting.pop_back();
        ++r.pixels;
        r.left = std::min(r.left, x), r.right = std::max(r.right, x);
        r.low = std::min(r.low, y), r.high = std::max(r.high, y);
        r.x_mm += v.x_mm(x), r.y_mm += v.y_mm(y);
        for (const auto& [nx, ny] : {std::pair{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}}) {
          if (nx < 0 || ny < 0 || nx >= v.nx || ny >= v.ny) {
            r.touches_border = true;
          } else if (at(nx, ny)) {
            at(nx, ny) = 0;
            waiting.emplace_back(nx, ny);
          }
        }
      }
      r.x_mm /= r.pixels, r.y_mm /= r.pixels;
      found.push_back(r);
    }
  std::ranges::sort(found, std::greater{}, &Region::pixels);
  return found;
}

constexpr const char* disc_scan = "scans/htc2022_tb.scan.json";
const QString disc_options = "--solver sart --iterations 5 --grid 200,200 --voxel 0.4";

/// The solid disc of the same series has 0.03294 1/mm in its authors' own reconstruction.
constexpr double plastic = 0.03294, half_way = plastic / 2;

using Points = std::vector<std::pair<double, double>>;

/// The largest solid region.
Region disc_in(const PlainVolume& v) {
  const std::vector<Region> solid = regions(v, [](float mu) { return mu > half_way; });
  return solid.empty() ? Region{} : solid.front();
}

/// Centres of the holes, each of 20 mm² at the least.
Points holes_in(const PlainVolume& v) {
  Points centres;
  for (const Region& hole : regions(v, [](float mu) { return mu <= half_way; }))
    if (!hole.touches_border && hole.pixels * v.dx_mm * v.dy_mm > 20)
      centres.emplace_back(hole.x_mm, hole.y_mm);
  return centres;
}

/// Mean of the sinogram along the traces of points. A hole is where it is low. The geometry is
/// written out from the data's description: source at SID (sin t, -cos t), columns along (cos t,
/// sin t).
double mean_along_traces(const QJsonObject& scan, const std::vector<float>& data,
                         const Points& points) {
  const QJsonObject g = scan["geometry"].toObject();
  const double sid = g["source_to_isocenter_mm"].toDouble(),
               sdd = g["source_to_detector_mm"].toDouble();
  const double pitch = g["column_pitch_mm"].toDouble(), centre = g["central_column"].toDouble();
  const int columns = g["detector_columns"].toInt();
  const QJsonArray angles = g["view_angles_deg"].toArray();
  double sum = 0, count = 0;
  for (qsizetype view = 0; view < angles.size(); ++view) {
    const double t = angles[view].toDouble() * std::numbers::pi / 180;
    for (const auto& [x, y] : points) {
      const double along = x * std::cos(t) + y * std::sin(t);
      const double depth = sid - (x * std::sin(t) - y * std::cos(t));  // from the source
      const auto column = std::lround(centre + along * sdd / depth / pitch);
      if (column < 0 || column >= columns) continue;
      sum += data[static_cast<std::size_t>(view) * columns + static_cast<std::size_t>(column)];
      count += 1;
    }
  }
  return sum / count;
}

struct Agreement {
  double correlation = 0, mean_a = 0, mean_b = 0;
};

Agreement compare_in_circle(const PlainVolume& a, const PlainVolume& b, double radius_mm,
                            bool mirrored) {
  double n = 0, sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
  for (int iy = 0; iy < a.ny; ++iy)
    for (int ix = 0; ix < a.nx; ++ix) {
      if (std::hypot(a.x_mm(ix), a.y_mm(iy)) > radius_mm) continue;
      const double va = a.at(ix, iy), vb = b.at(mirrored ? a.nx - 1 - ix : ix, iy);
      n += 1, sa += va, sb += vb, saa += va * va, sbb += vb * vb, sab += va * vb;
    }
  const double covariance = sab / n - sa / n * sb / n;
  const double deviations = std::sqrt((saa / n - sa / n * sa / n) * (sbb / n - sb / n * sb / n));
  return {covariance / deviations, sa / n, sb / n};
}

}  // namespace

class TestCliMeasuredData : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  PlainVolume reconstruct(const QString& scan, const QString& options) const {
    QStringList arguments = {"reconstruct", QString::fromStdString(data_path(scan.toStdString())),
                             "--out", "a.mha"};
    const Answer answer = gantry_cli(arguments + options.split(' '), folder_.path());
    if (answer.code != 0 || !answer.errors.isEmpty()) qWarning("%s", answer.text().constData());
    return answer.code == 0 ? read_plain(folder_.filePath("a.mha")) : PlainVolume{};
  }

 private slots:
  void theDiscHasItsSizeAndHoles() {
    NEED_DATA(disc_scan);
    const PlainVolume v = reconstruct(disc_scan, disc_options);
    QCOMPARE(v.nx, 200);
    QCOMPARE(v.dx_mm, 0.4);
    const Region disc = disc_in(v);
    EXPECT_NEAR((disc.right - disc.left + 1) * v.dx_mm, 70, 1.5);
    EXPECT_NEAR((disc.high - disc.low + 1) * v.dy_mm, 70, 1.5);
    QCOMPARE(holes_in(v).size(), std::size_t{12});
    std::vector<float> inside;
    for (const float mu : v.values)
      if (mu > half_way) inside.push_back(mu);
    std::ranges::nth_element(inside,
                             inside.begin() + static_cast<std::ptrdiff_t>(inside.size() / 2));
    EXPECT_NEAR(inside[inside.size() / 2], plastic, 0.06 * plastic);
  }

  /// The holes lie where the sinogram is low; seen in a mirror or turned they would not.
  void theDiscIsUpright() {
    NEED_DATA(disc_scan);
    const PlainVolume v = reconstruct(disc_scan, disc_options);
    const Region disc = disc_in(v);
    const Points holes = holes_in(v);
    const QJsonObject scan = read_json(disc_scan);
    const std::vector<float> data =
        floats_in(bytes_of_file(QString::fromStdString(data_path("scans/htc2022_tb.f32"))));
    const double cx = (v.x_mm(disc.left) + v.x_mm(disc.right)) / 2;
    const double cy = (v.y_mm(disc.low) + v.y_mm(disc.high)) / 2;
    // the holes after a map of the disc onto itself, from its middle
    const auto mean_after = [&](double xx, double xy, double yx, double yy) {
      Points points;
      for (const auto& [x, y] : holes) {
        const double dx = x - cx, dy = y - cy;
        points.emplace_back(cx + xx * dx + xy * dy, cy + yx * dx + yy * dy);
      }
      return mean_along_traces(scan, data, points);
    };
    const double upright = mean_after(1, 0, 0, 1);
    for (const double other :
         {mean_after(-1, 0, 0, 1), mean_after(1, 0, 0, -1), mean_after(-1, 0, 0, -1),
          mean_after(0, 1, 1, 0), mean_after(0, -1, 1, 0), mean_after(0, 1, -1, 0),
          mean_after(0, -1, -1, 0)})
      QVERIFY2(upright < 0.98 * other,
               qPrintable(QString("upright %1, turned or mirrored %2").arg(upright).arg(other)));
  }

  void filteredBackprojectionSeesTheSameDisc() {
    NEED_DATA(disc_scan);
    const PlainVolume v =
        reconstruct(disc_scan, "--solver fbp --set solver.window=hann --grid 200,200 --voxel 0.4");
    QCOMPARE(holes_in(v).size(), std::size_t{12});
  }

  void methodsAgreeOnTheDendrite() {
    NEED_DATA("scans/dendrite.scan.json");
    const QString scan = "scans/dendrite.scan.json";
    // a third of the columns' resolution for both
    const PlainVolume fbp = reconstruct(
        scan, "--solver fbp --set solver.window=hann --set solver.cutoff=0.33 --grid 210,210");
    const PlainVolume sirt = reconstruct(
        scan, "--solver sirt --set solver.relaxation=1.9 --iterations 60 --grid 210,210");
    QVERIFY(fbp.nx == 210 && sirt.nx == 210);
    const double radius_mm = 0.9 * 627.5;
    const Agreement same = compare_in_circle(fbp, sirt, radius_mm, false);
    QVERIFY2(same.correlation > 0.96, qPrintable(QString::number(same.correlation)));
    EXPECT_NEAR(same.mean_a, same.mean_b, 0.02 * same.mean_b);
    const Agreement mirrored = compare_in_circle(fbp, sirt, radius_mm, true);
    QVERIFY2(mirrored.correlation < 0.8,
             qPrintable(QString::number(mirrored.correlation)));  // it has a handedness to lose
  }
};

GANTRY_TEST(TestCliMeasuredData)
#include "test_cli_measured_data.moc"
