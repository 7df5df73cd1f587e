import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { MarketplaceFile } from '../generated/api.ts';
import { type KeySource, KeysUnavailableError } from '../key-source.ts';
import type { KeySet } from '../keys.ts';
import { verifyResponse } from '../verify/index.ts';
import type { Attempt } from './attempt.ts';
import { hasBody, type RequestParts } from './build-request.ts';
import { errorOfProblem, MarketplaceError, ProvenanceError } from './errors.ts';
import { fileOf } from './file.ts';
import type { CallOptions, MarketplaceClientOptions } from './options.ts';
import { sleep } from './retry.ts';
import { type OutgoingRequest, sendWithRetries } from './send-with-retries.ts';

const TIMEOUT_MS = 60_000;
const RETRIES = 3;

type Answer = Extract<Attempt, { kind: 'answered' }> & {
  readonly body: JsonObject;
  readonly idempotencyKey: string | null;
};

/** Sends a call, verifies the answer, and returns its body or throws its error. */
export function createTransport(options: MarketplaceClientOptions, keys: KeySource) {
  const { apiKey, verify = 'responses', timeoutMs = TIMEOUT_MS } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const fetch = options.fetch ?? globalThis.fetch;
  const policy = {
    retries: options.retries ?? RETRIES,
    sleep: options.sleep ?? sleep,
    now: options.now ?? Date.now,
  };

  function buildRequest(
    { method, path, body, idempotencyKey, isFile, headers: fromInput }: RequestParts,
    call: CallOptions,
  ): OutgoingRequest {
    const headers: Record<string, string> = {
      accept: isFile ? '*/*' : 'application/json',
      ...fromInput,
      ...call.headers,
    };
    if (apiKey !== undefined) headers.authorization = `Bearer ${apiKey}`;
    if (hasBody(method)) headers['content-type'] = 'application/json';
    if (call.idempotencyKey !== undefined) headers['idempotency-key'] = call.idempotencyKey;
    else if (idempotencyKey) headers['idempotency-key'] = crypto.randomUUID();
    return {
      method,
      url: baseUrl + path,
      headers,
      body: hasBody(method) ? JSON.stringify(body ?? {}) : null,
      timeoutMs: call.timeoutMs ?? timeoutMs,
      signal: call.signal,
      isFile,
    };
  }

  return async (parts: RequestParts, call: CallOptions): Promise<JsonObject | MarketplaceFile> => {
    const request = buildRequest(parts, call);
    const idempotencyKey = request.headers['idempotency-key'] ?? null;
    const attempt = await sendWithRetries(fetch, request, {
      ...policy,
      retries: call.retries ?? policy.retries,
    }).catch((error: unknown) => {
      // Without the key, nobody could find what the call did.
      throw idempotencyKey !== null && request.signal?.aborted ? abortedError(error, idempotencyKey) : error;
    });
    if (attempt.kind === 'answered' && attempt.bytes !== null) {
      return fileOf(attempt.bytes, attempt.headers, attempt.status);
    }
    const answer = requireAnswer(attempt, idempotencyKey);
    if (verify === 'responses') await requireProvenance(answer, keys);
    if (answer.status >= 200 && answer.status < 300) return answer.body;
    throw errorOfProblem(answer);
  };
}

function abortedError(cause: unknown, idempotencyKey: string): MarketplaceError {
  const message = 'Aborted before an answer came. The call may have taken effect.';
  return new MarketplaceError({
    code: 'aborted',
    message,
    status: 0,
    retryable: true,
    idempotencyKey,
    cause,
  });
}

function requireAnswer(attempt: Attempt, idempotencyKey: string | null): Answer {
  if (attempt.kind === 'failed') {
    const { code, cause } = attempt;
    const message = code === 'timed_out' ? 'No answer in time.' : 'The marketplace could not be reached.';
    throw new MarketplaceError({ code, message, status: 0, retryable: true, idempotencyKey, cause });
  }
  if (attempt.body === null) {
    const { status, headers } = attempt;
    throw new MarketplaceError({
      code: 'unexpected_response',
      message: `The response (HTTP ${status}) is not a JSON object.`,
      status,
      retryable: status === 429 || status >= 500,
      requestId: headers.get('x-request-id'),
      headers,
      idempotencyKey,
    });
  }
  return { ...attempt, body: attempt.body, idempotencyKey };
}

async function requireProvenance(answer: Answer, keys: KeySource): Promise<void> {
  const verified = await verifyResponse(answer.text, await keysFor(answer, keys));
  if (verified.valid) return;
  const { status, headers, body: unverifiedBody, idempotencyKey } = answer;
  const { reason, detail } = verified;
  const requestId = headers.get('x-request-id');
  throw new ProvenanceError({ reason, detail, status, requestId, idempotencyKey, unverifiedBody });
}

async function keysFor({ body, status, headers, idempotencyKey }: Answer, keys: KeySource): Promise<KeySet> {
  const { receipt } = (body.provenance ?? {}) as { receipt?: { keyId?: unknown } };
  try {
    return await keys.keysFor(String(receipt?.keyId));
  } catch (cause) {
    if (!(cause instanceof KeysUnavailableError)) throw cause;
    throw new MarketplaceError({
      code: 'keys_unavailable',
      message: `${cause.message} The answer cannot be checked.`,
      status,
      retryable: true,
      requestId: headers.get('x-request-id'),
      headers,
      idempotencyKey,
      cause,
    });
  }
}
