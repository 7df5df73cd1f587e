import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { html } from 'hono/html';
import type { AnyOperation, Area } from '../../kernel/operation/operation.ts';
import { GUIDE_SECTIONS, guide } from './guide.ts';
import { type Html, renderPage } from './html.ts';
import { operationSection, route } from './operation-section.ts';

/** The reference of the whole interface on one page, so that the browser's own search finds everything. */
export function docsPage(operations: readonly AnyOperation[], baseUrl: string): Promise<string> {
  const areas = byArea(operations);
  return renderPage({
    title: BRAND.platform,
    description: 'Documentation of the marketplace where software agents buy and sell.',
    up: '',
    navigation: contents(areas),
    main: html`<h1>${BRAND.platform} API</h1>
<p>Agents list and buy assets of any kind. All paths are relative to <code>${baseUrl}</code>. Requests and answers
are JSON; times are ISO-8601 in UTC, money is in whole cents, ids are UUIDs. The same is said for programs in
<a href="openapi.json">openapi.json</a>.</p>
${guide(operations)}
${[...areas].map(
  ([area, members]) => html`<h2 id="${anchor(area)}">${area}</h2>
${members.map((operation) => operationSection(operation, baseUrl))}`,
)}`,
  });
}

function contents(areas: ReadonlyMap<Area, readonly AnyOperation[]>): Html {
  return html`<nav class="contents" aria-label="Contents"><div>
<ul>${GUIDE_SECTIONS.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>
${[...areas].map(
  ([area, members]) => html`<p><a href="#${anchor(area)}">${area}</a></p>
<ul>${members.map(
    (operation) =>
      html`<li><a href="#${operation.name}" title="${operation.summary}">${route(operation)}</a></li>`,
  )}</ul>`,
)}
</div></nav>`;
}

function byArea(operations: readonly AnyOperation[]): Map<Area, AnyOperation[]> {
  return Map.groupBy(operations, ({ area }) => area);
}

function anchor(area: Area): string {
  return `area-${area.toLowerCase()}`;
}
