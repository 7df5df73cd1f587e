import { createRequire } from 'node:module';
import { html, raw } from 'hono/html';

interface Highlighter {
  registerLanguage(name: string, grammar: unknown): void;
  highlight(code: string, options: { language: string }): { readonly value: string };
}

// Imported, its types would bring those of browsers into the code of all Workers.
const require = createRequire(import.meta.url);
const hljs = require('highlight.js/lib/core') as Highlighter;

const LANGUAGES = {
  sh: { label: 'Shell', grammar: require('highlight.js/lib/languages/bash') },
  ts: { label: 'TypeScript', grammar: require('highlight.js/lib/languages/typescript') },
  json: { label: 'JSON', grammar: require('highlight.js/lib/languages/json') },
  toml: { label: 'TOML', grammar: require('highlight.js/lib/languages/ini') },
  python: { label: 'Python', grammar: require('highlight.js/lib/languages/python') },
  yaml: { label: 'YAML', grammar: require('highlight.js/lib/languages/yaml') },
};

for (const [name, { grammar }] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, grammar);

/** A sample with its copy button, coloured by classes: the site's policy forbids styles in the markup. A note stands above it. */
export function sampleFigure(code: string, language: string, note = ''): string {
  const known = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language as keyof typeof LANGUAGES] : null;
  const text = code.replace(/\n$/, '');
  const marked = known ? raw(hljs.highlight(text, { language }).value) : text;
  return String(html`<figure class="code"><figcaption><span>${known?.label ?? 'Text'}${
    note === '' ? '' : `, ${note}`
  }</span><button type="button" data-copy
hidden>Copy</button></figcaption><pre><code>${marked}</code></pre></figure>
`);
}
