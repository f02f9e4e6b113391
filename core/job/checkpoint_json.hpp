#pragma once

#include "core/io/files/json_fields.hpp"
#include "core/job/checkpoint.hpp"

namespace gantry {

/// The header of a checkpoint file: everything but the values of the arrays, of which it holds the
/// lengths. A number that is not finite is written as a word.
nlohmann::ordered_json to_json(const Checkpoint& checkpoint);
/// The arrays have their lengths and no values yet, and take `data_bytes` in all. Throws
/// InputError.
Checkpoint checkpoint_from_json(const nlohmann::json& header, const std::string& where,
                                const Catalog& catalog, std::size_t data_bytes);

}  // namespace gantry
