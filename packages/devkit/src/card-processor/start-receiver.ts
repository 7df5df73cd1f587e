import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedWebhook {
  readonly body: string;
  readonly signature: string;
}

/** Takes webhooks in tests. */
export async function startReceiver() {
  let received: ReceivedWebhook[] = [];
  let refusals = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const signature = String(request.headers['stripe-signature']);
    received.push({ body: Buffer.concat(chunks).toString('utf8'), signature });
    response.writeHead(refusals-- > 0 ? 503 : 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/card`,
    /** Received since the last time, refused ones included. */
    take(): ReceivedWebhook[] {
      const taken = received;
      received = [];
      return taken;
    },
    /** Answers the next ones with a failure. */
    refuse(count: number): void {
      refusals = count;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
