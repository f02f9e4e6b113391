#pragma once

#include "core/job/experiment_data.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace gantry {

constexpr std::uint64_t empty_checksum = 0xcbf29ce484222325ULL;
/// FNV-1a of 64 bits, by words of 8 bytes: finds damage, but not what somebody made up to be equal.
/// `before`: of what comes before these bytes.
std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t before = empty_checksum);

/// Of what a run computes from: geometry, line integrals and grid. Never 0.
std::uint64_t fingerprint(const ExperimentData& data);

}  // namespace gantry
