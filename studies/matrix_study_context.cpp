#include "studies/matrix_study_context.hpp"

#include "core/phantoms/phantom.hpp"

#include <cctype>
#include <cmath>
#include <cstdio>

namespace gantry {

namespace {

bool is_number(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
}

/// Returns whether the choices of a parameter are words: such choices name another layout, not a
/// size.
bool has_words(const ParamSpec& spec) {
  return !spec.choices.empty() && !std::ranges::all_of(spec.choices, is_number);
}
bool has_numbers(const ParamSpec& spec) {
  return spec.choices.size() > 1 && std::ranges::all_of(spec.choices, is_number);
}

/// Returns all combinations of the choices of those parameters whose choices are numbers.
std::vector<Params> combinations(const std::vector<ParamSpec>& specs) {
  std::vector<Params> all;
  for (const ParamSpec& spec : specs) {
    if (!has_numbers(spec)) continue;
    std::vector<Params> longer;
    for (const Params& before : all.empty() ? std::vector<Params>(1) : all)
      for (const std::string& choice : spec.choices) {
        longer.push_back(before);
        longer.back().set(spec.key, choice);
      }
    all = std::move(longer);
  }
  return all;
}

/// Returns a case that is so small that the time of a product does not matter.
BenchCase small_case() { return scaled(bench_cases("ge512").front(), 1.0 / 16, 8); }

}  // namespace

std::string MatrixMethod::name() const { return stored() ? format : "on the fly: " + projector; }

std::string MatrixMethod::variant() const {
  std::string all;
  for (const auto& [key, value] : params.values())
    all += (all.empty() ? "" : ", ") + key + " " + format_param(value);
  return all;
}

std::string MatrixMethod::full_name() const {
  return name() + (variant().empty() ? "" : ", " + variant());
}

MatrixStudyContext::MatrixStudyContext(const StudyOptions& options, const std::string& study,
                                       std::string projector, Params projector_params,
                                       double scale_without_gpu)
    : StudyContext(options, study, scale_without_gpu),
      projector_(std::move(projector)),
      projector_params_(std::move(projector_params)),
      scale_of_cpu_(scale_without_gpu) {}

std::vector<std::string> MatrixStudyContext::matrix_backends() const {
  std::vector<std::string> keys;
  for (const auto& entry : backends().entries())
    if (entry.available() && !entry.backend->lost() &&
        !catalog().matrix_formats.on(entry.key).empty() &&
        catalog().projectors.has(projector_, entry.key))
      keys.push_back(entry.key);
  std::stable_partition(keys.begin(), keys.end(), on_host);
  return keys;
}

double MatrixStudyContext::scale_on(const std::string& backend) const {
  return has_gpu() && on_host(backend) ? std::min(scale(), scale_of_cpu_) : scale();
}

std::vector<MatrixMethod> MatrixStudyContext::stored(const std::string& backend,
                                                     bool variants) const {
  std::vector<MatrixMethod> all;
  for (const auto* entry : catalog().matrix_formats.on(backend)) {
    const MatrixMethod plain{backend, projector_, projector_params_, entry->key};
    all.push_back(plain);
    if (!variants) continue;
    const auto format = catalog().matrix_formats.make(entry->key, backend, {});
    for (const ParamSpec& spec : entry->params) {
      if (!has_words(spec) || !format->uses(spec.key)) continue;
      for (const std::string& choice : spec.choices) {
        if (ParamValue(choice) == spec.fallback) continue;
        all.push_back(plain);
        all.back().params.set(spec.key, choice);
      }
    }
  }
  return all;
}

std::vector<MatrixMethod> MatrixStudyContext::tuned(const std::string& backend) const {
  std::vector<MatrixMethod> all;
  for (const auto* entry : catalog().matrix_formats.on(backend))
    for (const Params& params : combinations(entry->params))
      all.push_back({backend, projector_, projector_params_, entry->key, params});
  return all;
}

std::vector<MatrixMethod> MatrixStudyContext::on_the_fly(const std::string& backend,
                                                         bool others) const {
  std::vector<MatrixMethod> all;
  if (catalog().projectors.has(projector_, backend))
    all.push_back({backend, projector_, projector_params_});
  if (!others) return all;
  const BenchCase small = small_case();
  for (const auto* entry : catalog().projectors.on(backend)) {
    MatrixMethod method{backend, entry->key};
    if (entry->key == projector_ || !make(method, small)->matched()) continue;
    method.same_matrix = has_same_products(backend, entry->key);
    all.push_back(std::move(method));
  }
  return all;
}

/// Returns whether two projectors have the same matrix: their products with an image without
/// symmetry agree to a relative error of 1e-4.
bool MatrixStudyContext::has_same_products(const std::string& backend,
                                           const std::string& projector) const {
  const BenchCase small = small_case();
  const auto product = [&](const MatrixMethod& method) {
    const auto A = make(method, small);
    std::vector<float> image(A->domain_size());
    for (std::size_t j = 0; j < image.size(); ++j)
      image[j] = 1 + std::sin(0.37F * static_cast<float>(j));
    const Array x = Array::from(A->backend(), image);
    Array y = Array::filled(A->backend(), A->range_size(), 0);
    A->forward(x, y);
    return y.to_host();
  };
  const std::vector<float> ours = product({"cpu", projector_, projector_params_}),
                           theirs = product({backend, projector});
  double difference = 0, square = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    difference += std::pow(1.0 * ours[i] - theirs[i], 2);
    square += std::pow(1.0 * ours[i], 2);
  }
  return difference < 1e-8 * square;
}

