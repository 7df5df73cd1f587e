/**
 * Keeps the elements marked `data-live="<id>"` fresh: asks for the page itself again and takes over those
 * elements, every `data-every` seconds of the first of them. A page that comes without it has come to rest, and
 * is not asked for again. Nothing is asked while nobody looks.
 */
const served = new Map(liveElements(document).map((element) => [idOf(element), element.innerHTML]));
let timer = 0;
let isAsking = false;

function liveElements(page: Document): HTMLElement[] {
  return [...page.querySelectorAll<HTMLElement>('[data-live]')];
}

function idOf(element: HTMLElement): string {
  return element.dataset.live ?? '';
}

/** By what the page itself says; never, where it says nothing. */
function wait(page: Document): void {
  clearTimeout(timer);
  const seconds = Number(liveElements(page)[0]?.dataset.every);
  if (seconds > 0) timer = setTimeout(refresh, seconds * 1000);
  else document.removeEventListener('visibilitychange', refresh);
}

async function refresh(): Promise<void> {
  if (document.hidden || isAsking) return wait(document);
  isAsking = true;
  const fresh = await ask().finally(() => {
    isAsking = false;
  });
  // What is shown says when it was read, so it may stay until there is something newer.
  if (fresh === null) return wait(document);
  let isChanged = false;
  const replacements = new Map(liveElements(fresh).map((element) => [idOf(element), element]));
  for (const old of liveElements(document)) {
    const replacement = replacements.get(idOf(old));
    if (!replacement) continue;
    if (replacement.dataset.every) old.dataset.every = replacement.dataset.every;
    else delete old.dataset.every;
    // Compared as they were served: what scripts have made of the old one since is no news.
    if (served.get(idOf(old)) === replacement.innerHTML) continue;
    served.set(idOf(old), replacement.innerHTML);
    old.replaceChildren(...[...replacement.childNodes].map((node) => document.importNode(node, true)));
    isChanged = true;
  }
  // For the scripts that look after what stands in those elements.
  if (isChanged) document.dispatchEvent(new Event('live'));
  wait(document);
}

async function ask(): Promise<Document | null> {
  const response = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => null);
  if (!response?.ok) return null;
  const text = await response.text().catch(() => null);
  return text === null ? null : new DOMParser().parseFromString(text, 'text/html');
}

document.addEventListener('visibilitychange', refresh);
wait(document);
