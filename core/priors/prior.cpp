#include "core/priors/prior.hpp"

#include "core/base/error.hpp"

#include <stdexcept>

namespace gantry {

namespace {

void require(bool offered, const char* what) {
  if (!offered) throw std::logic_error(std::string("this prior has no ") + what);
}

}  // namespace

void Prior::start_edges(const Array& x) {
  if (Array* v = edges()) v->backend().fill(*v, 1.0F);
  adapt_edges(x);
}

void Prior::gradient(const Array& x, Array& g, Array& h) const {
  require(traits_.has_gradient, "gradient");
  do_gradient(x, g, h);
}

PriorLine Prior::along(const Array& x, const Array& d, double a) const {
  require(traits_.has_gradient, "gradient");
  return do_along(x, d, a);
}

void Prior::gradient_at(const Array& x, const VoxelLattice& voxels, Array& g, Array& h) const {
  require(traits_.has_gradient, "gradient");
  do_gradient_at(x, voxels, g, h);
}

void Prior::proximal(const ProximalTask& task, Array& dual, Array& x) {
  require(traits_.has_proximal, "proximal map");
  if (dual.size() != dual_size()) throw ShapeError("the prior's dual does not fit the grid");
  do_proximal(task, dual, x);
}

std::size_t Prior::dual_size() const {
  require(traits_.has_proximal, "proximal map");
  return do_dual_size();
}

void Prior::do_gradient(const Array&, Array&, Array&) const { require(false, "gradient"); }
void Prior::do_gradient_at(const Array&, const VoxelLattice&, Array&, Array&) const {
  require(false, "gradient");
}
PriorLine Prior::do_along(const Array&, const Array&, double) const {
  require(false, "gradient");
  return {};
}
void Prior::do_proximal(const ProximalTask&, Array&, Array&) { require(false, "proximal map"); }
std::size_t Prior::do_dual_size() const {
  require(false, "proximal map");
  return 0;
}

}  // namespace gantry
