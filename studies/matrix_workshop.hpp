#pragma once

#include "core/matrix/matrix_format.hpp"
#include "studies/product_times.hpp"
#include "studies/scaled_case.hpp"
#include "studies/study_workshop.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gantry {

/// Products with one matrix on one backend: stored in a format of the catalogue, or computed anew
/// each time.
struct MatrixMethod {
  std::string backend, projector;
  Params projector_params = {};
  std::string format = {};  ///< empty: on the fly
  Params params = {};       ///< of the format; the others come with it
  bool same_matrix = true;  ///< as the other methods of its table

  bool stored() const { return !format.empty(); }
  bool on_host() const { return gantry::on_host(backend); }
  std::string name() const;       ///< "scsr", "on the fly: siddon"
  std::string variant() const;    ///< "weights compact"; empty: as it comes
  std::string full_name() const;  ///< "scsr, weights compact"
};

/// What building it took, and a product each way.
struct MatrixTimes {
  std::optional<MatrixStorage> storage;  ///< of stored ones
  double forward_s = 0, backward_s = 0;
  double both_s() const { return forward_s + backward_s; }
};

/// The workshop of studies of stored matrices. Backends, formats and projectors are those of the
/// catalogue; the only names are those of the weights that a study is about.
class MatrixWorkshop : public StudyWorkshop {
 public:
  MatrixWorkshop(const StudyOptions& options, const std::string& study, std::string projector,
                 Params projector_params, double scale_without_gpu);

  /// Keys of the backends that have matrix formats, the CPU first.
  std::vector<std::string> matrix_backends() const;
  /// The last of them: a device where there is one.
  std::string fastest_backend() const { return matrix_backends().back(); }
  /// Full size belongs on devices: on the processor of a machine with one it is at most what it is
  /// on a machine without.
  double scale_on(const std::string& backend) const;

  /// Every format of a backend, with `variants` also with each other choice of a parameter that
  /// names one in words (a number tunes a format; `tuned` has those).
  std::vector<MatrixMethod> stored(const std::string& backend, bool variants) const;
  /// Formats with more than one parameter, or one, whose choices are numbers: every combination.
  std::vector<MatrixMethod> tuned(const std::string& backend) const;
  /// The study's projector; with `others` also every other with an exact transpose. Those whose
  /// products are those of the study's matrix are told by them, on a small case.
  std::vector<MatrixMethod> on_the_fly(const std::string& backend, bool others) const;

  /// Gives way when the study is interrupted.
  std::unique_ptr<Projector> make(const MatrixMethod& method, const BenchCase& setting) const;
  /// The single weights, on the CPU.
  std::unique_ptr<Projector> weights_on_cpu(const BenchCase& setting) const;
  /// Nothing where it does not fit; `problem` then says why, in a line, as where it does not
  /// qualify.
  std::optional<MatrixTimes> time(const MatrixMethod& method, const BenchCase& setting,
                                  std::string& problem) const;

  /// Adds to the summary; what was computed at another scale than 1 has no deviation.
  void sum_up(std::vector<StudyCell> what, const StudyCell& printed, const StudyCell& here,
              double scale = 1);
  /// Of all parts: printed, here, deviation. The study's last table.
  StudyTable summary = StudyTable::comparing("summary", "In print and here",
                                             {{"part", ""}, {"what", ""}, {"in", ""}}, "");

 private:
  bool gives_the_same(const std::string& backend, const std::string& projector) const;

  std::string projector_;
  Params projector_params_;
  double scale_of_cpu_;
};

/// A line of a comparing table, without the deviation where `scale` is not 1.
void compare_at(double scale, StudyTable& table, std::vector<StudyCell> what,
                const StudyCell& printed, const StudyCell& here);

/// For sentences: "0.0719", "12.4".
std::string three_digits(double value);

/// "1 thread", "8 threads"
std::string threads_text(int threads);

/// "128^2 pixels, 88 views x 128 rays"
std::string describe_case(const BenchCase& setting);

/// A phantom of the catalogue as wide as the grid, its table's values (water's, 1) in no unit and
/// none below zero.
std::vector<float> square_phantom(const StudyWorkshop& workshop, const std::string& key,
                                  Params params, const VolumeGrid& grid);

/// sqrt(mean (x - r)^2)
double rmse_of(const std::vector<float>& image, const std::vector<float>& truth);

/// Means of the 3 x 3 pixels about those of the middle row, from left to right: the line profile of
/// Yu et al. 2018, Fig. 15.
std::vector<double> averaged_profile(const std::vector<float>& image, const VolumeGrid& grid);

}  // namespace gantry
