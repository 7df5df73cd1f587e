import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { html } from 'hono/html';

/** Markup whose variable parts were escaped by the tag. */
export type Html = ReturnType<typeof html>;

/** Own styles only, no scripts, no frames, no forms. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

interface Page {
  readonly title: string;
  readonly description: string;
  /** From the page to the API root: '' beside it, '../' one level down. Links work behind any prefix. */
  readonly up: '' | '../';
  readonly main: Html;
}

export async function renderPage({ title, description, up, main }: Page): Promise<string> {
  const page = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
<title>${title === BRAND.platform ? title : `${title} · ${BRAND.platform}`}</title>
<link rel="stylesheet" href="${up}docs.css">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<p class="brand"><a href="${up}docs">${BRAND.platform}</a> <span>API ${BRAND.apiVersion}</span></p>
<nav aria-label="Documents">
<a href="${up}docs">Documentation</a>
<a href="${up}problems">Errors</a>
<a href="${up}openapi.json">OpenAPI</a>
</nav>
</header>
<main id="main" tabindex="-1">
${main}
</main>
</body>
</html>
`;
  return String(page);
}

/** A sentence in which `backticks` mark code. */
export function prose(text: string): Html {
  const parts = text.split('`');
  // An unpaired backtick is just a character.
  if (parts.length % 2 === 0) return html`${text}`;
  return html`${parts.map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))}`;
}

interface Table {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (Html | string)[])[];
}

/** On a narrow screen the table scrolls within its frame, which the keyboard can reach. */
export function table({ caption, columns, rows }: Table): Html {
  return html`<div class="frame" role="group" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([
      first,
      ...rest
    ]) => html`<tr><th scope="row">${first}</th>${rest.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
  )}</tbody>
</table></div>
`;
}
