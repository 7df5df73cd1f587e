import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSellerEndpoint, type Deliver, toNodeListener } from '@agent-marketplace/sdk/seller';

export interface ReceivedPost {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface LiveSeller {
  readonly callbackUrl: string;
  /** Everything that was sent, as it arrived. */
  readonly received: ReceivedPost[];
  close(): Promise<void>;
}

/** A seller on loopback, as anyone would run it with the kit, which verifies what the marketplace sends. */
export async function startSeller(baseUrl: string, deliver: Deliver): Promise<LiveSeller> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const callbackUrl = `http://localhost:${(server.address() as AddressInfo).port}/deliver`;

  const endpoint = createSellerEndpoint({ marketplace: baseUrl, callbackUrl, deliver });
  const received: ReceivedPost[] = [];
  const listener = toNodeListener(async (request) => {
    received.push({ headers: Object.fromEntries(request.headers), body: await request.clone().text() });
    return endpoint(request);
  });
  server.on('request', listener);
  return {
    callbackUrl,
    received,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
