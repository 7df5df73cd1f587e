/** Text that may stand anywhere in HTML, in attributes too. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | readonly Html[] | string | number | null;

/** HTML with everything put in escaped, but what is HTML already. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.reduce((text, string, index) => text + render(parts[index - 1] ?? null) + string));
}

function render(part: Part): string {
  if (part === null) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(render).join('');
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const STYLE = new Html(`
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { margin: 0 auto; max-width: 34rem; padding: 2rem 1.25rem; }
  h1 { font-size: 1.5rem; line-height: 1.25; }
  form { display: grid; gap: 1rem; margin: 1.5rem 0; }
  label { display: grid; gap: 0.25rem; }
  input, select, button { border: 1px solid; border-radius: 0.4rem; box-sizing: border-box; font: inherit; min-width: 0; padding: 0.5rem 0.75rem; width: 100%; }
  button { background: #0b57d0; border-color: #0b57d0; color: #fff; cursor: pointer; }
  button.quiet { background: none; border-color: currentColor; color: inherit; }
  .row { display: grid; gap: 1rem; grid-template-columns: 1fr 1fr; }
  .note { border-left: 0.25rem solid #b06000; padding-left: 0.75rem; }
  .error { border-left: 0.25rem solid #b3261e; padding-left: 0.75rem; }
  table { border-collapse: collapse; font-size: 0.9rem; width: 100%; }
  td, th { padding: 0.25rem 0.5rem 0.25rem 0; text-align: left; vertical-align: top; }
  td:last-child { overflow-wrap: anywhere; }
  td:first-child { font-variant-numeric: tabular-nums; white-space: nowrap; }
`);

/** A whole page. No scripts, nothing from elsewhere, never cached. */
export function page(title: string, content: Html, status = 200) {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="note">Local card processor: no money moves. Use a test card.</p>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
    body: document.text,
  };
}
