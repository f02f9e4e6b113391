// Series with gaps, uneven distances or a gantry tilt: refused, resampled or cut to a regular part.
#include "core/io/dicom/series/dicom_series.hpp"
#include "tests/support/data.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/loaded.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/tiny_dicom.hpp"

#include <QTemporaryDir>

#include <memory>

using namespace gantry;
using namespace gantry::test;

namespace {

/// HU of the tiny image's pixel, and `step` more for each slice.
double pixel_hu(int ix, int iy, double slice, double step = 100) {
  return 10 * iy + ix + step * slice - 1000;
}

DicomLoadOptions way(UnevenSlices uneven) {
  DicomLoadOptions options;
  options.uneven = uneven;
  return options;
}

}  // namespace

class TestDicomUneven : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;
  std::string folder() const { return folder_->path().toStdString(); }

  /// Slices at (x, y, z), whose values rise by 100 from one to the next.
  void save(const std::vector<Vec3>& places) const {
    for (std::size_t i = 0; i < places.size(); ++i) {
      const int number = static_cast<int>(i);
      TinyDicom image;
      image.at(0, number).text(0x00181151, "IS", std::to_string(100 + number));
      image.text(
          0x00200032, "DS",
          QString("%1\\%2\\%3").arg(places[i].x).arg(places[i].y).arg(places[i].z).toStdString());
      std::vector<int> values;
      for (int iy = 0; iy < 3; ++iy)
        for (int ix = 0; ix < 4; ++ix) values.push_back(10 * iy + ix + 100 * number);
      image.pixels(values);
      image.save(folder_->filePath(QString("s%1.dcm").arg(number)));
    }
  }
  LoadedVolume load(UnevenSlices uneven) const { return load_dicom(folder(), way(uneven)); }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }
  void cleanup() { folder_.reset(); }

  void anErrorSaysWhatWouldOpenTheSeries() {
    save({{-1, -2, 0}, {-1, -2, 2}, {-1, -2, 6}, {-1, -2, 8}, {-1, -2, 10}});
    EXPECT_THROWS(UnevenSeries, load(UnevenSlices::refuse),
                  "a slice is missing: a gap of 4 mm between s1.dcm at 2 mm and s2.dcm at 6 mm, "
                  "elsewhere 2 mm");
    EXPECT_THROWS(UnevenSeries, load(UnevenSlices::refuse),
                  "--uneven resample (interpolated onto an even grid) or --uneven largest-part (3 "
                  "of its 5 slices)");
  }

  void aMissingSliceIsMadeOfItsNeighbours() {
    save({{-1, -2, 0}, {-1, -2, 2}, {-1, -2, 6}, {-1, -2, 8}, {-1, -2, 10}});
    const LoadedVolume v = load(UnevenSlices::resample);
    QVERIFY(v.resampled);
    QCOMPARE(v.grid, VolumeGrid::centered(4, 3, 6, {0.5, 0.25, 2}));
    const double slices[] = {0, 1, 1.5, 2, 3, 4};
    for (int iz = 0; iz < 6; ++iz)
      for (int iy = 0; iy < 3; ++iy)
        for (int ix = 0; ix < 4; ++ix)
          EXPECT_NEAR(hu_at(v, ix, iy, iz), pixel_hu(ix, iy, slices[iz]), 1e-3);
    const Vec3 top = v.frame->to_patient(v.grid.voxel_center_mm(0, 0, 5));
    EXPECT_NEAR(norm(top - Vec3{-1, -2, 10}), 0, 1e-9);
    QVERIFY(has_note(v, "a slice is missing: a gap of 4 mm"));
    QVERIFY(has_note(v, "resampled from 5 to 6 slices 2 mm apart, linearly between neighbours"));
  }

  void unevenDistancesBecomeEven() {
    save({{-1, -2, 0}, {-1, -2, 2}, {-1, -2, 4.5}, {-1, -2, 6}});
    EXPECT_THROWS(UnevenSeries, load(UnevenSlices::refuse),
                  "the slices are unevenly spaced, 1.5 mm to 2.5 mm apart");
    const LoadedVolume v = load(UnevenSlices::resample);
    QCOMPARE(v.grid, VolumeGrid::centered(4, 3, 4, {0.5, 0.25, 2}));
    const double slices[] = {0, 1, 1.8, 3};  // at 4 mm: 2 of 2.5 mm from the second to the third
    for (int iz = 0; iz < 4; ++iz)
      EXPECT_NEAR(hu_at(v, 3, 1, iz), pixel_hu(3, 1, slices[iz]), 1e-3);
    const LoadedVolume part = load(UnevenSlices::largest_part);
    QCOMPARE(part.grid, VolumeGrid::centered(4, 3, 2, {0.5, 0.25, 2}));
  }

  void theLargestRegularPartIsKeptAsItIs() {
    save({{-1, -2, 0}, {-1, -2, 2}, {-1, -2, 6}, {-1, -2, 8}, {-1, -2, 10}});
    const LoadedVolume v = load(UnevenSlices::largest_part);
    QVERIFY(!v.resampled);
    QCOMPARE(v.grid, VolumeGrid::centered(4, 3, 3, {0.5, 0.25, 2}));
    for (int iz = 0; iz < 3; ++iz) EXPECT_NEAR(hu_at(v, 2, 2, iz), pixel_hu(2, 2, iz + 2), 1e-3);
    EXPECT_NEAR(norm(v.frame->to_patient(v.grid.voxel_center_mm(0, 0, 0)) - Vec3{-1, -2, 6}), 0,
                1e-9);
    QVERIFY(has_note(v,
                     "of its 5 slices only the largest regular part is read, 3 slices from "
                     "s2.dcm at 6 mm to s4.dcm at 10 mm"));
    QCOMPARE(v.study->instance_uids.size(), std::size_t{3});
  }

  /// Slices 0 to 6, of which one is of another size, one of another pixel size and one askew; the
  /// others have a gap: 2 and 3 are the longest run.
  void ofMixedImagesTheLargestRegularPartIsRead() {
    for (int i = 0; i < 7; ++i) {
      TinyDicom image;
      image.at(2 * i, i);
      std::vector<int> values(12, 100 * i);
      if (i == 0) {
        image.number(0x00280010, 2);
        values.resize(8);
      }
      if (i == 1) image.text(0x00280030, "DS", "0.25\\0.6");
      if (i == 5) image.text(0x00200037, "DS", "0\\1\\0\\1\\0\\0");
      image.pixels(values).save(folder_->filePath(QString("s%1.dcm").arg(i)));
    }
    try {
      load(UnevenSlices::refuse);
      QFAIL("was read");
    } catch (const UnevenSeries& error) {
      QCOMPARE(error.kept(), 3);
      QVERIFY2(error.problem().find("s0.dcm and s2.dcm differ in size") != std::string::npos &&
                   error.problem().find("of its 7 images 3 are unlike") != std::string::npos,
               error.problem().c_str());
    }
    const LoadedVolume v = load(UnevenSlices::largest_part);
    QCOMPARE(v.grid, VolumeGrid::centered(4, 3, 3, {0.5, 0.25, 2}));
    for (int iz = 0; iz < 3; ++iz) EXPECT_NEAR(hu_at(v, 1, 1, iz), 100 * (iz + 2) - 1000, 1e-3);
    QVERIFY(has_note(v, "3 are unlike the others and left out"));
    QCOMPARE(load(UnevenSlices::resample).grid.nz, 5);  // from 2 to 6, the gap filled
  }

  /// Each slice lies two rows further down: 0.5 mm sideways, 1 mm up.
  void aTiltIsMadeUpright() {
    save({{-1, -2, 0}, {-1, -1.5, 1}, {-1, -1, 2}});
    // The note is read on the command line and in the window: it names no option and no key.
    QVERIFY(has_note(load(UnevenSlices::refuse),
                     "along the table); resampled onto an even grid they would be upright"));
    const LoadedVolume v = load(UnevenSlices::resample);
    QCOMPARE(v.grid, VolumeGrid::centered(4, 7, 3, {0.5, 0.25, 1}));
    for (int iz = 0; iz < 3; ++iz)
      for (int iy = 0; iy < 7; ++iy)
        for (int ix = 0; ix < 4; ++ix) {
          const int row = iy - 2 * iz;
          EXPECT_NEAR(hu_at(v, ix, iy, iz), row < 0 || row > 2 ? -1000 : pixel_hu(ix, row, iz),
                      1e-3);
        }
    QCOMPARE(v.frame->z_axis, cross(v.frame->x_axis, v.frame->y_axis));
    EXPECT_NEAR(
        norm(v.frame->to_patient(v.grid.voxel_center_mm(3, 4, 1)) - Vec3{-1 + 1.5, -2 + 1, 1}), 0,
        1e-9);
    QVERIFY(has_note(v, "upright grid of 4 x 7 pixels; what lies outside the slices is air"));
  }

  /// Against the rows, by one and a half of them: halfway between two, and to the other side.
  void aTiltByHalfPixelsIsInterpolated() {
    save({{-1, -2, 0}, {-1, -2.375, 1}});
    const LoadedVolume v = load(UnevenSlices::resample);
    QCOMPARE(v.grid.ny, 5);
    for (int row = 0; row < 2; ++row)  // between the rows 0, 1 and 2 of the second slice
      EXPECT_NEAR(hu_at(v, 1, row, 1), pixel_hu(1, row, 1), 1e-3);
    EXPECT_NEAR(hu_at(v, 1, 2, 0), pixel_hu(1, 0, 0) + 5, 1e-3);
    EXPECT_NEAR(hu_at(v, 1, 1, 0), -1000, 1e-3);
    EXPECT_NEAR(norm(v.frame->to_patient(v.grid.voxel_center_mm(0, 0, 0)) - Vec3{-1, -2.375, 0}), 0,
                1e-9);
  }

  void anEvenSeriesIsTheSameEitherWay() {
    save({{-1, -2, 0}, {-1, -2, 2}, {-1, -2, 4}});
    const LoadedVolume plain = load(UnevenSlices::refuse);
    for (const UnevenSlices uneven : {UnevenSlices::resample, UnevenSlices::largest_part}) {
      const LoadedVolume v = load(uneven);
      QVERIFY(v.mu == plain.mu && v.grid == plain.grid && v.frame == plain.frame);
      QVERIFY(v.notes.empty() && !v.resampled);
    }
  }

  /// The tube current may follow the patient. A slice that is made of several has none of its own.
  void slicesKeepHowTheyWereMeasured() {
    save({{-1, -2, 0}, {-1, -2, 2}, {-1, -2, 4}, {-1, -2, 8}});
    const LoadedVolume part = load(UnevenSlices::largest_part);
    QCOMPARE(part.study->slices.size(), std::size_t{3});
    for (std::size_t iz = 0; iz < 3; ++iz)
      QCOMPARE(part.study->slices[iz].at("XRayTubeCurrent"), std::to_string(100 + iz));
    QVERIFY(load(UnevenSlices::resample).study->slices.empty());
  }

  void twoImagesAtOnePlaceStayRefused() {
    save({{-1, -2, 0}, {-1, -2, 2}, {-1, -2, 2}, {-1, -2, 4}});
    for (const UnevenSlices uneven :
         {UnevenSlices::refuse, UnevenSlices::resample, UnevenSlices::largest_part})
      EXPECT_THROWS(InputError, load(uneven), "two images lie at the same position");
  }

  void aGapOfAMillionSlicesIsRefused() {
    save({{-1, -2, 0}, {-1, -2, 1}, {-1, -2, 1000000}});
    EXPECT_THROWS(InputError, load(UnevenSlices::resample), "grid size 1000001 is not usable");
    QCOMPARE(load(UnevenSlices::largest_part).grid.nz, 2);
  }

  void realSeriesOpen() {
    NEED_DATA("ct_bad_series");
    const std::string missing = data_path("ct_bad_series/missing_slice");
    const LoadedVolume whole = load_dicom(missing, way(UnevenSlices::resample)),
                       part = load_dicom(missing, way(UnevenSlices::largest_part));
    QCOMPARE(whole.grid.nz, 5);
    EXPECT_NEAR(whole.grid.spacing_mm.z, 5, 1e-6);
    QCOMPARE(part.grid.nz, 3);
    const std::size_t slice = part.grid.index(0, 0, 1);
    QVERIFY(std::equal(part.mu.begin(), part.mu.end(), whole.mu.begin()));
    for (std::size_t i = 0; i < slice; i += 997)
      EXPECT_NEAR(whole.mu[3 * slice + i],
                  0.5 * (whole.mu[2 * slice + i] + whole.mu[4 * slice + i]), 1e-6);
    const std::string tilted = data_path("ct_bad_series/tilt_without_tag");
    const LoadedVolume sheared = load_dicom(tilted),
                       upright = load_dicom(tilted, way(UnevenSlices::resample));
    QCOMPARE(upright.grid.nz, sheared.grid.nz);
    QVERIFY(upright.grid.ny > sheared.grid.ny);
    QCOMPARE(upright.grid.nx, sheared.grid.nx);
    EXPECT_NEAR(norm(upright.frame->z_axis), 1, 1e-9);
    QVERIFY(norm(sheared.frame->z_axis) > 1.01);
  }
};

GANTRY_TEST(TestDicomUneven)
#include "test_dicom_uneven.moc"
