#pragma once

#include "core/operator/projector.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gantry {

/// The numbers of nonzeros of some rows of a matrix whose rows form groups of equal size.
struct GroupLengths {
  std::size_t groups = 0, rows = 0;                   ///< of the matrix; rows: of a group
  std::vector<std::vector<std::uint32_t>> some = {};  ///< [sampled group]: the longest row first
  std::size_t longest_of_others = 0;                  ///< among rows that are not in `some`

  /// Returns the mean over the sampled groups, times the number of groups, of of_group(length),
  /// where length(i) is the number of nonzeros of the i-th row of a group, the longest first.
  template <class OfGroup>
  double sum(const OfGroup& of_group) const {
    double all = 0;
    for (const std::vector<std::uint32_t>& group : some)
      all += of_group([&](std::size_t i) { return std::size_t{group[i * group.size() / rows]}; });
    return some.empty() ? 0 : all * static_cast<double>(groups) / static_cast<double>(some.size());
  }
  /// Returns the number of nonzeros of the longest row that was looked at.
  std::size_t longest() const;
};

/// The number of nonzeros, estimated before the matrix is built from a sample of the rays, with an
/// error of some per cent.
struct NonzeroEstimate {
  double nonzeros = 0;  ///< of A
  std::size_t rows = 0, columns = 0;
  int views = 0;
  GroupLengths of_views = {};  ///< of the rows of A; a view is a group

  /// What formats have computed from more of the weights than this sample. Copies of an estimate
  /// share these quantities, so that NonzeroEstimates keeps them too.
  struct Quantities {
    std::map<std::string, double> named;
    GroupLengths of_lines;
  };
  std::shared_ptr<Quantities> known = std::make_shared<Quantities>();

  /// Returns the quantity of this name, by `compute` if no copy of this estimate has it yet.
  double quantity(const std::string& name, const std::function<double()>& compute) const;
  /// Returns the numbers of nonzeros of the rows of the transpose, of which the voxels of a line
  /// along x are a group: of all voxels of a small scan, else of voxels evenly spread over the grid
  /// and, for the longest, some on its rim; each of these is projected into all
  /// views. `weights` are those of the estimate.
  const GroupLengths& of_lines(const Projector& weights) const;
  /// Returns the number of nonzeros of the longest row of A among more rays than those of
  /// `of_views`.
  double longest_row(const Projector& weights) const;
};

/// Estimates the nonzeros from a few rays of a few views, of a small scan from all. Throws
/// UsageError if the projector has no single weights.
NonzeroEstimate estimate_nonzeros(const Projector& weights);
/// Does what estimate_nonzeros does; callers may keep the estimates (NonzeroEstimates).
using NonzeroEstimator = std::function<NonzeroEstimate(const Projector&)>;

}  // namespace gantry
