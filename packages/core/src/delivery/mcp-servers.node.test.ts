import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer as SessionServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { clause } from '../../../../test/conformance/clause.ts';
import { createDeliveryPorts } from '../testing/marketplace/delivery-ports.ts';
import { challengeEndpoint } from './challenge-endpoint.ts';
import { deliver } from './deliver.ts';

// Sellers as they are made with the official libraries, unmodified.

const ports = createDeliveryPorts();
const NONCE = 'ab'.repeat(24);
const REQUEST = {
  listingId: 'l',
  fingerprint: 'sha256:x',
  title: 't',
  verticalSlug: 'v',
  query: { city: 'Lisbon' },
};

const MESSAGE = {
  type: z.string(),
  nonce: z.string().optional(),
  query: z.record(z.string(), z.string()).optional(),
};
interface Message {
  readonly type: string;
  readonly nonce?: string | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/** What the tool of every one of these sellers does. */
function answerTo({ nonce, query }: Message) {
  const structuredContent = nonce === undefined ? { data: { city: query?.city, celsius: 21 } } : { nonce };
  return { content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }], structuredContent };
}

type Serve = (request: IncomingMessage, body: string, response: ServerResponse) => Promise<void>;
const running: (() => void)[] = [];
afterEach(() => {
  for (const stop of running.splice(0)) stop();
});

async function listen(serve: Serve): Promise<{ readonly url: string; readonly statuses: number[] }> {
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    await serve(request, Buffer.concat(chunks).toString(), response);
    statuses.push(response.statusCode);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  running.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, statuses };
}

/** `@modelcontextprotocol/server`, with or without the older revisions. */
function statelessSeller(options: Parameters<typeof createMcpHandler>[1] = {}): Serve {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'weather', version: '1.0.0' });
    server.registerTool('deliver', { inputSchema: z.object(MESSAGE) }, answerTo);
    return server;
  }, options);
  return async (request, body, response) => {
    const headers = new Headers(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const answer = await handler.fetch(
      new Request('http://seller.example/mcp', { method: 'POST', headers, body }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  };
}

/** `@modelcontextprotocol/sdk`, which keeps a session for each client. */
function sessionSeller(): Serve {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  return async (request, body, response) => {
    const session = request.headers['mcp-session-id'];
    let transport = transports.get(String(session));
    if (transport === undefined) {
      const opened = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (id) => void transports.set(id, opened),
      });
      const server = new SessionServer({ name: 'weather', version: '1.0.0' });
      server.registerTool('deliver', { inputSchema: MESSAGE }, answerTo);
      // The library's own types disagree about optional members.
      await server.connect(opened as unknown as Parameters<SessionServer['connect']>[0]);
      transport = opened;
    }
    await transport.handleRequest(request, response, JSON.parse(body));
    if (!response.writableEnded) await new Promise((resolve) => response.once('close', resolve));
  };
}

clause('selling.mcp');
test.each<[string, () => Serve, string, number[], number[]]>([
  [
    'for the stateless revision alone',
    () => statelessSeller({ legacy: 'reject' }),
    '2026-07-28',
    [200],
    [200],
  ],
  ['for every revision', () => statelessSeller(), '2026-07-28', [200], [200]],
  ['that keeps sessions', sessionSeller, '2025-11-25', [400, 200, 202, 200], [200, 202, 200]],
])('a server %s is verified, and asked as it was verified', async (_, seller, mcpRevision, first, later) => {
  const { url: callbackUrl, statuses } = await listen(seller());
  const target = { sellerId: 's', callbackType: 'mcp', callbackUrl } as const;
  expect(await challengeEndpoint(ports, target, NONCE)).toEqual({
    verified: true,
    namesSeller: false,
    mcpRevision,
  });
  expect(statuses.splice(0)).toEqual(first);
  const delivery = await deliver(ports, REQUEST, { ...target, mcpRevision });
  expect(delivery.kind === 'delivered' && new TextDecoder().decode(delivery.content)).toBe(
    '{"celsius":21,"city":"Lisbon"}',
  );
  expect(statuses).toEqual(later);
});

test('a seller that moved to another revision still delivers', async () => {
  for (const [seller, mcpRevision] of [
    [statelessSeller({ legacy: 'reject' }), '2025-11-25'],
    [sessionSeller(), '2026-07-28'],
  ] as const) {
    const { url: callbackUrl } = await listen(seller);
    const target = { sellerId: 's', callbackType: 'mcp', callbackUrl, mcpRevision } as const;
    expect(await deliver(ports, REQUEST, target)).toMatchObject({ kind: 'delivered' });
  }
});
