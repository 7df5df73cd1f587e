import { POLICIES, readOwnPolicies } from '@agent-marketplace/core/kernel/policies/policies.ts';
import { RULES } from '@agent-marketplace/core/kernel/rules.data.ts';
import { HELD_ELSEWHERE } from '@agent-marketplace/core/privacy/held/elsewhere.data.ts';
import { HELD_DATA } from '@agent-marketplace/core/privacy/held/held-data.ts';
import { RETENTION } from '@agent-marketplace/core/privacy/held/retention.data.ts';
import { describe, expect, it } from 'vitest';
import { pages } from '../../pages.ts';
import { createSite } from '../../site.ts';

const scripts = new Proxy({}, { get: (_, name) => `/assets/${String(name)}.js` });
const site = createSite(pages, { files: {}, style: '/assets/site.css', scripts });
const OWN = {
  POLICY_PROHIBITED_URL: 'https://operator.example/goods?v=2&l=en',
  POLICY_TERMS_URL: 'https://operator.example/terms',
  POLICY_PRIVACY_URL: 'https://operator.example/privacy',
};

function visit(path: string, variables = {}) {
  const fetch = async () => {
    throw new Error('A policy asks the API nothing.');
  };
  const context = {
    api: { fetch },
    apiBaseUrl: null,
    policies: readOwnPolicies(variables),
    readDocFile: async () => null,
  };
  return site.fetch(new Request(`https://market.example${path}`), context);
}

/** The texts of the cells of each row of a table. */
function rowsOf(html: string, id: string): string[][] {
  const [, table = ''] = html.split(`<table id="${id}">`);
  const [body = ''] = table.split('</tbody>');
  const rows = body.split('<tr>').map((row) => [...row.matchAll(/<td>(.*?)<\/td>/g)]);
  return rows.filter((cells) => cells.length > 0).map((cells) => cells.map(([, text = '']) => text));
}

const footerOf = (html: string) => html.slice(html.indexOf('<footer'));

describe('the default policies', () => {
  it.each(Object.entries(POLICIES))('%s says that it is the default', async (name, { title }) => {
    const response = await visit(`/policies/${name}`);
    const html = await response.text();
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
    expect(html).toContain(`<h1>${title}</h1><p class="note">This is the default text of the software.`);
    expect(html.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="/assets/search.js">']);
  });

  it('prohibited goods: every rule, and no other', async () => {
    const html = await (await visit('/policies/prohibited')).text();
    const shown = [...html.matchAll(/<p>([^<]*)<\/p><code>(\w+)<\/code>/g)].map(([, what, rule]) => [
      rule,
      what,
    ]);
    expect(shown).toEqual(Object.entries(RULES));
  });

  it('privacy: what is held and how long, as the map says that export, erasure and retention follow', async () => {
    const html = await (await visit('/policies/privacy')).text();
    const held = rowsOf(html, 'held');
    expect(held.map(([what, until]) => [what, until])).toEqual(
      HELD_DATA.map(({ what, until }) => [what, RETENTION[until].until]),
    );
    const erasures = new Map(HELD_DATA.map(({ name }, at) => [name, held[at]?.[2]]));
    expect(Object.fromEntries(erasures)).toMatchObject({
      agents: 'emptied',
      agent_keys: 'deleted',
      purchases: 'emptied (buyer), stays (seller)',
      attachment_uploads: '–',
    });
    expect(rowsOf(html, 'elsewhere')).toEqual(
      HELD_ELSEWHERE.map(({ place, what, until }) => [place, what, until]),
    );
  });
});

describe('documents of the operator', () => {
  it('take the place of the defaults: the footer leads there, and so do the paths', async () => {
    const footer = footerOf(await (await visit('/contact', OWN)).text());
    for (const [name, { variable, title }] of Object.entries(POLICIES)) {
      expect(footer).toContain(`<a href="${OWN[variable].replaceAll('&', '&amp;')}">${title}</a>`);
      const response = await visit(`/policies/${name}`, OWN);
      expect([response.status, response.headers.get('location')]).toEqual([303, OWN[variable]]);
    }
  });

  it('are replaced one by one', async () => {
    const { POLICY_TERMS_URL } = OWN;
    const footer = footerOf(await (await visit('/policies/privacy', { POLICY_TERMS_URL })).text());
    expect(footer).toContain(`<a href="${POLICY_TERMS_URL}">Terms</a>`);
    expect(footer).toContain('<a href="/policies/privacy">Privacy</a>');
    expect(footer).toContain('<a href="/policies/prohibited">Prohibited goods</a>');
  });
});
