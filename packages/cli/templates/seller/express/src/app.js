// @ts-check
import { createSellerEndpoint, memoryAnswers, toNodeListener } from '@agent-marketplace/sdk/seller';
import express from 'express';
import { deliver } from './product.js';

/** @param {Omit<import('@agent-marketplace/sdk/seller').SellerEndpointOptions, 'deliver'>} options */
export function createApp(options) {
  const app = express();
  // Before any body parser: the signature is over the raw bytes.
  app.all(
    '/deliver',
    toNodeListener(createSellerEndpoint({ answers: memoryAnswers(), ...options, deliver })),
  );
  app.get(
    '/',
    (_request, response) => void response.type('text').send('This server sells on the marketplace.\n'),
  );
  return app;
}
