#pragma once

#include "studies/matrix_study_context.hpp"
#include "studies/tracked_run.hpp"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace gantry::cuart {

/// The relaxations of ART, in both orders of the views. Print states neither; the first is taken
/// for print's, in the order of the measurement.
constexpr std::array<double, 4> art_relaxations = {1, 0.5, 0.2, 0.1};

/// ART with one relaxation and one order of the views, from zero to the paper's plateau.
struct ArtRun {
  double relaxation = 1;
  bool golden = false;
  std::vector<double> rmse;  ///< after each iteration; ends at the plateau or before it
  /// All iterations on one thread: their number times the shortest that was timed in this order.
  double all_s = 0;

  std::string name() const;  ///< "lambda 0.2, golden order"
};

/// The object of a reconstruction: its pixels, the data W f of these pixels, and ART's errors.
struct Object {
  std::string name;
  BenchCase setting;
  std::vector<float> truth, data = {};
  std::vector<double> art_rmse = {};  ///< of lambda 1 in the order of the measurement
  std::vector<float> art_image = {};
  /// ART to the plateau, if iterations are timed: first as in print, then with every other
  /// relaxation and order. A run ends at the plateau, or where another of the same order was there.
  std::vector<ArtRun> baselines = {};
  /// Iterations on one thread: how many were timed in each order, the time of one in the order of
  /// the measurement and in golden order, s, and the largest difference between their image and the
  /// image that all threads made.
  int timed_iterations = 0;
  double natural_s = 0, golden_s = 0, difference = 0;

  /// Returns the paper's plateau: the RMSE after print's number of iterations of ART, with lambda 1
  /// in the order of the measurement.
  double level() const { return art_rmse.back(); }
  bool reaches_level(const ArtRun& run) const { return run.rmse.back() <= level(); }
  const ArtRun& as_printed() const { return baselines.front(); }
  /// Returns the baseline that reaches the plateau in the shortest time, among all or among those
  /// of one order.
  const ArtRun& best() const;
  const ArtRun& best_of_order(bool golden) const;
  double similarity(const std::vector<float>& image) const;
};

/// Computes the data of an object, and the iterations of ART as in print on all threads. With
/// `timed_iterations` so many iterations of either order are also timed on one thread, and the
/// baselines are run.
Object make_object(const MatrixStudyContext& context, const std::string& name, BenchCase setting,
                   std::vector<float> truth, int timed_iterations);

/// Returns the Shepp-Logan head at the first selected size, otherwise 1024^2.
Object head(const MatrixStudyContext& context, const std::string& backend, int timed_iterations);

/// Returns parameters of eq. 9: `scope` is "all" (global level) or "views" (view level); `order` is
/// that of the measurement ("natural") or "golden".
Params parallel(const char* scope, const char* normalisation, double relaxation,
                const char* order = "natural");

/// Returns whether a method updates the image by the rays of one view at a time.
bool updates_by_views(const TrackedMethod& method);

/// Returns SCSR where a backend has it, otherwise the first format of the backend.
MatrixMethod symmetric_format(const MatrixStudyContext& context, const std::string& backend);

/// The matrices of the study's methods for one object: SCSR, and for methods that update by views
/// the first format that records the updates of all views of an iteration at once, where there is
/// one.
class Products {
 public:
  Products(const MatrixStudyContext& context, const std::string& backend, const Object& object);
  TrackedRun run(const MatrixStudyContext& context, const TrackedMethod& method) const;
  const std::string& name(const TrackedMethod& method) const {
    return updates_by_views(method) ? views_name_ : name_;
  }

 private:
  const Object& object_;
  std::string backend_, name_, views_name_;
  std::unique_ptr<Projector> matrix_, by_views_;
};

/// Returns whether a matrix records the updates of several views at once: whether its SubsetSweep
/// takes more than one subset at once.
bool records_views(const Projector& A);

}  // namespace gantry::cuart
