#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace gantry::cli {

/// Return validators of options. Their messages say what is wrong with a value. They refuse NaN,
/// infinity and a duplicate sign.
CLI::Validator positive();
CLI::Validator not_negative();
CLI::Validator real(double low, double high);
CLI::Validator whole(long long low, long long high);
CLI::Validator one_of(const std::vector<std::string>& words);
/// Refuses an empty text; checks paths and names.
CLI::Validator not_empty();

}  // namespace gantry::cli
