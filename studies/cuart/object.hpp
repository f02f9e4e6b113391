#pragma once

#include "studies/matrix_study_context.hpp"
#include "studies/tracked_run.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gantry::cuart {

constexpr double art_relaxation = 1;

/// The object of a reconstruction: its pixels, the data W f of these pixels, and the RMSE of ART
/// after each iteration, with the views in the order of measurement, as in
/// print, and in golden order.
struct Object {
  std::string name;
  BenchCase setting;
  std::vector<float> truth, data;
  std::vector<double> art_rmse;
  std::vector<float> art_image;
  std::vector<double> golden_rmse;  ///< ends at the plateau or after as many iterations
  /// Iterations on one thread: how many were timed, the time of one, s (0: none was timed), and the
  /// largest difference between their image and the image that all threads made.
  int timed_iterations = 0;
  double iteration_s = 0, difference = 0;

  /// Returns the paper's plateau: the RMSE after all iterations in natural order.
  double level() const { return art_rmse.back(); }
  double art_s() const { return iteration_s * static_cast<double>(art_rmse.size()); }
  bool golden_reaches_level() const { return golden_rmse.back() <= level(); }
  /// Returns the time of ART to the plateau, s, with the views in the order that needs fewer
  /// iterations. An iteration has the same weights in any order and is assumed to take the same
  /// time.
  double best_art_s() const {
    return golden_reaches_level() ? iteration_s * static_cast<double>(golden_rmse.size()) : art_s();
  }
  double similarity(const std::vector<float>& image) const;
};

/// Computes the data of an object, and the iterations of ART as in print on all threads; the first
/// `timed_iterations` of these also on one thread.
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
