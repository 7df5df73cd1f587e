import { join } from 'node:path';
import { readApiBase } from '@agent-marketplace/core/adapters/stripe/stripe-options.ts';
import { build } from 'esbuild';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalCardProcessor, startCardProcessor } from './start-card-processor.ts';
import { startReceiver } from './start-receiver.ts';
import { enterCard } from './visitor.ts';

const SECRETS = { secretKey: 'sk_test_local', webhookSecret: 'whsec_local' };

/** A Worker that calls the adapter as it is told: `{ method, args }`. */
const WORKER = `
import { createStripeCardProcessor } from '@agent-marketplace/core/adapters/stripe/stripe-card-processor.ts';
let processor;
export default {
  async fetch(request, env) {
    processor ??= createStripeCardProcessor(JSON.parse(env.OPTIONS));
    const { method, args } = await request.json();
    try {
      return Response.json({ result: await processor[method](...args) });
    } catch ({ name, message, retryable }) {
      return Response.json({ error: { name, message, retryable } });
    }
  },
};
`;

describe('Stripe adapter in workerd', () => {
  let local: LocalCardProcessor;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let miniflare: Miniflare;

  beforeAll(async () => {
    receiver = await startReceiver();
    local = await startCardProcessor({ ...SECRETS, port: 0, stateDir: null, webhookUrl: receiver.url });
    const options = { ...SECRETS, timeoutMs: 500, apiBase: readApiBase(local.url) };
    const { outputFiles } = await build({
      stdin: { contents: WORKER, resolveDir: join(import.meta.dirname, '..'), loader: 'ts' },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'neutral',
      mainFields: ['workerd', 'module', 'main'],
      conditions: ['workerd', 'worker', 'import'],
    });
    miniflare = new Miniflare(
      convertV4MiniflareOptions({
        modules: [{ type: 'ESModule', path: 'index.js', contents: outputFiles[0]?.text ?? '' }],
        compatibilityDate: '2026-10-01',
        cf: false,
        bindings: { OPTIONS: JSON.stringify(options) },
      }),
    );
    await miniflare.ready;
  }, 60_000);
  afterAll(async () => {
    await miniflare.dispose();
    await local.close();
    await receiver.close();
  });

  const call = async (method: string, ...args: unknown[]) => {
    const body = JSON.stringify({ method, args });
    const response = await miniflare.dispatchFetch('http://worker/', { method: 'POST', body });
    return (await response.json()) as { result?: Record<string, string>; error?: Record<string, string> };
  };

  it('talks to the processor, and reads its webhooks', async () => {
    const checkout = {
      reference: { kind: 'top_up', id: 'top-up-1' },
      amountCents: 1000,
      description: 'Credits',
      capture: 'automatic',
      customerId: null,
      email: null,
      successUrl: 'https://market.example/paid',
      cancelUrl: 'https://market.example',
      expiresAtMs: local.control.now() + 3600_000,
    };
    const { result: session = {} } = await call('createCheckout', 'key', checkout);
    expect(session).toMatchObject({ status: 'open', reference: checkout.reference });
    await enterCard(session.url ?? '', '4242424242424242');
    await local.control.webhooks.settled();
    const reads = receiver
      .take()
      .map(({ body, signature }) => call('readWebhook', body, signature, local.control.now()));
    const about = (await Promise.all(reads)).map(({ result }) => result?.about);
    expect(about).toContainEqual({ kind: 'checkout', sessionId: session.sessionId });
    expect(await call('getCheckout', session.sessionId)).toMatchObject({ result: { status: 'complete' } });
  });

  it('gives up in time, and says that it may be repeated', async () => {
    for (const kind of ['hang', 'lose_request', 'lose_reply'] as const) {
      local.control.fail({ kind });
      expect(await call('getBalance')).toMatchObject({ error: { retryable: true } });
    }
    expect(await call('getPayment', 'pi_none')).toMatchObject({
      error: { name: 'CardProcessorError', retryable: false },
    });
  });
});
