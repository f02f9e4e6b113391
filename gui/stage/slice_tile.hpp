#pragma once

#include "core/worker/job_worker.hpp"
#include "gui/stage/object_box.hpp"
#include "gui/stage/tile_content.hpp"
#include "gui/stage/view_state.hpp"

#include <QFrame>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>

class QAction;
class QActionGroup;
class QMenu;

namespace gantry {

class DrawnMarks;
class Measurements;
class SliceView;
class TileTools;

/// Returns the letters at the edges of a plane: axes of the world, or, for patients, right, left,
/// anterior, posterior, head and feet.
EdgeLetters letters_for(Axis axis, bool radiological);

/// A view that shows an estimate or the reference, as it is, with another image (as difference, in
/// turn, or beside it), or the edge field of a run's prior. The view is linked with the other views
/// unless the user unlinks it.
class SliceTile : public QFrame {
  Q_OBJECT
 public:
  static constexpr int referenceId = 0;  ///< runs have ids from 1

  enum class Content { image, edges };
  /// Returns the present slice of a run (or of the reference) in a plane; null if there is none
  /// yet.
  using SliceSource = std::function<std::shared_ptr<const SliceImage>(int id, Content content,
                                                                      Axis axis, int slice)>;

  SliceTile(int id, ViewState& linked, SliceSource source, QWidget* parent = nullptr);

  int id() const { return id_; }
  SliceView& view() { return *view_; }
  /// Returns the plane and the slice that this view shows.
  ViewRequest::Slice plane() const;
  bool isLinked() const;
  const TileContent& content() const { return content_; }
  bool showsDifference() const { return content_.kind == TileContent::Kind::difference; }
  /// Returns the id of the image that is subtracted; none: no difference is shown.
  std::optional<int> differenceTo() const {
    return showsDifference() ? std::optional(content_.partner) : std::nullopt;
  }
  bool showsEdges() const { return content_.kind == TileContent::Kind::edges; }
  /// Whether the view needs the edge field of the run, alone or beside the image.
  bool needsEdges() const {
    return showsEdges() || content_.kind == TileContent::Kind::beside_edges;
  }

  void setTitle(const QString& title, std::optional<Rgb> colour);
  /// Sets shorter forms of the names of images, by id, for titles that find no room.
  void setShortNames(const std::map<int, QStringList>& names);
  void setStatus(const QString& status);
  const QString& title() const { return title_; }
  /// Returns the title with that of the partner, where one is shown.
  QString fullTitle() const;
  const QString& status() const { return status_; }
  /// Sets a text that is shown over the picture, unless the view is unlinked, which is said
  /// instead.
  void setNotice(const QString& notice);
  /// Shows what is measured, and lets it be drawn here: see DrawnMarks.
  void follow(Measurements& measurements);
  /// Sets the images that can be subtracted: ids and names.
  void setPartners(const std::vector<std::pair<int, QString>>& partners);
  /// Offers the edge field of the run's prior, or no longer. To be called before setPartners().
  void offerEdges(bool offered) { offersEdges_ = offered; }
  void showEdges();             ///< if they are offered
  void setDifference(bool on);  ///< subtracts a partner
  /// Shows the difference to an image of setPartners(), if it is one of them.
  void showDifferenceTo(int id);
  void show(const TileContent& content);  ///< if it is offered
  /// Shows this kind of content, with the partner of last time or the first one; or, where it is
  /// shown already, the image.
  void toggle(TileContent::Kind kind);
  /// Shows everything again.
  void fit() { state().setCamera(std::nullopt); }
  /// Keeps the present window of differences, which is otherwise fitted to the next difference that
  /// is shown.
  void keepDifferenceWindow() { differenceWindowIsSet_ = true; }
  /// Returns the entries of the menu of what the view can show.
  QList<QAction*> contents() const;
  const QMenu* contentMenu() const { return menu_; }
  void setLinked(bool linked);
  /// Offers to save and to pin the estimate of the run, where the run was started.
  void setResult(bool started, bool pinned);
  /// Draws the frame of the selected run.
  void setSelected(bool selected);
  /// Sets the box that the view shows until the user zooms; none: the whole slice.
  void setObject(const std::optional<ObjectExtent>& object);
  void setRadiological(bool on);
  /// Sets the grid, which limits the slice numbers.
  void setGrid(const VolumeGrid& grid);
  /// Must be called when the data have changed: the window of differences is fitted to them anew.
  void adoptData(const VolumeGrid& grid);

  /// Draws the latest slices. Does nothing when they are already shown.
  void refresh();
  /// Returns position and value (1/mm and HU) at a point, for the status bar.
  QString readout(const PointMm& at) const;
  QString caption() const;
  /// Returns "; grey from 0 to 0.04 1/mm (…); slice 12".
  QString greyText() const;

 signals:
  void maximiseRequested(int id);
  void pressed(int id);
  void hovered(int id);
  void left();
  void pictureChanged();  ///< another one is shown, so that the values under the mouse are others
  void planeWanted();     ///< the plane or the content has changed: other slices are needed
  void menuRequested(int id, const QPoint& global);
  void saveWanted(int run);
  void pinWanted(int run, bool pin);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  ViewState& state() const { return isLinked() ? linked_ : const_cast<ViewState&>(own_); }
  void connectView();
  void followState();
  void applyWindow();
  void applyLetters();
  void applyNotice();
  void applyMarks();
  void applyTitle();
  void applyDivider();
  QString nameOf(int partner) const;
  QString titleOf(const QString& own, const QString& partner) const;
  void showTogether(std::shared_ptr<const SliceImage> own);
  void unlink(bool unlinked);
  void stepSlice(int steps);
  void addContent(QMenu* menu, const QString& text, const TileContent& content);
  QAction* contentAction(const TileContent& content) const;
  void showImage();

  int id_;
  ViewState& linked_;
  ViewState own_;
  SliceSource source_;
  SliceView* view_;
  QMenu* menu_;
  QActionGroup* contents_;
  TileTools* tools_;
  TileContent content_;
  int lastPartner_ = -1;
  std::vector<std::pair<int, QString>> partners_;
  std::map<int, QStringList> shortNames_;
  QTimer blink_;
  bool blinks_ = false;  // the partner is shown at present
  std::optional<double> divider_mm_, divided_at_;
  VolumeGrid grid_;
  bool radiological_ = false, differenceWindowIsSet_ = false, offersEdges_ = false;
  QString title_, status_, notice_;
  std::optional<Rgb> colour_;
  DrawnMarks* marks_ = nullptr;
  std::optional<ObjectExtent> object_;
  // The images of which the picture was made.
  std::shared_ptr<const SliceImage> shown_, own_image_, other_image_;
  std::pair<double, double>
      edges_window_;  ///< width and level with which the edge field was joined
};

}  // namespace gantry
