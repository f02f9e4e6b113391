#include "core/physics/noise.hpp"

#include "core/base/error.hpp"
#include "core/base/params.hpp"
#include "core/physics/poisson.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

void require_photons(double photons) {
  if (!(photons >= 1 && photons <= largest_poisson_mean))
    throw UsageError(format_param(photons) + " photons per ray are not possible", "photons_per_ray",
                     "use 1 to 1e15");
}

/// A line integral computed from counts.
struct Reading {
  double line_integral;
  bool starved;  ///< less than one photon was counted
};

Reading read_out(double counts, double photons) {
  const bool starved = !(counts >= 1);  // true for NaN too
  return {-std::log((starved ? 1.0 : counts) / photons), starved};
}

Reading measure(double exact, const TransmissionNoise& noise, std::uint64_t ray) {
  const double mean = noise.photons_per_ray * std::exp(-exact);
  if (!std::isfinite(exact) || mean > largest_poisson_mean) return {exact, false};
  RandomStream random(noise.seed, ray);
  double counts = poisson(mean, random);
  if (noise.electronic_sigma > 0) counts += noise.electronic_sigma * standard_normal(random);
  return read_out(counts, noise.photons_per_ray);
}

}  // namespace

void require_noise(const TransmissionNoise& noise) {
  require_photons(noise.photons_per_ray);
  if (!std::isfinite(noise.electronic_sigma) || noise.electronic_sigma < 0)
    throw UsageError("electronic noise of " + format_param(noise.electronic_sigma) + " photons",
                     "electronic_sigma", "use 0 or more");
}

std::size_t add_transmission_noise(std::span<const float> exact, const TransmissionNoise& noise,
                                   std::span<float> noisy, const Interrupt* interrupt) {
  require_noise(noise);
  if (exact.size() != noisy.size()) throw ShapeError("exact and noisy data differ in size");
  constexpr std::ptrdiff_t block = 1 << 14;
  const auto count = static_cast<std::ptrdiff_t>(exact.size());
  std::size_t starved = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : starved)
  for (std::ptrdiff_t first = 0; first < count; first += block) {
    if (interrupt != nullptr && interrupt->raised()) continue;
    const std::ptrdiff_t last = std::min(count, first + block);
    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i) {
      const Reading reading = measure(exact[i], noise, i);
      noisy[i] = static_cast<float>(reading.line_integral);
      starved += reading.starved ? 1 : 0;
    }
  }
  if (interrupt != nullptr) interrupt->check();
  return starved;
}

/// Throws InputError if there is a count that `is_wrong`: "2 counts are negative, the first at
/// ...".
template <class Wrong>
void refuse_counts(std::span<const float> counts, const Wrong& is_wrong, const std::string& fault,
                   const std::string& where,
                   const std::function<std::string(std::size_t)>& place_of,
                   const std::string& hint) {
  const auto first = std::ranges::find_if(counts, is_wrong);
  if (first == counts.end()) return;
  const auto many = std::ranges::count_if(counts, is_wrong);
  throw InputError(std::to_string(many) + (many == 1 ? " count is " : " counts are ") + fault +
                       ", the first at " +
                       place_of(static_cast<std::size_t>(first - counts.begin())),
                   where, hint);
}

void require_counts(std::span<const float> counts, double electronic_sigma,
                    const std::string& where,
                    const std::function<std::string(std::size_t)>& place_of) {
  const auto starved = [](float count) { return !(count >= 1); };  // true for NaN too
  if (!counts.empty() && std::ranges::all_of(counts, starved))
    throw InputError("all " + std::to_string(counts.size()) + " counts are below one photon", where,
                     "give counts, or call the values line integrals");
  refuse_counts(
      counts, [](float count) { return count > largest_poisson_mean; }, "above 1e15", where,
      place_of, "replace them; no detector counts so many photons");
  if (electronic_sigma > 0) return;
  refuse_counts(
      counts, [](float count) { return count < 0; }, "negative", where, place_of,
      "replace them, or give electronic_sigma where the noise of the read-out made them");
}

std::size_t counts_to_line_integrals(std::span<const float> counts, double photons_per_ray,
                                     std::span<float> line_integrals) {
  require_photons(photons_per_ray);
  if (counts.size() != line_integrals.size())
    throw ShapeError("counts and line integrals differ in size");
  const auto count = static_cast<std::ptrdiff_t>(counts.size());
  std::size_t starved = 0;
#pragma omp parallel for schedule(static) reduction(+ : starved)
  for (std::ptrdiff_t ray = 0; ray < count; ++ray) {
    const auto i = static_cast<std::size_t>(ray);
    const Reading reading = read_out(counts[i], photons_per_ray);
    line_integrals[i] = static_cast<float>(reading.line_integral);
    starved += reading.starved ? 1 : 0;
  }
  return starved;
}

void line_integrals_to_counts(std::span<const float> line_integrals, double photons_per_ray,
                              std::span<float> counts) {
  require_photons(photons_per_ray);
  if (counts.size() != line_integrals.size())
    throw ShapeError("counts and line integrals differ in size");
  std::size_t bad = 0;
#pragma omp parallel for schedule(static) reduction(+ : bad)
  for (std::ptrdiff_t ray = 0; ray < static_cast<std::ptrdiff_t>(counts.size()); ++ray) {
    const auto i = static_cast<std::size_t>(ray);
    const double mean = photons_per_ray * std::exp(-static_cast<double>(line_integrals[i]));
    counts[i] = static_cast<float>(mean);
    bad += std::isfinite(line_integrals[i]) && mean <= largest_poisson_mean ? 0 : 1;
  }
  if (bad > 0)
    throw InputError(std::to_string(bad) + " line integrals have no number of photons", "counts",
                     "line integrals must be finite and not far below 0");
}

}  // namespace gantry
