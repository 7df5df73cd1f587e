import { createMarketplaceClient } from '@agent-marketplace/sdk';
import { expect, inject, it } from 'vitest';
import { connectMcp } from './mcp-client.ts';

// One Worker revokes a key; the others refuse it, although they let it in a moment ago, and what it waits for ends.

const baseUrl = inject('sharedBaseUrl');
const SECONDS_ALLOWED = 5;

async function call(path: string, headers: Record<string, string>, body?: object) {
  const response = await fetch(baseUrl + path, {
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: (await response.json()) as { code?: string; reason?: string } };
}

/** The messages of a stream, until it ends. */
async function readStream(headers: Record<string, string>): Promise<ReadableStreamDefaultReader<string>> {
  const response = await fetch(`${baseUrl}/agents/me/events`, {
    headers: { ...headers, accept: 'text/event-stream' },
  });
  expect(response.status).toBe(200);
  return (response.body as ReadableStream<Uint8Array<ArrayBuffer>>)
    .pipeThrough(new TextDecoderStream())
    .getReader();
}

async function restOf(reader: ReadableStreamDefaultReader<string>): Promise<string> {
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
  return text;
}

it('a revoked key stops everywhere, in the Worker that revoked it and in all others', async () => {
  const anyone = createMarketplaceClient({ baseUrl, retries: 0 });
  const owner = anyone.withApiKey((await anyone.registerAgent({ name: 'Owner' })).apiKey);
  const { apiKey, key } = await owner.createKey({ label: 'worker', scopes: ['read', 'buy'] });
  const tools = await connectMcp(baseUrl, apiKey);
  const { listings } = await anyone.browseListings({ price: 'free', samples: 'include', limit: 1 });
  const bearer = { authorization: `Bearer ${apiKey}` };
  const uses = [
    () => call('/agents/me', bearer),
    () => call(`/agents/me?api_key=${apiKey}`, {}),
    () => call(`/marketplace/listings/${listings[0]?.id}/purchase`, {}, { api_key: apiKey, query: {} }),
    () => call(`/x402/listings/${listings[0]?.id}/query`, { 'x-api-key': apiKey }),
  ];
  const codes = () => Promise.all(uses.map(async (use) => (await use()).body.code));
  // The door takes no key: nothing there depends on one.
  const atDoor = () => call('/ingress/admit', bearer, {});
  const fromDoor = await atDoor();
  expect(fromDoor.body.code ?? fromDoor.body.reason).toBe('MISSING_CLASS');
  // All Workers know the key, and have looked it up more than once.
  for (const _ of [1, 2, 3]) {
    expect(await codes()).not.toContain('api_key_revoked');
    expect(await tools.use('get_wallet_balance')).toMatchObject({ balanceCents: 0 });
  }
  const { lastSequence } = await owner.listAgentEvents();
  const waiting = call(`/agents/me/events?wait=25&after=${lastSequence}`, bearer);
  const stream = await readStream({ ...bearer, 'last-event-id': String(lastSequence) });
  expect((await stream.read()).value).toContain('retry:');

  await owner.revokeKey({ keyId: key.id });
  const revokedAt = performance.now();
  expect(await codes()).toEqual(uses.map(() => 'api_key_revoked'));
  expect(await tools.refused('get_wallet_balance')).toMatchObject({ status: 401, code: 'api_key_revoked' });
  expect(await waiting).toMatchObject({ status: 401, body: { code: 'api_key_revoked' } });
  const rest = await restOf(stream);
  expect(rest).toContain('event: refused');
  expect(rest).toContain('api_key_revoked');
  // Of the revocation itself neither is told.
  expect(rest).not.toContain('key.revoked');
  expect((await atDoor()).body).toMatchObject({ [fromDoor.body.code ? 'code' : 'reason']: 'MISSING_CLASS' });
  expect(performance.now() - revokedAt).toBeLessThan(SECONDS_ALLOWED * 1000);
  expect((await owner.getOwnAgent()).isSeller).toBe(false);
});
