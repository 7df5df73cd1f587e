import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { createSellerEndpoint, toNodeListener } from '@agent-marketplace/sdk/seller';
import type { Random } from '../week/random.ts';

/** How a seller fails, where it does; the endpoint of the kit answers otherwise. */
const FAILURES = {
  none: null,
  refuses: (_request, response) => response.writeHead(500).end(),
  busy: (_request, response) => response.writeHead(429, { 'retry-after': '1' }).end(),
  lacks: (_request, response) => json(response, 404, '{"available":false}'),
  breaks: (request) => request.socket.destroy(),
  babbles: (_request, response) => json(response, 200, '{"data":{"answer":'),
  lies: (_request, response) => json(response, 200, `{"data":{"__sha256":"${'0'.repeat(64)}","answer":1}}`),
  floods: (_request, response) => json(response, 200, `{"data":{"rows":[${'{},'.repeat(400_000)}{}]}}`),
  drips: (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"data":');
    setTimeout(() => response.destroy(), 5000);
  },
} satisfies Record<string, null | ((request: IncomingMessage, response: ServerResponse) => void)>;

export type FailureKind = keyof typeof FAILURES;
export const FAILURE_KINDS = Object.keys(FAILURES) as FailureKind[];
/** For each delivery, where a seller is of a kind that fails. */
const FAILING_SHARE = 0.4;
const LARGE_TEXT = 'large '.repeat(40_000);

export interface FailingSeller {
  readonly callbackUrl: string;
  /** Ids of the purchases that were answered well. */
  readonly delivered: Set<string>;
  close(): Promise<void>;
}

export interface SellerPlan {
  readonly baseUrl: string;
  readonly kind: FailureKind;
  readonly random: Random;
  /** Its clock. */
  readonly now: () => number;
  /** While it is true, it fails nobody. */
  readonly isCalm: () => boolean;
}

/** A seller with the kit, on loopback, whose answers to deliveries fail by its kind. */
export async function startFailingSeller(plan: SellerPlan): Promise<FailingSeller> {
  const { baseUrl, kind, random, now, isCalm } = plan;
  const delivered = new Set<string>();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const callbackUrl = `http://localhost:${(server.address() as AddressInfo).port}/deliver`;
  const endpoint = toNodeListener(
    createSellerEndpoint({
      marketplace: baseUrl,
      callbackUrl,
      now,
      // The same for a purchase however often it is asked for: a reply that was lost is not a change.
      deliver: ({ query }) => contentOf(query),
      onError: () => {},
      onRefusal: () => {},
    }),
  );
  server.on('request', (request, response) => {
    const purchaseId = request.headers['x-mkt-purchase-id'];
    const fail = FAILURES[kind];
    if (typeof purchaseId === 'string' && fail !== null && !isCalm() && random.chance(FAILING_SHARE)) {
      request.resume();
      return void fail(request, response);
    }
    if (typeof purchaseId === 'string') delivered.add(purchaseId);
    void endpoint(request, response);
  });
  return {
    callbackUrl,
    delivered,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function contentOf(query: JsonObject | null): JsonObject {
  const { item = null, isLarge = false } = query ?? {};
  return isLarge ? { item, text: LARGE_TEXT } : { item, text: 'small' };
}

function json(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}
