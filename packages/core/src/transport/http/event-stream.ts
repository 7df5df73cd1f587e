import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import type { AnyOperation, StreamBinding } from '../../kernel/operation/operation.ts';
import { type Answer, type Call, type Runtime, runOperation } from '../../kernel/operation/run-operation.ts';
import { MINUTE_MS, SECOND_MS } from '../../kernel/time.ts';
import { CORS_HEADERS, respondRefusal } from './respond.ts';

const MEDIA_TYPE = 'text/event-stream';
/** Then the client connects again, as it does whenever a stream ends: a stream that nobody reads any more goes on no longer. */
const STREAM_MS = 5 * MINUTE_MS;
/** What keeps proxies from ending a silent connection, and tells a client that it is still there. */
const HEARTBEAT_MS = 15 * SECOND_MS;
const RECONNECT_MS = 5 * SECOND_MS;
/** A wait that ends so much too early was ended for a newer one. */
const EARLY_MS = SECOND_MS;

const HEADERS = {
  ...CORS_HEADERS,
  'x-content-type-options': 'nosniff',
  'content-type': MEDIA_TYPE,
  'cache-control': 'no-store',
};

export function wantsStream({ method, headers }: Request): boolean {
  return method === 'GET' && (headers.get('accept') ?? '').includes(MEDIA_TYPE);
}

/**
 * Server-sent events: the answers of one operation after another, each asked for after the one before, as a client would that
 * waits for each. So every message is a whole answer with its provenance, and every one is counted, and refused, as a
 * request is. The id of a message is where the next one goes on: a client that connects again sends it as `Last-Event-ID`.
 */
export async function streamAnswers(
  operation: AnyOperation,
  stream: StreamBinding,
  runtime: Runtime,
  { request, call }: { readonly request: Request; readonly call: Call },
): Promise<Response> {
  const { clock } = runtime.ports;
  const until = clock.now() + STREAM_MS;
  const lastEventId = request.headers.get('last-event-id') ?? '';
  let position: unknown = /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : lastEventId || undefined;

  const ask = (waitSeconds: number) =>
    runOperation(operation, runtime, {
      ...call,
      // What was shown before is not left out of a stream.
      knownDigests: [],
      async readInput() {
        const { fields, apiKeys } = await call.readInput();
        const after = position === undefined ? {} : { [stream.position]: position };
        return { fields: { ...fields, ...after, [stream.wait]: waitSeconds }, apiKeys };
      },
    });

  const first = await ask(0);
  if (first.kind === 'refused') return respondRefusal(first, call.requestId);

  async function* messages(): AsyncGenerator<string> {
    yield `retry: ${RECONNECT_MS}\n\n`;
    for (let answer: Answer = first, isEarly = false; answer.kind !== 'not_modified'; ) {
      const text = new TextDecoder().decode(answer.body);
      if (answer.kind === 'refused') {
        yield `event: refused\ndata: ${text}\n\n`;
        return;
      }
      const next = (JSON.parse(text) as Record<string, unknown>)[stream.next];
      const isNews = next !== (position ?? 0);
      if (isEarly && !isNews) return;
      yield isNews ? `id: ${next}\ndata: ${text}\n\n` : ': nothing yet\n\n';
      position = next;
      const askedAt = clock.now();
      const waitMs = Math.min(HEARTBEAT_MS, until - askedAt);
      if (waitMs < SECOND_MS) return;
      answer = await ask(Math.floor(waitMs / SECOND_MS));
      isEarly = clock.now() - askedAt < waitMs - EARLY_MS;
    }
  }
  return new Response(bytesOf(messages()), { headers: { ...HEADERS, 'x-request-id': call.requestId } });
}

/** One message each time that its reader has room, so that nothing is asked for that nobody reads. */
function bytesOf(messages: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await messages.next();
      if (done) controller.close();
      else controller.enqueue(utf8(value));
    },
    async cancel() {
      await messages.return(undefined);
    },
  });
}
