#include "core/corrections/phase_retrieval.hpp"

#include "core/base/cpu_threads.hpp"
#include "core/base/fast_length.hpp"
#include "core/base/for_lines.hpp"
#include "core/base/nice_numbers.hpp"

#include <kissfft/kissfft.hh>

#include <algorithm>
#include <cmath>
#include <complex>

namespace gantry {

namespace {

constexpr double wavelength_mm_kev = 1.239841984e-6;  // h c
constexpr double least_transmission = 1e-6;
constexpr double parallel_distance_mm =
    100;                       ///< where neither the user nor the geometry states one
constexpr double much = 0.01;  ///< of the distance

/// Fourier transforms along an axis of cells. The last cell is repeated up to a length for which
/// the transform is fast; the mirror image of the extended line follows.
class MirroredAxis {
 public:
  MirroredAxis(int cells, double pitch_mm)
      : cells_(static_cast<std::size_t>(cells)),
        length_(cells > 1 ? 2 * fast_length_from(cells_) : 1),
        there_(length_, false),
        back_(length_, true) {
    for (std::size_t i = 0; i < length_; ++i) {
      const auto nearest = static_cast<double>(std::min(i, length_ - i));
      const double k = 2 * pi * nearest / (static_cast<double>(length_) * pitch_mm);
      squares_.push_back(k * k);
    }
  }

  std::size_t length() const { return length_; }
  /// Returns the cell whose value stands at an index of the extended line.
  std::size_t cell(std::size_t position) const {
    return std::min(std::min(position, length_ - 1 - position), cells_ - 1);
  }
  double square(std::size_t frequency) const { return squares_[frequency]; }
  const kissfft<float>& there() const { return there_; }
  const kissfft<float>& back() const { return back_; }

 private:
  std::size_t cells_, length_;
  kissfft<float> there_, back_;
  std::vector<double> squares_;  // of the angular frequencies, 1/mm^2
};

using Plane = std::vector<std::complex<float>>;

class PhaseRetrieval : public Correction {
 public:
  PhaseRetrieval(const ScanGeometry& scan, const Params& params)
      : Correction(scan),
        across_(scan.columns(), scan.column_pitch_at_isocenter_mm()),
        down_(scan.rows(), scan.row_pitch_at_isocenter_mm()) {
    const ScanSpec& spec = scan.spec();
    const double magnification = scan.beam() == Beam::parallel
                                     ? 1
                                     : spec.source_to_detector_mm / spec.source_to_isocenter_mm;
    strength_mm2_ = distance_of(scan, params.real("distance_mm")) / magnification *
                    (wavelength_mm_kev / params.real("energy_kev")) *
                    params.real("delta_over_beta") / (4 * pi);
  }

  bool needs_lengths() const override { return true; }
  std::size_t workspace_bytes() const override {
    const std::size_t at_once = std::min(static_cast<std::size_t>(cpu_threads()),
                                         static_cast<std::size_t>((views() + 1) / 2));
    const std::size_t lines = 2 * std::max(across_.length(), down_.length());
    return at_once * (across_.length() * down_.length() + lines) * sizeof(Plane::value_type);
  }

 private:
  std::vector<std::string> correct(std::span<float> line_integrals,
                                   const Interrupt* interrupt) const override {
    // The filter is real and even: two views can be filtered at once, as real and imaginary part.
    for_lines((views() + 1) / 2, interrupt,
              [&](std::ptrdiff_t pair) {
                const auto first = view(line_integrals, 2 * pair);
                filter(first, 2 * pair + 1 < views() ? view(line_integrals, 2 * pair + 1)
                                                     : std::span<float>());
              },
              cpu_threads());
    std::vector<std::string> notes = {
        "structures below " + format_param(to_digits(2 * pi * std::sqrt(strength_mm2_), 3)) +
        " mm at the axis were smoothed"};
    if (!distance_note_.empty()) notes.push_back(distance_note_);
    return notes;
  }

