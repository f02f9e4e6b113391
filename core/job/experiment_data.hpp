#pragma once

#include "core/base/interrupt.hpp"
#include "core/catalog/catalog.hpp"
#include "core/data/loaded_volume.hpp"
#include "core/io/scans/scan_file.hpp"
#include "core/job/experiment.hpp"
#include "core/job/voxel_mask.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// A known or adopted truth on the reconstruction grid, host memory, 1/mm.
struct Reference {
  VolumeGrid grid;
  std::vector<float> mu;
  double range = 0;   ///< max - min, used by PSNR and SSIM
  std::string label;  ///< "truth", or the name of the run it was
};
std::shared_ptr<const Reference> make_reference(const VolumeGrid& grid, std::vector<float> mu,
                                                std::string label);

/// What the runs of an experiment share: data, grid, reference and where they came from. Immutable.
struct ExperimentData {
  std::shared_ptr<const ScanGeometry> geometry;
  std::vector<float> line_integrals;                  ///< [view][row][column]
  std::shared_ptr<const ScanGeometry> rebinned_from;  ///< as it was scanned; null: not rebinned
  VolumeGrid grid;
  std::shared_ptr<const Reference> reference;  ///< null for measured data
  VoxelMask mask;                              ///< voxels where metrics are taken
  std::string mask_label;                      ///< "inside the circle of 123 mm", "all voxels"
  PhotonCounting counting;  ///< from which statistical weights follow; none where unknown
  double noise_norm = 0;    ///< ||noise||, 0 where unknown: the discrepancy principle's level
  double mu_water = default_mu_water;
  bool radiological = false;                   ///< drawn with +y downwards, as DICOM images are
  std::shared_ptr<const LoadedVolume> volume;  ///< of a volume source: frame and study for saving
  int source_slices = 0;                       ///< of a volume source, before one was chosen
  std::optional<SimulationRecord> simulation;  ///< how the data were made; none where unknown
  std::string description;                     ///< one line: what the data are
  std::string license;                         ///< of measured data, as their file says
  std::vector<std::string> notes;              ///< one line each: what the user should know
  FileAccess access = FileAccess::usual;       ///< of files made from the data: access_for(source)
};

/// Takes another phantom, with its parameters at their defaults. A geometry that does not see all
/// of it, or sees only a plane of a 3D one, goes, and the grid with it: they are fitted anew.
void choose_phantom(Experiment& experiment, const std::string& key, const Catalog& catalog);

/// Reports how far a preparation is: 0 .. 1 and what is being done.
using Progress = std::function<void(double, const std::string&)>;

/// Is told the scan and the grid that runs will have, before the data are made; refuses them by
/// throwing Error.
using RunCheck = std::function<void(const ScanGeometry&, const VolumeGrid&)>;

/// What the host holds at least while such data are made: rays and voxels, of simulated data the
/// truth as well, and the noisy data beside the exact ones.
std::size_t least_bytes(const Experiment& experiment, const ScanGeometry& geometry,
                        const VolumeGrid& grid);

/// Loads or simulates. Throws Error for bad input, Interrupted when asked to give way (nothing is
/// kept).
std::shared_ptr<const ExperimentData> prepare_data(const Experiment& experiment,
                                                   const Catalog& catalog, Backend& cpu,
                                                   const Interrupt* interrupt = nullptr,
                                                   const Progress& progress = {},
                                                   const RunCheck& check_runs = {});

}  // namespace gantry
