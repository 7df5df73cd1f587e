import { DurableObject } from 'cloudflare:workers';
import type { ProbeBindings } from './bindings.ts';
import { signedResponse } from './sign.ts';

interface Bindings extends ProbeBindings {
  readonly ROWS: DurableObjectNamespace<RowsObject>;
}

/** A few hundred rows of which one is changed, or nothing is. */
export class RowsObject extends DurableObject {
  constructor(ctx: DurableObjectState, env: Bindings) {
    super(ctx, env);
    ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS rows (id TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT');
  }

  write(id: string, at: number): number {
    this.ctx.storage.sql.exec('INSERT OR REPLACE INTO rows (id, at) VALUES (?, ?)', id, at);
    return at;
  }

  read(_id: string, at: number): number {
    return at;
  }
}

/** A heartbeat's unavoidable work: one call of one object, and a signed answer; with or without a row written. */
export default {
  async fetch(request, { ROWS, SIGNING_KEY }) {
    const { sessionId } = (await request.json()) as { sessionId: string };
    const rows = ROWS.getByName('all');
    const isWriting = request.url.endsWith('/write');
    const at = await (isWriting ? rows.write(sessionId, Date.now()) : rows.read(sessionId, Date.now()));
    return signedResponse(JSON.stringify({ expiresAt: at, ok: true, sessionId }), SIGNING_KEY);
  },
} satisfies ExportedHandler<Bindings>;
