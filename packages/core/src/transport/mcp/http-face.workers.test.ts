import { describe, expect, it } from 'vitest';
import { createMcpFace, MCP_URL } from '../../testing/mcp-face.ts';
import { createTestMarketplace } from '../../testing/workers-harness.ts';

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
