// Stripes of sinograms by wavelets: against PyWavelets, and what is left of stripes and object.
#include "core/catalog/catalog.hpp"
#include "core/corrections/daubechies.hpp"
#include "core/corrections/stripe_change.hpp"
#include "tests/core/corrections/neutron_sinogram.hpp"
#include "tests/core/corrections/sinogram_case.hpp"
#include "tests/support/data.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <array>
#include <map>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Corrected values of the sinogram of matchesPyWavelets(), computed in float64 by
///   a = x; for each level: a, (h, v, d) = pywt.dwt2(a, "dbN")         (PyWavelets 1.9, symmetric)
///   f = fft(v, axis=0); f *= 1 - exp(-k**2 / (2 * sigma**2)), k = min(row, rows - row); v = ifft
///   for each level, backwards: a = pywt.idwt2((a cropped, (h, v, d)), "dbN")
struct Published {
  int levels;
  double sigma;
  int vanishing_moments;
  std::array<double, 5> values;  // at the places below
};
struct Place {
  int view, column;
};
constexpr std::array<Place, 5> places = {{{0, 0}, {3, 9}, {14, 8}, {20, 24}, {29, 9}}};

/// Line integrals of an ellipse that lies off the axis, by a parallel beam: all its edges move.
std::vector<float> ellipse(const SinogramCase& scan) {
  const double size = scan.columns / 512.0, a = 200 * size, b = 120 * size;
  std::vector<float> p;
  for (int view = 0; view < scan.views; ++view)
    for (int row = 0; row < scan.rows; ++row)
      for (int column = 0; column < scan.columns; ++column) {
        const double angle = view * std::numbers::pi / scan.views,
                     reach = std::hypot(a * std::cos(angle), b * std::sin(angle)),
                     away = column - 0.5 * (scan.columns - 1) -
                            size * (30 * std::cos(angle) + 15 * std::sin(angle));
        p.push_back(static_cast<float>(SinogramCase::chord(away, reach) * a * b / (reach * reach) /
                                       (2 * a) * (row + 1)));
      }
  return p;
}

}  // namespace

class TestRingsWavelet : public QObject {
  Q_OBJECT
  Catalog catalog_;

  std::vector<std::string> apply(const SinogramCase& scan, std::vector<float>& values,
                                 const Params& params = {}) {
    return catalog_.corrections.make("rings_wavelet", "cpu", scan.geometry(), params)
        ->apply(values);
  }

 private slots:
  void initTestCase() { add_core(catalog_); }

  void matchesPyWavelets() {
    const std::array<Published, 3> published = {
        {{3, 2, 2, {0.211339, 0.683861, -0.116853, 1.295205, -0.209307}},
         {3, 2, 5, {0.55245, 0.000789, -0.191401, 1.219408, 0.087579}},
         {4, 0.5, 9, {-0.345616, 0.731051, 0.176067, 0.571226, 0.497333}}}};
    SinogramCase scan;
    scan.views = 30;
    scan.columns = 25;
    for (const Published& one : published) {
      std::vector<float> values;
      for (int v = 0; v < scan.views; ++v)
        for (int c = 0; c < scan.columns; ++c)
          values.push_back(static_cast<float>(
              std::sin(0.3 * c + 0.1 * v) + (7 * v + 3 * c * c) % 11 / 11.0 + (c == 9 ? 0.5 : 0)));
      apply(scan, values,
            {{"levels", std::int64_t{one.levels}},
             {"sigma", one.sigma},
             {"vanishing_moments", std::int64_t{one.vanishing_moments}}});
      for (std::size_t i = 0; i < places.size(); ++i)
        EXPECT_NEAR(values[scan.index(places[i].view, 0, places[i].column)], one.values[i], 2e-6);
    }
  }

