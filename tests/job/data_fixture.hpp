#pragma once

#include "core/io/scans/scan_file.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "tests/job/job_fixture.hpp"

#include <QTemporaryDir>

#include <memory>
#include <string>
#include <vector>

namespace gantry::test {

inline ScanSpec parallel_spec(int views, int columns, double pitch_mm) {
  ScanSpec spec = fan_spec(views, columns, pitch_mm);
  spec.beam = Beam::parallel;
  return spec;
}

inline Experiment phantom_experiment() {
  Experiment e;
  e.source.phantom = "shepp_logan";
  e.source.phantom_params = {{"size_mm", 200.0}};
  e.geometry = parallel_spec(6, 120, 2);
  e.grid = VolumeGrid::centered(64, 64, 1, {3.4, 3.4, 3.4});
  return e;
}

/// Experiments whose data are of each kind, with a folder for the files of those that are read.
class DataFixture {
 protected:
  DataFixture() {
    if (!folder_.isValid()) qFatal("no folder for test files");
  }

  Workshop workshop_;
  QTemporaryDir folder_;

  std::string path(const QString& name) const { return folder_.filePath(name).toStdString(); }
  std::shared_ptr<const ExperimentData> prepare(const Experiment& e,
                                                const Interrupt* interrupt = nullptr) {
    return prepare_data(e, workshop_.catalog, workshop_.cpu(), interrupt);
  }

  /// Two slices of 40 x 30 voxels of 2 x 3 mm: in each a block, off the middle and of its own mu.
  Experiment volume_experiment() {
    const VolumeGrid grid = VolumeGrid::centered(40, 30, 2, {2, 3, 4});
    std::vector<float> mu(grid.voxels());
    for (int iz = 0; iz < 2; ++iz)
      for (int iy = 10; iy < 24; ++iy)
        for (int ix = 8; ix < 30; ++ix) mu[grid.index(ix, iy, iz)] = iz == 0 ? 0.02F : 0.03F;
    VolumeToWrite volume;
    volume.grid = grid;
    volume.mu = mu;
    write_volume(path("block.mha"), volume);
    Experiment e;
    e.source.kind = SourceKind::volume;
    e.source.path = path("block.mha");
    e.source.slice = 1;
    e.geometry = parallel_spec(5, 70, 2);
    return e;
  }

  /// A scan of 6 views x 20 columns with its own description.
  Experiment scan_experiment() {
    const ScanGeometry geometry(fan_spec(6, 20, 4));
    write_scan(path("a.scan.json"), geometry, random_values(geometry.rays(), 3), "a scan");
    Experiment e;
    e.source.kind = SourceKind::scan;
    e.source.path = path("a.scan.json");
    return e;
  }

  std::vector<Experiment> one_of_each() {
    Experiment phantom = phantom_experiment(), volume = volume_experiment();
    phantom.noise.photons_per_ray = volume.noise.photons_per_ray = 1e4;
    volume.grid = VolumeGrid::centered(33, 33, 1, {3, 3, 3});
    return {phantom, volume, scan_experiment()};
  }
};

}  // namespace gantry::test
