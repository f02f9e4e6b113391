// The list of methods that find the axis of rotation, one line each.
#include "core/centring/centre_methods.hpp"

#include "core/alignment/beam_consistency.hpp"
#include "core/alignment/centre_from_data.hpp"
#include "core/alignment/centre_of_mass.hpp"
#include "core/alignment/conjugate_rays.hpp"
#include "core/alignment/fourier_energy.hpp"
#include "core/alignment/opposite_views.hpp"
#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/base/params.hpp"
#include "core/centring/sharpest_slice.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr double most_difference = 1;  // columns, of axes that agree, and where errors are known
constexpr double least_difference = 0.3, most_errors = 4;

using Found = std::optional<CentreEstimate>;

Found conjugate_rays(const ScanGeometry& geometry, std::span<const float> line_integrals) {
  return centre_from_conjugate_rays(geometry, line_integrals);
}

/// Adapts a method of core/alignment, which takes no interrupt.
template <Found (*find)(const ScanGeometry&, std::span<const float>)>
Found quick(const ScanGeometry& geometry, std::span<const float> line_integrals,
            const Interrupt* interrupt) {
  if (interrupt != nullptr) interrupt->check();
  return find(geometry, line_integrals);
}

/// Returns the difference that two axes may have by their errors, columns.
double allowed_difference(const CentreEstimate& one, const CentreEstimate& other) {
  if (!(one.spread > 0 && other.spread > 0)) return most_difference;
  return std::clamp(most_errors * std::hypot(one.spread, other.spread), least_difference,
                    most_difference);
}

std::string column_text(const FoundCentre& found) {
  return format_param(std::round(100 * found.estimate.column) / 100);
}

}  // namespace

const std::vector<CentreMethod>& centre_methods() {
  // clang-format off
  static const std::vector<CentreMethod> all = {
      {"opposite", "Opposite views", "views half a turn apart, mirrored, or both ends of half a turn; parallel beams", "", "a parallel beam over half a turn or more", quick<centre_from_opposite_views>},
      {"conjugate", "Rays from both sides", "rays measured from both sides; fan beams, the middle of cone beams", "Kak and Slaney 1988", "a fan or cone beam on a circle over more than half a turn, and rows in the plane of the source", quick<conjugate_rays>},
      {"consistency", "Consistency of views", "integrals common to two views; fan and cone beams, whole objects", "Lesaint et al. 2017", "a fan or cone beam on a circle over 90 degrees at equal steps (some may be missing), air on both sides of the object in all views, and parts that agree on the axis", centre_from_beam_consistency},
      {"fourier", "Spectrum of half a turn", "the spectrum of half a turn and its mirror image; parallel beams", "Vo et al. 2014", "a parallel beam over half a turn, and not a whole one, and opposite views that agree", quick<centre_from_fourier_energy>, why_no_fourier_energy},
      {"mass", "Centre of mass", "centres of mass of views; parallel beams over 90 degrees, whole objects", "Azevedo et al. 1990", "a parallel beam over 90 degrees or more, air on both sides of the object in all views, and views of equal mass", quick<centre_from_mass>, why_no_mass},
      {"sharpness", "Sharpest slice", "the sharpest of many slices; refines the axis of fans and cones", "Donath et al. 2006", "a circle over 170 degrees (a parallel beam: 178), and of a parallel beam an object within the detector and a stated axis in the middle half of it, of a fan or cone beam an object within the detector and an axis that conjugate or consistency finds, too", centre_from_sharpness},
      {"changes", "Changes between views", "what changes between views, without what all have in common; for scans without flats", "", "a parallel beam over half a turn or more, or a fan or cone beam on a circle over more than half a turn, an object that is not symmetric about the axis, and a change that fits one axis alone", quick<centre_from_changes>},
  };
  // clang-format on
  return all;
}

const CentreMethod& centre_method(const std::string& key) {
  const auto found = std::ranges::find(centre_methods(), key, &CentreMethod::key);
  if (found != centre_methods().end()) return *found;
  throw UsageError("unknown way \"" + key + "\" to find the axis", {},
                   "use one of " + joined(centre_methods(), &CentreMethod::key));
}

std::optional<FoundCentre> centre_by_usual_method(const ScanGeometry& geometry,
                                                  std::span<const float> line_integrals,
                                                  const Interrupt* interrupt) {
  for (const UsualCentre& way : usual_centres(geometry.beam())) {
    const CentreMethod& method = centre_method(way.key);
    if (auto found = method.find(geometry, line_integrals, interrupt))
      return FoundCentre{&method, *std::move(found)};
  }
  return std::nullopt;
}

std::optional<FoundCentre> centre_by_usual_method(const ScanGeometry& geometry,
                                                  std::span<const float> line_integrals,
                                                  bool lacks_flat, const Interrupt* interrupt) {
  if (!lacks_flat) return centre_by_usual_method(geometry, line_integrals, interrupt);
  if (interrupt != nullptr) interrupt->check();
  auto told = centre_without_flat(geometry, line_integrals);
  if (!told) return std::nullopt;
  if (told->is_of_changes) return FoundCentre{&centre_method("changes"), std::move(told->estimate)};
  auto usual = centre_by_usual_method(geometry, line_integrals, interrupt);
  if (usual) usual->is_certain = told->is_certain;
  return usual;
}

std::vector<FoundCentre> centres_by_all_methods(const ScanGeometry& geometry,
                                                std::span<const float> line_integrals,
                                                const Interrupt* interrupt) {
  std::vector<FoundCentre> all;
  for (const CentreMethod& method : centre_methods())
    if (auto found = method.find(geometry, line_integrals, interrupt))
      all.push_back({&method, *std::move(found)});
  return all;
}

const FoundCentre* contradicting(const std::vector<FoundCentre>& found) {
  if (found.empty()) return nullptr;
  const CentreEstimate& first = found.front().estimate;
  const FoundCentre* farthest = nullptr;
  double most = 0;
  for (const FoundCentre& other : found) {
    const double away = std::abs(other.estimate.column - first.column);
    if (away <= std::max(most, allowed_difference(first, other.estimate))) continue;
    most = away;
    farthest = &other;
  }
  return farthest;
}

std::string disagreement(const std::vector<FoundCentre>& found) {
  const FoundCentre* other = contradicting(found);
  if (other == nullptr) return {};
  const FoundCentre& first = found.front();
  return first.method->key + " finds column " + column_text(first) + ", but " + other->method->key +
         " " + column_text(*other);
}

}  // namespace gantry
