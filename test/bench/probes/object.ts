import { DurableObject } from 'cloudflare:workers';
import { CommitBatcher } from '../../../workers/ingress/src/commit-batcher.ts';
import type { ProbeBindings } from './bindings.ts';
import { digestOf, signatureOf, signedResponse } from './sign.ts';

interface Bindings extends ProbeBindings {
  readonly ROWS: DurableObjectNamespace<RowsObject>;
}

/** A few hundred rows of which one is changed, or nothing is. */
export class RowsObject extends DurableObject<Bindings> {
  readonly #commits = new CommitBatcher();

  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env);
    ctx.storage.sql.exec(`CREATE TABLE IF NOT EXISTS rows (id TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS answers (id TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID`);
  }

  write(id: string, at: number): Promise<number> {
    return this.#commits.run(() => {
      this.ctx.storage.sql.exec('INSERT OR REPLACE INTO rows (id, at) VALUES (?, ?)', id, at);
      return at;
    });
  }

  read(_id: string, at: number): number {
    return at;
  }

  /** Writes in the one object of a class, makes the receipt and the answer, and keeps them here. */
  async admit(id: string, at: number): Promise<string> {
    const { ROWS, SIGNING_KEY } = this.env;
    const expiresAt = await ROWS.getByName('all').write(id, at);
    const receipt = await signatureOf(digestOf(id), SIGNING_KEY);
    const answer = await (
      await signedResponse(JSON.stringify({ expiresAt, id, receipt }), SIGNING_KEY)
    ).text();
    await this.#commits.run(() => {
      this.ctx.storage.sql.exec('INSERT OR REPLACE INTO answers (id, text) VALUES (?, ?)', id, answer);
    });
    return answer;
  }
}

/** Of the door's own number. */
const SHARDS = 32;

/** An admission's unavoidable work: one signature checked, two objects with a row each, and two signatures. */
async function admit(request: Request, { ROWS }: Bindings): Promise<Response> {
  const { sig, ...terms } = (await request.json()) as { berthKey: string; requestId: string; sig: string };
  const raw = Buffer.from(terms.berthKey, 'hex');
  const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']);
  const signed = new TextEncoder().encode(JSON.stringify(terms));
  if (!(await crypto.subtle.verify('Ed25519', key, Buffer.from(sig, 'hex'), signed)))
    return new Response(null, { status: 401 });
  const shard = Number.parseInt(terms.requestId.slice(0, 8), 16) % SHARDS;
  const answer = await ROWS.getByName(String(shard)).admit(terms.requestId, Date.now());
  return new Response(answer, { headers: { 'content-type': 'application/json' } });
}

/** A heartbeat's unavoidable work: one call of one object, and a signed answer; with or without a row written. */
export default {
  async fetch(request, env) {
    if (request.url.endsWith('/admit')) return admit(request, env);
    const { ROWS, SIGNING_KEY } = env;
    const { sessionId } = (await request.json()) as { sessionId: string };
    const rows = ROWS.getByName('all');
    const isWriting = request.url.endsWith('/write');
    const at = await (isWriting ? rows.write(sessionId, Date.now()) : rows.read(sessionId, Date.now()));
    return signedResponse(JSON.stringify({ expiresAt: at, ok: true, sessionId }), SIGNING_KEY);
  },
} satisfies ExportedHandler<Bindings>;
