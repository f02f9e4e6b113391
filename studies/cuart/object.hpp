#pragma once

#include "studies/matrix_workshop.hpp"
#include "studies/tracked_run.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gantry::cuart {

constexpr double art_relaxation = 1;

/// What is reconstructed, from W f of its pixels, and the error of ART after each round: with the
/// views in the order in which they were measured, as in print, and in golden order.
struct Object {
  std::string name;
  BenchCase setting;
  std::vector<float> truth, data;
  std::vector<double> art_rmse;
  std::vector<float> art_image;
  std::vector<double> golden_rmse;  ///< until it is no higher than the plateau, or as many rounds
  /// Of rounds on one thread: how many were timed, what one took (0: none), and by how much their
  /// image differs from the one that all threads made.
  int timed_rounds = 0;
  double round_s = 0, difference = 0;

  /// The plateau of print: the error after so many rounds.
  double level() const { return art_rmse.back(); }
  double art_s() const { return round_s * static_cast<double>(art_rmse.size()); }
  bool golden_reaches_level() const { return golden_rmse.back() <= level(); }
  /// With its views in the order in which ART is there sooner. A round has the same weights in any
  /// order, so that it is taken to last as long.
  double best_art_s() const {
    return golden_reaches_level() ? round_s * static_cast<double>(golden_rmse.size()) : art_s();
  }
  double similarity(const std::vector<float>& image) const;
};

/// With the rounds of ART in print, on all threads; of them `timed_rounds` also on one.
Object make_object(const MatrixWorkshop& workshop, const std::string& name, BenchCase setting,
                   std::vector<float> truth, int timed_rounds);

/// Shepp and Logan's head at the size that was asked for, 1024^2 else.
Object head(const MatrixWorkshop& workshop, const std::string& backend, int timed_rounds);

/// Eq. 9: `scope` all (global level) or views (view level); order as the views were measured, or
/// golden.
Params parallel(const char* scope, const char* normalisation, double relaxation,
                const char* order = "natural");

/// Whether a method corrects by the rays of a view at a time.
bool goes_by_views(const TrackedMethod& method);

/// SCSR where a backend has it, else its first format.
MatrixMethod symmetric_format(const MatrixWorkshop& workshop, const std::string& backend);

/// The products for the study's methods on one object: SCSR, and for those that go by views the
/// first format that records all views of an iteration at once, where there is one.
class Products {
 public:
  Products(const MatrixWorkshop& workshop, const std::string& backend, const Object& object);
  TrackedRun run(const MatrixWorkshop& workshop, const TrackedMethod& method) const;
  const std::string& name(const TrackedMethod& method) const {
    return goes_by_views(method) ? views_name_ : name_;
  }

 private:
  const Object& object_;
  std::string backend_, name_, views_name_;
  std::unique_ptr<Projector> matrix_, by_views_;
};

/// Asked of a matrix once it is made: before its first product it does not know.
bool records_views(const Projector& A);

}  // namespace gantry::cuart
