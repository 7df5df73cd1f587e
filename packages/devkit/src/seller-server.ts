import {
  createSellerEndpoint,
  type FetchHandler,
  type SellerEndpointOptions,
  toNodeListener,
} from '@agent-marketplace/sdk/seller';
import { serveOnLoopback } from './loopback-server.ts';

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
  const { port, close } = await serveOnLoopback(toNodeListener((request) => handle(request)));
  const callbackUrl = `http://127.0.0.1:${port}/deliver`;
  handle = createSellerEndpoint({ ...options, callbackUrl });
  return { callbackUrl, close };
}
