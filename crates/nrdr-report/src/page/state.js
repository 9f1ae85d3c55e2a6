// What is shown, and the same as the end of the address, so that a link brings it back.

/// What all plots share; z is null in two dimensions.
const state = {
  x: 0,
  y: mostCoordinates > 1 ? 1 : SPREAD,
  z: null,
  color: labels.length ? colorings[0].key : `coordinate:${ours.number + 1}:1`,
  tool: "move",
  hover: -1,
  pinned: -1,
  selected: 0,
  pictures: Boolean(data.images),
  curve: false,
};
const chosen = new Uint8Array(shown);
const colors = new Uint8Array(4 * shown);

const axisWord = (axis) => (axis === ROW ? "row" : axis === SPREAD ? "spread" : String(axis + 1));

function axisOf(word) {
  if (word === "row") return ROW;
  if (word === "spread") return SPREAD;
  const axis = Number(word) - 1;
  return Number.isInteger(axis) && axis >= 0 && axis < mostCoordinates ? axis : undefined;
}

/// Selected rows, as people count them: "1-5,9"; or the flags of all points, where that is shorter.
function selectionWord() {
  const spans = [];
  let length = 0;
  for (let i = 0; i < shown; i++) {
    if (!chosen[i]) continue;
    const start = i;
    while (i + 1 < shown && chosen[i + 1] && rowOf[i + 1] === rowOf[i] + 1) i++;
    spans.push(start === i ? `${rowOf[i] + 1}` : `${rowOf[start] + 1}-${rowOf[i] + 1}`);
    length += spans[spans.length - 1].length + 1;
    if (length > shown / 6 + 60) return `b${bits()}`;
  }
  return spans.join(",");
}

function bits() {
  const bytes = new Uint8Array(Math.ceil(shown / 8));
  for (let i = 0; i < shown; i++) if (chosen[i]) bytes[i >> 3] |= 1 << (i & 7);
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function select(word) {
  chosen.fill(0);
  if (word.startsWith("b")) {
    let binary = "";
    try {
      binary = atob(word.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    } catch {
      return; // A link that was cut short.
    }
    for (let i = 0; i < shown; i++) chosen[i] = (binary.charCodeAt(i >> 3) >> (i & 7)) & 1;
    return;
  }
  const spans = word.split(",").map((span) => span.split("-").map(Number)).filter(([from]) => from > 0);
  spans.sort((a, b) => a[0] - b[0]);
  let at = 0;
  for (const [from, to = from] of spans) {
    while (at < shown && rowOf[at] + 1 < from) at++;
    for (; at < shown && rowOf[at] + 1 <= to; at++) chosen[at] = 1;
  }
}

/// What the address tells; nothing of what is not as it would be anyway.
function stateWords(plots, usual) {
  const words = new URLSearchParams();
  const tell = (name, word, usualWord) => word !== usualWord && words.set(name, word);
  tell("x", axisWord(state.x), axisWord(usual.x));
  tell("y", axisWord(state.y), axisWord(usual.y));
  if (state.z !== null) words.set("z", axisWord(state.z));
  tell("color", state.color, usual.color);
  const visible = plots.filter((plot) => plot.isShown);
  tell("show", visible.map((plot) => plot.embedding.number + 1).join("."), usual.show);
  for (const plot of visible) {
    const number = plot.embedding.number + 1;
    if (plot.isRanked !== plot.wouldBeRanked) words.set(`axes${number}`, plot.isRanked ? "rank" : "value");
    const camera = plot.view.word();
    if (camera) words.set(`view${number}`, camera);
  }
  if (isolated.size) words.set("only", [...isolated].sort((a, b) => a - b).join("."));
  if (state.selected) words.set("rows", selectionWord());
  if (state.pinned >= 0) words.set("point", String(rowOf[state.pinned] + 1));
  if (state.pictures !== usual.pictures) words.set("pictures", state.pictures ? "yes" : "no");
  if (state.curve) words.set("curve", "yes");
  if (onCanvas) words.set("canvas", "");
  return words.toString().replace(/=(?=&|$)/g, "");
}

/// The page may be asked to do without WebGL.
const onCanvas = new URLSearchParams(location.hash.slice(1)).has("canvas");

const addressWords = () => new URLSearchParams(location.hash.slice(1));
