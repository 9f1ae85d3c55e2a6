// A headless Chromium, spoken to over a pipe: messages are JSON that ends with a zero byte.

import { spawn } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";

const PATIENCE = 20_000;
const FLAGS = [
  "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--no-first-run", "--disable-extensions",
  "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--hide-scrollbars",
  "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
];

/// The browser named by CHROMIUM, or the first one in PATH; null where there is none.
export function findChromium() {
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const places = (process.env.PATH || "").split(delimiter).filter(Boolean);
  const found = names.flatMap((name) => places.map((place) => join(place, name)));
  const candidates = process.env.CHROMIUM ? [process.env.CHROMIUM] : found;
  return candidates.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  }) || null;
}

export const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

function within(promise, what, patience = PATIENCE) {
  let timer;
  const late = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new Error(`no answer within ${patience / 1000} s: ${what}`)), patience);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

const describe = ({ exception, text }) => exception?.description || text;

export class Browser {
  static async start(executable) {
    const browser = new Browser();
    browser.profile = mkdtempSync(join(tmpdir(), "nrdr-browser-"));
    const flags = [...FLAGS, `--user-data-dir=${browser.profile}`, "about:blank"];
    browser.process = spawn(executable, flags, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    browser.ended = new Promise((done) => browser.process.once("exit", done));
    browser.process.once("error", (error) => browser.failAll(error));
    browser.ended.then(() => browser.failAll(new Error("the browser has ended")));
    browser.listeners = new Set();
    browser.waiting = new Map();
    browser.number = 0;
    let rest = "";
    browser.process.stdio[3].on("error", () => {});
    browser.process.stdio[4].setEncoding("utf8").on("data", (text) => {
      const messages = (rest + text).split("\0");
      rest = messages.pop();
      for (const message of messages) browser.receive(JSON.parse(message));
    });
    await browser.send("Browser.getVersion");
    return browser;
  }

  receive(message) {
    const waiting = this.waiting.get(message.id);
    if (!waiting) return this.listeners.forEach((listener) => listener(message));
    this.waiting.delete(message.id);
    if (message.error) waiting.fail(new Error(`${waiting.method}: ${message.error.message}`));
    else waiting.done(message.result);
  }

  failAll(error) {
    for (const { fail } of this.waiting?.values() ?? []) fail(error);
    this.waiting?.clear();
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.number;
    const answer = new Promise((done, fail) => this.waiting.set(id, { done, fail, method }));
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return within(answer, method);
  }

  async stop() {
    await this.send("Browser.close").catch(() => {});
    await within(this.ended, "end of the browser", 5000).catch(() => this.process.kill("SIGKILL"));
    await within(this.ended, "end of the browser", 5000).catch(() => {});
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  /// Opens a file, and notes every error, dialog and request from then on.
  async open(file, { width = 1280, height = 900, hash = "" } = {}) {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, targetId, sessionId);
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await page.send(`${domain}.enable`);
    await page.resize(width, height);
    page.url = pathToFileURL(file).href + hash;
    await page.send("Page.navigate", { url: page.url });
    await page.until("document.readyState === 'complete'", "the page to load");
    return page;
  }
}

class Page {
  constructor(browser, targetId, sessionId) {
    Object.assign(this, { browser, targetId, sessionId, problems: [], requests: [] });
    this.listener = (message) => message.sessionId === sessionId && this.notice(message);
    browser.listeners.add(this.listener);
  }

  notice({ method, params }) {
    if (method === "Runtime.exceptionThrown") this.problems.push(describe(params.exceptionDetails));
    else if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type)) {
      this.problems.push(`console: ${params.args.map((each) => each.value ?? each.description).join(" ")}`);
    } else if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level)) {
      this.problems.push(`log: ${params.entry.text}`);
    }
    else if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
    else if (method === "Page.javascriptDialogOpening") {
      this.problems.push(`dialog: ${params.message}`);
      this.send("Page.handleJavaScriptDialog", { accept: true }).catch(() => {});
    }
  }

  send(method, params) {
    return this.browser.send(method, params, this.sessionId);
  }

  resize(width, height) {
    return this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
  }

  /// The value of an expression in the page.
  async evaluate(expression) {
    const answer = await this.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    if (answer.exceptionDetails) throw new Error(describe(answer.exceptionDetails));
    return answer.result.value;
  }

  async until(expression, what = expression, patience = PATIENCE) {
    const end = Date.now() + patience;
    while (Date.now() < end) {
      const value = await this.evaluate(expression).catch(() => false);
      if (value) return value;
      await sleep(30);
    }
    throw new Error(`waited ${patience / 1000} s for ${what}`);
  }

  /// After the next two frames everything that was asked for has been drawn.
  settle() {
    return this.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))");
  }

  async mouse(type, x, y, more = {}) {
    await this.send("Input.dispatchMouseEvent", { type, x, y, button: "none", ...more });
  }

  /// Drags from the first place to the last.
  async drag(places, more = {}) {
    const held = { button: "left", buttons: 1, clickCount: 1, ...more };
    await this.mouse("mouseMoved", ...places[0]);
    await this.mouse("mousePressed", ...places[0], held);
    for (const place of places.slice(1)) await this.mouse("mouseMoved", ...place, held);
    await this.mouse("mouseReleased", ...places.at(-1), held);
    await this.settle();
  }

  async key(key) {
    await this.send("Input.dispatchKeyEvent", { type: "keyDown", key, code: key });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", key, code: key });
    await this.settle();
  }

  /// A picture of the window, or of the whole page.
  async screenshot(isWhole = false) {
    const whole = "({ x: 0, y: 0, width: innerWidth, height: document.documentElement.scrollHeight, scale: 1 })";
    const more = isWhole ? { clip: await this.evaluate(whole), captureBeyondViewport: true } : {};
    const { data } = await this.send("Page.captureScreenshot", { format: "png", ...more });
    return Buffer.from(data, "base64");
  }

  async close() {
    this.browser.listeners.delete(this.listener);
    await this.browser.send("Target.closeTarget", { targetId: this.targetId });
  }
}
