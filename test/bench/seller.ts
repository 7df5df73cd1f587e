import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { createSellerEndpoint } from '@agent-marketplace/sdk/seller';
import { createTestBuyer } from '@agent-marketplace/sdk/seller/test-buyer';

export interface BenchSeller {
  readonly plainUrl: string;
  /** Its data says what its digest is, in `__sha256`. */
  readonly claimedUrl: string;
  /** A deliverable of a few bytes. */
  readonly smallUrl: string;
  close(): Promise<void>;
}

/** A seller of just under 10 MB, and of next to nothing; all is made beforehand, so that it costs little itself. */
export async function startSeller(): Promise<BenchSeller> {
  const data = { records: recordsOf(9.9 * 1024 * 1024) };
  const replies: Record<string, Buffer> = {
    '/plain': await replyOfKit(data, false),
    '/claimed': await replyOfKit(data, true),
    '/small': Buffer.from('{"data":{"answer":42}}'),
  };
  const server = createServer((request, response) => {
    request.resume();
    const reply = replies[request.url ?? ''];
    if (!reply) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': reply.length });
    response.end(reply);
  });
  // While vouchers are signed, nobody asks, and nothing runs here: a connection closed then would fail the next delivery.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    plainUrl: `http://127.0.0.1:${port}/plain`,
    claimedUrl: `http://127.0.0.1:${port}/claimed`,
    smallUrl: `http://127.0.0.1:${port}/small`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** What the seller kit answers with for these data: their canonical form. */
async function replyOfKit(data: JsonObject, addSha256: boolean): Promise<Buffer> {
  const callbackUrl = 'https://seller.example/deliver';
  const buyer = await createTestBuyer({ callbackUrl });
  const seller = createSellerEndpoint({
    marketplace: buyer.keys,
    callbackUrl,
    deliver: () => data,
    addSha256,
  });
  const { verdict, answer } = await buyer.buy(seller);
  if (verdict !== 'delivered' || answer === null)
    throw new Error(`The seller kit does not sell what is relayed: ${verdict}`);
  return Buffer.from(answer.body);
}

/** Documents with a page of text each: what fills 10 MB in practice. */
function recordsOf(bytes: number): JsonObject[] {
  const text =
    'Prices of the week, as reported by the markets that publish them: steady, with little traded. '.repeat(
      30,
    );
  const records: JsonObject[] = [];
  for (
    let length = 0;
    length < bytes - text.length - 200;
    length += JSON.stringify(records.at(-1)).length + 1
  ) {
    records.push({
      id: records.length,
      title: `Report ${records.length}`,
      priceCents: 100 * records.length,
      text,
    });
  }
  return records;
}