  /// Two columns wide at most: others need more levels. The second row is twice the first.
  void stripesDisappear() {
    SinogramCase scan;
    scan.rows = 2;
    const std::vector<float> clean = ellipse(scan);
    const std::map<int, float> stripes = {{20, 0.1F},  {205, -0.08F}, {235, 0.1F},
                                          {236, 0.1F}, {310, -0.1F},  {480, 0.06F}};
    std::vector<float> after = clean, without = clean;
    for (int view = 0; view < scan.views; ++view)
      for (int row = 0; row < scan.rows; ++row)
        for (const auto& [column, height] : stripes)
          after[scan.index(view, row, column)] += height * static_cast<float>(row + 1);
    const Params five = {{"levels", std::int64_t{5}}};
    const auto notes = apply(scan, after, five);
    QCOMPARE(notes.size(), 1U);
    QVERIFY2(notes[0].starts_with("stripes of 0.01"), notes[0].c_str());
    apply(scan, without, five);
    for (int row = 0; row < scan.rows; ++row)
      for (const auto& [column, height] : stripes) {
        const double left = scan.excess(after, without, row, column) / (height * (row + 1));
        QVERIFY2(std::abs(left) <= 0.1, QByteArray::number(left));
      }
    double square = 0;
    for (std::size_t i = 0; i < clean.size(); ++i)
      square += std::pow(static_cast<double>(without[i]) - clean[i], 2);
    const double change =
        std::sqrt(square / static_cast<double>(clean.size())) / *std::ranges::max_element(clean);
    QVERIFY2(change <= 0.008, QByteArray::number(change));
  }

  /// Of few views and columns, five levels take the object's own waves, which is said; as many as
  /// suit them take a third of that, and nine tenths of the rings of single columns all the same.
  void levelsSuitViewsAndColumns() {
    SinogramCase scan;
    scan.views = 91;
    scan.columns = 160;
    scan.noise = 0;
    const std::vector<float> clean = ellipse(scan);
    const auto changed = [&](const Params& params, std::vector<std::string>& notes) {
      std::vector<float> after = clean;
      notes = apply(scan, after, params);
      double square = 0, all = 0;
      for (std::size_t i = 0; i < clean.size(); ++i) {
        square += std::pow(static_cast<double>(after[i]) - clean[i], 2);
        all += std::pow(static_cast<double>(clean[i]), 2);
      }
      return std::sqrt(square / all);
    };
    std::vector<std::string> notes;
    const double five = changed({{"levels", std::int64_t{5}}}, notes);
    QCOMPARE(notes.size(), 2U);
    QVERIFY2(notes[1].find("use fewer levels") != std::string::npos, notes[1].c_str());
    const double said = std::stod(notes[0].substr(notes[0].find("changed by ") + 11)) / 100;
    EXPECT_NEAR(said / five, 1, 0.05);  // it is said with two digits
    const double suitable = changed({}, notes);
    QVERIFY2(suitable < five / 3, QByteArray::number(suitable / five));
    QCOMPARE(notes.size(), 1U);
    QVERIFY2(notes[0].find("by 3 levels") != std::string::npos, notes[0].c_str());
  }

  /// What is subtracted of stripes alone is told from what is taken of the object.
  void ringsAreToldFromStructure() {
    constexpr int views = 40, columns = 96;
    std::vector<float> ring(views * columns), arc = ring;
    const std::vector<float> values(ring.size(), 2);
    for (int view = 0; view < views; ++view) {
      ring[static_cast<std::size_t>(view * columns + 50)] = 0.4F;
      arc[static_cast<std::size_t>(view * columns + 20 + view)] = 0.4F;
    }
    const StripeChange of_ring(ring, values, columns), of_arc(arc, values, columns);
    EXPECT_NEAR(of_ring.whole(), 0.2 / std::sqrt(96), 1e-6);
    EXPECT_NEAR(of_ring.beside_stripes(), 0, 1e-6);
    QCOMPARE(of_ring.warning("use less"), std::string());
    EXPECT_NEAR(of_arc.whole(), 0.2 / std::sqrt(96), 1e-6);
    QVERIFY(of_arc.beside_stripes() > 0.98 * of_arc.whole());
    QVERIFY(!of_arc.warning("use less").empty());
    StripeChange both = of_ring;
    both += of_arc;
    EXPECT_NEAR(both.whole(), 0.2 / std::sqrt(96), 1e-6);
    QVERIFY(both.beside_stripes() < 0.75 * both.whole());
  }

