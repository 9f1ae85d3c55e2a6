// The report in a real browser: what it draws, what it answers, and that nothing leaves it.

import assert from "node:assert/strict";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { Browser, findChromium } from "./driver.mjs";
import { HOSTILE, assemble, codeSize, sample } from "./sample.mjs";

const chromium = findChromium();
const skip = chromium ? false : "no Chromium: set CHROMIUM or put chromium into PATH";
const shots = process.env.NRDR_SHOTS;
const timeout = 60_000;

const POINTS = "document.querySelectorAll('canvas.points')";
const picture = (i) => `${POINTS}[${i}].toDataURL()`;
const choose = (name, value) => `(() => {
  const labels = [...document.querySelectorAll("#controls label")];
  const select = labels.find((each) => each.textContent.startsWith("${name}")).querySelector("select");
  select.value = "${value}";
  select.dispatchEvent(new Event("change"));
})()`;

/// A report of which the program knew little.
function sparse(data) {
  const holes = Float32Array.from({ length: data.shown }, (_, i) => (i % 3 ? i : NaN));
  const nothing = { facts: [], parameters: [], times: [], warnings: [], peak_memory_mb: null, dimension: null };
  Object.assign(data, { verdict: "", command: "", ...nothing });
  data.columns = [{ name: "holes", values: Buffer.from(holes.buffer).toString("base64") }];
  const pairwise = [[0, null, 0.2], [null, 0, 1.2], [0.1, 0.4, 0]];
  Object.assign(data.embeddings[0], { redundancy: [1, null, 0.5], eigenvalues: [], pairwise });
  const singular = [null, [0.3], []];
  Object.assign(data.embeddings[1], { eigenvalues: [0, 0, 0], singular, rank: [null, 1, null], seconds: null, warnings: [] });
  return data;
}

test("the page without data is small", () => assert.ok(codeSize() < 150_000));

