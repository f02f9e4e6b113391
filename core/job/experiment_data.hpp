#pragma once

#include "core/base/interrupt.hpp"
#include "core/catalog/catalog.hpp"
#include "core/data/loaded_volume.hpp"
#include "core/io/imports/raw_scan.hpp"
#include "core/io/scans/scan_file.hpp"
#include "core/job/experiment.hpp"
#include "core/job/reference.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

class ScanCache;

/// What the runs of an experiment have in common: data, grid, reference and their origin.
/// Immutable. The reference has the mask that the metrics asked for when the data were made.
struct ExperimentData {
  std::shared_ptr<const ScanGeometry> geometry;
  std::vector<float> line_integrals;                  ///< [view][row][column]
  std::shared_ptr<const ScanGeometry> rebinned_from;  ///< the original scan; null: not rebinned
  VolumeGrid grid;
  std::shared_ptr<const Reference> reference;  ///< null for measured data
  PhotonCounting counting;                     ///< for statistical weights; none if unknown
  double noise_norm = 0;               ///< ||noise|| for the discrepancy principle; 0 if unknown
  double mu_water = default_mu_water;  ///< 1/mm, as water_of() says of the source
  double stated_mu_water = default_mu_water;   ///< 1/mm, by the files of a scan, or the default
  bool radiological = false;                   ///< displayed with +y downwards, as DICOM images are
  std::shared_ptr<const LoadedVolume> volume;  ///< of a volume source: frame and study, for saving
  int source_slices = 0;                       ///< slices of a volume source, before one was chosen
  std::optional<SimulationRecord> simulation;  ///< how the data were simulated; none if unknown
  std::string description;                     ///< one line: what the data are
  std::string license;                         ///< of measured data, as their file says
  std::vector<Assumption> assumptions;         ///< about an imported scan
  std::vector<std::string> notes;              ///< one line each: what the user should know
  FileAccess access = FileAccess::usual;       ///< of files made from the data: access_for(source)
  bool lengths_are_known = true;               ///< false: what is said in mm is in cells
  bool lacks_flat = false;                     ///< of a measured scan: see LoadedScan
  bool hides_cut_rows = false;                 ///< of a measured scan: see LoadedScan

  /// Returns the scan as it was measured, before rebinning.
  const ScanGeometry& measured_geometry() const {
    return rebinned_from ? *rebinned_from : *geometry;
  }
  /// Returns which voxels metrics use, for people; or that there is nothing to compare with.
  std::string mask_label() const {
    return reference != nullptr ? reference->mask.label : "no reference";
  }
  /// Returns what the data are, with the licence of measured ones, for a scan that is made of them.
  std::string licensed_description() const {
    return description + (license.empty() ? "" : " (" + license + ")");
  }
};

/// Returns the attenuation of water, 1/mm, by which values are converted into HU: for measured data
/// that of the source, or, where the source has the default, what the files state.
double water_of(const SourceSpec& source, const ExperimentData& data);

/// Selects another phantom, with default parameters. Removes the geometry unless the scan sees all
/// of the phantom, and with it the grid; both are then fitted to the phantom.
void choose_phantom(Experiment& experiment, const std::string& key, const Catalog& catalog);

/// Reports how far a preparation is: 0 .. 1 and what is being done.
using Progress = std::function<void(double, const std::string&)>;

/// Gets the scan and the grid of the runs before the data are made; throws Error to reject them.
using RunCheck = std::function<void(const ScanGeometry&, const VolumeGrid&)>;

/// Returns the least memory that the host needs while such data are made, bytes: rays and voxels;
/// for simulated data also the truth, and the noisy data besides the exact ones.
std::size_t least_bytes(const Experiment& experiment, const ScanGeometry& geometry,
                        const VolumeGrid& grid);

/// Loads or simulates the data of an experiment. Throws Error for bad input, and Interrupted.
/// `scan_cache` keeps what was read and corrected of a measured scan for later calls; null:
/// nothing.
std::shared_ptr<const ExperimentData> prepare_data(const Experiment& experiment,
                                                   const Catalog& catalog, Backend& cpu,
                                                   const Interrupt* interrupt = nullptr,
                                                   const Progress& progress = {},
                                                   const RunCheck& check_runs = {},
                                                   ScanCache* scan_cache = nullptr);

}  // namespace gantry
