// Colours: a ramp for numbers that grows in lightness, and hues for categories that colour-blind readers tell apart.

/// Red, green and blue (0 to 255) of a colour of the perceptually uniform space OKLCH.
function oklch(lightness, chroma, hue) {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return linear.map((value) => {
    const clipped = Math.min(1, Math.max(0, value));
    const encoded = clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055;
    return Math.round(255 * encoded);
  });
}

const css = ([red, green, blue]) => `rgb(${red} ${green} ${blue})`;
const isDark = () => document.documentElement.dataset.theme === "dark";

// Lightness, chroma, hue: violet, blue, teal, green, yellow.
const STOPS = [[0.34, 0.14, 298], [0.46, 0.12, 258], [0.59, 0.1, 205], [0.73, 0.15, 155], [0.87, 0.175, 105]];

/// The colour of a number between 0 and 1; the ramp keeps away from the background at either end.
function ramp(t) {
  const place = Math.min(1, Math.max(0, t)) * (STOPS.length - 1);
  const i = Math.min(STOPS.length - 2, Math.floor(place));
  const [lightness, chroma, hue] = times(3, (k) => STOPS[i][k] + (place - i) * (STOPS[i + 1][k] - STOPS[i][k]));
  return oklch(isDark() ? 0.17 + 0.86 * lightness : lightness, chroma, hue);
}

// Okabe and Ito's eight, the strongest first; black is the ink of the theme.
const OKABE_ITO = [
  [0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [230, 159, 0], [86, 180, 233], null, [222, 205, 30],
];

/// The colour of category k: after the first eight, hues a golden angle apart, dark and light in turn.
function categoryColor(k) {
  // On a dark page all are a little lighter.
  const lift = (value) => (isDark() ? Math.round(value + 0.2 * (255 - value)) : value);
  if (k < OKABE_ITO.length) return OKABE_ITO[k]?.map(lift) || (isDark() ? [214, 218, 222] : [40, 40, 40]);
  return oklch([0.48, 0.76, 0.62][k % 3], 0.13, (20 + 137.5 * (k - OKABE_ITO.length)) % 360);
}

const MISSING = [140, 146, 152];

/// Everything that points can be coloured by: its key, its name, and its values or codes.
const colorings = [
  ...(label ? [{ key: "label", group: "Data", name: label.name, codes: label.codes, names: label.values }] : []),
  { key: "row", group: "Data", name: "row number", values: rowNumbers },
  ...embeddings.flatMap((embedding, e) => embedding.values.map((values, i) => ({
    key: `${e}:${i}`, group: embedding.title, name: `coordinate ${i + 1}`,
    long: `coordinate ${i + 1}, ${embedding.title}`, values,
  }))),
  ...columns.map(({ name, values }, i) => ({ key: `column:${i}`, group: "Input columns", name, values })),
];

/// Fills one red-green-blue-opaque quadruple per point.
function paint(coloring, rgba) {
  const put = (i, color) => {
    rgba[4 * i] = color[0];
    rgba[4 * i + 1] = color[1];
    rgba[4 * i + 2] = color[2];
    rgba[4 * i + 3] = 255;
  };
  if (coloring.codes) {
    const palette = coloring.names.map((_, k) => categoryColor(k));
    for (let i = 0; i < shown; i++) put(i, palette[coloring.codes[i]] || MISSING);
    return;
  }
  const values = coloring.values();
  const [low, high] = extent(values);
  const table = times(256, (k) => ramp(k / 255));
  for (let i = 0; i < shown; i++) put(i, table[Math.round((255 * (values[i] - low)) / (high - low))] || MISSING);
}
