// Looks for points by the number of their row, by what they are called, and by their classes and other texts.

/// The points that a text means: a name or a row exactly, or else all whose texts have it in them.
function found(text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return { points: [], told: "" };
  const exactly = (label) => label.values.findIndex((value) => value.toLowerCase() === wanted);
  const ofCode = (label, matches) => {
    const points = [];
    for (let i = 0; i < shown; i++) if (matches(label.codes[i])) points.push(i);
    return points;
  };
  const id = ids ? exactly(ids) : -1;
  if (id >= 0) return { points: ofCode(ids, (code) => code === id), told: "" };
  if (/^(row\s*)?\d+$/.test(wanted)) {
    const row = Number(wanted.replace(/\D/g, ""));
    const point = rowOf.indexOf(row - 1);
    if (point >= 0) return { points: [point], told: `Row ${grouped(row)}` };
    const why = shown < data.total ? "among the points drawn" : `in the data: they go from 1 to ${grouped(rowOf[shown - 1] + 1)}`;
    if (!ids) return { points: [], told: `There is no row ${grouped(row)} ${why}` };
  }
  for (const label of [ids, ...labels, ...otherTexts]) {
    if (!label) continue;
    const codes = new Set(label.values.flatMap((value, code) => (value.toLowerCase().includes(wanted) ? [code] : [])));
    if (!codes.size) continue;
    const points = ofCode(label, (code) => codes.has(code));
    if (points.length) return { points, told: `${counted(points.length, "point")} by ${label.name}` };
  }
  return { points: [], told: `Nothing is called \u201c${text.trim()}\u201d` };
}

function findControl({ hover, choose, pin }) {
  const told = el("span", { id: "found", class: "found", role: "status" });
  const hint = [ids?.name, labels[0]?.name].filter(Boolean).join(", ");
  const input = el("input", {
    type: "search", id: "find", autocomplete: "off", placeholder: hint ? `row, ${hint}` : "row number", "aria-describedby": "found",
    oninput: () => {
      const { points, told: text } = found(input.value);
      input.setAttribute("aria-invalid", String(input.value.trim() !== "" && points.length === 0));
      told.textContent = points.length ? `${text || nameOf(points[0])} \u2013 Enter selects` : text;
      hover(visible()[0], points.length ? points[0] : -1);
    },
    onkeydown: (event) => {
      if (event.key !== "Enter") return;
      const { points } = found(input.value);
      if (points.length === 1) pin(points[0]);
      if (points.length) choose(points);
    },
    onblur: () => hover(null, -1),
  });
  return el("label", { class: "find" }, "Find", input, told);
}
