// Small charts as SVG; colours come from the stylesheet, so that a change of theme needs no drawing.

function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((child) => child != null));
  return element;
}

const titled = (tag, attributes, title) => svg(tag, attributes, svg("title", {}, title));

/// A place for a chart that is drawn again when its width changes, so that text keeps its size; and, if it has the colours
/// of points, when these change.
function chart(description, draw, isColored = false) {
  const host = el("div", { class: "chart" });
  let width = 0;
  const redraw = () => {
    if (!width) return;
    const picture = draw(width);
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", description);
    host.replaceChildren(picture);
  };
  new ResizeObserver(() => {
    if (host.clientWidth === width || !host.clientWidth) return;
    width = host.clientWidth;
    redraw();
  }).observe(host);
  if (isColored) followers.set(host, redraw);
  return host;
}

/// Names of the series; a color of its own stands for a class of the stylesheet where there is none.
function keys(series) {
  const swatch = (color) => el("i", { class: "swatch", style: color && `--c:${color}` });
  const key = ({ name, kind, color }) => el("li", { class: kind }, swatch(color), name);
  return el("ul", { class: "keys" }, ...series.map(key));
}

/// A function from values to pixels, with its ticks.
function scale(low, high, from, to, { isLog = false, wanted = 5 } = {}) {
  const warp = isLog ? Math.log10 : (value) => value;
  const [a, b] = [warp(low), warp(high)];
  const place = (value) => from + ((warp(value) - a) / (b - a || 1)) * (to - from);
  let marks = ticks(low, high, wanted);
  if (isLog) {
    const step = Math.max(1, Math.ceil((b - a) / wanted));
    const first = Math.ceil(a - 1e-9);
    const powers = times(Math.floor(b + 1e-9) - first + 1, (i) => first + i);
    marks = powers.filter((power) => power % step === 0);
    marks = marks.map((power) => 10 ** power);
    if (marks.length < 2) marks = [low, high];
  }
  return { place, marks };
}

const power = (value) => (value >= 1e-3 && value < 1e4 ? brief(value) : brief(Number(value.toPrecision(1))));

/// Every whole number, or every fifth and so on where there is no room for all.
function spaced(count, room) {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((each) => (count / each) * 30 <= room) || count;
  return times(count, (i) => i + 1).filter((i) => i % step === 0 || (step > 2 && i === 1));
}

const PAD = { right: 12, top: 12, bottom: 42 };

/// Room at the left for the ticks and the name of the axis.
const leftOf = (marks, write) => 30 + 7 * Math.max(2, ...marks.map((mark) => write(mark).length));

/// Axes with horizontal grid lines; `across` gives the pixels of a whole number.
function grid(width, height, left, vertical, across, count, [nameX, nameY], write = brief) {
  const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
  for (const mark of vertical.marks) {
    const y = vertical.place(mark);
    picture.append(svg("line", { class: "grid", x1: left, x2: width - PAD.right, y1: y, y2: y }),
      svg("text", { x: left - 7, y: y + 4, "text-anchor": "end" }, write(mark)));
  }
  const bottom = height - PAD.bottom;
  picture.append(svg("line", { class: "axis", x1: left, x2: width - PAD.right, y1: bottom, y2: bottom }));
  for (const i of spaced(count, width - left - PAD.right)) {
    picture.append(svg("text", { x: across(i), y: bottom + 16, "text-anchor": "middle" }, String(i)));
  }
  const name = { class: "strong", "text-anchor": "middle" };
  picture.append(svg("text", { ...name, x: (left + width - PAD.right) / 2, y: height - 6 }, nameX),
    svg("text", { ...name, transform: `translate(12 ${(PAD.top + bottom) / 2}) rotate(-90)` }, nameY));
  return picture;
}

/// Bars side by side for each number from 1; values are percent.
function groupedBars(series, count, names) {
  return (width) => {
    const height = 260;
    const high = 100;
    const bottom = height - PAD.bottom;
    const vertical = scale(0, high, bottom, PAD.top);
    const left = leftOf(vertical.marks, brief);
    const room = (width - left - PAD.right) / count;
    const across = (i) => left + (i - 0.5) * room;
    const picture = grid(width, height, left, vertical, across, count, names);
    const bar = Math.min(34, (room * 0.74) / series.length);
    series.forEach(({ name, kind, values }, s) => values.forEach((value, i) => {
      if (!isNumber(value)) return;
      const y = vertical.place(Math.max(0, value));
      // A bar of height 0 is still seen as a line.
      const drawn = Math.max(1.5, bottom - y);
      picture.append(titled("rect", {
        class: `fill ${kind}`, x: across(i + 1) + (s - series.length / 2) * bar, y: bottom - drawn,
        width: Math.max(1, bar - (bar > 6 ? 2 : 0.5)), height: drawn, rx: bar > 6 ? 2 : 0,
      }, `${name}, coordinate ${i + 1}: ${Math.round(value)}\u202f%`));
    }));
    return picture;
  };
}

/// The ends of the vertical axis; 0 is one of them when it is near.
function curveRange(values, isLog, low, high) {
  if (low !== undefined) return [low, high];
  if (!isLog) {
    const [least, most] = extent(values);
    // Values that are equal but for rounding are drawn equal.
    const size = Math.max(Math.abs(least), Math.abs(most));
    if (most - least < 1e-9 * size) return [least - 0.1 * size, most + 0.1 * size];
    return [least > 0 && least < 0.5 * most ? 0 : least, most];
  }
  if (!values.length) return [0.1, 1];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least < most ? [least, most] : [least / 2, most * 2];
}

