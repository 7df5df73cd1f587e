import { serveOnLoopback } from '../loopback-server.ts';

export interface ReceivedWebhook {
  readonly body: string;
  readonly signature: string;
}

/** Takes webhooks in tests. */
export async function startReceiver() {
  let received: ReceivedWebhook[] = [];
  let refusals = 0;
  const { port, close } = await serveOnLoopback(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const signature = String(request.headers['stripe-signature']);
    received.push({ body: Buffer.concat(chunks).toString('utf8'), signature });
    response.writeHead(refusals-- > 0 ? 503 : 200).end();
  });
  return {
    url: `http://127.0.0.1:${port}/webhooks/card`,
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
    close,
  };
}
