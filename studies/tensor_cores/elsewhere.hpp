#pragma once

#include <array>

/// Times of other programs that this program did not take: for orientation, on one device and day.
/// A32: 32 slices of 512^2 pixels, 720 views of 512 cells of a flat detector, in a fan beam whose
/// distances are those of the study's fan beam; its field is narrower.
namespace gantry::tensor_cores::elsewhere {

constexpr const char* device = "NVIDIA H200";
constexpr const char* day = "2026-11-22";
constexpr const char* beam =
    "a fan beam (A32) with a field of 1.07 image sides; the study's have 1.26";
constexpr int side = 512, slices = 32;

/// Times of all slices, ms: of an iteration of SIRT, and of both products; 0: not measured.
struct Program {
  const char *name, *version;
  double sirt_ms, forward_ms, back_ms;
};
constexpr std::array<Program, 4> programs = {
    {{"ASTRA", "2.5.0", 23.8, 18.8, 18.0},
     {"LEAP, matched footprints", "1.26", 38.1, 17.7, 20.2},
     {"torch-radon", "5796b2a", 0, 5.85, 6.10},
     {"torch-radon, half precision", "5796b2a", 0, 2.59, 2.03}}};

}  // namespace gantry::tensor_cores::elsewhere
