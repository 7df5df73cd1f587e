// @ts-check
import { fileAnswers } from '@agent-marketplace/sdk/seller/node';
import { createApp } from './app.js';
import { readSettings } from './settings.js';

const { port, ...options } = readSettings();
const server = createApp({ ...options, answers: fileAnswers('.answers') }).listen(port, (error) => {
  if (error) throw error;
  console.log(`Serving ${options.callbackUrl} on port ${port}.`);
});
// The marketplace keeps idle connections for 15 minutes: a delivery sent while this side closes one would fail.
server.keepAliveTimeout = 920_000;
process.once('SIGTERM', () => server.close());
