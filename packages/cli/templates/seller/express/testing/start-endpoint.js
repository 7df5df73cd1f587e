// @ts-check
import { once } from 'node:events';
import { createApp } from '../src/app.js';

/** @param {Parameters<typeof createApp>[0]} options */
export async function startEndpoint(options) {
  const server = createApp(options).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { endpoint: `http://127.0.0.1:${port}/deliver`, close: () => server.close() };
}
