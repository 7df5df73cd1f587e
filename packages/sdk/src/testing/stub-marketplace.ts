import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { type SigningParty, signingKeyDocument } from '@agent-marketplace/protocol/testing/signing-party.ts';

export interface ReceivedCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface StubReply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** Signed, unless it is a text, which is sent as it is. */
  readonly body: JsonObject | string;
  readonly signedBy?: SigningParty;
}

/** A marketplace on loopback that answers as the test says, in order, and serves its keys. */
export async function startStubMarketplace(party: SigningParty) {
  const calls: ReceivedCall[] = [];
  /** What is answered next, or what answers it; null drops the connection. The last one is repeated. */
  let script: (StubReply | null | ((call: ReceivedCall) => StubReply | null))[] = [];
  const state = { keyFetches: 0, keys: signingKeyDocument(party) };
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (path === '/api/signing-key') {
      state.keyFetches++;
      response.writeHead(200, { 'content-type': 'application/json' }).end(await party.answer(state.keys));
      return;
    }
    const call = { method, path, headers, body: Buffer.concat(chunks).toString() };
    calls.push(call);
    const next = script.length > 1 ? script.shift() : script[0];
    const reply = typeof next === 'function' ? next(call) : next;
    if (!reply) {
      request.socket.destroy();
      return;
    }
    const { status = 200, body, signedBy = party } = reply;
    const text = typeof body === 'string' ? body : await signedBy.answer(body);
    response.writeHead(status, { 'content-type': 'application/json', ...reply.headers }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/api`,
    calls,
    state,
    answers(...replies: typeof script) {
      calls.length = 0;
      script = replies;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
