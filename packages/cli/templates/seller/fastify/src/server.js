// @ts-check
import { fileAnswers } from '@agent-marketplace/sdk/seller/node';
import { createApp } from './app.js';
import { readSettings } from './settings.js';

const { port, ...options } = readSettings();
const app = createApp({ ...options, answers: fileAnswers('.answers') });
await app.listen({ port, host: '::' });
console.log(`Serving ${options.callbackUrl} on port ${port}.`);
process.once('SIGTERM', () => app.close());