describe("report", { skip, timeout: 5 * timeout }, () => {
  let browser, folder;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "nrdr-report-"));
    browser = await Browser.start(chromium);
    if (shots) mkdirSync(shots, { recursive: true });
  }, { timeout });
  after(async () => {
    await browser?.stop();
    rmSync(folder, { recursive: true, force: true });
  }, { timeout });

  async function shoot(page, name, isWhole = false) {
    if (shots) writeFileSync(join(shots, `${name}.png`), await page.screenshot(isWhole));
  }

  /// Opens a report, lets the test look at it, and checks what must hold of every report.
  async function visit(file, options, look) {
    const page = await browser.open(file, options);
    const drawn = page.until("window.nrdr && nrdr.drawn().every((count) => count > 0)", "points to be drawn");
    await drawn.catch((error) => assert.fail([error.message, ...page.problems].join("\n")));
    await page.settle();
    await look(page);
    assert.deepEqual(page.problems, []);
    const isOwn = (url) => url.startsWith("data:") || url.split("#")[0] === page.url.split("#")[0];
    assert.deepEqual(page.requests.filter((url) => !isOwn(url)), []);
    await page.close();
  }

  function made(name, options, change = (data) => data) {
    const file = join(folder, `${name}.html`);
    writeFileSync(file, assemble(change(sample(options))));
    return file;
  }

  const check = (name, run) => test(name, { timeout }, run);
  const state = (page) => page.evaluate("nrdr.state()");
  const ours = () => (process.env.NRDR_REPORT ? resolve(process.env.NRDR_REPORT) : made("report", {}));

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
    await page.evaluate("document.getElementById('theme').click()");
    await page.settle();
    const after = [(await state(page)).theme, await page.evaluate(background)];
    assert.notEqual(before[0], after[0]);
    assert.notEqual(before[1], after[1]);
    assert.notEqual(await page.evaluate(picture(0)), third);
    await shoot(page, "wide-dark");
    await page.evaluate(choose("Colour by", "label"));
    await page.settle();
    await shoot(page, "whole-dark", true);
  }));

  check("follows the theme of the system", () => visit(ours(), {}, async (page) => {
    await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "dark" }] });
    await page.until("nrdr.state().theme === 'dark'");
    await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "light" }] });
    await page.until("nrdr.state().theme === 'light'");
  }));

  /// Brings the plots into the window; gives the place at a share of the first plot's width and height.
  const toPlots = async (page) => {
    await page.evaluate("document.getElementById('controls').scrollIntoView()");
    await page.settle();
    const [left, top, width, height] = await page.evaluate(
      `(({ left, top, width, height }) => [left, top, width, height])(
        document.querySelector(".stage").getBoundingClientRect())`);
    return (x, y) => [left + x * width, top + y * height];
  };

  check("hovering shows the row, in all plots", () => visit(ours(), {}, async (page) => {
    await toPlots(page);
    const marks = "document.querySelectorAll('canvas.marks')[1].toDataURL()";
    const before = await page.evaluate(marks);
    await page.mouse("mouseMoved", ...(await page.evaluate("nrdr.place(0, 5)")));
    await page.until("nrdr.state().hover !== null", "a hovered point");
    await page.settle();
    const { hover } = await state(page);
    assert.match(await page.evaluate("document.getElementById('tooltip').textContent"), new RegExp(`row ${hover}\\D`));
    assert.notEqual(await page.evaluate(marks), before);
    await shoot(page, "hover");
    await page.mouse("mouseMoved", 2, 2);
    await page.until("nrdr.state().hover === null", "no hovered point");
  }));

  check("a selection is linked, and Escape clears it", () => visit(ours(), {}, async (page) => {
    const at = await toPlots(page);
    const before = await page.evaluate(`[${picture(0)}, ${picture(1)}]`);
    await page.drag([at(0.15, 0.03), at(0.5, 0.85)], { modifiers: 8 });
    const { selected } = await state(page);
    assert.ok(selected > 0, "nothing selected");
    const after = await page.evaluate(`[${picture(0)}, ${picture(1)}]`);
    assert.notEqual(after[0], before[0]);
    assert.notEqual(after[1], before[1]);
    await shoot(page, "selected");
    await page.key("Escape");
    assert.equal((await state(page)).selected, 0);
    assert.deepEqual(await page.evaluate(`[${picture(0)}, ${picture(1)}]`), before);

    await page.evaluate("document.querySelector('[data-tool=lasso]').click()");
    await page.drag([at(0.16, 0.05), at(0.5, 0.05), at(0.5, 0.85), at(0.16, 0.85)]);
    assert.ok((await state(page)).selected > 0, "the lasso caught nothing");
    await page.evaluate("document.getElementById('clear').click()");
    assert.equal((await state(page)).selected, 0);
    await page.evaluate("document.querySelector('[data-tool=move]').click()");
    await page.drag([at(0.5, 0.5), at(0.6, 0.6)]);
    assert.notEqual(await page.evaluate(picture(0)), before[0], "dragging moves the points");
    await page.evaluate("document.querySelector('[data-category]')?.click()");
    await page.settle();
    assert.ok((await state(page)).selected > 0, "a category is highlighted");
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
  }));

  check("turns in three dimensions", () => visit(ours(), {}, async (page) => {
    const at = await toPlots(page);
    const flat = await page.evaluate(picture(0));
    await page.evaluate("document.getElementById('solid').click()");
    await page.settle();
    assert.equal((await state(page)).z, 2);
    const solid = await page.evaluate(picture(0));
    assert.notEqual(solid, flat);
    await shoot(page, "solid");
    await page.drag([at(0.4, 0.4), at(0.6, 0.5)]);
    assert.notEqual(await page.evaluate(picture(0)), solid);
    await page.evaluate("document.getElementById('solid').click()");
    await page.settle();
    assert.equal((await state(page)).z, null);
    assert.equal(await page.evaluate(picture(0)), flat);
  }));

  check("nothing is wider than a narrow window", () => visit(ours(), { width: 420, height: 900 }, async (page) => {
    assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"));
    await shoot(page, "narrow", true);
  }));

  check("works without WebGL", () => visit(ours(), { hash: "#canvas" }, async (page) => {
    assert.deepEqual((await page.evaluate("nrdr.renderer()")).slice(0, 2), ["canvas", "canvas"]);
    assert.deepEqual(await page.evaluate("[nrdr.pixels(0), nrdr.pixels(1)]"), [true, true]);
    await toPlots(page);
    await shoot(page, "canvas");
    await page.evaluate("document.getElementById('solid').click()");
    await page.settle();
    assert.equal(await page.evaluate("nrdr.pixels(0)"), true);
    await shoot(page, "canvas-solid");
  }));

  const digits = Array.from({ length: 12 }, (_, k) => `digit ${k}`);
  check("shows pictures of points", () => visit(made("pictures", { images: true, labels: digits }), {}, async (page) => {
    const at = await toPlots(page);
    await page.drag([at(0.15, 0.03), at(0.5, 0.85)], { modifiers: 8 });
    assert.equal(await page.evaluate("document.getElementById('gallery').hidden"), false);
    await page.mouse("mouseMoved", ...(await page.evaluate("nrdr.place(0, 9)")));
    await page.until("document.querySelector('#tooltip canvas')", "a picture");
    const colours = await page.evaluate(`(() => {
      const canvas = document.querySelector("#tooltip canvas");
      return new Set(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data).size;
    })()`);
    assert.ok(colours > 4, `${colours} levels of grey`);
    await shoot(page, "pictures");
  }));

  const large = { n: 100_000, total: 1_000_000 };
  check("draws 100 000 points fast enough to move them", (t) => visit(made("large", large), {}, async (page) => {
    assert.deepEqual(await page.evaluate("nrdr.drawn()"), [100_000, 100_000]);
    const notes = await page.evaluate("document.getElementById('notes').textContent");
    assert.match(notes, /sample of 100.000 of 1.000.000 points/);
    await toPlots(page);
    const frame = await page.evaluate(`new Promise((done) => {
      const stage = document.querySelector(".stage");
      const start = performance.now();
      let frames = 0;
      const step = () => {
        if (frames++ === 20) return done((performance.now() - start) / 20);
        stage.dispatchEvent(new KeyboardEvent("keydown", { key: frames % 2 ? "ArrowLeft" : "ArrowRight" }));
        requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    })`);
    t.diagnostic(`100 000 points: ${frame.toFixed(1)} ms a frame (software rendering)`);
    assert.ok(frame < 1500, `${frame} ms a frame`);
    await page.mouse("mouseMoved", ...(await page.evaluate("nrdr.place(0, 77)")));
    await page.until("nrdr.state().hover !== null", "a hovered point");
    assert.equal((await state(page)).hover % 10, 0, "rows of a sample are those of the table");
    await shoot(page, "large");
  }));

  check("one coordinate is drawn against the row number", () => visit(made("line", { dims: 1 }), {}, async (page) => {
    assert.deepEqual(await page.evaluate("[nrdr.pixels(0), nrdr.pixels(1)]"), [true, true]);
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
    await page.evaluate(choose("Colour by", "column:0"));
    await page.settle();
    assert.equal(await page.evaluate("nrdr.pixels(0)"), true);
    assert.ok(!(await page.evaluate("document.body.innerText")).match(/NaN|undefined|null/));
  }));

  check("prints", () => visit(ours(), {}, async (page) => {
    await page.evaluate("nrdr.state().theme === 'dark' || document.getElementById('theme').click()");
    const { data } = await page.send("Page.printToPDF", { printBackground: true });
    assert.ok(data.length > 10_000);
    assert.equal((await state(page)).theme, "dark", "the theme comes back after printing");
    if (shots) writeFileSync(join(shots, "print.pdf"), Buffer.from(data, "base64"));
  }));

  const many = { count: 5, dims: 20, n: 300 };
  check("many coordinates and five embeddings", () => visit(made("many", many), {}, async (page) => {
    assert.equal((await page.evaluate("nrdr.drawn()")).length, 2);
    await page.evaluate("document.querySelectorAll('.checks input')[3].click()");
    await page.until("nrdr.drawn().length === 3 && nrdr.pixels(2)", "the third plot");
    await shoot(page, "many", true);
  }));
});
