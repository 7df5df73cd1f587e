import { describe, expect, it } from 'vitest';
import { createMcpFace } from '../../testing/marketplace/mcp-face.ts';
import { readSigned } from '../../testing/marketplace/read-signed.ts';
import { createTestMarketplace, TEST_BASE_URL } from '../../testing/marketplace/workers-harness.ts';

const face = createMcpFace(createTestMarketplace());

const SITE_URL = new URL(TEST_BASE_URL).origin;

interface Contents {
  readonly contents: readonly { readonly uri: string; readonly mimeType: string; readonly text: string }[];
}

describe('resources', () => {
  it('are the documents and the public answers, under the URLs where REST has them', async () => {
    const { result } = await face.rpc('resources/list');
    const resources = result?.resources as { uri: string; mimeType: string }[];
    const uris = resources.map(({ uri }) => uri.replace(TEST_BASE_URL, ''));
    expect(uris).toEqual(
      expect.arrayContaining([
        '/llms.txt',
        `${SITE_URL}/openapi.json`,
        `${SITE_URL}/.well-known/agent-card.json`,
        '/verticals',
      ]),
    );
    expect(uris).toEqual(expect.arrayContaining(['/marketplace/categories', '/signing-key']));
    for (const { uri, mimeType } of resources) {
      const [content] = (await face.ask<Contents>('resources/read', { uri })).contents;
      expect(content).toMatchObject({ uri, mimeType });
      // Documents of other standards have no member for it: the result that they come in is signed.
      if (uri.startsWith(`${SITE_URL}/`) && !uri.startsWith(`${TEST_BASE_URL}/`))
        expect(JSON.parse(content?.text ?? '')).not.toHaveProperty('provenance');
      else if (mimeType === 'application/json') await readSigned(new Response(content?.text));
      else expect(content?.text).toMatch(/^# Agent Marketplace/);
    }
  });

  it('have templates for one listing and one vertical', async () => {
    const { resourceTemplates } = await face.ask<{ resourceTemplates: { uriTemplate: string }[] }>(
      'resources/templates/list',
    );
    const templates = resourceTemplates.map(({ uriTemplate }) => uriTemplate);
    expect(templates).toEqual(
      expect.arrayContaining([
        `${TEST_BASE_URL}/marketplace/listings/{id}`,
        `${TEST_BASE_URL}/verticals/{slug}`,
      ]),
    );
    const uri = `${TEST_BASE_URL}/verticals/market-data`;
    const [content] = (await face.ask<Contents>('resources/read', { uri })).contents;
    expect(JSON.parse(content?.text ?? '').vertical.slug).toBe('market-data');
    for (const path of [
      '/verticals/nowhere',
      '/verticals/%ff',
      '/verticals/a/b',
      '/agents/me',
      '/verticals?x=1',
    ]) {
      const missing = await face.rpc('resources/read', { uri: TEST_BASE_URL + path });
      expect([path, missing.error?.code]).toEqual([path, -32602]);
    }
  });
});

describe('prompts', () => {
  it.each([
    ['sell_something', { what: 'tide tables', price_cents: '0' }, /tide tables/],
    ['find_and_buy_data', { need: 'tides "of" Brest', budget_cents: '0' }, /tides .*of.* Brest/],
    ['verify_receipt', { receipt: '{"a":1}' }, /a.*:1/],
  ])('%s', async (name, args, text) => {
    const { result } = await face.rpc('prompts/get', { name, arguments: args });
    expect(JSON.stringify(result?.messages)).toMatch(text);
  });

  it('complete what is being typed', async () => {
    const argument = { name: 'budget_cents', value: '5' };
    const ref = { type: 'ref/prompt', name: 'find_and_buy_data' };
    const { result } = await face.rpc('completion/complete', { ref, argument });
    expect(result).toEqual({ completion: { values: ['500', '5000', '50000'], total: 3, hasMore: false } });
  });
});

describe('GET /mcp', () => {
  it('is a signed manifest, which a reader need not fetch again', async () => {
    const response = await face.request({});
    const { body } = await readSigned(response.clone());
    expect(body).toMatchObject({
      name: 'agent-marketplace',
      version: '1.0.0',
      homepage: `${TEST_BASE_URL}/docs`,
    });
    expect(Object.keys(body)).toEqual(expect.arrayContaining(['description', 'meta', 'tools']));
    for (const tool of body.tools as Record<string, unknown>[]) {
      expect(Object.keys(tool)).toEqual(expect.arrayContaining(['name', 'description', 'inputSchema']));
    }
    const etag = response.headers.get('etag') ?? '';
    expect((await face.request({ headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  it('answers preflights', async () => {
    const response = await face.request({ method: 'OPTIONS', headers: { origin: 'http://localhost:6274' } });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
  });
});
