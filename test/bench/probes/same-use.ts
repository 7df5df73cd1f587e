import { type CountedRow, DATABASE_USE, type RoundTrip } from '../database-use.data.ts';
import { PRICED } from '../purchased.ts';
import type { ProbeBindings } from './bindings.ts';
import { digestOf, signatureOf, signedResponse } from './sign.ts';

/** The simplest statement of its kind, by key. */
const READ = 'SELECT * FROM listings WHERE id = ?';
const WRITE = 'UPDATE listings SET sold_count = sold_count + 1 WHERE id = ?';

async function travel(db: D1Database, { kind, statements }: RoundTrip): Promise<unknown> {
  const on = {
    near: () => db.withSession('first-unconstrained'),
    read: () => db,
    commit: () => db.withSession('first-primary'),
  }[kind]();
  const statement = on.prepare(kind === 'commit' ? WRITE : READ).bind(PRICED);
  return on.batch(Array.from({ length: statements }, () => statement));
}

/**
 * As many round trips, statements and signatures as a row of the bench has, in the same kinds of session, each statement
 * the simplest there is. The path is `/{row}`, or `/{row}/{the URL of the seller that delivers}`.
 */
export default {
  async fetch(request, { DB, SIGNING_KEY }, ctx) {
    const [, row, seller] = new URL(request.url).pathname.split('/');
    const use = DATABASE_USE[row as CountedRow];
    const body = await request.text();
    let listing: unknown;
    for (const roundTrip of use.beforeDelivery) listing = await travel(DB, roundTrip);
    let content = JSON.stringify(listing);
    if (seller !== undefined) {
      const { signature } = await signatureOf(digestOf(body), SIGNING_KEY);
      const reply = await fetch(decodeURIComponent(seller), { method: 'POST', body, headers: { signature } });
      content = await reply.text();
    }
    const receipt = request.method === 'POST' ? await signatureOf(digestOf(content), SIGNING_KEY) : null;
    for (const roundTrip of use.afterDelivery) await travel(DB, roundTrip);
    for (const roundTrip of use.inBackground) ctx.waitUntil(travel(DB, roundTrip));
    return signedResponse(JSON.stringify({ content, receipt }), SIGNING_KEY);
  },
} satisfies ExportedHandler<ProbeBindings>;
