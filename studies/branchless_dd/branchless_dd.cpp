// Branchless distance-driven projection on this computer, part by part beside the numbers of Liu,
// Fu, De Man and Yu 2017 (see printed.hpp).
#include "core/backend/cpu_backend.hpp"
#include "studies/branchless_dd/parts.hpp"
#include "studies/branchless_dd/printed.hpp"
#include "studies/study_list.hpp"

namespace gantry {

namespace branchless_dd {

namespace {

void add_notes(const BranchlessContext& context, StudyResult& result) {
  result.notes.push_back(
      "Devices: " + context.devices() +
      ". Printed numbers are of a GeForce Titan X and two Xeons of eight cores (CPU-32: 32 "
      "threads); in times and reconstructions CPU-32 stands here for this program's "
      "distance-driven pair on the CPU of this machine. All times were taken now, by the host's "
      "clock: of the CPU of one call after one to warm up, of reconstructions means of their "
      "iterations" +
      std::string(
          context.has_gpu()
              ? ", of devices, which were waited for, medians of 3 to 10 calls after one to "
                "warm up. \"Without transfers\" has the operands on the device; with "
                "transfers, each call copies its operand there and its result back."
              : "."));
  if (!context.has_gpu())
    result.notes.push_back(
        "There is no CUDA device: what needs one is left out, and numbers of cells, views and "
        "voxels are " +
        format_param(context.scale()) + " of those in print.");
  else if (context.scale() != 1)
    result.notes.push_back("Numbers of cells, views and voxels are " +
                           format_param(context.scale()) + " of those in print.");
  result.notes.push_back(
      "Times of the CPU are of at most 64 views, and of a quarter of them, and go on from there in "
      "a straight line; CPU-32 in Table II is of all views. The growth with sizes in the plane and "
      "along z (Figs 8 to 10) is over a quarter of the turn's views. What is empty was not timed, "
      "or "
      "does not fit into the device's memory.");
}

}  // namespace

Setting bar_setting(const std::vector<double>& angles_deg) {
  ScanSpec spec;
  spec.beam = Beam::parallel;
  spec.detector_columns = 25;
  spec.column_pitch_mm = 1.41;
  spec.row_pitch_mm = 0.71;
  spec.central_column = 12;
  spec.central_row = 0;
  for (const double angle : angles_deg) spec.view_angles_rad.push_back(radians(angle));
  return {"a bar", std::make_shared<const ScanGeometry>(spec),
          VolumeGrid::centered(25, 1, 1, {1, 1, 0.71})};
}

std::string size_text(const VolumeGrid& grid) {
  return std::to_string(grid.nx) + " x " + std::to_string(grid.ny) + " x " +
         std::to_string(grid.nz);
}

StudyCell printed_cell(double value) {
  if (value == printed::none) return {};
  StudyCell cell(value);
  cell.all_digits = true;
  return cell;
}

}  // namespace branchless_dd

StudyResult study_branchless_dd(const StudyOptions& options) {
  using namespace branchless_dd;
  BranchlessContext context(options);
  StudyResult result = compute_study<BranchlessContext>(context, add_notes,
                                                        {{"times", times, 0.15},
                                                         {"sweeps", sweeps, 0.3},
                                                         {"texture", staircase, 0.01},
                                                         {"accuracy", accuracy, 0.03},
                                                         {"gpus", several_gpus, 0.08},
                                                         {"phantoms", phantoms, 0.33},
                                                         {"helical", helical, 0.05},
                                                         {"momentum", momentum, 0.05}});
  result.tables.push_back(context.against_print);
  return result;
}

}  // namespace gantry
