// What tests of the report have in common: a browser, reports to open in it, and what must hold of every report.

import assert from "node:assert/strict";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { Browser, findChromium } from "./driver.mjs";
import { assemble, sample } from "./sample.mjs";

const chromium = findChromium();
const skip = chromium ? false : "no Chromium: set CHROMIUM or put chromium into PATH";
const shots = process.env.NRDR_SHOTS;
const timeout = 60_000;

/// A short text that tells two pictures of a canvas apart.
const DIGEST = `((canvas) => {
  const text = canvas.toDataURL();
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum = (Math.imul(sum, 31) + text.charCodeAt(i)) | 0;
  return text.length + ":" + sum;
})`;
const digestOf = (selector, i) => `${DIGEST}(document.querySelectorAll(${JSON.stringify(selector)})[${i}])`;
/// The points of a plot, its marks, and what else lies on it.
export const picture = (i) => digestOf("canvas.points", i);
export const marks = (i) => digestOf("canvas.marks", i);
export const canvas = digestOf;

/// Chooses in the control of this name.
export const choose = (name, value) => `(() => {
  const labels = [...document.querySelectorAll("label")];
  const select = labels.find((each) => each.textContent.startsWith("${name}")).querySelector("select");
  select.value = "${value}";
  select.dispatchEvent(new Event("change"));
})()`;

export const click = (selector) => `document.querySelector(${JSON.stringify(selector)}).click()`;
export const textOf = (selector) => `document.querySelector(${JSON.stringify(selector)}).innerText`;
export const state = (page) => page.evaluate("nrdr.state()");

/// Types into the search field, as a reader would.
export const find = async (page, text) => {
  await page.evaluate(`(() => {
    const input = document.getElementById("find");
    input.focus();
    input.value = ${JSON.stringify(text)};
    input.dispatchEvent(new Event("input", { bubbles: true }));
  })()`);
  await page.settle();
};

/// Brings the plots into the window; gives the place at a share of the first plot's width and height.
export const toPlots = async (page) => {
  await page.evaluate("document.getElementById('controls').scrollIntoView()");
  await page.settle();
  const [left, top, width, height] = await page.evaluate(
    `(({ left, top, width, height }) => [left, top, width, height])(
      document.querySelector(".stage").getBoundingClientRect())`);
  return (x, y) => [left + x * width, top + y * height];
};

/// Tests in a browser; each gets what opens reports.
export function inBrowser(name, tests) {
  describe(name, { skip, timeout: 8 * timeout }, () => {
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

    const shoot = async (page, name, isWhole = false) => {
      if (shots) writeFileSync(join(shots, `${name}.png`), await page.screenshot(isWhole));
    };

    /// Opens a report, lets the test look at it, and checks what must hold of every report.
    async function visit(file, options, look) {
      const page = await browser.open(file, options);
      const drawn = page.until("window.nrdr && nrdr.drawn().every((count) => count > 0)", "points to be drawn");
      await drawn.catch((error) => assert.fail([error.message, ...page.problems].join("\n")));
      await page.settle();
      await look(page);
      assert.deepEqual(page.problems, []);
      const isOwn = (url) => /^(data|blob):/.test(url) || url.split("#")[0] === page.url.split("#")[0];
      assert.deepEqual(page.requests.filter((url) => !isOwn(url)), []);
      await page.close();
    }

    function made(name, options = {}, change = (data) => data) {
      const file = join(folder, `${name}.html`);
      writeFileSync(file, assemble(change(sample(options))));
      return file;
    }

    const check = (name, run) => test(name, { timeout }, run);
    // The report that the program itself has made, where there is one.
    const ours = () => (process.env.NRDR_REPORT ? resolve(process.env.NRDR_REPORT) : made("report"));
    const downloads = () => {
      const place = mkdtempSync(join(folder, "downloads-"));
      return browser.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: place }).then(() => place);
    };
    tests({ check, visit, made, ours, shoot, downloads, shots });
  });
}
