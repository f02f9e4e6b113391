#pragma once

#include "gui/render/slice_scene.hpp"
#include "gui/views/vtk_view.hpp"

#include <QPoint>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// One slice with mouse control. The view turns gestures into signals that carry the new state and
/// is independent of runs and other views: a controller that links views receives the signals of
/// one view and sets the state of the others. Setters never emit signals.
///
///   left drag            window (sideways) and level (upwards), in proportion to the window
///   left drag, from the cross-hair: moves the line that is there, or both
///   Ctrl+left drag       turns an oblique plane (setTurnable)
///   Shift+left, middle   pan
///   right drag           zoom about the point where the drag began
///   wheel                slices; with Ctrl zoom about the mouse
///   double click         maximise
///   keys                 slices, and everything again: key_list.hpp
///
/// In profile mode a left drag draws the profile line, or moves one of its ends or the whole line.
/// In region mode a left drag draws a region, also inside another one; from the rim of a region it
/// resizes that region, and with Ctrl it moves the region under the mouse. regionDrawn is emitted
/// at the end of the drag. A click selects the region under the mouse, the smallest one. Keys move
/// and delete the selected region. In the modes of distance and angle a left drag draws a line; an
/// angle takes a second press for its other end. A left drag of the divider, or keys, move it.
class SliceView : public VtkView {
  Q_OBJECT

 public:
  explicit SliceView(QWidget* parent = nullptr);
  ~SliceView() override;

  const SliceScene& slice() const { return scene_; }

  void setImage(std::shared_ptr<const SliceImage> image);
  void setWindowLevel(double window, double level);
  void setColourMap(ColourMap map);
  void setColourBar(bool shown, const std::string& unit);
  void setInterpolation(Interpolation interpolation);
  void setView(const SliceCamera& camera);
  void fit();
  void setObject(const std::optional<ObjectBox>& object);
  void setVUp(bool up);
  void setEdgeLetters(const EdgeLetters& letters);
  void setScaleBar(bool shown);
  /// Says whether the scale bar is in mm, or, where no size is known, in cells.
  void setLengthsAreKnown(bool known);
  void setTitle(const std::string& title, std::optional<Rgb> colour = std::nullopt,
                std::vector<std::string> shorter = {});
  void setSelected(bool selected);
  void setStatus(const std::string& status, const std::string& brief = {});
  void setNotice(const std::string& notice);
  void setProfile(std::optional<LineSegment> profile);
  void setCursor(std::optional<PointMm> cursor);
  void setCrossHair(std::optional<CrossHair> cross_hair);
  void setTrace(const std::optional<PlaneTrace>& trace);
  /// Sets whether the view shows a plane that Ctrl and a drag turn.
  void setTurnable(bool turnable) { turnable_ = turnable; }
  void setRegions(std::vector<RegionMark> regions);
  void setEdge(std::optional<LineSegment> edge);
  void setRulers(std::vector<RulerMark> rulers);
  void setDivider(std::optional<Divider> divider);

  /// Sets the object that a left drag draws; a new region gets this shape.
  void setDrawMode(DrawMode mode, NewRegion shape = NewRegion::circle);
  DrawMode drawMode() const { return draw_mode_; }
  void setProfileMode(bool on) { setDrawMode(on ? DrawMode::profile : DrawMode::none); }
  bool profileMode() const { return draw_mode_ == DrawMode::profile; }

  QSize sizeHint() const override { return {500, 500}; }

 signals:
  void pressed();  ///< a mouse button, anywhere on the view
  void windowLevelChanged(double window, double level);
  void viewChanged(const gantry::SliceCamera& camera);
  /// Emitted when the view shows everything again; linked views of other sizes follow by fit(), not
  /// by a camera.
  void viewReset();
  void profileChanged(const gantry::LineSegment& profile);
  void regionPicked(int id);  ///< by a click, or where a drag begins to change it
  /// Emitted for a drawn, moved or resized region; id 0: a new one.
  void regionDrawn(int id, const gantry::Region& region);
  void regionNudged(int id, const gantry::Region& region);  ///< moved by a key
  void regionDeleted(int id);
  /// Emitted for a drawn distance (two points) or angle (three).
  void rulerDrawn(const std::vector<gantry::PointMm>& points);
  void dividerMoved(double u_mm);
  void cursorMoved(const gantry::PointMm& position);
  void cursorLeft();
  void sliceStepRequested(int steps);
  void maximiseRequested();
  /// Emitted for a left click without a drag, unless a drag would draw something.
  void clicked(const gantry::PointMm& position);
  /// Emitted while the cross-hair is dragged.
  void crossHairDragged(const gantry::PointMm& position);
  /// Emitted while a plane is turned: by how much since the last time, degrees.
  void turned(double turn_deg, double tilt_deg);
  /// Emitted for a right click without a drag, in widget coordinates.
  void contextMenuAsked(const QPoint& position);

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  enum class Gesture {
    none,
    window_level,
    pan,
    zoom,
    profile,
    region,
    ruler,
    divider,
    cross_hair,
    turn
  };
  Gesture gestureFor(const QMouseEvent& event) const;
  /// Which lines of the cross-hair are at a point of the view.
  struct CrossPart {
    bool vertical = false, horizontal = false;
    bool any() const { return vertical || horizontal; }
  };
  CrossPart crossPartAt(QPointF at) const;
  void dragCrossHair(QPointF at);
  void dragTurn(QPointF at);
  void dragWindowLevel(QPointF moved);
  void dragPan(QPointF moved);
  void dragZoom(QPointF moved);
  void beginProfile(QPointF at);
  void dragProfile(QPointF at);
  bool drawsRegion() const;
  static bool movesRegion(const QMouseEvent& event);
  const RegionMark* regionUnder(QPointF at, bool moves) const;
  const RegionMark* smallestRegion(QPointF at, bool byRim, bool isSelected) const;
  RegionPart partOf(const RegionMark& mark, QPointF at) const;
  void beginRegion(QPointF at, bool moves);
  void dragRegion(QPointF at);
  bool moveSelectedRegion(const QKeyEvent& event);
  void beginRuler(QPointF at);
  std::size_t rulerPoints() const;
  void showRuler(QPointF at);
  void addToRuler(QPointF at);
  void leaveRuler();
  bool moveDivider(const QKeyEvent& event);
  void zoomAbout(QPointF at, const SliceCamera& from, double factor);
  void moveTo(const SliceCamera& camera);
  void reset();
  void showPointer(QPointF at, bool moves = false);

  SliceScene& scene_;
  Gesture gesture_ = Gesture::none;
  Qt::MouseButton button_ = Qt::NoButton;
  QPointF pressed_at_;
  bool dragged_ = false;
  double window_before_ = 1, level_before_ = 0;
  SliceCamera view_before_;
  ProfilePart profile_part_ = ProfilePart::none;
  LineSegment profile_before_;
  DrawMode draw_mode_ = DrawMode::none;
  NewRegion new_shape_ = NewRegion::circle;
  RegionPart region_part_ = RegionPart::none;
  RegionMark region_before_;  // id 0: a new one
  Region region_;
  std::vector<PointMm> ruler_;  // the points so far of the one that is being drawn
  int wheel_remainder_ = 0;
  CrossPart cross_part_;
  bool turnable_ = false;
  QPointF turned_at_;
};

}  // namespace gantry
