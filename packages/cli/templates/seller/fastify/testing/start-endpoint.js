// @ts-check
import { createApp } from '../src/app.js';

/** @param {Parameters<typeof createApp>[0]} options */
export async function startEndpoint(options) {
  const app = createApp(options);
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  return { endpoint: `${origin}/deliver`, close: () => app.close() };
}
