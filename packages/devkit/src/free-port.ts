import { createServer } from 'node:net';
import { RefusalToStart } from './refusal-to-start.ts';

/** `localhost` means both, and programs differ in which one they try first. */
const LOOPBACK = ['127.0.0.1', '::1'];

/** Throws if the port is in use: workerd's own error is hard to understand. */
export async function requireFreePort(port: number): Promise<void> {
  if (port === 0) return;
  for (const host of LOOPBACK) {
    const problem = await listenOnce(port, host);
    if (problem === 'EADDRINUSE')
      throw new RefusalToStart(`Port ${port} is in use. Choose another: PORT=8788 pnpm dev`);
    if (problem === 'EACCES')
      throw new RefusalToStart(`Port ${port} may not be used by this user. Choose one above 1023.`);
    // Other errors mean that this machine lacks the address, such as ::1 without IPv6.
  }
}

function listenOnce(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)));
  });
}
