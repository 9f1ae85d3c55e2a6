// One scatter plot: a frame with axes below, the points, and marks above them, each on a canvas of its own.

/// What all plots share. An axis is the number of a coordinate from 0, or ROW; z is null in two dimensions.
const ROW = -1;
const state = {
  x: mostCoordinates > 1 ? 0 : ROW,
  y: mostCoordinates > 1 ? 1 : 0,
  z: null,
  color: label ? "label" : "0:0",
  tool: "move",
  hover: -1,
  selected: 0,
};
const chosen = new Uint8Array(shown);
const colors = new Uint8Array(4 * shown);
const zeros = new Float32Array(shown);

const axisName = (axis) => (axis === ROW ? "row number" : `coordinate ${axis + 1}`);

/// Colours of the theme, read once per change of theme since asking costs a layout.
const themeColors = {};
function readThemeColors() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["card", "ink", "muted", "line", "grid", "accent"]) {
    themeColors[name] = style.getPropertyValue(`--${name}`).trim();
  }
  themeColors.background = times(3, (k) => parseInt(themeColors.card.slice(1 + 2 * k, 3 + 2 * k), 16));
}

class Plot {
  constructor(embedding) {
    this.embedding = embedding;
    this.view = new View();
    this.drawn = 0;
    this.outline = [];
    this.about = el("p", { class: "about" });
    [this.frame, this.canvas, this.marks] = ["frame", "points", "marks"].map((name) => el("canvas", { class: name }));
    this.stage = el("div", { class: "stage", tabindex: "0", role: "application" }, this.frame, this.canvas, this.marks);
    this.element = el("article", { class: "plot" }, el("h3", {}, embedding.title), this.about, this.stage);
    this.renderer = (location.hash !== "#canvas" && webglRenderer(this.canvas)) || this.fallBack();
    this.renderer.onRestored = () => this.upload();
    this.look = {
      count: shown, ratio: 1, diameter: 4, opacity: 1, dimmed: 0.1, someChosen: false, background: [0, 0, 0],
    };
    this.needsPoints = this.isScheduled = this.isSized = false;
    this.drawSoon = this.drawNow.bind(this);
    new ResizeObserver(() => this.resize()).observe(this.stage);
    this.chooseAxes();
    this.upload();
  }

  /// A canvas that was asked for WebGL gives nothing else, so there must be a new one.
  fallBack() {
    const canvas = el("canvas", { class: "points" });
    this.canvas.replaceWith(canvas);
    this.canvas = canvas;
    return canvasRenderer(canvas);
  }

  /// The shared axes, as far as this embedding has them; never the same coordinate twice unless asked for.
  chooseAxes() {
    const { size, values } = this.embedding;
    if (size === 1) this.axes = [ROW, 0, null];
    else {
      const wanted = [state.x, state.y, size > 2 ? state.z : null];
      this.axes = [];
      wanted.forEach((axis, k) => {
        let index = axis === null ? null : Math.min(axis, size - 1);
        const isRepeated = (i) => this.axes.includes(i) && !wanted.slice(0, k).includes(axis);
        while (index !== null && index > 0 && isRepeated(index)) index--;
        this.axes.push(index);
      });
    }
    const valuesOf = (axis) => (axis === null ? zeros : axis === ROW ? rowNumbers() : values[axis]());
    this.points = this.axes.map(valuesOf);
    this.view.solid = this.axes[2] !== null;
    this.view.ranges = this.points.map(extent);
    this.view.reset();
    this.describe();
    this.renderer.setPoints(this.points);
    this.invalidate();
  }

  describe() {
    const [x, y] = this.axes;
    const error = x !== ROW && y !== ROW && x !== y ? this.embedding.pairwise?.[y]?.[x] : null;
    this.about.textContent = isNumber(error)
      ? `Coordinate ${y + 1} is predictable from coordinate ${x + 1} by ${percent(error)} of its variance.` : "";
    const axes = this.axes.filter((axis) => axis !== null).map(axisName).join(", ");
    const keys = "Arrow keys move or turn, plus and minus zoom, 0 resets, Escape clears the selection.";
    const name = `Scatter plot, ${this.embedding.title}: ${axes}.`;
    this.stage.setAttribute("aria-label", `${name} ${this.about.textContent} ${keys}`);
  }

