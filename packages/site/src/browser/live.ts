/**
 * Refreshes the elements marked `data-live="<id>"`: fetches the page again and replaces them, every
 * `data-every` seconds of the first one. A page without such an element is final and is not fetched again;
 * a hidden page is not fetched either.
 */
const servedHtml = new Map(liveElements(document).map((element) => [idOf(element), element.innerHTML]));
let timer = 0;
let isRefreshing = false;

function liveElements(page: Document): HTMLElement[] {
  return [...page.querySelectorAll<HTMLElement>('[data-live]')];
}

function idOf(element: HTMLElement): string {
  return element.dataset.live ?? '';
}

/** The fetched page sets the interval; without one, refreshing ends. */
function scheduleRefresh(page: Document): void {
  clearTimeout(timer);
  const seconds = Number(liveElements(page)[0]?.dataset.every);
  if (seconds > 0) timer = setTimeout(refresh, seconds * 1000);
  else document.removeEventListener('visibilitychange', refresh);
}

async function refresh(): Promise<void> {
  if (document.hidden || isRefreshing) return scheduleRefresh(document);
  isRefreshing = true;
  const fresh = await fetchPage().finally(() => {
    isRefreshing = false;
  });
  // The old content says when it was read, so it may stay until newer content arrives.
  if (fresh === null) return scheduleRefresh(document);
  let isChanged = false;
  const replacements = new Map(liveElements(fresh).map((element) => [idOf(element), element]));
  for (const old of liveElements(document)) {
    const replacement = replacements.get(idOf(old));
    if (!replacement) continue;
    if (replacement.dataset.every) old.dataset.every = replacement.dataset.every;
    else delete old.dataset.every;
    // Compares the markup as served: changes that scripts made since do not count.
    if (servedHtml.get(idOf(old)) === replacement.innerHTML) continue;
    servedHtml.set(idOf(old), replacement.innerHTML);
    old.replaceChildren(...[...replacement.childNodes].map((node) => document.importNode(node, true)));
    isChanged = true;
  }
  // Other scripts work on these elements and must run again.
  if (isChanged) document.dispatchEvent(new Event('live'));
  scheduleRefresh(document);
}

async function fetchPage(): Promise<Document | null> {
  const response = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => null);
  if (!response?.ok) return null;
  const text = await response.text().catch(() => null);
  return text === null ? null : new DOMParser().parseFromString(text, 'text/html');
}

document.addEventListener('visibilitychange', refresh);
scheduleRefresh(document);
