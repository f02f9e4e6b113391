#include "core/metal/metal_nmar.hpp"

#include "core/base/error.hpp"
#include "core/base/for_lines.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/metal/metal_images.hpp"
#include "core/metal/trace_bridge.hpp"
#include "core/solvers/direct/truncation_note.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace gantry {

namespace {

/// Least attenuation of metal (and of bone, 1.3), in units of the median of the soft material.
constexpr float metal_over_soft = 4, bone_over_soft = 1.3F;
/// Lower limit of the projected prior as a divisor, as a part of its largest value.
constexpr float least_prior_part = 0.01F;
constexpr double usual_extrapolation = 0.35;  // of the width of truncated rows

std::string digits(double value) { return format_param(to_digits(value, 3)); }

struct Thresholds {
  double metal, air, bone;  ///< 1/mm; 0: found
};

class MetalNmar : public Correction {
 public:
  MetalNmar(const ScanGeometry& scan, const Params& params)
      : Correction(scan),
        geometry_(scan),
        grid_(metal_grid(scan, static_cast<int>(params.integer("across")))),
        given_{params.real("threshold"), params.real("air"), params.real("bone")},
        margin_(static_cast<int>(params.integer("margin"))),
        normalised_(params.text("interpolation") == "normalised") {}

  std::size_t workspace_bytes() const override {
    constexpr std::size_t tables = std::size_t{16} << 20;  // histograms, filters, slices of threads
    return MetalImages::bytes(geometry_, grid_) + geometry_.rays() + grid_.voxels() + tables;
  }

 private:
  using Marks = std::vector<std::uint8_t>;

  std::vector<std::string> correct(std::span<float> line_integrals,
                                   const Interrupt* interrupt) const override {
    // The bright rim of truncated data would be taken for a material of its own.
    const bool is_truncated = !truncation_note(geometry_, line_integrals).empty();
    const double extrapolation = is_truncated ? usual_extrapolation : 0;
    MetalImages images(geometry_, grid_, interrupt);
    std::ranges::copy(line_integrals, images.rays().begin());
    images.reconstruct(extrapolation);
    const ValueClasses found = classes_of(images.values(is_truncated));
    const float above = given_.metal > 0
                            ? static_cast<float>(given_.metal)
                            : std::max(found.dense_above, metal_over_soft * found.soft);
    Marks metal(grid_.voxels());
    const std::size_t voxels = mark_metal(images, above, metal);
    if (voxels == 0)
      return {"no metal above " + digits(above) + " 1/mm: the data stay as they are"};
    const Marks trace = trace_of(images, metal, interrupt);
    std::vector<std::string> notes = {counted(voxels, "voxel") + " of " +
                                      digits(grid_.spacing_mm.x) + " mm above " + digits(above) +
                                      " 1/mm are metal"};
    if (is_truncated)
      notes.emplace_back(
          "the rows are truncated: for the images of this step they were continued; "
          "metal outside the field of view stays");
    float least = 0;
    if (normalised_) {
      std::ranges::copy(line_integrals, images.rays().begin());
      bridge(images.rays(), trace, {}, 0, interrupt);
      images.reconstruct(extrapolation);
      notes.push_back(make_prior(images, metal, is_truncated));
      images.project();
      least = least_prior_part * std::ranges::max(images.rays());
    }
    const auto prior = least > 0 ? images.rays() : std::span<float>();
    const std::size_t replaced = bridge(line_integrals, trace, prior, least, interrupt);
    notes.push_back(counted(replaced, "value") + " of " + std::to_string(line_integrals.size()) +
                    " were replaced; the data are those of the object without metal, whose voxels "
                    "a mask may hold");
    return notes;
  }

  /// Marks the voxels in the field of view above a value. Returns their number.
  static std::size_t mark_metal(MetalImages& images, float above, Marks& metal) {
    std::size_t voxels = 0;
    const auto mu = images.mu();
    images.for_visible([&](std::size_t first, std::size_t end) {
      for (std::size_t at = first; at < end; ++at) {
        metal[at] = mu[at] > above ? 1 : 0;
        voxels += metal[at];
      }
    });
    return voxels;
  }

  /// Returns a mask of the rays that meet metal, widened by the margin.
  Marks trace_of(MetalImages& images, const Marks& metal, const Interrupt* interrupt) const {
    std::ranges::copy(metal, images.mu().begin());
    images.project();
    const std::span<const float> rays = images.rays();
    Marks trace(rays.size());
    std::ranges::transform(rays, trace.begin(),
                           [](float path_mm) { return std::uint8_t{path_mm > 0}; });
    for_rows(interrupt, [&](std::size_t first, std::size_t width) {
      widen_trace(std::span(trace).subspan(first, width), margin_);
    });
    return trace;
  }

