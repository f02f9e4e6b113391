#include "app/cli/correction_options.hpp"

#include "app/cli/checks.hpp"
#include "app/cli/run_options.hpp"
#include "core/base/error.hpp"

#include <sstream>

namespace gantry::cli {

namespace {

/// Returns a step of "KEY" or "KEY:param=value,...".
CorrectionSpec parse_step(const std::string& text, const Catalog& catalog) {
  CorrectionSpec step;
  const std::size_t colon = text.find(':');
  step.key = text.substr(0, colon);
  const auto& entry = catalog.corrections.at(step.key);
  if (colon == std::string::npos) return step;
  std::vector<std::string> settings;
  std::istringstream rest(text.substr(colon + 1));
  for (std::string setting; std::getline(rest, setting, ',');) {
    if (setting.find('=') == std::string::npos)
      throw UsageError("\"" + setting + "\" is no setting of " + step.key, "--correct",
                       "write KEY:param=value,param=value");
    settings.push_back(step.key + "." + setting);
  }
  step.params = parse_settings(settings, step.key, entry.params);
  return step;
}

}  // namespace

void CorrectionOptions::add_to(CLI::App& app) {
  app.add_option("--correct", texts,
                 "correction, see gantry-cli list corrections; can be given again")
      ->type_name("KEY[:PARAM=VALUE,...]")
      ->expected(1)
      ->take_all()
      ->check(not_empty());
}

std::vector<CorrectionSpec> CorrectionOptions::steps(const Catalog& catalog) const {
  std::vector<CorrectionSpec> all;
  for (const std::string& text : texts) all.push_back(parse_step(text, catalog));
  return all;
}

}  // namespace gantry::cli
