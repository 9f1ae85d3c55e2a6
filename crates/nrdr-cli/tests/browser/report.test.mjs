// The report in a real browser: what it draws, what it answers, and that nothing leaves it.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { HOSTILE, codeSize } from "./sample.mjs";
import { choose, click, inBrowser, marks, picture, state, textOf, toPlots } from "./visits.mjs";

/// A report of which the program knew little.
function sparse(data) {
  const holes = Float32Array.from({ length: data.shown }, (_, i) => (i % 3 ? i : NaN));
  const nothing = { facts: [], parameters: [], times: null, notes: [], warnings: [], peak_memory_mb: null, dimension: null };
  Object.assign(data, { headline: "", answers: [], verdict: "", command: "", ids: null, texts: [], ...nothing });
  data.columns = [{ name: "holes", values: Buffer.from(holes.buffer).toString("base64") }];
  const pairwise = [[0, null, 0.2], [null, 0, 1.2], [0.1, 0.4, 0]];
  Object.assign(data.embeddings[0], { redundancy: [1, null, 0.5], eigenvalues: [], pairwise, curves: null, meaning: [], warnings: [] });
  const singular = [null, [0.3], []];
  const rank = [null, 1, null];
  Object.assign(data.embeddings[1], { eigenvalues: [0, 0, 0], singular, rank, seconds: null, warnings: [], curves: null, meaning: [] });
  return data;
}

test("the page without data is small", () => assert.ok(codeSize() < 180_000, `${codeSize()}`));

