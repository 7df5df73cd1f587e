// @ts-check
import { memoryAnswers, toHonoHandler, toWorker } from '@agent-marketplace/sdk/seller';
import { Hono } from 'hono';
import { deliver } from './product.js';

/** @typedef {Omit<import('@agent-marketplace/sdk/seller').SellerEndpointOptions, 'deliver'>} Options */
/** @typedef {{ MARKETPLACE: string, CALLBACK_URL: string, SELLER_ID?: string }} Env */

/** @param {(env: Env) => Options} optionsOf */
export function createApp(optionsOf) {
  // To give the same answer wherever the Worker runs, keep answers in a KV namespace:
  // { get: (key) => env.ANSWERS.get(key), put: (key, answer) => env.ANSWERS.put(key, answer) }
  const seller = toWorker((/** @type {Env} */ env) => ({
    answers: memoryAnswers(),
    ...optionsOf(env),
    deliver,
  }));
  /** @type {Hono<{ Bindings: Env }>} */
  const app = new Hono();
  app.all('/deliver', toHonoHandler(seller.fetch));
  app.get('/', (c) => c.text('This Worker sells on the marketplace.\n'));
  return app;
}
