// What a reader does with a report: who is who, links, pictures and tables to take along, classes alone, axes by rank.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { sleep } from "./driver.mjs";
import { canvas, choose, click, find, inBrowser, marks, picture, state, textOf, toPlots } from "./visits.mjs";

/// The file that comes to a folder.
async function saved(folder, ending) {
  for (let k = 0; k < 200; k++) {
    const found = readdirSync(folder).filter((name) => name.endsWith(ending));
    if (found.length) {
      await sleep(60);
      return [found[0], readFileSync(join(folder, found[0]))];
    }
    await sleep(30);
  }
  throw new Error(`no file ending in ${ending} was saved`);
}

inBrowser("features", ({ check, visit, made, shoot, downloads }) => {
  check("plots are saved as PNG and SVG", () => visit(made("export"), {}, async (page) => {
    const folder = await downloads();
    await page.evaluate(click("[data-save=svg]"));
    const [name, svg] = await saved(folder, ".svg");
    assert.equal(name, "strip-original-1-2.svg");
    const parsed = await page.evaluate(`(() => {
      const parsed = new DOMParser().parseFromString(${JSON.stringify(svg.toString())}, "image/svg+xml");
      return {
        errors: parsed.querySelectorAll("parsererror").length,
        circles: parsed.querySelectorAll("g g circle").length,
        text: parsed.documentElement.textContent,
      };
    })()`);
    assert.equal(parsed.errors, 0);
    assert.equal(parsed.circles, 800);
    for (const part of ["strip.csv: original", "coordinate 1", "coordinate 2", "species", "setosa"]) assert.ok(parsed.text.includes(part), part);
    await page.evaluate(click("[data-save=png]"));
    const [, png] = await saved(folder, ".png");
    assert.deepEqual([...png.subarray(1, 4)], [...Buffer.from("PNG")]);
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    assert.ok(width > 800 && height > 600, `${width} x ${height}`);
    // Something is drawn in it: not one colour.
    const colours = await page.evaluate(`(async () => {
      const picture = new Image();
      picture.src = "data:image/png;base64,${png.toString("base64")}";
      await picture.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [picture.width, picture.height];
      const context = canvas.getContext("2d");
      context.drawImage(picture, 0, 0);
      const pixels = new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
      return new Set(pixels).size;
    })()`);
    assert.ok(colours > 50, `${colours} colours`);
  }));

  check("coordinates and selections are saved as CSV", () => visit(made("table"), {}, async (page) => {
    const folder = await downloads();
    await page.evaluate(click("#save-csv"));
    const [, all] = await saved(folder, "coordinates.csv");
    const lines = all.toString().trim().split("\n");
    assert.equal(lines.length, 801);
    assert.equal(lines[0], "row,specimen,species,side,orthogonal_f1,orthogonal_f2,orthogonal_f3,unpredictable_f1,unpredictable_f2,unpredictable_f3");
    assert.match(lines[1], /^1,S-0,/);
    await find(page, "S-12");
    await page.key("Enter");
    await page.settle();
    await page.evaluate(click("#save-csv"));
    const [, some] = await saved(folder, "selection.csv");
    const [, only, ...rest] = some.toString().trim().split("\n");
    assert.match(only, /^13,S-12,/);
    assert.deepEqual(rest, []);
  }));

  check("a link restores axes, colours, camera, selection and the point", () => visit(made("link"), {}, async (page) => {
    const at = await toPlots(page);
    await page.evaluate(choose("Up", 2));
    await page.evaluate(choose("Colour by", "column:breadth"));
    await page.drag([at(0.17, 0.05), at(0.55, 0.6)], { modifiers: 8 });
    await page.mouse("mouseWheel", ...at(0.4, 0.4), { deltaX: 0, deltaY: -240 });
    await page.drag([at(0.5, 0.5), at(0.62, 0.55)]);
    await find(page, "17");
    await page.key("Enter");
    await page.evaluate(click("#show-curve"));
    await sleep(400);
    const before = await state(page);
    assert.ok(before.selected > 0 && before.pinned === 17 && before.views[0] !== "", JSON.stringify(before));
    const hash = await page.evaluate("location.hash");
    const places = "[...Array(50).keys()].flatMap((i) => nrdr.place(0, i))";
    const drawn = await page.evaluate(places);
    await visit(made("link"), { hash }, async (again) => {
      await toPlots(again);
      await again.mouse("mouseMoved", 2, 2);
      await again.settle();
      const after = await state(again);
      assert.deepEqual({ ...after, hover: null }, { ...before, hover: null });
      // To a pixel: a link tells five digits of the camera.
      const distances = (await again.evaluate(places)).map((place, i) => Math.abs(place - drawn[i]));
      assert.ok(Math.max(...distances) < 0.5, `${Math.max(...distances)} pixels away`);
      // Another link in the same window.
      await again.evaluate("location.hash = 'x=2&y=3'");
      await again.until("nrdr.state().x === 1 && nrdr.state().selected === 0", "the other link");
    });
  }));

  check("a large selection fits into a link", () => visit(made("half", { n: 20_000, ids: false }), {}, async (page) => {
    await page.evaluate(click("[data-category='0']"));
    const at = await toPlots(page);
    await page.drag([at(0.17, 0.03), at(0.97, 0.55)], { modifiers: 8 });
    await sleep(400);
    const { selected } = await state(page);
    assert.ok(selected > 1000);
    const hash = await page.evaluate("location.hash");
    assert.ok(hash.length < 8000, `${hash.length} letters`);
    await visit(made("half", { n: 20_000, ids: false }), { hash }, async (again) => {
      assert.equal((await state(again)).selected, selected);
    });
  }));

  check("a point that is clicked is told about at the side", () => visit(made("side"), {}, async (page) => {
    await toPlots(page);
    const [x, y] = await page.evaluate("nrdr.place(0, 30)");
    await page.drag([[x, y], [x, y]]);
    const { pinned } = await state(page);
    assert.ok(pinned !== null, "no point was clicked");
    const side = await page.evaluate(textOf("#side"));
    for (const part of [`S-${pinned - 1}`, "species", "side", "remark", "length", "breadth", "coordinate 3"]) assert.ok(side.includes(part), part);
    // Numbers are chosen.
    await page.evaluate("document.querySelector('.choose').open = true");
    await page.evaluate("document.querySelectorAll('.boxes input')[0].click()");
    await page.settle();
    assert.ok(!/\nlength\n/.test(await page.evaluate("document.getElementById('side-points').innerText")));
    await shoot(page, "side");
    await page.key("Escape");
    assert.equal((await state(page)).pinned, null);
  }));

  check("hovering tells the identifier, the classes and the colour", () => visit(made("told"), {}, async (page) => {
    await toPlots(page);
    await page.evaluate(choose("Colour by", "column:length"));
    await page.mouse("mouseMoved", ...(await page.evaluate("nrdr.place(0, 40)")));
    await page.until("nrdr.state().hover !== null", "a hovered point");
    const { hover } = await state(page);
    const told = await page.evaluate(textOf("#tooltip"));
    for (const part of [`S-${hover - 1}`, `row ${hover}`, "species", "side", "length"]) assert.ok(told.includes(part), `${part} in ${told}`);
  }));

  check("search finds rows from 1, identifiers and labels, and says when there is none", () => visit(made("search"), {}, async (page) => {
    const told = () => page.evaluate(textOf("#found"));
    await find(page, "1");
    assert.match(await told(), /Row 1/);
    assert.equal((await state(page)).hover, 1);
    await find(page, "801");
    assert.match(await told(), /no row 801.*from 1 to 800|Nothing is called/);
    assert.equal(await page.evaluate("document.getElementById('find').getAttribute('aria-invalid')"), "true");
    await find(page, "s-799");
    assert.equal((await state(page)).hover, 800);
    await find(page, "setosa");
    assert.match(await told(), /points by species/);
    await page.key("Enter");
    assert.ok((await state(page)).selected > 100);
    await find(page, "torn");
    assert.match(await told(), /40 points by remark/);
    await find(page, "nobody");
    assert.match(await told(), /Nothing is called .nobody/);
  }));

  check("rows that were not drawn are not found", () => visit(made("missing", { n: 100, total: 1000, ids: false }), {}, async (page) => {
    await find(page, "2");
    assert.match(await page.evaluate(textOf("#found")), /no row 2 among the points drawn/);
    await find(page, "11");
    assert.equal((await state(page)).hover, 11);
  }));

  check("a class is shown alone", () => visit(made("alone"), {}, async (page) => {
    const at = await toPlots(page);
    const before = await page.evaluate(picture(0));
    await page.evaluate(click("[data-category='1']"));
    await page.settle();
    assert.deepEqual((await state(page)).only, [1]);
    assert.notEqual(await page.evaluate(picture(0)), before);
    // What is not shown is not selected.
    await page.drag([at(0.16, 0.02), at(0.98, 0.86)], { modifiers: 8 });
    const { selected } = await state(page);
    assert.ok(selected > 150 && selected < 350, `${selected} of 800, a third are of the class`);
    await page.key("Escape");
    assert.deepEqual((await state(page)).only, []);
    await page.until(`${picture(0)} === ${JSON.stringify(before)}`, "all classes");
  }));

  check("several labels can colour, numbers have a scale", () => visit(made("colours"), {}, async (page) => {
    await page.evaluate(choose("Colour by", "label:side"));
    await page.settle();
    assert.match(await page.evaluate(textOf("#legend")), /left[\s\S]*right/);
    await page.evaluate(choose("Colour by", "column:length"));
    await page.settle();
    const numbers = await page.evaluate("[...document.querySelectorAll('#legend .marks span')].map((mark) => Number(mark.textContent))");
    assert.ok(numbers.length >= 3 && numbers.every((number, k) => k === 0 || number > numbers[k - 1]), `${numbers}`);
  }));

  const digits = Array.from({ length: 12 }, (_, k) => `digit ${k}`);
  check("pictures are shown at points, of a selection, and along coordinates", () => visit(made("pictures", { images: true, labels: digits }), {}, async (page) => {
    const at = await toPlots(page);
    await page.until("document.querySelector('canvas.pictures').getContext('2d').getImageData(0, 0, 800, 400).data.some((v) => v > 0)", "pictures on the plot");
    const withPictures = await page.evaluate(canvas("canvas.pictures", 0));
    await page.evaluate(click("#show-pictures"));
    await page.settle();
    assert.notEqual(await page.evaluate(canvas("canvas.pictures", 0)), withPictures);
    await page.drag([at(0.16, 0.03), at(0.97, 0.86)], { modifiers: 8 });
    assert.equal(await page.evaluate("document.getElementById('gallery').hidden"), false);
    assert.match(await page.evaluate(textOf("#gallery-count")), /Pictures of \d+ of \d+ selected/);
    await page.mouse("mouseMoved", ...(await page.evaluate("nrdr.place(0, 9)")));
    await page.until("document.querySelector('#tooltip canvas')", "a picture");
    const colours = await page.evaluate(`(() => {
      const canvas = document.querySelector("#tooltip canvas");
      return new Set(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data).size;
    })()`);
    assert.ok(colours > 4, `${colours} levels of grey`);
    assert.equal(await page.evaluate("document.querySelectorAll('.strip').length"), 3);
    assert.equal(await page.evaluate("document.querySelectorAll('.strip canvas').length"), 21);
    await shoot(page, "pictures", true);
  }));

  check("turns in three dimensions, all plots together, with ticks", () => visit(made("solid"), {}, async (page) => {
    const at = await toPlots(page);
    const flat = await page.evaluate(picture(0));
    await page.evaluate(click("#solid"));
    await page.settle();
    assert.equal((await state(page)).z, 2);
    const solid = await page.evaluate(`[${picture(0)}, ${picture(1)}]`);
    assert.notEqual(solid[0], flat);
    await shoot(page, "solid");
    await page.drag([at(0.4, 0.4), at(0.6, 0.5)]);
    await page.until(`${picture(1)} !== ${JSON.stringify(solid[1])}`, "the other plot to turn");
    const { views } = await state(page);
    assert.ok(views[0] !== "" && views[0] === views[1], `${views}`);
    // Numbers stand at the edges: they are in the picture that is saved, where text is text.
    const texts = await page.evaluate(`(() => {
      const parsed = new DOMParser().parseFromString(nrdr.svg(0), "image/svg+xml");
      return [...parsed.querySelectorAll("g > text")].map((text) => text.textContent);
    })()`);
    const numbers = texts.filter((text) => /^\u2212?[\d.]+(e\u2212?\d+)?$/.test(text));
    assert.ok(numbers.length >= 6, `${texts}`);
    await page.evaluate(click("#solid"));
    await page.settle();
    assert.equal((await state(page)).z, null);
    assert.equal(await page.evaluate(picture(0)), flat);
  }));

  check("all pairs of four coordinates, and a click shows one", () => visit(made("pairs", { dims: 4 }), {}, async (page) => {
    assert.equal(await page.evaluate("document.querySelectorAll('.matrix .cell').length"), 6);
    const drawn = "(canvas) => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((v) => v > 0)";
    await page.evaluate("document.querySelector('.matrix').scrollIntoView()");
    await page.until(`[...document.querySelectorAll('.matrix canvas')].every(${drawn})`, "all small plots");
    const before = await page.evaluate(canvas(".matrix canvas", 0));
    await page.evaluate("document.querySelectorAll('.matrix .cell')[5].click()");
    await page.settle();
    const { x, y } = await state(page);
    assert.deepEqual([x, y], [2, 3]);
    await page.evaluate(choose("Colour by", "column:length"));
    await page.until(`${canvas(".matrix canvas", 0)} !== ${JSON.stringify(before)}`, "the colours of the plots");
    await shoot(page, "pairs", true);
  }));

  check("the curve that predicts is seen", () => visit(made("curve"), {}, async (page) => {
    const titles = await page.evaluate("[...document.querySelectorAll('.pair h3')].slice(0, 2).map((each) => each.textContent)");
    assert.deepEqual(titles, ["original", "non-redundant"]);
    const told = await page.evaluate("[...document.querySelectorAll('.pair .about')].slice(0, 2).map((each) => each.textContent)");
    assert.match(told[0], /predicts 100\s*%/);
    assert.match(told[1], /predicts 14\s*%/);
    const frame = canvas("canvas.frame", 0);
    const before = await page.evaluate(frame);
    await page.evaluate(click("#show-curve"));
    await page.settle();
    assert.notEqual(await page.evaluate(frame), before);
    const before2 = await page.evaluate(canvas(".pair canvas.mini", 0));
    await page.evaluate(choose("Predicted", 2));
    await page.settle();
    await page.until(`${canvas(".pair canvas.mini", 0)} !== ${JSON.stringify(before2)}`, "another pair");
  }));

  check("what coordinates mean is told of either embedding", () => visit(made("meaning"), {}, async (page) => {
    const told = () => page.evaluate("[...document.querySelectorAll('.meaning')].map((each) => each.innerText)");
    let [first, second] = await told();
    assert.match(first, /length[\s\S]*falls[\s\S]*97\s*%/);
    assert.match(second, /breadth[\s\S]*97\s*% \/ 96\s*%/);
    assert.match(first, /setosa[\s\S]*at the high end/);
    assert.ok(await page.evaluate("document.querySelectorAll('.meaning .mini').length") >= 3);
    await page.evaluate(`document.querySelector("#meaning select").value = "0"`);
    await page.evaluate(`document.querySelector("#meaning select").dispatchEvent(new Event("change"))`);
    await page.settle();
    [first, second] = await told();
    assert.match(second, /length[\s\S]*97\s*% \/ 2\s*%/);
    await shoot(page, "meaning", true);
  }));

  check("heavy tails are shown by rank, and can be shown by value", () => visit(made("heavy", { heavy: true }), {}, async (page) => {
    assert.deepEqual((await state(page)).ranked, [true, true]);
    assert.match(await page.evaluate("document.querySelector('.plot .about').textContent"), /by rank/);
    const spread = async () => {
      const places = await page.evaluate("[...Array(200).keys()].map((i) => nrdr.place(0, i)[0])");
      const sorted = places.sort((a, b) => a - b);
      return (sorted[150] - sorted[50]) / (sorted[199] - sorted[0]);
    };
    assert.ok((await spread()) > 0.4, "by rank half of the points take half of the width");
    await page.evaluate("document.querySelectorAll('.plot-head .tools button')[0].click()");
    await page.settle();
    assert.deepEqual((await state(page)).ranked, [false, true]);
    assert.ok((await spread()) < 0.2, "by value they crowd");
    await sleep(400);
    const hash = await page.evaluate("location.hash");
    await visit(made("heavy", { heavy: true }), { hash }, async (again) => {
      assert.deepEqual((await state(again)).ranked, [false, true]);
    });
  }));

  check("well spread coordinates are shown by value", () => visit(made("even"), {}, async (page) => {
    assert.deepEqual((await state(page)).ranked, [false, false]);
  }));

  check("few points are larger and more opaque than many", async () => {
    const inked = (page) => page.evaluate(`(() => {
      const canvas = document.querySelector("canvas.points");
      const copy = document.createElement("canvas");
      [copy.width, copy.height] = [canvas.width, canvas.height];
      const context = copy.getContext("2d");
      context.drawImage(canvas, 0, 0);
      const pixels = context.getImageData(0, 0, copy.width, copy.height).data;
      let [count, most] = [0, 0];
      for (let i = 3; i < pixels.length; i += 4) if (pixels[i]) [count, most] = [count + 1, Math.max(most, pixels[i])];
      return [count / nrdr.drawn()[0], most];
    })()`);
    let few, many;
    await visit(made("few", { n: 60 }), {}, async (page) => (few = await inked(page)));
    await visit(made("more", { n: 6000 }), {}, async (page) => (many = await inked(page)));
    assert.ok(few[0] > 5 * many[0], `${few} ${many}`);
  });
});
