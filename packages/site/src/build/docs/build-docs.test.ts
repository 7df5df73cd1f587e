import { globSync } from 'node:fs';
import { HOSTILE, sampleOperations } from '@agent-marketplace/core/testing/fixtures/sample-operations.ts';
import { openApiDocument } from '@agent-marketplace/core/transport/openapi/document.ts';
import MiniSearch from 'minisearch';
import { describe, expect, it } from 'vitest';
import type { DocPage } from '../../docs/doc-page.ts';
import { SEARCH_OPTIONS } from '../../docs/search-options.ts';
import { buildDocs } from './build-docs.ts';
import { findDeadLinks } from './find-dead-links.ts';
import { renderGuides } from './guides.ts';
import { pathOf, REPOSITORY } from './read-sources.ts';
import { type Answer, type OpenApi, resolve } from './reference/openapi.ts';
import { readOpenApi, renderReference } from './reference/render-reference.ts';
import { renderMarkdown } from './render-markdown.ts';

const files = buildDocs();
const pages = new Map(
  [...files]
    .filter(([file]) => file.startsWith('pages/'))
    .map(([file, text]) => {
      const name = file.slice('pages/'.length, -'.json'.length);
      return [name === 'index' ? '/docs' : `/docs/${name}`, JSON.parse(text) as DocPage] as const;
    }),
);
const htmlByPath = new Map([...pages].map(([path, { html }]) => [path, html]));
/** As a reader sees it. */
const plainText = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#(39|x27);/g, "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
const idsOf = (html: string) => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);

