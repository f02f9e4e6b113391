#include "app/cli/checks.hpp"
#include "app/cli/commands.hpp"
#include "core/geometry/presets.hpp"

#include <cstdio>
#include <iostream>
#include <memory>

namespace gantry::cli {

namespace {

void print_params(const std::vector<ParamSpec>& params) {
  for (const ParamSpec& spec : params) {
    std::printf("    %s = %s%s%s", spec.key.c_str(), format_param(spec.fallback).c_str(),
                spec.unit.empty() ? "" : " ", spec.unit.c_str());
    if (!spec.choices.empty()) {
      std::printf("  (");
      for (std::size_t i = 0; i < spec.choices.size(); ++i)
        std::printf("%s%s", i == 0 ? "" : ", ", spec.choices[i].c_str());
      std::printf(")");
    }
    const bool number = std::holds_alternative<double>(spec.fallback) ||
                        std::holds_alternative<std::int64_t>(spec.fallback);
    if (number) std::printf("  (%s)", range_text(spec).c_str());
    std::printf("\n        %s\n", spec.help.c_str());
  }
}

/// `all`: also what is kept for the comparisons of published studies.
template <class Entries>
void print_entries(const char* title, const Entries& registry, bool all) {
  std::printf("%s\n", title);
  for (const auto& entry : registry.entries()) {
    if (entry.is_for_studies() && !all) continue;
    std::printf("  %-18s %s [%s]%s\n    %s\n", entry.key.c_str(), entry.label.c_str(),
                entry.backends().c_str(), entry.is_for_studies() ? ", kept for comparison" : "",
                entry.help().c_str());
    print_params(entry.params);
  }
}

void print_presets() {
  std::printf("presets\n");
  for (const ScanPreset& preset : scan_presets())
    std::printf("  %-18s %s\n    %s; grid %s\n    %s\n", preset.key.c_str(), preset.label.c_str(),
                describe(ScanGeometry(preset.scan)).c_str(), describe(preset.grid).c_str(),
                preset.reference.c_str());
}

int list(const std::string& what, bool all, const Program& program) {
  const auto wanted = [&](const char* kind) { return what.empty() || what == kind; };
  if (wanted("projectors")) print_entries("projectors", program.catalog.projectors, all);
  if (wanted("formats")) print_entries("formats", program.catalog.matrix_formats, all);
  if (wanted("solvers")) print_entries("solvers", program.catalog.solvers, all);
  if (wanted("priors")) print_entries("priors", program.catalog.priors, all);
  if (wanted("metrics")) print_entries("metrics", program.catalog.metrics, all);
  if (wanted("phantoms")) print_entries("phantoms", program.catalog.phantoms, all);
  if (wanted("presets")) print_presets();
  if (wanted("backends")) {
    std::printf("backends\n");
    for (const auto& entry : program.backends.entries())
      std::printf("  %-18s %s%s%s\n", entry.key.c_str(), entry.name.c_str(),
                  entry.available() ? "" : ": not available, ",
                  entry.backend->unavailable_because().c_str());
  }
  return 0;
}

}  // namespace

Command add_list(CLI::App& app, Program& program) {
  auto what = std::make_shared<std::string>();
  auto all = std::make_shared<bool>(false);
  CLI::App* sub = app.add_subcommand(
      "list", "List algorithms, phantoms, presets and devices with their parameters");
  sub->add_option("WHAT", *what,
                  "projectors, formats, solvers, priors, metrics, phantoms, presets, backends")
      ->check(one_of({"projectors", "formats", "solvers", "priors", "metrics", "phantoms",
                      "presets", "backends"}))
      ->type_name("");
  sub->add_flag("--all", *all, "Also what is kept for the comparisons of published studies");
  sub->footer("Example:\n  gantry-cli list solvers");
  return {sub, [what, all, &program] { return list(*what, *all, program); }};
}

}  // namespace gantry::cli
