import { describe, expect, it } from 'vitest';
import { createMcpFace, MCP_URL } from '../../testing/marketplace/mcp-face.ts';
import { readSigned } from '../../testing/marketplace/read-signed.ts';
import { createTestMarketplace } from '../../testing/marketplace/workers-harness.ts';

const face = createMcpFace(createTestMarketplace(), { allowedOrigins: ['https://app.example'] });
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('who may not call', () => {
  it.each(['https://evil.example', 'null', 'https://localhost.evil.example'])(
    'a page of %s',
    async (origin) => {
      expect((await face.post(ping, { origin })).status).toBe(403);
      expect((await face.request({ headers: { origin } })).status).toBe(403);
    },
  );

  it.each(['http://localhost:6274', 'https://app.example'])('but a page of %s may', async (origin) => {
    expect((await face.post(ping, { origin })).status).toBe(200);
  });
});

describe('the form of an answer', () => {
  it.each([undefined, '*/*', 'application/json', 'application/json, text/event-stream'])(
    'Accept: %s gets JSON',
    async (accept) => {
      const response = await face.post(ping, accept === undefined ? {} : { accept });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
      expect(await response.json()).toMatchObject({ id: 1, result: {} });
    },
  );

  it('who takes event streams only gets one with the answer, and nothing else in it', async () => {
    const response = await face.post(ping, { accept: 'text/event-stream' });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const [, data] = /^event: message\ndata: (.*)\n\n$/.exec(await response.text()) ?? [];
    expect(JSON.parse(data ?? '')).toMatchObject({ id: 1, result: {} });
  });

  it('who takes neither is refused with a signed problem', async () => {
    const response = await face.post(ping, { accept: 'text/html' });
    const { body } = await readSigned(response.clone());
    expect([response.status, response.headers.get('content-type'), body.code]).toEqual([
      406,
      'application/problem+json',
      'not_acceptable',
    ]);
  });
});

describe('what HTTP does not offer here', () => {
  it('an event stream', async () => {
    const response = await face.request({ headers: { accept: 'text/event-stream' } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  it.each(['DELETE', 'PUT', 'PATCH'])('%s', async (method) => {
    const response = await face.request({ method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
  });

  it('other paths', async () => {
    expect((await face.request({}, `${MCP_URL}/sse`)).status).toBe(404);
    expect((await face.request({}, `${MCP_URL}x`)).status).toBe(404);
  });
});
