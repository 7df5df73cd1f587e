import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOwnPolicies } from '@agent-marketplace/core/kernel/policies/policies.ts';
import { expect, test } from 'vitest';
import type { Assets } from '../../asset-files.ts';
import { createSite } from '../../site.ts';
import { styleguidePage } from './styleguide.tsx';

const TOKENS = join(import.meta.dirname, '../../styles/tokens.css');
const scripts = new Proxy({}, { get: (_, name) => `/assets/${String(name)}.js` });
const assets: Assets = { files: {}, style: '/assets/site.css', scripts };

test('the style guide shows every colour, every step of type and every space', async () => {
  const css = readFileSync(TOKENS, 'utf8');
  const names = [...css.matchAll(/--([a-z0-9-]+):\s*(#|[\d.]+rem)/g)].map(([, name = '']) => name);
  const shown = [...new Set(names)].filter((name) => !['gutter', 'side', 'wide', 'measure'].includes(name));
  expect(shown.length).toBeGreaterThan(25);
  const site = createSite([styleguidePage], assets);
  const context = {
    api: { fetch: async () => new Response(null, { status: 503 }) },
    apiBaseUrl: null,
    policies: readOwnPolicies({}),
    readDocFile: async () => null,
    isDevelopment: true,
  };
  const page = await (await site.fetch(new Request('https://market.example/styleguide'), context)).text();
  const missing = shown.filter((name) => !new RegExp(`class="(swatch )?${name}"`).test(page));
  expect(missing).toEqual([]);
});