std::unique_ptr<Projector> MatrixStudyContext::make(const MatrixMethod& method,
                                                    const BenchCase& setting) const {
  check_interrupt();
  auto projector = catalog().projectors.make(method.projector, method.backend,
                                             backends().resolve(method.backend), setting.geometry,
                                             setting.grid, method.projector_params);
  if (method.stored())
    projector = std::make_unique<StoredMatrix>(
        std::move(projector),
        catalog().matrix_formats.make(method.format, method.backend, method.params));
  projector->set_interrupt(interrupt());
  return projector;
}

std::unique_ptr<Projector> MatrixStudyContext::weights_on_cpu(const BenchCase& setting) const {
  return make({"cpu", projector_, projector_params_}, setting);
}

std::optional<MatrixTimes> MatrixStudyContext::time(const MatrixMethod& method,
                                                    const BenchCase& setting,
                                                    std::string& problem) const {
  say(method.backend + ", " + method.name() + " " + method.variant() + ", " +
      describe_case(setting));
  MatrixTimes times;
  problem = why_refused([&] {
    const auto projector = make(method, setting);
    if (const auto* matrix = dynamic_cast<const StoredMatrix*>(projector.get()))
      times.storage = matrix->storage();
    times.forward_s = product_seconds(*projector, Direction::projection);
    times.backward_s = product_seconds(*projector, Direction::backprojection);
  });
  if (!problem.empty()) return {};
  return times;
}

void MatrixStudyContext::add_summary_line(std::vector<StudyCell> what, const StudyCell& printed,
                                          const StudyCell& here, const std::string& unlike,
                                          Better better) {
  summary.compare(std::move(what), printed, here, unlike, better);
}

std::string three_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

std::string threads_text(int threads) {
  return std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

std::string describe_case(const BenchCase& setting) {
  return std::to_string(setting.grid.nx) + "^2 pixels, " +
         std::to_string(setting.geometry->views()) + " views x " +
         std::to_string(setting.geometry->columns()) + " rays";
}

std::vector<float> square_phantom(const StudyContext& context, const std::string& key,
                                  Params params, const VolumeGrid& grid) {
  const auto& entry = context.catalog().phantoms.at(key);
  const auto has = [&](const char* name) {
    return std::ranges::find(entry.params, std::string(name), &ParamSpec::key) !=
           entry.params.end();
  };
  const double width_mm = grid.nx * grid.spacing_mm.x;
  if (has("size_mm")) params.set("size_mm", width_mm);
  if (has("radius_mm")) params.set("radius_mm", 0.45 * width_mm);
  for (const char* unit : {"mu_scale", "mu_water"})
    if (has(unit)) params.set(unit, 1.0);
  std::vector<float> values(grid.voxels());
  voxelise(*entry.make("any", params), grid, 4, values, context.interrupt());
  for (float& value : values) value = std::max(value, 0.0F);
  return values;
}

double rmse_of(const std::vector<float>& image, const std::vector<float>& truth) {
  double sum = 0;
  for (std::size_t j = 0; j < image.size(); ++j) sum += std::pow(1.0 * image[j] - truth[j], 2);
  return std::sqrt(sum / static_cast<double>(image.size()));
}

std::vector<double> averaged_profile(const std::vector<float>& image, const VolumeGrid& grid) {
  std::vector<double> profile;
  const int row = grid.ny / 2;
  for (int x = 1; x + 1 < grid.nx; ++x) {
    double sum = 0;
    for (int v = row - 1; v <= row + 1; ++v)
      for (int u = x - 1; u <= x + 1; ++u) sum += image[grid.index(u, v, 0)];
    profile.push_back(sum / 9);
  }
  return profile;
}

}  // namespace gantry
