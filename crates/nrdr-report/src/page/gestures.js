// Pointer, wheel and keys on a plot: move, turn, zoom, select, hover.

const HOVER_REACH = 8;
const CLICK_SLACK = 4;

function listen(plot, hooks) {
  const { stage, view } = plot;
  const pointers = new Map();
  let drag = null;
  let hoverAt = null;

  function place(event) {
    const box = stage.getBoundingClientRect();
    return [event.clientX - box.left - stage.clientLeft, event.clientY - box.top - stage.clientTop];
  }

  function changed() {
    plot.move();
    hooks.hover(plot, -1);
    hooks.moved(plot);
  }

  /// Ends what is going on without doing anything.
  plot.cancel = () => {
    drag = null;
    pointers.clear();
    plot.outline = [];
    stage.classList.remove("dragging");
    plot.invalidate(true);
  };

  /// Hovering is looked up once a frame, however often the mouse reports.
  function lookUp() {
    if (!hoverAt) return;
    const [x, y] = hoverAt;
    hoverAt = null;
    hooks.hover(plot, view.nearest(plot.points, colors, x, y, HOVER_REACH, plot.look.diameter / 2));
  }

  stage.addEventListener("pointerdown", (event) => {
    if (event.button > 1) return;
    stage.setPointerCapture(event.pointerId);
    const [x, y] = place(event);
    pointers.set(event.pointerId, [x, y]);
    const extra = event.ctrlKey || event.metaKey;
    const selects = event.shiftKey || state.tool !== "move";
    const shape = state.tool === "lasso" ? "lasso" : "rectangle";
    const kind = selects ? shape : view.solid && !extra && event.button === 0 ? "turn" : "pan";
    drag = { kind, x, y, startX: x, startY: y, adds: extra };
    plot.outline = [x, y];
    stage.classList.toggle("dragging", !selects);
    hooks.hover(plot, -1);
  });

  stage.addEventListener("pointermove", (event) => {
    const [x, y] = place(event);
    if (!drag) {
      if (!hoverAt) requestAnimationFrame(lookUp);
      hoverAt = [x, y];
      return;
    }
    if (pointers.size > 1 && pointers.has(event.pointerId)) return pinch(event.pointerId, x, y);
    const [dx, dy] = [x - drag.x, y - drag.y];
    [drag.x, drag.y] = [x, y];
    if (drag.kind === "pan") view.pan(dx, dy);
    else if (drag.kind === "turn") view.turn(dx, dy);
    else if (drag.kind === "lasso") plot.outline.push(x, y);
    else plot.outline = [drag.startX, drag.startY, x, drag.startY, x, y, drag.startX, y];
    if (drag.kind === "lasso" || drag.kind === "rectangle") plot.invalidate(true);
    else {
      plot.move();
      hooks.moved(plot);
    }
  });

  /// Two fingers zoom and move together.
  function pinch(id, x, y) {
    const other = [...pointers].find(([key]) => key !== id)[1];
    const before = pointers.get(id);
    const distance = ([a, b]) => Math.max(1, Math.hypot(a - other[0], b - other[1]));
    const factor = distance([x, y]) / distance(before);
    pointers.set(id, [x, y]);
    view.zoomAt(other[0], other[1], factor);
    plot.outline = [];
    plot.move();
    hooks.moved(plot);
  }

  function end(event) {
    pointers.delete(event.pointerId);
    if (!drag || pointers.size > 0) return;
    const isClick = Math.hypot(drag.x - drag.startX, drag.y - drag.startY) < CLICK_SLACK && plot.outline.length < 12;
    const selects = drag.kind === "lasso" || drag.kind === "rectangle";
    if (isClick && event.type === "pointerup") {
      const point = view.nearest(plot.points, colors, drag.x, drag.y, HOVER_REACH, plot.look.diameter / 2);
      if (point >= 0) hooks.pin(point);
      else if (selects) hooks.clear();
      else hooks.pin(-1);
    } else if (selects && event.type === "pointerup") hooks.select(plot, plot.outline, drag.adds);
    plot.outline = [];
    plot.invalidate(true);
    stage.classList.remove("dragging");
    drag = null;
  }
  stage.addEventListener("pointerup", end);
  stage.addEventListener("pointercancel", end);
  stage.addEventListener("pointerleave", () => {
    hoverAt = null;
    if (!drag) hooks.hover(plot, -1);
  });

  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    view.zoomAt(...place(event), Math.exp(-Math.max(-200, Math.min(200, event.deltaY * lines)) * 0.0022));
    changed();
  }, { passive: false });

  stage.addEventListener("dblclick", () => {
    view.reset();
    hooks.pin(-1);
    changed();
  });

  stage.addEventListener("keydown", (event) => {
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (arrow && view.solid) view.turn(arrow[0] * 20, arrow[1] * 20);
    else if (arrow) view.pan(arrow[0] * -30, arrow[1] * -30);
    else if (event.key === "+" || event.key === "=") view.zoomAt(view.width / 2, view.height / 2, 1.25);
    else if (event.key === "-") view.zoomAt(view.width / 2, view.height / 2, 0.8);
    else if (event.key === "0") view.reset();
    else return;
    event.preventDefault();
    changed();
  });
}