/// Curves over the numbers from 1; `marked` rings one of them, `mark` is a dashed line at a number.
function curves(series, names, { isLog = false, low, high, mark, markName, hasDots = true } = {}) {
  const everything = series.flatMap(({ values }) => values.filter(isNumber));
  // On a logarithmic axis, what is lost in rounding is left out.
  const floor = isLog ? 1e-16 * Math.max(0, ...everything) : -Infinity;
  const drawable = (value) => isNumber(value) && value > floor;
  const [least, most] = curveRange(everything.filter(drawable), isLog, low, high);
  return (width) => {
    const height = 250;
    const count = Math.max(1, ...series.map(({ values }) => values.length));
    const vertical = scale(least, most, height - PAD.bottom - 6, PAD.top + 4, { isLog });
    const write = isLog ? power : brief;
    const left = leftOf(vertical.marks, write);
    const room = width - left - PAD.right;
    const across = (i) => left + (count === 1 ? room / 2 : 12 + ((i - 1) / (count - 1)) * (room - 24));
    const picture = grid(width, height, left, vertical, across, count, names, write);
    if (mark) {
      const x = across(mark + (mark < count ? 0.5 : 0));
      picture.append(svg("line", { class: "mark", x1: x, x2: x, y1: PAD.top, y2: height - PAD.bottom }),
        svg("text", { x: x - 6, y: height - PAD.bottom - 40, "text-anchor": "end" }, markName));
    }
    for (const { name, kind = "", color, values, marked } of series) {
      const style = color ? `--c:${color}` : "";
      const place = (value, i) => `${across(i + 1).toFixed(1)} ${vertical.place(value).toFixed(1)}`;
      const path = values.map((value, i) => drawable(value) && place(value, i)).filter(Boolean).join("L");
      if (path.includes("L")) picture.append(titled("path", { class: `curve ${kind}`, style, d: `M${path}` }, name));
      values.forEach((value, i) => {
        const isMarked = marked === i + 1;
        if (!drawable(value) || !(isMarked || (hasDots && count <= 60))) return;
        const dot = { style, cx: across(i + 1), cy: vertical.place(value) };
        const look = isMarked ? { class: `ring ${kind}`, r: 5 } : { class: `fill ${kind}`, r: 3.2 };
        picture.append(titled("circle", { ...dot, ...look },
          `${name}, ${i + 1}: ${brief(value)}${isMarked ? " (the last one kept)" : ""}`));
      });
    }
    return picture;
  };
}

/// A square of cells, the darker the more predictable; row i is predicted from column j.
function heatMap(errors) {
  const count = errors.length;
  return (width) => {
    const left = 46;
    const cell = Math.min(54, (width - left - 4) / count);
    const [side, top] = [cell * count, 40];
    const picture = svg("svg", { width, height: top + side + 6, viewBox: `0 0 ${width} ${top + side + 6}` });
    const name = { class: "strong", "text-anchor": "middle" };
    picture.append(svg("text", { ...name, x: left + side / 2, y: 12 }, "from coordinate"),
      svg("text", { ...name, transform: `translate(12 ${top + side / 2}) rotate(-90)` },
        side < 130 ? "predicted" : "predicted coordinate"));
    for (const i of spaced(count, side)) {
      const middle = (i - 0.5) * cell;
      picture.append(svg("text", { x: left + middle, y: top - 8, "text-anchor": "middle" }, String(i)),
        svg("text", { x: left - 8, y: top + middle + 4, "text-anchor": "end" }, String(i)));
    }
    errors.forEach((row, i) => row.forEach((error, j) => {
      if (i === j || !isNumber(error)) return;
      const value = predictable(error);
      const [x, y] = [left + j * cell, top + i * cell];
      picture.append(titled("rect", { class: "heat", x, y, width: cell, height: cell, "fill-opacity": value.toFixed(3) },
        `coordinate ${i + 1} is predictable from coordinate ${j + 1} by ${percent(error)} of its variance`));
      if (count <= 12 && cell >= 22) {
        picture.append(svg("text", { class: value > 0.55 ? "on-heat" : "strong", x: x + cell / 2, y: y + cell / 2 + 4,
          "text-anchor": "middle", "pointer-events": "none", style: cell < 30 ? "font-size:10px" : "" },
        String(Math.round(100 * value))));
      }
    }));
    picture.append(svg("rect", { class: "cell", x: left, y: top, width: side, height: side }));
    return picture;
  };
}

/// Named horizontal bars with their value at the end.
function barList(entries, write) {
  return (width) => {
    const [step, name, end] = [26, Math.min(190, width * 0.42), 74];
    const most = Math.max(...entries.map(([, value]) => value), 1e-12);
    const height = step * entries.length + 4;
    const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
    const letters = Math.floor((name - 10) / 6.4);
    entries.forEach(([text, value, kind = "s0"], i) => {
      const y = i * step + 4;
      const length = Math.max(1.5, ((width - name - end) * value) / most);
      const short = text.length > letters ? `${text.slice(0, letters - 1)}\u2026` : text;
      picture.append(svg("text", { class: "strong", x: 0, y: y + 14 }, svg("title", {}, text), short),
        titled("rect", { class: `fill ${kind}`, x: name, y: y + 3, width: length, height: 14, rx: 2 },
          `${text}: ${write(value)}`),
        svg("text", { x: name + length + 7, y: y + 14 }, write(value)));
    });
    return picture;
  };
}
