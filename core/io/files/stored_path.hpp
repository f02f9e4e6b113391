#pragma once

#include <string>

namespace gantry {

/// Returns a path as a file in `folder` names it: relative to the folder if it lies below, else in
/// full. A relative path refers to the working folder rather than to the folder of the file, and is
/// made absolute first. Empty stays empty.
std::string stored_path(const std::string& path, const std::string& folder);

/// Returns the path that a file in `folder` names: the inverse of stored_path().
std::string absolute_path(const std::string& stored, const std::string& folder);

}  // namespace gantry
