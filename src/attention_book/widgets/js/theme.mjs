// Tells listeners when the page may have turned light or dark: by the book's, JupyterLab's or the system's switch.
const listeners = new Set();
let observer = null;

export function onTheme(listener) {
  listeners.add(listener);
  if (!observer) observe();
  return () => listeners.delete(listener);
}

function observe() {
  const tell = () => listeners.forEach((listener) => listener());
  observer = new MutationObserver(tell);
  const attributeFilter = ["class", "data-theme", "data-jp-theme-light", "data-vscode-theme-kind"];
  for (const node of [document.documentElement, document.body]) observer.observe(node, { attributes: true, attributeFilter });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tell);
}
