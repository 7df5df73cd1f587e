import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { requireFreePort } from './free-port.ts';

it('refuses a port that is taken, and lets go of a free one', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await expect(requireFreePort(port)).rejects.toThrow(`Port ${port} is in use. Choose another`);
  await new Promise((resolve) => server.close(resolve));
  await requireFreePort(port);
  await requireFreePort(port);
});
