import type { Hono } from 'hono';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import type { Ports } from '../../kernel/ports.ts';
import { readCapped } from '../../kernel/read-capped.ts';
import { answerOtherMethods, type HttpEnv, refused } from './mount.ts';

const MAX_BYTES = 256 * 1024;

export interface Webhook {
  readonly path: string;
  /** The header that proves the sender. */
  readonly signatureHeader: string;
  /** Acts on the message. Whoever throws is sent it again later. */
  take(ports: Ports, rawBody: string, signature: string): Promise<void>;
}

/**
 * Messages from a service that signs the exact bytes of its body: no operation, as nobody may call it. It
 * is told only whether to send the message again.
 */
export function mountWebhook(app: Hono<HttpEnv>, root: string, webhook: Webhook): void {
  const path = root + webhook.path;
  app.post(path, async (c) => {
    const { scope } = c.env;
    const { ports } = scope.runtime;
    const body =
      c.req.raw.body && (await readCapped(c.req.raw.body, { maxBytes: MAX_BYTES, declaredBytes: null }));
    if (body === null && c.req.raw.body !== null)
      return refused(scope, new Refusal(commonErrors.body_too_large));
    try {
      const signature = c.req.header(webhook.signatureHeader) ?? '';
      await webhook.take(ports, new TextDecoder().decode(body ?? new Uint8Array()), signature);
    } catch (error) {
      ports.log.error('webhook_failed', { path: webhook.path, message: String(error) });
      return refused(scope, new Refusal(commonErrors.service_unavailable, { retryAfterSeconds: 60 }));
    }
    return new Response(null, { status: 204 });
  });
  answerOtherMethods(app, path, ['POST']);
}
