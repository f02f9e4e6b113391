#pragma once

#include "core/corrections/correction.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Beam hardening of one material, water for example, by a beam of two energies. Of the signal in
/// air the part s has the lower energy, at which the material attenuates r times as much: p = -ln(s
/// exp(-r q) + (1 - s) exp(-q)), where q is the line integral at the higher energy. This is solved
/// for q, and p <- (1 + s (r - 1)) q, the tangent at 0, which leaves thin objects unchanged.
/// Negative values, which only noise causes, are not changed.
/// Van de Casteele, Van Dyck, Sijbers and Raman, "An energy-based beam hardening model in
/// tomography", Physics in Medicine and Biology 47 (2002) 4181.
std::vector<ParamSpec> beam_hardening_bimodal_params();
std::unique_ptr<Correction> make_beam_hardening_bimodal(const ScanGeometry& scan,
                                                        const Params& params);

}  // namespace gantry
