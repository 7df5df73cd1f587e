/**
 * Keeps the elements marked `data-live="<id>"` fresh: asks for the page itself again and takes over those
 * elements, every `data-every` seconds of the body's first such element. Nothing is asked while nobody looks.
 */
const DEFAULT_SECONDS = 15;
const first = document.querySelector<HTMLElement>('[data-live]');
const seconds = Number(first?.dataset.every) || DEFAULT_SECONDS;

async function refresh(): Promise<void> {
  if (document.hidden) return;
  const response = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => null);
  // What is shown says when it was read, so it may stay until there is something newer.
  if (!response?.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const old of document.querySelectorAll<HTMLElement>('[data-live]')) {
    const id = CSS.escape(old.dataset.live ?? '');
    const replacement = fresh.querySelector(`[data-live="${id}"]`);
    if (replacement && replacement.innerHTML !== old.innerHTML) {
      old.replaceChildren(...[...replacement.childNodes].map((node) => document.importNode(node, true)));
    }
  }
}

setInterval(refresh, seconds * 1000);
document.addEventListener('visibilitychange', refresh);
