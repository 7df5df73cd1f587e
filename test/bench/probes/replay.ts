import { createJobQueue } from '@agent-marketplace/core/adapters/queues/job-queue.ts';
import { disposeRpcResult } from '@agent-marketplace/core/adapters/system/dispose-rpc-result.ts';
import { systemClock } from '@agent-marketplace/core/adapters/system/system-clock.ts';
import type { SellingBindings } from '@agent-marketplace/core/compose/shared-ports.ts';
import type { JobQueue } from '@agent-marketplace/core/kernel/ports/job-queue.ts';
import type { FreshValue, Pattern, Replay, Step } from '../recording.ts';

interface Bindings extends Pick<SellingBindings, 'DB' | 'RELAY' | 'JOBS' | 'POLLING'> {
  readonly SIGNING_KEY: string;
}

const replays = new Map<string, Replay>();

/**
 * Does what the product did at its bindings for a request, again: the same statements in the same round trips and sessions,
 * with ids, times, digests and signatures of their own, as many digests and signatures over as many bytes, the same
 * delivery. And nothing else. What is repeated is put at the path first.
 */
export default {
  async fetch(request, bindings, ctx) {
    const { pathname } = new URL(request.url);
    if (request.method === 'PUT') {
      replays.set(pathname, await request.json());
      return new Response();
    }
    const replay = replays.get(pathname);
    if (replay === undefined) return new Response(null, { status: 404 });
    await request.text();
    const now = Date.now();
    const fresh = replay.fresh.map((value) => freshText(value, now));
    for (const { step, isBehindAnswer } of replay.steps) {
      const performed = perform(step, fresh, bindings);
      if (isBehindAnswer) ctx.waitUntil(performed);
      else await performed;
    }
    return new Response(replay.answer, { headers: { 'content-type': 'application/json' } });
  },
} satisfies ExportedHandler<Bindings>;

function perform(step: Step<Pattern>, fresh: readonly string[], bindings: Bindings): Promise<unknown> {
  switch (step.kind) {
    case 'database':
      return travel(step, fresh, bindings.DB);
    case 'digest':
      return crypto.subtle.digest('SHA-256', new Uint8Array(step.bytes));
    case 'signature':
    case 'mac':
      return sign(step, bindings);
    case 'relay':
      return bindings.RELAY.post(JSON.parse(textOf(step.request, fresh))).then(disposeRpcResult);
    case 'wake':
      return bindings.POLLING.getByName(textOf(step.agentId, fresh)).wake(step.sequence);
    case 'job':
      jobs ??= createJobQueue(bindings.JOBS, systemClock);
      return jobs.send(step.message);
  }
}

/** As in the product, one message wakes the jobs for all sales of a second. */
let jobs: JobQueue | undefined;

async function travel(
  { session, statements }: Extract<Step<Pattern>, { kind: 'database' }>,
  fresh: readonly string[],
  database: D1Database,
): Promise<void> {
  const on = session === null ? database : database.withSession(session);
  const bound = statements.map(({ sql, params }) =>
    on
      .prepare(sql)
      .bind(
        ...params.map((param) =>
          typeof param === 'object' && param !== null ? textOf(param, fresh) : param,
        ),
      ),
  );
  const [only, ...others] = bound;
  await (only !== undefined && others.length === 0 ? only.all() : on.batch(bound));
}

const textOf = (pattern: Pattern, fresh: readonly string[]): string =>
  pattern.map((part) => (typeof part === 'number' ? fresh[part] : part)).join('');

function freshText(value: FreshValue, now: number): string {
  if (value.kind === 'time') return new Date(now + value.offsetMs).toISOString();
  const { kind, start, length } = value;
  const random =
    kind === 'uuid'
      ? crypto.randomUUID()
      : Buffer.from(crypto.getRandomValues(new Uint8Array(64))).toString(kind);
  return start + random.slice(start.length, length);
}

let keys: Promise<Readonly<Record<'signature' | 'mac', CryptoKey>>> | undefined;

async function sign(
  { kind, bytes }: { readonly kind: 'signature' | 'mac'; readonly bytes: number },
  { SIGNING_KEY }: Bindings,
): Promise<ArrayBuffer> {
  keys ??= importKeys(SIGNING_KEY);
  const key = (await keys)[kind];
  return crypto.subtle.sign(key.algorithm.name, key, new Uint8Array(bytes));
}

async function importKeys(secretJwk: string) {
  const { kty, crv, d, x } = JSON.parse(secretJwk) as Record<string, string>;
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  return {
    signature: await crypto.subtle.importKey('jwk', { kty, crv, d, x } as JsonWebKey, 'Ed25519', false, [
      'sign',
    ]),
    mac: await crypto.subtle.importKey('raw', new Uint8Array(32), hmac, false, ['sign']),
  };
}
