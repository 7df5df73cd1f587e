// @ts-check
import { createSellerEndpoint, memoryAnswers, toFastifyPlugin } from '@agent-marketplace/sdk/seller';
import fastify from 'fastify';
import { deliver } from './product.js';

/** @param {Omit<import('@agent-marketplace/sdk/seller').SellerEndpointOptions, 'deliver'>} options */
export function createApp(options) {
  const app = fastify();
  app.register(
    toFastifyPlugin(createSellerEndpoint({ answers: memoryAnswers(), ...options, deliver }), '/deliver'),
  );
  app.get('/', async () => 'This server sells on the marketplace.\n');
  return app;
}