  /// Values that do not differ between the columns have no details along them.
  void viewsOfEqualColumnsStay() {
    SinogramCase scan;
    scan.columns = 33;
    std::vector<float> values;
    for (int view = 0; view < scan.views; ++view)
      values.insert(values.end(), 33, static_cast<float>(2 + std::sin(0.2 * view)));
    const std::vector<float> before = values;
    apply(scan, values, {{"levels", std::int64_t{6}}});
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], before[i], 2e-6);
  }

  void filtersAreDaubechies() {
    const std::vector<double> four = daubechies_lowpass(2);
    const double root = std::sqrt(3.0), scale = 4 * std::sqrt(2.0);
    EXPECT_NEAR(four[0], (1 + root) / scale, 1e-14);
    EXPECT_NEAR(four[1], (3 + root) / scale, 1e-14);
    EXPECT_NEAR(four[2], (3 - root) / scale, 1e-14);
    EXPECT_NEAR(four[3], (1 - root) / scale, 1e-14);
    for (int moments = 1; moments <= most_vanishing_moments; ++moments) {
      const std::vector<double> h = daubechies_lowpass(moments);
      QCOMPARE(h.size(), static_cast<std::size_t>(2 * moments));
      for (std::size_t shift = 0; shift < h.size(); shift += 2) {
        double product = 0;
        for (std::size_t i = shift; i < h.size(); ++i) product += h[i] * h[i - shift];
        EXPECT_NEAR(product, shift == 0 ? 1 : 0, 1e-8);
      }
      for (int power = 0; power < std::min(moments, 5); ++power) {
        double moment = 0;
        for (std::size_t i = 0; i < h.size(); ++i)
          moment += (i % 2 == 0 ? 1 : -1) * std::pow(static_cast<double>(i) / 10, power) * h[i];
        EXPECT_NEAR(moment, 0, 1e-8);
      }
    }
  }

  void whatCannotBeCorrectedIsSaid() {
    SinogramCase scan;
    scan.views = 8;
    std::vector<float> values = scan.line_integrals();
    EXPECT_THROWS(InputError, apply(scan, values), "needs 16 views");
    EXPECT_THROWS(UsageError, apply(scan, values, {{"sigma", 0.0}}), "rings_wavelet.sigma");
  }

  /// A column that sees no beam in many views counts in none, one that sees none in a few of them
  /// not in these; they leave no trace in the others, and the shadow of a metal stays.
  void valuesWithoutBeamAreBridged() {
    SinogramCase scan;
    scan.noise = 0;
    std::vector<float> sound = ellipse(scan), values = sound;
    constexpr float none = 13.8155F;
    for (int view = 30; view < 130; ++view) values[scan.index(view, 0, 250)] = none;
    for (int view = 50; view < 59; ++view) values[scan.index(view, 0, 200)] = none;
    for (int column = 300; column < 310; ++column) values[scan.index(90, 0, column)] = none;
    const auto notes = apply(scan, values);
    apply(scan, sound);
    QCOMPARE(notes.size(), 2U);
    QVERIFY2(notes[1].starts_with("189 values of cells without any beam"), notes[1].c_str());
    for (int view = 0; view < scan.views; ++view)
      for (int column = 0; column < scan.columns; ++column) {
        const std::size_t at = scan.index(view, 0, column);
        if (view == 90 && column >= 300 && column < 310)
          QCOMPARE(values[at], none);
        else
          EXPECT_NEAR(values[at], sound[at], 0.01);
      }
  }

  /// As in test_rings.cpp: two columns see no beam in many views, and have a stripe in the others.
  void aMeasuredSinogram() {
    NEED_DATA("scans-in/sino_neutron360_rings");
    LoadedScan scan = neutron_sinogram();
    const auto columns = static_cast<std::size_t>(scan.geometry->columns());
    // By how much a column lies off the mean of those two columns beside it, in most views.
    const auto off = [&](std::size_t column) {
      std::vector<float> all;
      for (std::size_t at = column; at < scan.line_integrals.size(); at += columns)
        all.push_back(std::abs(scan.line_integrals[at] -
                               0.5F * (scan.line_integrals[at - 2] + scan.line_integrals[at + 2])));
      std::ranges::sort(all);
      return all[all.size() * 9 / 10];
    };
    const float first = off(314), second = off(346);
    QVERIFY(first > 10 && second > 10);
    catalog_.corrections.make("rings_wavelet", "cpu", *scan.geometry, {})
        ->apply(scan.line_integrals);
    qInfo("off by %g and %g, of %g and %g", off(314), off(346), first, second);
    QVERIFY(off(314) < 0.1 && off(346) < 0.1);
  }
};

GANTRY_TEST(TestRingsWavelet)
#include "test_rings_wavelet.moc"
