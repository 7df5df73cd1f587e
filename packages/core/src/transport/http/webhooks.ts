import { commonErrors, Refusal } from '../../kernel/errors.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { readCapped } from '../../kernel/read-capped.ts';
import type { AppPart } from './app.ts';
import { type RequestScope, sendRefusal } from './mount.ts';

const MAX_BYTES = 256 * 1024;

export interface Webhook {
  /** Below the API root. */
  readonly path: string;
  /** The header with the sender's signature. */
  readonly signatureHeader: string;
  /** Handles the message. If it throws, the sender sends the message again. */
  take(ports: Ports, rawBody: string, signature: string): Promise<'taken' | 'unauthentic'>;
}

export function webhookOf(webhook: Webhook): AppPart {
  return (app, root) => app.all(root + webhook.path, (c) => receiveWebhook(webhook, c.req.raw, c.env.scope));
}

/**
 * Receives a message from a service that signs the exact bytes of its body. It is not an operation, since no agent
 * may call it. The answer only says whether to send the message again.
 */
async function receiveWebhook(
  { path, signatureHeader, take }: Webhook,
  request: Request,
  scope: RequestScope,
): Promise<Response> {
  if (request.method !== 'POST')
    return sendRefusal(scope, new Refusal(commonErrors.method_not_allowed), { allow: 'POST' });
  const { ports } = scope.runtime;
  const body =
    request.body === null
      ? new Uint8Array()
      : await readCapped(request.body, { maxBytes: MAX_BYTES, declaredBytes: null });
  if (body === null) return sendRefusal(scope, new Refusal(commonErrors.body_too_large));
  const signature = request.headers.get(signatureHeader) ?? '';
  try {
    if ((await take(ports, new TextDecoder().decode(body), signature)) === 'unauthentic') {
      // A success would end the sender's tries, and a wrong secret here would lose every event unseen.
      ports.log.error('webhook_refused', { path, signature: signature === '' ? 'missing' : 'wrong_or_old' });
      return sendRefusal(scope, new Refusal(commonErrors.webhook_unauthentic));
    }
  } catch (error) {
    ports.log.error('webhook_failed', { path, message: String(error) });
    return sendRefusal(scope, new Refusal(commonErrors.service_unavailable, { retryAfterSeconds: 60 }));
  }
  return new Response(null, { status: 204 });
}
