#pragma once

#include "core/io/files/json_fields.hpp"
#include "core/job/checkpoint.hpp"

namespace gantry {

/// Returns the header of a checkpoint file: everything but the elements of the arrays, whose
/// lengths it holds. Numbers that are not finite are written as words.
nlohmann::ordered_json to_json(const Checkpoint& checkpoint);
/// Reads a header. The arrays have their lengths but no values yet; in the file they take
/// `data_bytes` bytes together. Throws InputError.
Checkpoint checkpoint_from_json(const nlohmann::json& header, const std::string& where,
                                const Catalog& catalog, std::size_t data_bytes);

}  // namespace gantry
