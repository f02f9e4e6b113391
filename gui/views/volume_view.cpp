#include "gui/views/volume_view.hpp"

namespace gantry {

namespace {

// What a graphics card, and two processor cores, draw several times a second.
constexpr std::size_t most_voxels = std::size_t{512} * 512 * 512, most_in_software = 128 * 128 * 64;

}  // namespace

VolumeView::VolumeView(QWidget* parent)
    : OrbitView(std::make_unique<VolumeScene>(drawsInSoftware() ? most_in_software : most_voxels),
                Ground::black, Wheel::zooms, parent),
      scene_(static_cast<VolumeScene&>(baseScene())) {
  setFocusPolicy(Qt::StrongFocus);
}

VolumeView::~VolumeView() = default;

void VolumeView::setVolume(const VolumeGrid& grid,
                           std::shared_ptr<const std::vector<float>> values) {
  scene_.setVolume(grid, std::move(values));
  scheduleRender();
}

void VolumeView::setWindowLevel(double window, double level) {
  scene_.setWindowLevel(window, level);
  scheduleRender();
}

void VolumeView::setMode(VolumeMode mode) {
  scene_.setMode(mode);
  scheduleRender();
}

void VolumeView::setTitle(const std::string& title) {
  scene_.setTitle(title);
  scheduleRender();
}

}  // namespace gantry
