import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { World } from './world.ts';

/** A message of the marketplace, as it came. */
export interface SignedPost {
  readonly callbackUrl: string;
  readonly text: string;
}

/** Registers an endpoint that keeps what it is sent: the challenge. */
export async function keepSignedPost({ anyone }: World): Promise<SignedPost> {
  let text = '';
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    text = `${headers.join('')}\r\n${body}`;
    response.end(JSON.stringify({ nonce: JSON.parse(body).nonce }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const callbackUrl = `http://localhost:${(server.address() as AddressInfo).port}/deliver`;
  const { apiKey } = await anyone.registerSeller({ name: 'Keeper of messages' });
  await anyone.withApiKey(apiKey ?? '').setDeliveryEndpoint({ callbackUrl });
  server.closeAllConnections();
  server.close();
  return { callbackUrl, text };
}