  /// Returns the distance from the object to the detector, mm, and sets the note on it. Nothing is
  /// to be said where the given one is that of the geometry.
  double distance_of(const ScanGeometry& scan, double given) {
    const auto text = [](double mm) { return format_param(to_digits(mm, 4)) + " mm"; };
    if (scan.beam() == Beam::parallel) {
      if (given > 0) return given;
      distance_note_ =
          "neither \"distance_mm\" nor the geometry of the parallel beam states the "
          "distance from the object to the detector: " +
          text(parallel_distance_mm) + " were taken";
      return parallel_distance_mm;
    }
    const double stated = scan.spec().source_to_detector_mm - scan.spec().source_to_isocenter_mm;
    if (given == 0)
      distance_note_ = "the distance from the axis to the detector, " + text(stated) +
                       ", was taken as that from the object";
    else if (std::abs(given - stated) > much * std::abs(stated))
      distance_note_ = "\"distance_mm\" is " + text(given) + ", but the detector is " +
                       text(stated) + " from the axis by the geometry: " + text(given) +
                       " were taken; 0 takes that of the geometry";
    return given == 0 ? stated : given;
  }

  void filter(std::span<float> first, std::span<float> second) const {
    const std::size_t wide = across_.length(), high = down_.length();
    Plane plane(wide * high);
    for (std::size_t y = 0; y < high; ++y)
      for (std::size_t x = 0; x < wide; ++x) {
        const std::size_t cell =
            down_.cell(y) * static_cast<std::size_t>(columns()) + across_.cell(x);
        plane[y * wide + x] = {std::exp(-first[cell]),
                               second.empty() ? 0 : std::exp(-second[cell])};
      }
    transform(plane, across_.there(), down_.there());
    const auto count = static_cast<double>(wide * high);
    for (std::size_t y = 0; y < high; ++y)
      for (std::size_t x = 0; x < wide; ++x)
        plane[y * wide + x] *= static_cast<float>(
            1 / (count * (1 + strength_mm2_ * (across_.square(x) + down_.square(y)))));
    transform(plane, across_.back(), down_.back());
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows()); ++row)
      for (std::size_t column = 0; column < static_cast<std::size_t>(columns()); ++column) {
        const std::size_t cell = row * static_cast<std::size_t>(columns()) + column;
        const std::complex<float> found = plane[row * wide + column];
        const auto line_integral = [](float transmission) {
          return static_cast<float>(
              -std::log(std::max(least_transmission, static_cast<double>(transmission))));
        };
        first[cell] = line_integral(found.real());
        if (!second.empty()) second[cell] = line_integral(found.imag());
      }
  }

  void transform(Plane& plane, const kissfft<float>& along_rows,
                 const kissfft<float>& along_columns) const {
    const std::size_t wide = across_.length(), high = down_.length();
    Plane line(std::max(wide, high)), found(line.size());
    for (std::size_t y = 0; y < high && wide > 1; ++y) {
      along_rows.transform(plane.data() + y * wide, found.data());
      std::copy_n(found.begin(), wide, plane.begin() + static_cast<std::ptrdiff_t>(y * wide));
    }
    for (std::size_t x = 0; x < wide && high > 1; ++x) {
      for (std::size_t y = 0; y < high; ++y) line[y] = plane[y * wide + x];
      along_columns.transform(line.data(), found.data());
      for (std::size_t y = 0; y < high; ++y) plane[y * wide + x] = found[y];
    }
  }

  MirroredAxis across_, down_;
  double strength_mm2_ = 0;
  std::string distance_note_;
};

}  // namespace

std::vector<ParamSpec> phase_retrieval_params() {
  return {{.key = "energy_kev",
           .label = "Energy",
           .unit = "keV",
           .fallback = 25.0,
           .min = 1,
           .max = 1000,
           .step = 1,
           .help = "Photon energy of the beam, or its mean."},
          {.key = "distance_mm",
           .label = "Distance",
           .unit = "mm",
           .fallback = 0.0,
           .min = 0,
           .max = 1e6,
           .step = 10,
           .help = "From the object to the detector; 0: as the geometry states it, of a parallel "
                   "beam 100 mm.",
           .least_means = "by the geometry"},
          {.key = "delta_over_beta",
           .label = "delta / beta",
           .unit = {},
           .fallback = 200.0,
           .min = 0,
           .max = 1e6,
           .step = 10,
           .help = "Of the material: refraction over absorption. Larger values smooth more; 0 "
                   "changes nothing."}};
}

std::unique_ptr<Correction> make_phase_retrieval(const ScanGeometry& scan, const Params& params) {
  return std::make_unique<PhaseRetrieval>(scan, params);
}

}  // namespace gantry
