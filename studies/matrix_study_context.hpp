#pragma once

#include "core/matrix/matrix_format.hpp"
#include "studies/product_times.hpp"
#include "studies/scaled_case.hpp"
#include "studies/study_context.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gantry {

/// Products with one matrix on one backend: either stored in a format of the catalogue, or computed
/// on the fly for each product.
struct MatrixMethod {
  std::string backend, projector;
  Params projector_params = {};
  std::string format = {};  ///< empty: on the fly
  Params params = {};       ///< of the format; others keep their defaults
  bool same_matrix = true;  ///< has the same weights as the other methods of its table

  bool stored() const { return !format.empty(); }
  bool on_host() const { return gantry::on_host(backend); }
  std::string name() const;       ///< "scsr", "on the fly: siddon"
  std::string variant() const;    ///< "weights compact"; empty without parameters
  std::string full_name() const;  ///< "scsr, weights compact"
};

/// The cost of a method: storage of the matrix, and the time of each product.
struct MatrixTimes {
  std::optional<MatrixStorage> storage;  ///< of stored matrices only
  double forward_s = 0, backward_s = 0;
  double both_s() const { return forward_s + backward_s; }
};

/// The common base of studies of stored matrices. Backends, formats and projectors are those of the
/// catalogue; a study names only the projector that gives its weights.
class MatrixStudyContext : public StudyContext {
 public:
  MatrixStudyContext(const StudyOptions& options, const std::string& study, std::string projector,
                     Params projector_params, double scale_without_gpu);

  /// Returns the keys of the available backends that have matrix formats and the study's projector,
  /// the CPU first.
  std::vector<std::string> matrix_backends() const;
  /// Returns the last of matrix_backends(), which is a device where there is one.
  std::string fastest_backend() const { return matrix_backends().back(); }
  /// Returns the scale of the study's sizes on a backend. On a computer with a GPU the CPU computes
  /// at most the scale of a computer without a GPU; full size is for devices.
  double scale_on(const std::string& backend) const;

  /// Returns every format of a backend. With `variants` a format also appears with each other
  /// choice of each parameter that has words as choices (another layout); tuned() varies parameters
  /// whose choices are numbers.
  std::vector<MatrixMethod> stored(const std::string& backend, bool variants) const;
  /// Returns the formats of a backend that have parameters with numbers as choices, in every
  /// combination of these.
  std::vector<MatrixMethod> tuned(const std::string& backend) const;
  /// Returns the study's projector on a backend; with `others` also every other projector with an
  /// exact transpose. same_matrix is set for projectors whose products equal those of the study's
  /// matrix on a small case.
  std::vector<MatrixMethod> on_the_fly(const std::string& backend, bool others) const;

  /// Makes the projector of a method, whose computations check for the study's interrupt. Throws
  /// Interrupted.
  std::unique_ptr<Projector> make(const MatrixMethod& method, const BenchCase& setting) const;
  /// Returns the study's projector on the CPU, as a source of single weights.
  std::unique_ptr<Projector> weights_on_cpu(const BenchCase& setting) const;
  /// Times a method. Returns nothing where memory does not suffice or the case does not qualify for
  /// the method; `problem` is then the reason, in one line.
  std::optional<MatrixTimes> time(const MatrixMethod& method, const BenchCase& setting,
                                  std::string& problem) const;

  /// Adds a line to the summary; `unlike` and `better` as for StudyTable::compare.
  void add_summary_line(std::vector<StudyCell> what, const StudyCell& printed,
                        const StudyCell& here, const std::string& unlike,
                        Better better = Better::none);
  /// The study's last table, over all its parts: printed value, value here, deviation.
  StudyTable summary = StudyTable::comparing("summary", "In print and here",
                                             {{"part", ""}, {"what", ""}, {"in", ""}}, "");

 private:
  bool has_same_products(const std::string& backend, const std::string& projector) const;

  std::string projector_;
  Params projector_params_;
  double scale_of_cpu_;
};

/// Returns a value with three significant digits, for sentences: "0.0719", "12.4".
std::string three_digits(double value);

/// Returns "1 thread", "8 threads".
std::string threads_text(int threads);

/// Returns e.g. "128^2 pixels, 88 views x 128 rays".
std::string describe_case(const BenchCase& setting);

/// Returns a voxelised phantom of the catalogue, as wide as the grid. Its values are those of its
/// table (water 1 where it has a parameter for water), without a unit; negative values become 0.
std::vector<float> square_phantom(const StudyContext& context, const std::string& key,
                                  Params params, const VolumeGrid& grid);

/// Returns sqrt(mean (x - r)^2).
double rmse_of(const std::vector<float>& image, const std::vector<float>& truth);

/// Returns the means of 3 x 3 pixels around the pixels of the middle line of the image, from left
/// to right: the line profile of Yu et al. 2019, Fig. 15.
std::vector<double> averaged_profile(const std::vector<float>& image, const VolumeGrid& grid);

}  // namespace gantry
