// The search of the site runs in a worker, which browsers refuse to pages that were opened from the disk. There it
// runs in a hidden frame instead.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const base = new URL(url, location.href);
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inner = frame.contentWindow;
      const load = (address) =>
        new Promise((resolve, reject) => {
          const script = inner.document.createElement("script");
          script.src = new URL(address, base).href;
          script.onload = resolve;
          script.onerror = reject;
          inner.document.body.append(script);
        });
      // What the script sends comes out of the worker.
      inner.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inner.importScripts = (...all) => all.reduce((before, each) => before.then(() => load(each)), Promise.resolve());
      this.inner = inner;
      this.ready = load(base);
    }

    postMessage(data) {
      const { MessageEvent } = this.inner;
      this.ready.then(() => this.inner.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.inner.frameElement.remove();
    }
  };
}
