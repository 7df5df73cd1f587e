import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createSellerEndpoint,
  type FetchHandler,
  type SellerEndpointOptions,
  toNodeListener,
} from '@agent-marketplace/sdk/seller';

export interface SellerServer {
  readonly callbackUrl: string;
  close(): Promise<void>;
}

/** A delivery endpoint on a free loopback port. */
export async function startSellerServer(
  options: Omit<SellerEndpointOptions, 'callbackUrl'>,
): Promise<SellerServer> {
  // The port is part of the URL, and the URL part of what the endpoint verifies.
  let handle: FetchHandler = async () => new Response(null, { status: 503 });
  const server = createServer(toNodeListener((request) => handle(request)));
  // A delivery that is sent while an idle connection is closed would fail.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const callbackUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/deliver`;
  handle = createSellerEndpoint({ ...options, callbackUrl });
  return {
    callbackUrl,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
