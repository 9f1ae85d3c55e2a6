// The report by the rules of axe-core, where it is installed: AXE names its script.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { click, inBrowser } from "./visits.mjs";

const axe = process.env.AXE && existsSync(process.env.AXE) ? readFileSync(process.env.AXE, "utf8") : null;

inBrowser("accessibility", ({ check, visit, made, ours }) => {
  const violations = async (page) => {
    await page.evaluate(`${axe}; true`);
    return page.evaluate(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ": " + target.join(" ") + " " + failureSummary)))`);
  };
  const reports = {
    "the program's own report": () => ours(),
    "four coordinates and pictures": () => made("axe", { dims: 4, images: true }),
    "one coordinate": () => made("axe-one", { dims: 1 }),
  };
  for (const [name, report] of Object.entries(reports)) {
    check(`${name} violates no rule, light or dark, with everything open`, (t) => {
      if (!axe) return t.skip("axe-core is not installed");
      return visit(report(), { width: 1400, height: 900 }, async (page) => {
        assert.deepEqual(await violations(page), []);
        await page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))");
        await page.evaluate("document.querySelector('[data-category]')?.click()");
        await page.evaluate(click("#theme"));
        await page.settle();
        assert.deepEqual(await violations(page), []);
      });
    });
  }
});
