#include "core/mapping/mapping_key.hpp"

#include "core/base/checksum.hpp"
#include "core/base/error.hpp"
#include "core/mapping/weighted_graph.hpp"
#include "core/operator/row_source.hpp"

#include <bit>
#include <span>
#include <vector>

namespace gantry {

namespace {

/// Numbers as 64-bit words, so that the sum depends neither on the padding of structures nor on the
/// sizes of types.
class Words {
 public:
  Words& add(double value) {
    words_.push_back(std::bit_cast<std::uint64_t>(value));
    return *this;
  }
  Words& add(const Vec3& v) { return add(v.x).add(v.y).add(v.z); }
  Words& add_count(std::size_t value) {
    words_.push_back(value);
    return *this;
  }
  std::uint64_t sum() const { return checksum(std::as_bytes(std::span(words_))); }

 private:
  std::vector<std::uint64_t> words_;
};

std::uint64_t sum_of(const ScanSpec& spec) {
  Words words;
  for (const int number :
       {static_cast<int>(spec.beam), static_cast<int>(spec.detector),
        static_cast<int>(spec.trajectory), spec.detector_columns, spec.detector_rows})
    words.add(number);
  for (const double number :
       {spec.source_to_isocenter_mm, spec.source_to_detector_mm, spec.column_pitch_mm,
        spec.row_pitch_mm, spec.central_column, spec.central_row, spec.helical_feed_mm_per_turn})
    words.add(number);
  words.add_count(spec.view_angles_rad.size());
  for (const double angle : spec.view_angles_rad) words.add(angle);
  words.add_count(spec.poses.size());
  for (const View& pose : spec.poses)
    words.add(pose.source_mm).add(pose.detector_mm).add(pose.u_mm).add(pose.v_mm);
  return words.sum();
}

std::uint64_t sum_of(const VolumeGrid& grid) {
  return Words()
      .add(grid.nx)
      .add(grid.ny)
      .add(grid.nz)
      .add(grid.spacing_mm)
      .add(grid.origin_mm)
      .sum();
}

std::uint64_t sum_of(const MappingOptions& options) {
  return Words()
      .add(options.columns_of_block)
      .add(options.rows_of_block)
      .add_count(options.voxels_of_segment)
      .add(options.seed)
      .add(options.metis && partitions_by_metis() ? 1 : 0)
      .sum();
}

}  // namespace

std::uint64_t MappingKey::all() const {
  return Words().add_count(geometry).add_count(grid).add_count(weights).add_count(options).sum();
}

bool has_mapping_key(const Projector& projector) {
  return projector.row_source() != nullptr && !projector.row_source()->weights_name().empty();
}

MappingKey mapping_key(const Projector& projector, const MappingOptions& options) {
  if (!has_mapping_key(projector))
    throw UsageError("the weights of this projector have no name that a mapping could be known by",
                     "projector", "use siddon, joseph or another projector of the catalogue");
  return {sum_of(projector.geometry().spec()), sum_of(projector.grid()),
          checksum(std::as_bytes(std::span(projector.row_source()->weights_name()))),
          sum_of(options)};
}

}  // namespace gantry
