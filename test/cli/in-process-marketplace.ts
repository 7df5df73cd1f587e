import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';

/** A marketplace of this process on loopback, for programs that ask it over HTTP. */
export async function startInProcessMarketplace() {
  const sales = createSalesMarketplace();
  const { market } = sales;
  const state: {
    /** Called with each request before it is carried out; false: it never arrives. */
    beforeRequest: (method: string, path: string) => unknown;
    /** Of the last request that had one. */
    idempotencyKey: string | undefined;
  } = { beforeRequest: () => {}, idempotencyKey: undefined };
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = 'GET', url = '/', headers } = incoming;
    const path = url.replace(/^\/api/, '');
    const { authorization, 'idempotency-key': idempotencyKey } = headers;
    if (typeof idempotencyKey === 'string') state.idempotencyKey = idempotencyKey;
    if ((await state.beforeRequest(method, path)) === false) return;
    const answer = await market.request(method, path, {
      headers: {
        ...(authorization === undefined ? {} : { authorization }),
        ...(typeof idempotencyKey === 'string' ? { 'idempotency-key': idempotencyKey } : {}),
      },
      ...(chunks.length === 0 ? {} : { body: JSON.parse(Buffer.concat(chunks).toString()) }),
    });
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  return {
    sales,
    state,
    baseUrl,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
