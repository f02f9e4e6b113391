#pragma once

#include "core/backend/array.hpp"
#include "core/operator/linear_operator.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace gantry {

/// Corrections by single rays, one after another. Ray i changes the voxels that it weighs by
///   x_j <- max(x_j + gamma_i w_i (b_i - <a_i, x>) a_ij - pull_j, low),
///   gamma_i = step / ||a_i||^2 (normalised) or step.
/// Rays whose squared norm is at most `smallest` change nothing.
struct RowStep {
  const Array& b;                  ///< of all rays
  const Array* weights = nullptr;  ///< w, of all rays; null: 1
  const Array* pull = nullptr;     ///< image; null: 0
  bool normalised = true;
  double step = 1, smallest = 0;
  float low = 0;
};

/// Stands in a list of rays where there is no ray, so that a thread of a GPU is idle.
inline constexpr std::uint32_t no_ray = 0xFFFFFFFF;

/// A list of rays in the memory of a backend, in the order in which they correct.
class RayList {
 public:
  virtual ~RayList() = default;
  RayList() = default;
  RayList(const RayList&) = delete;
  RayList& operator=(const RayList&) = delete;
  virtual std::size_t size() const = 0;
};

/// Access to single rows of A, for methods that correct by one ray after another. On the CPU the
/// rays correct one after another. On a GPU many rays correct at a time: a ray may or may not see
/// the corrections of others that are under way. Functions check neither sizes nor the interrupt.
class RowAccess {
 public:
  virtual ~RowAccess() = default;
  RowAccess() = default;
  RowAccess(const RowAccess&) = delete;
  RowAccess& operator=(const RowAccess&) = delete;

  /// Whether the rays correct one after another; otherwise many do at a time. The result is then
  /// the same to the bit only for rays that weigh no voxel in common.
  virtual bool is_sequential() const { return true; }
  /// Copies a list of rays, [view][row][column], to the backend.
  virtual std::unique_ptr<RayList> list(std::span<const std::uint32_t> rays) const = 0;
  /// Corrects x by the rays first .. first + count - 1 of a list. Returns the sum of (b_i - <a_i,
  /// x>)^2, each before its correction.
  virtual double correct(const RowStep& step, const RayList& rays, std::size_t first,
                         std::size_t count, Array& x) const = 0;
  /// Corrects x by the rays bounds[k] .. bounds[k + 1] - 1 of a list, for k = 0, 1, ...: on a GPU,
  /// by those of one k after those of the one before. Calls `check` between two of them, which may
  /// throw. Returns the sum of correct().
  virtual double correct_in_turn(const RowStep& step, const RayList& rays,
                                 std::span<const std::size_t> bounds,
                                 const std::function<void()>& check, Array& x) const {
    double sum = 0;
    for (std::size_t k = 0; k + 1 < bounds.size(); ++k) {
      check();
      sum += correct(step, rays, bounds[k], bounds[k + 1] - bounds[k], x);
    }
    return sum;
  }
  /// Sets n_j to the number of rays that weigh voxel j.
  virtual void count_rays(Array& n) const = 0;
  /// Returns the mean of ||a_i||^2 over the rays that hit the volume, from some of the views.
  virtual double mean_squared_norm() const = 0;
  /// Returns the number of neighbouring columns and rows within which rays of a view may weigh the
  /// same voxel: rays that are so far apart weigh no voxel in common.
  struct Reach {
    int columns, rows;
  };
  virtual Reach reach() const = 0;
};

/// The variants of section 6 of cuMBIR (Li et al. 2018), for measurements of what each gains: the
/// image in float16 during the corrections; poses computed in the kernel instead of read from a
/// table, by exact or by fast functions; a third of the additions in float64; the data read through
/// a texture.
enum class RowVariant { plain, half_image, exact_functions, fast_functions, doubles, texture };

/// How the rays of a GPU correct: a thread or a block of threads for each ray; by atomic additions,
/// or by stores of which one survives where rays collide.
struct RowWorkers {
  bool block = false, racing = false;
  /// Other than plain: a thread for each ray, by atomic additions, for the ray-driven projectors.
  RowVariant variant = RowVariant::plain;
  friend bool operator==(const RowWorkers&, const RowWorkers&) = default;
};

/// Interface of operators that make the access to their rows themselves. On the CPU, the rows of
/// every projector with single weights are used.
class GivesRows {
 public:
  virtual ~GivesRows() = default;
  /// The operator must outlive the object.
  virtual std::unique_ptr<RowAccess> make_rows(const RowWorkers& workers) const = 0;
};

/// Returns access to the rows of A, which must outlive it. Throws UsageError if there is none.
std::unique_ptr<RowAccess> make_rows(const LinearOperator& A, const RowWorkers& workers = {});
/// Whether A gives access to its rows.
bool gives_rows(const LinearOperator& A);
/// Throws UsageError if A gives no access to its rows.
void require_rows(const LinearOperator& A);

}  // namespace gantry