describe('the pages of the documentation', () => {
  it('are every guide, every decision and every operation', () => {
    const guides = globSync('docs/{,adr/}*.md', { cwd: REPOSITORY });
    expect(guides.length).toBeGreaterThan(30);
    for (const file of guides) expect([...pages.keys()]).toContain(pathOf(file));
    const operations = readOpenApi()
      .flatMap(({ paths }) => Object.values(paths))
      .flatMap((methods) => Object.values(methods));
    expect(operations.length).toBeGreaterThan(100);
    for (const { operationId } of operations) {
      expect([...pages.keys()]).toContain(`/docs/api/${operationId}`);
      // Where links to the former page of all operations lead.
      expect(idsOf(pages.get('/docs/api')?.html ?? '')).toContain(operationId);
    }
  });

  it('have the places that pages of errors and the door name', () => {
    const ids = idsOf(pages.get('/docs/api')?.html ?? '');
    for (const id of [
      'authentication',
      'errors',
      'idempotency',
      'provenance',
      'area-ingress',
      'area-meta-for-operators',
    ])
      expect(ids).toContain(id);
  });

  it('link to pages, parts of pages and files that are there', () => {
    expect(findDeadLinks(htmlByPath)).toEqual([]);
    const planted = new Map([
      ...htmlByPath,
      ['/docs/x', '<a href="/docs/nope"></a><a href="/docs/buy#nope"></a>'],
    ]);
    expect(findDeadLinks(planted)).toEqual(['/docs/x → /docs/nope', '/docs/x → /docs/buy#nope']);
    const source = { file: 'docs/x.md', path: '/docs/x', group: '', markdown: '[a](nope.md)' };
    expect(() => renderGuides([source])).toThrow('docs/x.md links to nope.md, which is not there.');
  });

  it.each([...htmlByPath])('%s: nothing inline, ids once, headings in order', (_, html) => {
    expect(html).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+="/i);
    expect(idsOf(html)).toEqual([...new Set(idsOf(html))]);
    const [article = ''] = html.split('</article>');
    const levels = [...article.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
    expect(levels.filter((level) => level === 1)).toEqual([1]);
    levels.reduce((before, level) => {
      expect(level).toBeLessThanOrEqual(before + 1);
      return level;
    }, 0);
  });

  it('have neighbours in reading order', () => {
    expect(pages.get('/docs/buy')?.html).toMatch(
      /rel="prev" href="\/docs">.*\n<a rel="next" href="\/docs\/sell"/,
    );
  });
});

describe('a guide', () => {
  const { html, headings, description } = renderMarkdown(
    '# A *page*\n\nOf `code`,\nand more. [There](other.md#a) [file](x.ts)\n\n## One\n\n## One\n\n```ts not run: it is no program\nconst a = "<b>";\n```\n\n| a | b |\n|---|---|\n| 1<br>2 | 3 |\n',
    (href) => (href === 'x.ts' ? null : `/docs/${href}`),
  );

  it('keeps what the file says', () => {
    expect(headings.map(({ id }) => id)).toEqual(['a-page', 'one', 'one-1']);
    expect(description).toBe('Of code, and more. There file');
    expect(html).toContain('<a href="/docs/other.md#a">There</a> <span>file</span>');
    expect(html).toContain('<h2 id="one"><a class="heading-link" href="#one">One</a></h2>');
    expect(html).toContain('<span>TypeScript, not run: it is no program</span>');
    expect(html).toContain('<span class="hljs-string">&quot;&lt;b&gt;&quot;</span>');
    expect(html).toContain('<td>1<br>2</td>');
  });

  it('has no markup of its own', () => {
    expect(() => renderMarkdown('# A\n\n<script>a</script>\n', () => null)).toThrow('Markup in a page');
    expect(() => renderMarkdown('# A\n\na <img src=x>\n', () => null)).toThrow('Markup in a page');
  });
});

/** As the documents have them that are served. */
function withExamples(document: object): OpenApi {
  const text = JSON.stringify(document)
    .replaceAll('"name":"min_rating",', '"name":"min_rating","example":1,')
    .replace(
      /("requestBody":\{.*?"application\/json":\{)/,
      '$1"example":{"price_cents":0,"requestClass":"A"},',
    );
  return JSON.parse(text);
}

describe('the reference', () => {
  const document = withExamples(openApiDocument(sampleOperations, { baseUrl: 'https://market.example/api' }));
  const { overview, operations } = renderReference([document]);
  const text = operations
    .map(({ content }) => content)
    .join('\n')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#(39|x27);/g, "'");

  it('escapes every text', () => {
    for (const { content } of [overview, ...operations]) expect(content).not.toContain(HOSTILE);
    expect(text).not.toMatch(/<script|<!--| on\w+=/i);
  });

  it('has commands that a shell can run', () => {
    const plain = text.replaceAll(/<\/?span[^>]*>/g, '');
    expect(plain).toContain('curl "$BASE/samples?min_rating=1"');
    expect(plain).toContain(`curl -X PATCH "$BASE/samples/$ID" \\
  -H "Authorization: Bearer $KEY" \\
  -H "Idempotency-Key: $(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')" \\
  -H 'Content-Type: application/json' \\
  -d '{"price_cents":0,"requestClass":"A"}'`);
  });

  it('shows what was sent and answered where the documents have it', () => {
    const documented = readOpenApi().flatMap((one) =>
      Object.values(one.paths)
        .flatMap((methods) => Object.values(methods))
        .flatMap(({ operationId, requestBody, responses }) => {
          const answers = Object.entries(responses).flatMap(([status, answer]) =>
            status.startsWith('2') ? Object.values(resolve<Answer>(one, answer).content ?? {}) : [],
          );
          const body = Object.values(requestBody?.content ?? {})[0]?.example;
          const isSent = body !== undefined && Object.keys(body as object).length > 0;
          const sent = isSent ? [JSON.stringify(body).replaceAll("'", "'\\''")] : [];
          const answered = answers.flatMap(({ example }) =>
            example === undefined
              ? []
              : [typeof example === 'string' ? example.trim() : JSON.stringify(example, null, 2)],
          );
          return [...sent, ...answered].map((example) => ({ operationId, example }));
        }),
    );
    expect(documented.length).toBeGreaterThan(200);
    for (const { operationId, example } of documented)
      expect(plainText(pages.get(`/docs/api/${operationId}`)?.html ?? ''), operationId).toContain(example);
  });

  it('sends in the body what a header may carry as well', () => {
    const command = /curl -X POST "[^"]*\/ingress\/admit"[\s\S]*?'\n/.exec(
      `${plainText(pages.get('/docs/api/admit')?.html ?? '')}\n`,
    )?.[0];
    expect(command).not.toContain('Idempotency-Key');
    expect(JSON.parse(/-d '(.*)'/.exec(command ?? '')?.[1] ?? '{}')).toMatchObject({
      intentClass: 'COMMERCE',
      requestId: expect.any(String),
      side: 'buy',
    });
  });

  it('has nested fields with their rules, and what an answer of several kinds always has', () => {
    expect(text).toMatch(/<code>tags\[\]\.<wbr>text<\/code><\/th><td>body<\/td><td>string or null/);
    expect(text).toContain("default <code>it's</code>");
    expect(text).toContain('0 to 100');
    expect(text).toMatch(/<code>kind<\/code><\/th><td>string.*?<\/td><td>yes<\/td>/);
    expect(text).toMatch(/<code>reason<\/code><\/th><td>string<\/td><td>no<\/td>/);
  });

  it('links each error to its page', () => {
    expect(text).toContain('<a href="/problems/rate_limited"><code>rate_limited</code></a>');
  });
});

it('the search finds guides and operations, also by the beginning of a word and misspelt', () => {
  const [, json = ''] = [...files].find(([file]) => file.startsWith('search.')) ?? [];
  const index = MiniSearch.loadJSON(json, SEARCH_OPTIONS);
  const pathsFor = (query: string) => index.search(query).map(({ path }) => path);
  expect(pathsFor('open dispute').slice(0, 3)).toContain('/docs/buy#dispute');
  expect(pathsFor('purchaseListing')[0]).toBe('/docs/api/purchaseListing');
  expect(pathsFor('idempot')).toContain('/docs/api');
  expect(pathsFor('chargback').length).toBeGreaterThan(0);
});

it('the search knows every page', () => {
  const [, json = ''] = [...files].find(([file]) => file.startsWith('search.')) ?? [];
  const { storedFields } = JSON.parse(json) as { storedFields: Record<string, { path: string }> };
  const found = new Set(Object.values(storedFields).map(({ path }) => path.split('#')[0]));
  expect([...pages.keys()].filter((path) => !found.has(path))).toEqual([]);
});

it('the search shows guides before decisions', () => {
  const [, json = ''] = [...files].find(([file]) => file.startsWith('search.')) ?? [];
  const index = MiniSearch.loadJSON(json, SEARCH_OPTIONS);
  for (const query of ['escrow', 'idempotency', 'x402', 'webhook', 'budget']) {
    const paths = index.search(query).map(({ path }) => String(path));
    const firstDecision = paths.findIndex((path) => path.startsWith('/docs/adr'));
    const firstGuide = paths.findIndex((path) => /^\/docs\/(?!adr|api)/.test(path));
    expect([query, firstGuide >= 0 && (firstDecision < 0 || firstGuide < firstDecision)]).toEqual([
      query,
      true,
    ]);
    expect(paths.slice(0, 3).filter((path) => path.startsWith('/docs/adr'))).toEqual([]);
  }
});

it('the guides as text name this marketplace, and link to what is served', () => {
  const texts = [...files].filter(([file]) => file === 'llms-full.txt' || file.endsWith('.md'));
  expect(texts.length).toBeGreaterThan(30);
  for (const [file, text] of texts) {
    expect(text, file).not.toContain('http://localhost:8787/api');
    const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');
    for (const [, href = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      const [, path = '', anchor] = /^\{\{SITE_ROOT\}\}\/(?:docs\/)?([^#]*)(#.*)?$/.exec(href) ?? [];
      if (path === '') expect(href, file).toMatch(/^(https?:|mailto:|\{\{API_ROOT\}\})/);
      else if (!/^openapi(-operator)?\.json$/.test(path))
        expect([...files.keys()], `${file}: ${href}`).toContain(path === 'README.md' ? 'index.md' : path);
      if (anchor !== undefined) expect(anchor).toMatch(/^#[\w-]+$/);
    }
  }
});

it('a sample of what a wallet pays for sends the key, and one that anybody may read does not', () => {
  const command = (name: string) => plainText(pages.get(`/docs/api/${name}`)?.html ?? '');
  for (const name of ['purchaseListing', 'exportOwnData', 'requestErasure'])
    expect(command(name), name).toContain('-H "Authorization: Bearer $KEY"');
  expect(command('browseListings')).not.toContain('Authorization: Bearer $KEY');
});
