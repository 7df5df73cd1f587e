import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedPost {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface LocalSeller {
  readonly origin: string;
  readonly received: ReceivedPost[];
  close(): Promise<void>;
}

/** A real HTTP server on loopback that answers as the test says. */
export async function startLocalSeller(
  answer: (post: ReceivedPost, response: ServerResponse) => void,
): Promise<LocalSeller> {
  const received: ReceivedPost[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { url: path = '', method = '', headers } = request;
    const post = { path, method, headers, body: Buffer.concat(chunks).toString() };
    received.push(post);
    answer(post, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    received,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