  /// Segments the image into the materials of the prior image. Returns a note.
  std::string make_prior(MetalImages& images, const Marks& metal, bool is_truncated) const {
    const ValueHistogram values = images.values(is_truncated);
    const ValueClasses found = classes_of(values);
    const float air = given_.air > 0 ? static_cast<float>(given_.air) : found.air_below,
                bone = given_.bone > 0 ? static_cast<float>(given_.bone)
                                       : std::max(found.dense_above, bone_over_soft * found.soft);
    const std::size_t first_soft = values.bin_of(air);
    const float soft = values.mean(first_soft, std::max(first_soft + 1, values.bin_of(bone)));
    const auto mu = images.mu();
    std::size_t visible_end = 0;  // voxels outside the field of view become air
    images.for_visible([&](std::size_t first, std::size_t end) {
      std::fill(mu.begin() + static_cast<std::ptrdiff_t>(visible_end),
                mu.begin() + static_cast<std::ptrdiff_t>(first), 0.0F);
      for (std::size_t at = first; at < end; ++at)
        if (metal[at] != 0 || (mu[at] >= air && mu[at] < bone))
          mu[at] = soft;
        else if (mu[at] < air)
          mu[at] = 0;
      visible_end = end;
    });
    std::fill(mu.begin() + static_cast<std::ptrdiff_t>(visible_end), mu.end(), 0.0F);
    return "prior: air below " + digits(air) + " 1/mm, soft material of " + digits(soft) +
           " 1/mm, bone from " + digits(bone) + " 1/mm";
  }

  std::size_t bridge(std::span<float> values, const Marks& trace, std::span<const float> prior,
                     float least, const Interrupt* interrupt) const {
    std::atomic<std::size_t> replaced = 0;
    for_rows(interrupt, [&](std::size_t first, std::size_t width) {
      replaced += bridge_trace(
          values.subspan(first, width), std::span(trace).subspan(first, width),
          prior.empty() ? std::span<const float>() : prior.subspan(first, width), least);
    });
    return replaced;
  }

  /// Calls use(first, width) for the values of each detector row of each view, in parallel.
  template <class Use>
  void for_rows(const Interrupt* interrupt, const Use& use) const {
    const auto width = static_cast<std::size_t>(columns());
    for_lines(
        std::ptrdiff_t{views()} * rows(), interrupt,
        [&](std::ptrdiff_t line) { use(static_cast<std::size_t>(line) * width, width); }, 16384);
  }

  ScanGeometry geometry_;
  VolumeGrid grid_;
  Thresholds given_;
  int margin_;
  bool normalised_;
};

ParamSpec threshold_spec(std::string key, std::string label, std::string help) {
  return {.key = std::move(key),
          .label = std::move(label),
          .unit = "1/mm",
          .fallback = 0.0,
          .min = 0,
          .max = 1e3,
          .step = 0.005,
          .help = std::move(help),
          .least_means = "found"};
}

}  // namespace

std::vector<ParamSpec> metal_nmar_params() {
  return {threshold_spec("threshold", "Metal above",
                         "What attenuates more is metal. 0: found by Otsu's method among all that "
                         "is not air, at least 4 times the soft material."),
          threshold_spec("air", "Air below",
                         "What attenuates less is air in the prior image. 0: found by Otsu's "
                         "method."),
          threshold_spec("bone", "Bone from",
                         "What attenuates as much keeps its values in the prior image, between air "
                         "and bone all is one material. 0: found by Otsu's method, at least 1.3 "
                         "times the soft material."),
          {.key = "margin",
           .label = "Margin",
           .unit = "columns",
           .fallback = std::int64_t{1},
           .min = 0,
           .max = 100,
           .step = 1,
           .help = "The shadow of the metal is widened by this on both sides."},
          {.key = "across",
           .label = "Voxels across",
           .unit = {},
           .fallback = std::int64_t{512},
           .min = 32,
           .max = 1024,
           .step = 64,
           .help = "At most, of the image in which the metal is sought; more find smaller metal "
                   "and take more memory and time."},
          {.key = "interpolation",
           .label = "Interpolation",
           .unit = {},
           .fallback = std::string("normalised"),
           .choices = {"normalised", "linear"},
           .study_choices = {"linear"},
           .help = "Across the shadow of the metal, of the data divided by the projected prior.",
           .study_help = "linear: without a prior, after Kalender et al. 1987."}};
}

std::unique_ptr<Correction> make_metal_nmar(const ScanGeometry& scan, const Params& params) {
  if (scan.spec().trajectory != Trajectory::circular)
    throw UsageError(
        "metal_nmar needs an image by FBP or FDK, which a helix or free poses have not",
        "corrections", "leave this correction out; rebin a helix first");
  return std::make_unique<MetalNmar>(scan, params);
}

}  // namespace gantry
