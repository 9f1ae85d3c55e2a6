// The site in a real browser, opened from the disk: it loads nothing from elsewhere, fits narrow and wide windows in
// light and dark, violates no rule of axe-core, and finds what is searched for. NRDR_SITE is its folder, NRDR_SHOTS takes
// pictures, AXE is the file of axe-core.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Browser, findChromium } from "../crates/nrdr-cli/tests/browser/driver.mjs";

const { NRDR_SITE: site, NRDR_SHOTS: shots, AXE: axe } = process.env;
const PAGES = ["index.html", "methods/lem.html", "how-to/csv.html", "api/estimators.html", "quality.html", "faq.html"];

// The theme lets code be scrolled by the keyboard where there is a mouse to hover with, which no headless browser has.
const ASKED = { preload: false, runOnly: ["wcag2a", "wcag2aa"], rules: { "scrollable-region-focusable": { enabled: false } } };
const VIOLATIONS = `axe.run(document, ${JSON.stringify(ASKED)}).then(({ violations }) => violations.map(
  ({ id, nodes }) => id + ": " + nodes.map((node) => node.target.join(" ")).slice(0, 5).join(", ")))`;

let browser;
before(async () => {
  browser = await Browser.start(findChromium());
});
after(() => browser?.stop());

async function opened(name, width, scheme, query = "") {
  // Colours are chosen by the first visit, and remembered: so the picture, where there is no script, comes before it.
  const page = await browser.open(join(site, "site/icon.svg"), { width, height: 1000 });
  await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
  await page.evaluate("localStorage.clear()");
  const { href, pathname } = pathToFileURL(join(site, name));
  await page.send("Page.navigate", { url: href + query });
  await page.until(`location.pathname === ${JSON.stringify(pathname)} && document.readyState === "complete"`, "the page");
  return page;
}

function blameless(page) {
  assert.deepEqual(page.problems, []);
  const elsewhere = page.requests.filter((url) => !/^(file|data|blob|about):/.test(url));
  assert.deepEqual(elsewhere, []);
}

for (const name of PAGES) {
  for (const width of [390, 1400]) {
    for (const scheme of ["light", "dark"]) {
      test(`${name}, ${width} pixels, ${scheme}`, async () => {
        const page = await opened(name, width, scheme);
        const wanted = scheme === "dark" ? "slate" : "default";
        await page.until(`document.body.dataset.mdColorScheme === '${wanted}'`, `the colours of ${scheme}`);
        const over = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        assert.ok(over <= 0, `the page is ${over} pixels wider than the window`);
        const broken = "[...document.images].filter((each) => each.complete && !each.naturalWidth).map((each) => each.src)";
        assert.deepEqual(await page.evaluate(broken), []);
        if (shots) {
          mkdirSync(shots, { recursive: true });
          const file = `${name.replace("/", "-").replace(".html", "")}-${width}-${scheme}.png`;
          writeFileSync(join(shots, file), await page.screenshot());
        }
        blameless(page);
        if (axe && existsSync(axe)) {
          await page.evaluate(`${readFileSync(axe, "utf8")}; 0`);
          assert.deepEqual(await page.evaluate(VIOLATIONS), []);
        }
        await page.close();
      });
    }
  }
}

for (const [words, expected] of [["horseshoe", "faq.html"], ["LaplacianEigenmaps", "api/estimators.html"]]) {
  test(`a search for ${words} finds ${expected}`, async () => {
    const page = await opened("index.html", 1400, "light", `?q=${words}`);
    const found = "[...document.querySelectorAll('.md-search-result__link')].map((each) => each.getAttribute('href'))";
    await page.until(`${found}.length > 0`, "results");
    const results = await page.evaluate(found);
    assert.ok(results.some((each) => each.includes(expected)), results.join(" "));
    blameless(page);
    await page.close();
  });
}
