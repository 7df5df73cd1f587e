// @ts-check
import { createApp } from '../src/app.js';

/** @param {import('../src/app.js').Options} options */
export async function startEndpoint(options) {
  const env = { MARKETPLACE: '', CALLBACK_URL: '' };
  const app = createApp(() => options);
  return {
    endpoint: (/** @type {Request} */ request) => app.fetch(request, env),
    close() {},
  };
}
