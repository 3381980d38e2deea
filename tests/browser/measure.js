// What an input of a widget costs, measured on a page: `window.measure`. Tests hold the changes, which are the same on
// every machine; times are for a table to read.
window.measure = (() => {
  const SEEN = { subtree: true, childList: true, attributes: true, characterData: true };
  const controlsOf = (host) => [...host.querySelectorAll("[data-control]")];
  // What an input can be set to; a typed sentence is given with its last word and without.
  const settingsOf = ({ type, value, options, max }) =>
    type === "text" ? [value, value.replace(/ \S+$/, "")] : Array.from({ length: options?.length ?? Number(max) + 1 }, (_, i) => String(i));

  // Every attribute and text that was set counts, and every node that came or went.
  const count = (records) =>
    records.reduce((sum, { type, addedNodes, removedNodes }) => sum + (type === "childList" ? addedNodes.length + removedNodes.length : 1), 0);

  // A figure that waits for a prediction is shown.
  function open() {
    for (const button of document.querySelectorAll(".aw-gate > .aw-button")) button.click();
  }

  // Until a network has answered what the figure asks of it.
  async function answered(host) {
    while (host.querySelector("[aria-busy=true]")) await new Promise((done) => setTimeout(done, 5));
  }

  // `moves` inputs at a control, up and down its settings in uneven steps: the changes each makes, with those that a network's
  // answer makes, and the milliseconds from the input to the last of the page's own.
  async function play(host, input, moves) {
    const seen = [], observer = new MutationObserver((records) => seen.push(...records)), changes = [], times = [], settings = settingsOf(input);
    observer.observe(host, SEEN);
    for (let i = 0, at = 0; i < moves; i++) {
      at = (at + 7) % settings.length;
      if (settings[at] === input.value) at = (at + 1) % settings.length;
      input.value = settings[at];
      observer.takeRecords();
      seen.length = 0;
      const start = performance.now();
      input.dispatchEvent(new Event("input", { bubbles: true }));
      times.push(performance.now() - start);
      await answered(host);
      changes.push(count([...seen, ...observer.takeRecords()].filter(({ attributeName }) => attributeName !== "aria-busy")));
    }
    observer.disconnect();
    return { widget: host.dataset.attentionWidget, control: input.dataset.control, changes, times };
  }

  // For each control of each widget on the page; a network is asked less often.
  async function inputs(moves = 50) {
    open();
    const measured = [];
    for (const host of document.querySelectorAll("[data-attention-widget]"))
      for (const input of controlsOf(host)) measured.push(await play(host, input, host.querySelector("[aria-busy]") ? Math.min(moves, 8) : moves));
    return measured;
  }

  // Milliseconds from the start of the page to the first widget that can be used.
  const ready = () => performance.getEntriesByName("attention-widgets")[0].startTime;

  // What has moved since the start, but for an input's doing; `ms` is how long to wait for what is under way.
  const shift = (ms) =>
    new Promise((done) => {
      let total = 0;
      const add = (list) => list.getEntries().forEach((each) => (total += each.hadRecentInput ? 0 : each.value));
      new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
      setTimeout(() => done(total), ms);
    });

  return { inputs, ready, shift };
})();
