import { html, raw } from 'hono/html';

export type Html = ReturnType<typeof html>;

/** A page as the navigation knows it. */
export interface NavigationEntry {
  readonly path: string;
  readonly title: string;
  readonly group: string;
  /** What is listed below it while it is open: its sections, or the operations of its area. */
  readonly within: readonly { readonly path: string; readonly title: string }[];
}

interface Frame {
  readonly path: string;
  readonly content: string;
  readonly entries: readonly NavigationEntry[];
  /** The entry of the navigation that the page belongs to. */
  readonly open: string;
  readonly previous: NavigationEntry | null;
  readonly next: NavigationEntry | null;
  readonly searchIndex: string;
}

/** A page with the search, the list of all pages, and the links to its neighbours. */
export function frame(page: Frame): string {
  const groups = Map.groupBy(page.entries, ({ group }) => group);
  return String(html`<div class="docs">
<div class="docs-tools">
<form class="docs-search" role="search" data-index="${page.searchIndex}" hidden>
<label class="visually-hidden" for="docs-query">Search the documentation</label>
<input id="docs-query" type="search" placeholder="Search the docs" autocomplete="off">
<p class="fine" role="status"></p>
<ul class="docs-found"></ul>
</form>
<p class="docs-all"><a href="#contents">All pages</a></p>
</div>
<article class="docs-page">
${raw(page.content)}
${neighbours(page)}
</article>
<nav class="docs-contents" id="contents" aria-label="Documentation">
${[...groups].map(
  ([title, entries]) => html`<h2>${title}</h2>
<ul>${entries.map((entry) => entryItem(entry, page))}</ul>
`,
)}
</nav>
</div>
`);
}

function entryItem({ path, title, within }: NavigationEntry, page: Frame): Html {
  const isOpen = path === page.open;
  return html`<li><a href="${path}"${current(path, page)}>${title}</a>${
    isOpen && within.length > 0
      ? html`<ul>${within.map(
          (one) => html`<li><a href="${one.path}"${current(one.path, page)}>${one.title}</a></li>`,
        )}</ul>`
      : ''
  }</li>
`;
}

function current(path: string, page: Frame): Html | string {
  return path === page.path ? html` aria-current="page"` : '';
}

function neighbours({ previous, next }: Frame): Html | string {
  if (!previous && !next) return '';
  return html`<nav class="docs-neighbours" aria-label="Previous and next page">
${previous ? html`<a rel="prev" href="${previous.path}"><span class="fine">Previous</span> ${previous.title}</a>` : ''}
${next ? html`<a rel="next" href="${next.path}"><span class="fine">Next</span> ${next.title}</a>` : ''}
</nav>`;
}
