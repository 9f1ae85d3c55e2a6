// The colours of points: those that the program gives for classes and for numbers.

const css = ([red, green, blue]) => `rgb(${red} ${green} ${blue})`;
const isDark = () => document.documentElement.dataset.theme === "dark";

const palette = () => data.palette[isDark() ? "dark" : "light"];

/// The colour of a number between 0 and 1.
function ramp(t) {
  const steps = palette().ramp;
  const place = Math.min(1, Math.max(0, t)) * (steps.length - 1);
  const i = Math.min(steps.length - 2, Math.floor(place));
  return times(3, (k) => Math.round(steps[i][k] + (place - i) * (steps[i + 1][k] - steps[i][k])));
}

const MISSING = [140, 146, 152];

/// The colour of category k; beyond those that have one of their own, none.
const categoryColor = (k) => palette().classes[k] || MISSING;

/// Everything that points can be coloured by: its key in a link, its name, and its values or codes.
const colorings = [
  ...labels.map(({ name, codes, values }) => ({ key: `label:${name}`, group: "Classes", name, codes, names: values })),
  { key: "row", group: "Points", name: "row number", values: rowNumbers },
  ...embeddings.flatMap(({ title, number, values }) => values.map((values, i) => ({
    key: `coordinate:${number + 1}:${i + 1}`, group: title, name: `coordinate ${i + 1}`,
    long: `coordinate ${i + 1}, ${title}`, values,
  }))),
  ...columns.map(({ name, values }) => ({ key: `column:${name}`, group: "Numbers", name, values })),
];

/// The categories that are shown alone; all, if there are none.
const isolated = new Set();

/// Fills one red-green-blue-opaque quadruple per point; what is not shown is transparent.
function paint(coloring, rgba) {
  const put = (i, color, opacity) => {
    rgba[4 * i] = color[0];
    rgba[4 * i + 1] = color[1];
    rgba[4 * i + 2] = color[2];
    rgba[4 * i + 3] = opacity;
  };
  const { codes } = coloring;
  if (codes) {
    const { classes } = palette();
    for (let i = 0; i < shown; i++) {
      put(i, classes[codes[i]] || MISSING, isolated.size && !isolated.has(codes[i]) ? 0 : 255);
    }
    return;
  }
  const values = coloring.values();
  const [low, high] = extent(values);
  const table = times(256, (k) => ramp(k / 255));
  for (let i = 0; i < shown; i++) put(i, table[Math.round((255 * (values[i] - low)) / (high - low))] || MISSING, 255);
}