  upload() {
    this.renderer.setPoints(this.points);
    this.renderer.setColors(colors);
    this.renderer.setChosen(chosen);
    this.invalidate();
  }

  setColors() {
    this.renderer.setColors(colors);
    this.invalidate();
  }

  setChosen() {
    this.renderer.setChosen(chosen);
    this.invalidate();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (!width || !height) return;
    this.look.ratio = Math.min(2, window.devicePixelRatio || 1);
    for (const canvas of [this.frame, this.canvas, this.marks]) {
      canvas.width = Math.round(width * this.look.ratio);
      canvas.height = Math.round(height * this.look.ratio);
    }
    this.view.resize(width, height);
    this.isSized = true;
    // At once: a canvas that changed its size is empty until the next frame otherwise.
    this.needsPoints = true;
    this.drawNow();
  }

  /// Draws everything again, or the marks only, at the next frame.
  invalidate(marksOnly = false) {
    this.needsPoints ||= !marksOnly;
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(this.drawSoon);
  }

  drawNow() {
    this.isScheduled = false;
    // Nothing to draw on before the first layout.
    if (!this.isSized || !this.stage.clientWidth) return;
    if (this.needsPoints) {
      this.drawFrame();
      this.drawPoints();
    }
    this.drawMarks();
    this.needsPoints = false;
  }

  drawPoints() {
    const { look, view } = this;
    const base = Math.min(9, Math.max(2.4, 11.5 - 1.85 * Math.log10(shown)));
    look.diameter = Math.min(14, base * Math.min(2.5, Math.max(1, view.zoom) ** 0.25));
    look.opacity = view.solid ? 1 : shown > 30000 ? 0.55 : shown > 5000 ? 0.75 : 0.88;
    look.dimmed = shown > 30000 ? 0.05 : 0.12;
    look.someChosen = state.selected > 0;
    look.background = themeColors.background;
    this.renderer.draw(view, look);
    this.drawn = look.count;
  }

  context(canvas) {
    const context = canvas.getContext("2d");
    context.setTransform(this.look.ratio, 0, 0, this.look.ratio, 0, 0);
    context.clearRect(0, 0, this.view.width, this.view.height);
    context.font = "12px system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif";
    return context;
  }

  drawFrame() {
    const context = this.context(this.frame);
    if (this.view.solid) drawCube(context, this.view, this.axes.map(axisName));
    else drawAxes(context, this.view, this.axes.slice(0, 2).map(axisName));
  }

  /// The hovered point and the outline of a selection in progress.
  drawMarks() {
    const context = this.context(this.marks);
    if (this.outline.length > 2) {
      context.beginPath();
      for (let i = 0; i < this.outline.length; i += 2) context.lineTo(this.outline[i], this.outline[i + 1]);
      context.closePath();
      context.strokeStyle = themeColors.accent;
      context.fillStyle = themeColors.accent;
      context.lineWidth = 1.5;
      context.globalAlpha = 0.12;
      context.fill();
      context.globalAlpha = 1;
      context.stroke();
    }
    if (state.hover < 0) return;
    const [x, y] = this.view.place(...this.points.map((values) => values[state.hover]));
    const { left, right, top, bottom } = this.view.area;
    if (!(x >= left && x <= right && y >= top && y <= bottom)) return;
    const radius = this.look.diameter / 2 + 4;
    for (const [width, color] of [[5, themeColors.card], [2.5, themeColors.ink]]) {
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.lineWidth = width;
      context.strokeStyle = color;
      context.stroke();
    }
  }

  /// Whether anything but background was drawn.
  hasPixels() {
    const copy = el("canvas");
    copy.width = this.canvas.width;
    copy.height = this.canvas.height;
    const context = copy.getContext("2d");
    context.drawImage(this.canvas, 0, 0);
    return context.getImageData(0, 0, copy.width, copy.height).data.some((value) => value > 0);
  }
}
