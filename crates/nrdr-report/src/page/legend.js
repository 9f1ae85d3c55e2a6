// What the colours mean: a bar for numbers, a button for each class that shows it alone.

const MOST_BUTTONS = 200;
/// Colours of more classes than this cannot be told apart with certainty.
const CLEAR = 30;

function drawLegend(coloring, isolate) {
  const host = byId("legend");
  host.replaceChildren();
  const title = coloring.long || coloring.name;
  if (!coloring.codes) {
    const [low, high] = extent(coloring.values());
    const meaning = `${title}, from ${brief(low)} to ${brief(high)}`;
    const bar = el("canvas", { width: "256", height: "1", role: "img", "aria-label": meaning });
    const context = bar.getContext("2d");
    for (let i = 0; i < 256; i++) {
      context.fillStyle = css(ramp(i / 255));
      context.fillRect(i, 0, 1, 1);
    }
    const marks = ticks(low, high, 4).map((value) => el("span", {
      style: `left:${((100 * (value - low)) / (high - low)).toFixed(2)}%`,
    }, brief(value)));
    host.append(el("div", { class: "bar" }, el("span", { class: "name" }, title), bar, el("div", { class: "marks" }, ...marks)));
    return;
  }
  const { names } = coloring;
  const one = (name, k) => el("button", {
    type: "button", title: `Show only ${name}; with Ctrl or Shift several`, "aria-pressed": "false", "data-category": k,
    onclick: (event) => isolate(k, event.shiftKey || event.ctrlKey || event.metaKey),
  }, el("i", { class: "swatch", style: `background:${css(categoryColor(k))}` }), el("span", {}, name));
  const many = names.length > CLEAR ? `; of ${grouped(names.length)} classes some colours are close` : "";
  const all = button("Show all", () => isolate(null), { id: "show-all", class: "quiet", hidden: true });
  host.append(el("span", { class: "muted" }, el("b", {}, title), ` \u2013 click a class to see it alone${many} `), all,
    el("div", { class: "categories" }, ...names.slice(0, MOST_BUTTONS).map(one),
      names.length > MOST_BUTTONS
        ? el("span", { class: "muted" }, `and ${grouped(names.length - MOST_BUTTONS)} more`) : null));
}

/// Buttons of classes that are shown alone look pressed.
function pressCategories() {
  for (const each of document.querySelectorAll("[data-category]")) {
    each.setAttribute("aria-pressed", String(isolated.has(Number(each.dataset.category))));
  }
  const all = byId("show-all");
  if (all) all.hidden = isolated.size === 0;
}
