import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { INTENT_CLASSES } from '@agent-marketplace/core/ingress/index.ts';
import { readOwnPolicies } from '@agent-marketplace/core/kernel/policies/policies.ts';
import { documentedOperations } from '@agent-marketplace/core/operations/documented.ts';
import { exampleFor } from '@agent-marketplace/core/testing/fixtures/operation-inputs.ts';
import {
  outputSchema,
  type SchemaComponents,
} from '@agent-marketplace/core/transport/openapi/json-schema.ts';
import { API_ROOT } from '@agent-marketplace/protocol/brand.ts';
import type { SitePage } from '@agent-marketplace/site/page.ts';
import { pages } from '@agent-marketplace/site/pages.ts';
import { createSite } from '@agent-marketplace/site/site.ts';
import { expect, it, vi } from 'vitest';

// What one request for a page asks of the API. The site has no database: this is all that it costs besides drawing.

const ORIGIN = 'https://market.example';
const scripts = new Proxy({}, { get: (_, name) => `/assets/${String(name)}.js` });
const site = createSite(pages, { files: {}, style: '/assets/site.css', scripts });

/** Where a page asks on for each of a list, or by what was chosen in a form. */
const ANSWERS: Readonly<Record<string, object>> = { getIngressVocabulary: { vocabulary: INTENT_CLASSES } };
const FORMS: Readonly<Record<string, readonly string[]>> = {
  '/claim/{token}': ['callbackUrl=https://seller.example.com', 'do=payouts', 'do=tax'],
  '/purchases/{id}': ['', 'do=dispute&reason=Late', 'do=say&message=x'],
};

const operations = documentedOperations.map((operation) => {
  const pattern = operation.http.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+');
  return {
    operation,
    method: operation.http.method.toUpperCase(),
    path: new RegExp(`^${API_ROOT}${pattern}$`),
  };
});

/** An answer such as the operation declares. */
function answerTo(request: Request): Response {
  const { pathname } = new URL(request.url);
  if (pathname === `${API_ROOT}/problems.json`) return Response.json({ problems: [] });
  const found = operations.find(({ method, path }) => method === request.method && path.test(pathname));
  if (!found) throw new Error(`No operation answers ${request.method} ${pathname}.`);
  const components: SchemaComponents = {};
  const schema = outputSchema(found.operation, components);
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    name,
    exampleFor(field, components),
  ]);
  return Response.json({ ...Object.fromEntries(fields), ...ANSWERS[found.operation.name] });
}

/** The most that a page asks: of an API that answers, refuses everything, or refuses what is asked first. */
async function asked(page: SitePage, init: RequestInit): Promise<number> {
  const path = page.path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000');
  const refuse = () => Response.json({ code: 'conflict', title: 'Refused.', status: 409 }, { status: 409 });
  const counts: number[] = [];
  for (const refused of [0, 1, Number.POSITIVE_INFINITY]) {
    let count = 0;
    const fetch = async (request: Request) => {
      count += 1;
      return count <= refused ? refuse() : answerTo(request);
    };
    await site.fetch(new Request(ORIGIN + path, init), {
      api: { fetch },
      apiBaseUrl: null,
      policies: readOwnPolicies({}),
      readDocFile: async () => null,
    });
    counts.push(count);
  }
  return Math.max(...counts);
}

const headers = { 'content-type': 'application/x-www-form-urlencoded' };

it('docs/security.md has the figures', async () => {
  // What an answer made from a schema lacks, a page may fail to draw: it has asked by then.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const lines: string[] = [];
  for (const page of pages) {
    const forms = page.post ? (FORMS[page.path] ?? ['']) : [];
    const posts = await Promise.all(forms.map((body) => asked(page, { method: 'POST', headers, body })));
    const [get, post] = [await asked(page, {}), Math.max(0, ...posts)];
    if (get + post > 0) lines.push(`| ${page.path} | ${get} | ${page.post ? post : '–'} |`);
  }
  const table = ['| page | API calls to show it | API calls of its form |', '|---|---|---|', ...lines].join(
    '\n',
  );
  const security = readFileSync(join(import.meta.dirname, '../../docs/security.md'), 'utf8');
  expect(security, `Put this into docs/security.md:\n${table}\n`).toContain(table);
});
