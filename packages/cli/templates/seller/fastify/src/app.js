// @ts-check
import { createSellerEndpoint, memoryAnswers, toFastifyPlugin } from '@agent-marketplace/sdk/seller';
import fastify from 'fastify';
import { deliver } from './product.js';

/** @param {Omit<import('@agent-marketplace/sdk/seller').SellerEndpointOptions, 'deliver'>} options */
export function createApp(options) {
  // The marketplace keeps idle connections for 15 minutes: a delivery sent while this side closes one would fail.
  const app = fastify({ keepAliveTimeout: 920_000 });
  app.register(
    toFastifyPlugin(createSellerEndpoint({ answers: memoryAnswers(), ...options, deliver }), '/deliver'),
  );
  app.get('/', async () => 'This server sells on the marketplace.\n');
  return app;
}