inBrowser("report", ({ check, visit, made, ours, shoot, shots }) => {
  check("draws both embeddings, changes axes, colours and theme", () => visit(ours(), {}, async (page) => {
    const shown = await page.evaluate("JSON.parse(document.getElementById('data').textContent).shown");
    assert.deepEqual((await page.evaluate("nrdr.drawn()")).slice(0, 2), [shown, shown]);
    assert.deepEqual(await page.evaluate("[nrdr.pixels(0), nrdr.pixels(1)]"), [true, true]);
    assert.equal(await page.evaluate("nrdr.renderer()[0]"), "webgl2");
    await page.evaluate("scrollTo(0, 0)");
    await shoot(page, "wide-light");
    await shoot(page, "whole-light", true);

    const first = await page.evaluate(picture(0));
    await page.evaluate(choose("Up", 2));
    await page.settle();
    assert.equal((await state(page)).y, 2);
    const second = await page.evaluate(picture(0));
    assert.notEqual(second, first);

    await page.evaluate(choose("Colour by", "row"));
    await page.settle();
    assert.equal((await state(page)).color, "row");
    const third = await page.evaluate(picture(0));
    assert.notEqual(third, second);

    const background = "getComputedStyle(document.body).backgroundColor";
    const before = [(await state(page)).theme, await page.evaluate(background)];
    await page.evaluate(click("#theme"));
    await page.settle();
    const after = [(await state(page)).theme, await page.evaluate(background)];
    assert.notEqual(before[0], after[0]);
    assert.notEqual(before[1], after[1]);
    assert.notEqual(await page.evaluate(picture(0)), third);
    await shoot(page, "wide-dark");
    await page.evaluate("scrollTo(0, 0)");
    await shoot(page, "whole-dark", true);
  }));

  check("the first screen answers three questions", () => visit(made("answers"), { width: 1400, height: 900 }, async (page) => {
    const questions = await page.evaluate("[...document.querySelectorAll('.answer h2')].map((each) => each.textContent)");
    assert.deepEqual(questions, ["Is it less redundant?", "Are neighbourhoods kept?", "What do I see?"]);
    const { bottom, plots } = await page.evaluate(`({
      bottom: document.getElementById("answers").getBoundingClientRect().bottom,
      plots: document.querySelector(".stage").getBoundingClientRect().top,
    })`);
    assert.ok(bottom < 450 && plots < 700, `answers end at ${bottom}, plots begin at ${plots}`);
    // The longer bar is that of the larger figure, and both are told.
    const widths = await page.evaluate("[...document.querySelectorAll('.answer-track i')].slice(0, 2).map((bar) => bar.offsetWidth)");
    assert.ok(widths[0] > 5 * widths[1], `${widths}`);
    assert.match(await page.evaluate(textOf(".answer-bars")), /100\s*\/\s*8/);
    assert.equal(await page.evaluate("document.getElementById('run').open"), false, "parameters are folded away");
    await page.evaluate("document.getElementById('run').open = true");
    assert.match(await page.evaluate(textOf("#facts")), /alpha\s+0\.3, 0\.2 \(found\)/);
    await page.evaluate("document.getElementById('about').open = true");
    const about = await page.evaluate(textOf("#about p"));
    assert.equal(about.split(/[.!?](?:\s|$)/).filter(Boolean).length, 2, about);
    assert.ok(await page.evaluate("document.querySelector('#about svg').getBoundingClientRect().width > 100"));
  }));

  check("follows the theme of the system", () => visit(ours(), {}, async (page) => {
    await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "dark" }] });
    await page.until("nrdr.state().theme === 'dark'");
    await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "light" }] });
    await page.until("nrdr.state().theme === 'light'");
  }));

  check("hovering shows the point, in all plots", () => visit(ours(), {}, async (page) => {
    await toPlots(page);
    const before = await page.evaluate(marks(1));
    await page.mouse("mouseMoved", ...(await page.evaluate("nrdr.place(0, 5)")));
    await page.until("nrdr.state().hover !== null", "a hovered point");
    await page.settle();
    const { hover } = await state(page);
    assert.match(await page.evaluate("document.getElementById('tooltip').textContent"), new RegExp(`row ${hover}\\D`));
    assert.notEqual(await page.evaluate(marks(1)), before);
    await shoot(page, "hover");
    await page.mouse("mouseMoved", 2, 2);
    await page.until("nrdr.state().hover === null", "no hovered point");
  }));

  check("a selection is linked, and Escape clears it", () => visit(ours(), {}, async (page) => {
    const at = await toPlots(page);
    const both = `[${picture(0)}, ${picture(1)}]`;
    const before = await page.evaluate(both);
    await page.drag([at(0.17, 0.03), at(0.5, 0.85)], { modifiers: 8 });
    const { selected } = await state(page);
    assert.ok(selected > 0, "nothing selected");
    const after = await page.evaluate(both);
    assert.notEqual(after[0], before[0]);
    assert.notEqual(after[1], before[1]);
    await shoot(page, "selected");
    await page.key("Escape");
    assert.equal((await state(page)).selected, 0);
    assert.deepEqual(await page.evaluate(both), before);

    await page.evaluate(click("[data-tool=lasso]"));
    await page.drag([at(0.18, 0.05), at(0.5, 0.05), at(0.5, 0.85), at(0.18, 0.85)]);
    assert.ok((await state(page)).selected > 0, "the lasso caught nothing");
    await page.evaluate(click("#clear"));
    assert.equal((await state(page)).selected, 0);
    await page.evaluate(click("[data-tool=move]"));
    await page.drag([at(0.5, 0.5), at(0.6, 0.6)]);
    await page.until(`${picture(0)} !== ${JSON.stringify(before[0])}`, "dragging to move the points");
  }));

  check("no rectangle stays after Escape, nor after other axes", () => visit(made("stale"), {}, async (page) => {
    const at = await toPlots(page);
    const before = await page.evaluate(marks(0));
    const held = { button: "left", buttons: 1, clickCount: 1, modifiers: 8 };
    const begin = async () => {
      await page.mouse("mouseMoved", ...at(0.3, 0.3));
      await page.mouse("mousePressed", ...at(0.3, 0.3), held);
      await page.mouse("mouseMoved", ...at(0.6, 0.6), held);
      await page.until(`${marks(0)} !== ${JSON.stringify(before)}`, "the rectangle");
    };
    const isGone = () => page.until(`${marks(0)} === ${JSON.stringify(before)}`, "no rectangle");
    await begin();
    await page.key("Escape");
    await isGone();
    await page.mouse("mouseReleased", ...at(0.6, 0.6), held);
    assert.equal((await state(page)).selected, 0);
    await begin();
    await page.evaluate(choose("Up", 2));
    await page.settle();
    await isGone();
    await page.mouse("mouseReleased", ...at(0.6, 0.6), held);
    assert.equal((await state(page)).selected, 0);
  }));

  check("the wheel zooms and a double click resets", () => visit(ours(), {}, async (page) => {
    const [x, y] = (await toPlots(page))(0.4, 0.4);
    const before = await page.evaluate(picture(0));
    await page.mouse("mouseWheel", x, y, { deltaX: 0, deltaY: -300 });
    await page.until(`${picture(0)} !== ${JSON.stringify(before)}`, "the zoom");
    for (const clickCount of [1, 2]) {
      for (const type of ["mousePressed", "mouseReleased"]) await page.mouse(type, x, y, { button: "left", clickCount });
    }
    await page.until(`${picture(0)} === ${JSON.stringify(before)}`, "the reset");
  }));

  check("hostile labels stay text", () => visit(ours(), {}, async (page) => {
    const found = await page.evaluate(`({
      scripts: document.scripts.length,
      images: document.querySelectorAll("body img").length,
      labels: JSON.parse(document.getElementById("data").textContent).labels[0].values,
      legend: document.getElementById("legend").innerText,
    })`);
    assert.equal(found.scripts, 2);
    assert.equal(found.images, 0);
    const hostile = found.labels.filter((text) => text.includes("<"));
    assert.ok(hostile.length > 0, "the report needs a hostile label");
    for (const text of hostile) assert.ok(found.legend.includes(text), text);
    if (!process.env.NRDR_REPORT) assert.ok(hostile.includes(HOSTILE));
    // Neither do they break out of a picture that is saved.
    const svg = await page.evaluate(`(() => {
      const parsed = new DOMParser().parseFromString(nrdr.svg(0), "image/svg+xml");
      return [parsed.querySelectorAll("parsererror, script").length, parsed.documentElement.textContent];
    })()`);
    assert.equal(svg[0], 0);
    assert.ok(svg[1].includes("<script>"), "the label is in the legend of the picture");
  }));

  for (const [width, height] of [[390, 844], [1400, 900], [2560, 1440]]) {
    check(`is as wide as the window at ${width} pixels`, () => visit(ours(), { width, height }, async (page) => {
      const inner = "document.documentElement.scrollWidth <= innerWidth";
      assert.ok(await page.evaluate(inner));
      const stages = await page.evaluate("[...document.querySelectorAll('.stage')].map((stage) => stage.clientWidth)");
      const used = width > 800 ? stages[0] + stages[1] : stages[0];
      assert.ok(used > 0.6 * width, `plots take ${stages} of ${width} pixels`);
      await shoot(page, `light-${width}`, true);
      await page.evaluate(click("#theme"));
      await page.settle();
      assert.ok(await page.evaluate(inner));
      await shoot(page, `dark-${width}`, true);
    }));
  }

  check("works without WebGL", () => visit(ours(), { hash: "#canvas" }, async (page) => {
    assert.deepEqual((await page.evaluate("nrdr.renderer()")).slice(0, 2), ["canvas", "canvas"]);
    assert.deepEqual(await page.evaluate("[nrdr.pixels(0), nrdr.pixels(1)]"), [true, true]);
    await toPlots(page);
    await shoot(page, "canvas");
    await page.evaluate(click("#solid"));
    await page.settle();
    assert.equal(await page.evaluate("nrdr.pixels(0)"), true);
    await shoot(page, "canvas-solid");
  }));

  const large = { n: 100_000, total: 1_000_000, ids: false };
  check("100 000 points move smoothly", (t) => visit(made("large", large), {}, async (page) => {
    assert.deepEqual(await page.evaluate("nrdr.drawn()"), [100_000, 100_000]);
    const notes = await page.evaluate("document.getElementById('notes').textContent");
    assert.match(notes, /sample of 100.000 of 1.000.000 points/);
    await toPlots(page);
    const frames = await page.evaluate(`new Promise((done) => {
      const stage = document.querySelector(".stage");
      const times = [];
      let last = performance.now();
      const step = () => {
        const now = performance.now();
        times.push(now - last);
        last = now;
        if (times.length > 60) return done(times.slice(20).sort((a, b) => a - b));
        stage.dispatchEvent(new KeyboardEvent("keydown", { key: times.length % 2 ? "ArrowLeft" : "ArrowRight" }));
        requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    })`);
    const median = frames[Math.floor(frames.length / 2)];
    t.diagnostic(`100 000 points: ${median.toFixed(1)} ms a frame while moving (median of 40, software rendering)`);
    assert.ok(median < 120, `${median} ms a frame`);
    // At rest all points are there again.
    await page.until("nrdr.drawn()[0] === 100000", "all points");
    await page.mouse("mouseMoved", ...(await page.evaluate("nrdr.place(0, 77)")));
    await page.until("nrdr.state().hover !== null", "a hovered point");
    assert.equal(((await state(page)).hover - 1) % 10, 0, "rows of a sample are those of the table");
    await shoot(page, "large");
  }));

  check("one coordinate is a strip, with a row for each class", () => visit(made("line", { dims: 1 }), {}, async (page) => {
    assert.deepEqual(await page.evaluate("[nrdr.pixels(0), nrdr.pixels(1)]"), [true, true]);
    const height = await page.evaluate("document.querySelector('.stage').clientHeight");
    const places = await page.evaluate("[...Array(40).keys()].map((i) => nrdr.place(0, i)[1])");
    assert.ok(Math.max(...places) - Math.min(...places) > 0.4 * height, "points are spread out");
    await shoot(page, "one-coordinate", true);
  }));

  check("one embedding alone", () => visit(made("alone", { count: 1, labels: null, dims: 2 }), {}, async (page) => {
    assert.equal((await page.evaluate("nrdr.drawn()")).length, 1);
    assert.equal(await page.evaluate("nrdr.pixels(0)"), true);
    assert.equal(await page.evaluate("document.getElementById('solid')"), null);
    await shoot(page, "one-embedding", true);
  }));

  check("missing numbers and parts are no trouble", () => visit(made("sparse", {}, sparse), {}, async (page) => {
    assert.deepEqual(await page.evaluate("[nrdr.pixels(0), nrdr.pixels(1)]"), [true, true]);
    await page.evaluate(choose("Colour by", "column:holes"));
    await page.settle();
    assert.equal(await page.evaluate("nrdr.pixels(0)"), true);
    assert.ok(!(await page.evaluate("document.body.innerText")).match(/NaN|undefined|null/));
  }));

  check("prints in light colours, without controls", () => visit(ours(), {}, async (page) => {
    await page.evaluate("nrdr.state().theme === 'dark' || document.getElementById('theme').click()");
    const { data } = await page.send("Page.printToPDF", { printBackground: true });
    assert.ok(data.length > 10_000);
    assert.equal((await state(page)).theme, "dark", "the theme comes back after printing");
    if (shots) writeFileSync(join(shots, "print.pdf"), Buffer.from(data, "base64"));
    await page.send("Emulation.setEmulatedMedia", { media: "print" });
    const hidden = "[...document.querySelectorAll('.controls, #copy-link, #theme, #save-csv')].every((each) => !each.offsetParent)";
    assert.ok(await page.evaluate(hidden), "controls are printed");
    // What stands on canvases may be left out by a printer: plots are drawings there.
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    const drawings = await page.evaluate(`[...document.querySelectorAll("svg.printed")].map((drawing) => {
      const { width, height } = drawing.getBoundingClientRect();
      return [width > 200 && height > 200, drawing.querySelectorAll("circle").length];
    })`);
    const shown = await page.evaluate("nrdr.drawn()[0]");
    assert.equal(drawings.length, 2);
    for (const [isLarge, circles] of drawings) assert.ok(isLarge && circles >= shown, `${circles} of ${shown}`);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    assert.equal(await page.evaluate("document.querySelectorAll('svg.printed').length"), 0);
  }));

  const many = { count: 5, dims: 20, n: 300 };
  check("many coordinates and five embeddings", () => visit(made("many", many), {}, async (page) => {
    assert.equal((await page.evaluate("nrdr.drawn()")).length, 2);
    await page.evaluate("document.querySelectorAll('.checks input')[4].click()");
    await page.until("nrdr.drawn().length === 3 && nrdr.pixels(2)", "the third plot");
    await shoot(page, "many", true);
  }));

  check("a warning stands once, and a note is none", () => visit(made("warned"), {}, async (page) => {
    const warnings = await page.evaluate("[...document.querySelectorAll('#warnings li')].map((each) => each.textContent)");
    assert.deepEqual(warnings, [
      "3 points were left out: they are not connected to the rest", "the neighbour graph had 2 components",
      "non-redundant: coordinate 3 converged slowly (residual 3e-6)",
    ]);
    assert.match(await page.evaluate(textOf("#notes")), /3 warnings/);
    assert.match(await page.evaluate(textOf("#notes-list")), /column\(s\) of text/);
  }));

  check("eigenvalues that are equal are drawn equal", () => visit(made("equal", { count: 5 }), {}, async (page) => {
    const heights = await page.evaluate(`(() => {
      const picture = document.querySelector("svg[aria-label='Eigenvalues by coordinate']");
      return [...picture.querySelectorAll("circle.s4")].map((dot) => Number(dot.getAttribute("cy")));
    })()`);
    assert.equal(heights.length, 3);
    assert.ok(Math.max(...heights) - Math.min(...heights) < 0.01, `${heights}`);
  }));
});
