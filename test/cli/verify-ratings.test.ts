import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDatabase } from '@agent-marketplace/core/db/create-database.ts';
import { isoTime } from '@agent-marketplace/core/kernel/time.ts';
import { attestRatings, numberRatings } from '@agent-marketplace/core/ratings/index.ts';
import { createMemoryLog } from '@agent-marketplace/core/testing/doubles/memory-log.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { sequenceStatements } from '@agent-marketplace/core/transparency/index.ts';
import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { signStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import { formatNoteKey } from '@agent-marketplace/protocol/log/note.ts';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCliHome } from '../../packages/cli/src/testing/run-cli.ts';
import { startInProcessMarketplace } from './in-process-marketplace.ts';
import { serveMemoryLog } from './serve-memory-log.ts';

const place = await startInProcessMarketplace();
const { sales } = place;
const home = await createCliHome();
const log = await createMemoryLog(createDatabase(testBindings.DB));
const policy = join(home.folder, 'policy.txt');
await writeFile(policy, `log ${formatNoteKey(log.ports.signers[0].key)}\nquorum none\n`);
const { fetch } = globalThis;
afterAll(async () => {
  await home.remove();
  await place.close();
});

/** What the jobs and the log do within the minute, and time enough for what is new to be old. */
async function settle(): Promise<void> {
  const ports = sales.market.newPorts();
  await attestRatings(ports);
  await numberRatings(ports);
  await sequenceStatements(log.ports);
  sales.market.clock.advance(3_600_000);
}

async function rate(listingId: string, rating: number): Promise<string> {
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 20_000);
  const { body } = await sales.buy(listingId, buyer);
  const said = { purchaseId: body.id, rating };
  const answer = await sales.request('POST', `/marketplace/listings/${listingId}/rate`, buyer.apiKey, said);
  expect(answer.status).toBe(200);
  return body.id;
}

const verify = async (listingId: string, ...more: readonly string[]) => {
  const args = ['verify', 'ratings', listingId, '--policy', policy, '--url', place.baseUrl];
  const kept = ['--evidence', join(home.folder, 'ratings.json')];
  const { exitCode, stdout, json } = await home.run([...args, ...kept, ...more, '--json']);
  return { exitCode, result: json.error ?? json, stdout };
};
const run = (sql: string, ...params: unknown[]) =>
  testBindings.DB.prepare(sql)
    .bind(...params)
    .run();

let listingId = '';
let purchases: string[] = [];
beforeEach(async () => {
  vi.stubGlobal('fetch', (input: string | Request, init?: RequestInit) =>
    String(input).includes('/api/log/') ? serveMemoryLog(log, String(input)) : fetch(input, init),
  );
  const { id } = await sales.listing();
  listingId = id;
  purchases = [];
  for (const stars of [5, 1, 4]) purchases.push(await rate(id, stars));
  await settle();
});

it('finds each rating under a number of its own, and each number in the log', async () => {
  expect(await verify(listingId)).toMatchObject({
    exitCode: 0,
    result: { valid: true, shown: 3, numbered: 3, waiting: 0, ended: 0, findings: [] },
  });
  const { body } = await sales.request('GET', `/marketplace/listings/${listingId}/ratings`, null);
  const { ratings } = body as unknown as { ratings: { number: number; rating: number }[] };
  expect(ratings.map(({ number, rating }) => [number, rating]).sort()).toEqual([
    [1, 5],
    [2, 1],
    [3, 4],
  ]);
});

it('is told of one that is too new to be in the log, and of none of a listing that has none', async () => {
  await rate(listingId, 2);
  expect(await verify(listingId)).toMatchObject({ exitCode: 0, result: { shown: 4, numbered: 3 } });
  const { id } = await sales.listing();
  expect(await verify(id)).toMatchObject({ exitCode: 0, result: { shown: 0, numbered: 0 } });
});

it('finds those that changed, were refunded or removed under their numbers of before', async () => {
  await run('UPDATE ratings SET is_removed = 1 WHERE purchase_id = ?', purchases[0]);
  await run('UPDATE ratings SET is_refunded = 1 WHERE purchase_id = ?', purchases[1]);
  await settle();
  expect(await verify(listingId)).toMatchObject({ exitCode: 0, result: { shown: 3, numbered: 3 } });
});

describe('an operator who', () => {
  it.each([
    ['the first', 0],
    ['a later one', 1],
    ['the newest', 2],
  ])('deletes %s of the ratings is found out by its number in the log', async (_, place) => {
    await run('DELETE FROM ratings WHERE purchase_id = ?', purchases[place]);
    const { exitCode, result } = await verify(listingId);
    expect([exitCode, result.code]).toEqual([14, 'missing']);
    expect(result.findings).toMatchObject([{ fault: 'missing', subject: String(place + 1) }]);
    // What was kept convinces others without the marketplace and the log.
    const keys = join(home.folder, 'keys.json');
    await writeFile(keys, await (await sales.market.request('GET', '/signing-key')).text());
    vi.stubGlobal('fetch', () => Promise.reject(new Error('There is no network.')));
    const args = [
      'verify',
      'evidence',
      join(home.folder, 'ratings.json'),
      '--policy',
      policy,
      '--keys',
      keys,
    ];
    const again = await home.run([...args, '--json']);
    expect([again.exitCode, again.json.files[0].detail]).toEqual([0, expect.stringContaining('missing ')]);
  });

  it('deletes all of them, or begins to count anew', async () => {
    await run('DELETE FROM ratings WHERE listing_id = ?', listingId);
    expect((await verify(listingId)).result.findings).toHaveLength(3);
    await run('DELETE FROM rating_numbers WHERE listing_id = ?', listingId);
    await rate(listingId, 5);
    await settle();
    expect((await verify(listingId)).result.findings).toMatchObject([{ subject: '2' }, { subject: '3' }]);
  });

  it('keeps a number out of the log with its rating is found out by the number after it', async () => {
    const gone = await rate(listingId, 1);
    await rate(listingId, 5);
    await run('DELETE FROM ratings WHERE purchase_id = ?', gone);
    await settle();
    const { exitCode, result } = await verify(listingId);
    expect([exitCode, result.findings]).toMatchObject([14, [{ fault: 'missing', subject: '4' }]]);
  });

  it('signs an attestation anew at each look, and logs none', async () => {
    sales.market.clock.advance(25 * 3_600_000);
    const [row] = await sales.rows<{ attestation: string }>(
      'SELECT attestation FROM ratings WHERE purchase_id = ?',
      purchases[1] ?? '',
    );
    const { statement } = JSON.parse(row?.attestation ?? '');
    const anew = await signStatement(
      sales.market.newPorts().signer,
      { ...statement, rating: 5 },
      isoTime(sales.market.clock.now()),
    );
    await run(
      'UPDATE ratings SET rating = 5, attestation = ? WHERE purchase_id = ?',
      JSON.stringify(anew),
      purchases[1],
    );
    sales.market.clock.advance(60_000);
    const { exitCode, result } = await verify(listingId);
    expect([exitCode, result.findings]).toMatchObject([14, [{ fault: 'unlogged', subject: '2' }]]);
  });

  it('gives one number to two', async () => {
    await run('DROP INDEX ratings_by_number');
    await run('UPDATE ratings SET number = 1 WHERE purchase_id = ?', purchases[1]);
    const { findings } = (await verify(listingId)).result;
    expect(
      findings.map(({ fault, subject }: { fault: string; subject: string }) => [fault, subject]),
    ).toEqual([
      ['repeated', '1'],
      ['missing', '2'],
    ]);
    await run('UPDATE ratings SET number = 2 WHERE purchase_id = ?', purchases[1]);
  });
});

it('evidence with the first entry of another listing in place of the own one convicts nobody', async () => {
  const { id, seller } = await sales.listing();
  for (const title of ['Weather by the hour', 'Weather by the minute'])
    await sales.request('PATCH', `/marketplace/listings/${id}`, seller.apiKey, { title });
  const purchase = await rate(id, 5);
  await settle();
  await run('DELETE FROM ratings WHERE purchase_id = ?', purchase);
  expect((await verify(id)).result.findings).toHaveLength(1);
  const kept = join(home.folder, 'ratings.json');
  const evidence = JSON.parse(await readFile(kept, 'utf8'));
  const historyOf = async (listing: string) =>
    (
      (await sales.request('GET', `/marketplace/listings/${listing}/history`, null)).body as unknown as {
        entries: Record<string, unknown>[];
      }
    ).entries;
  const byVersion = (await historyOf(id)).toSorted((a, b) => Number(a.version) - Number(b.version));
  const [other] = await historyOf(listingId);
  // As if their texts had been erased, so that nobody can check what was signed.
  const erase = ({ reasonDigest: _, texts: __, ...entry }: Record<string, unknown>) => ({
    ...entry,
    ...{ isErased: true, changes: {}, reason: null, listingId: id },
  });
  const first = erase({ ...other, version: 1, previousDigest: null });
  const second = { ...erase({ ...byVersion[1] }), previousDigest: other?.digest };
  await writeFile(kept, JSON.stringify({ ...evidence, history: [first, second, byVersion[2]] }));
  const keys = join(home.folder, 'keys.json');
  await writeFile(keys, await (await sales.market.request('GET', '/signing-key')).text());
  const again = await home.run(['verify', 'evidence', kept, '--policy', policy, '--keys', keys, '--json']);
  expect(again.json).toMatchObject({ error: { code: 'not_proven' } });
  expect(JSON.stringify(again.json)).toContain('nobody can check any more');
});

describe('of an honest listing, evidence does not prove', () => {
  async function kept(changes: object) {
    const { findings } = (await verify(listingId)).result;
    expect(findings).toHaveLength(1);
    const evidence = JSON.parse(await readFile(join(home.folder, 'ratings.json'), 'utf8'));
    const [file, keys] = [join(home.folder, 'other.json'), join(home.folder, 'keys.json')];
    await writeFile(file, JSON.stringify({ ...evidence, ...changes }));
    await writeFile(keys, await (await sales.market.request('GET', '/signing-key')).text());
    const again = await home.run(['verify', 'evidence', file, '--policy', policy, '--keys', keys, '--json']);
    const { files } = again.json.error ?? again.json;
    return [again.exitCode, files[0].detail];
  }
  const pageOf = async (id: string, query: string) =>
    (await sales.market.request('GET', `/marketplace/listings/${id}/ratings${query}`)).text();

  it('that ratings are missing from pages that are not all, or of another listing', async () => {
    const parts = await Promise.all(
      [0, 1, 2, 40].map((offset) => pageOf(listingId, `?limit=1&offset=${offset}`)),
    );
    const other = await pageOf((await sales.listing()).id, '');
    await run('DELETE FROM ratings WHERE purchase_id = ?', purchases[0]);
    const [first, middle, last, beyond] = parts;
    for (const pages of [[first], [last], [first, last], [beyond], [first, first, last], [other]])
      expect(await kept({ pages })).toEqual([14, expect.stringContaining('not all pages are here')]);
    expect(await kept({ pages: [] })).toEqual([14, expect.stringContaining('Not all pages are here')]);
    expect(await kept({ pages: [first, middle, last] })).toEqual([14, 'What was kept holds.']);
    expect(await kept({ pages: ['{}'] })).toEqual([14, expect.stringContaining('word of whoever kept it')]);
  });

  it('that an attestation is not in the log, by a log of before it', async () => {
    const checkpoint = log.files.checkpoint;
    const read = async () => {
      await run('DELETE FROM ratings WHERE purchase_id = ?', purchases[0]);
      await verify(listingId);
      const { entries } = JSON.parse(await readFile(join(home.folder, 'ratings.json'), 'utf8'));
      return entries as string[];
    };
    const entries = await read();
    await rate(listingId, 3);
    await settle();
    sales.market.clock.advance(25 * 3_600_000);
    const pages = [await pageOf(listingId, '')];
    const [code, detail] = await kept({ pages, checkpoint, entries });
    expect(code).toBe(0);
    const [proven, word] = detail.split('This is the word of whoever kept it');
    expect(proven).not.toContain('unlogged');
    expect(word).toContain('unlogged 4');
  });
});

describe('a history that was begun anew', () => {
  /** Signed anew, with every key that there is: the numbers of before are of another listing then. */
  async function beginAnew(id: string): Promise<void> {
    const [row] = await sales.rows<{ entry: string }>(
      'SELECT entry FROM listing_history WHERE listing_id = ? AND version = 1',
      id,
    );
    const { digest: _, keyId: __, signature: ___, reason, texts, ...covered } = JSON.parse(row?.entry ?? '');
    const { clock, signer } = sales.market.newPorts();
    const statement = { ...covered, changedAt: isoTime(clock.now()), reasonDigest: null };
    const signed = await signer.signDigest(
      await canonicalDigest({ ...statement, listingId: id, type: 'listing_history_entry' }),
      statement.changedAt,
    );
    const { digest, keyId, signature } = signed;
    const entry = JSON.stringify({ ...statement, reason: null, texts: null, digest, keyId, signature });
    await run('DELETE FROM listing_history WHERE listing_id = ?', id);
    await run('INSERT INTO listing_history (listing_id, version, entry) VALUES (?, 1, ?)', ...[id, entry]);
  }

  it('is told by ratings that the log has from before it', async () => {
    const before = await verify(listingId);
    await beginAnew(listingId);
    await run('DELETE FROM ratings WHERE purchase_id = ?', purchases[0]);
    await settle();
    const { exitCode, result } = await verify(listingId);
    expect([exitCode, result.firstEntry === before.result.firstEntry]).toEqual([14, false]);
    expect(result.findings).toMatchObject([
      { fault: 'begun_anew', subject: expect.any(String), proof: 'signed' },
      { fault: 'begun_anew', subject: expect.any(String), proof: 'signed' },
    ]);
  });

  it('without ratings of before it is told to whoever kept how it began', async () => {
    const { firstEntry } = (await verify(listingId)).result;
    expect(await verify(listingId, '--first', firstEntry)).toMatchObject({ exitCode: 0 });
    await beginAnew(listingId);
    await run('DELETE FROM ratings WHERE listing_id = ?', listingId);
    await settle();
    // Nobody else finds numbers that are made with what he does not know.
    expect(await verify(listingId)).toMatchObject({ exitCode: 0, result: { shown: 0, numbered: 0 } });
    const { exitCode, result } = await verify(listingId, '--first', firstEntry);
    expect([exitCode, result.findings]).toMatchObject([14, [{ fault: 'begun_anew', proof: 'word' }]]);
  });

  it('must stand in the log as well', async () => {
    sales.market.clock.advance(48 * 3_600_000);
    await beginAnew(listingId);
    await run("DELETE FROM log_outbox WHERE type = 'listing_history_entry'");
    sales.market.clock.advance(48 * 3_600_000);
    await run('DELETE FROM ratings WHERE listing_id = ?', listingId);
    await settle();
    expect((await verify(listingId)).result.findings).toMatchObject([
      { fault: 'unlogged', subject: 'version 1' },
    ]);
  });
});

it('a number that is never logged is a finding after a day, and waits until then', async () => {
  const purchase = await rate(listingId, 1);
  await attestRatings(sales.market.newPorts());
  await run("UPDATE ratings SET numbering = '{}' WHERE purchase_id = ?", purchase);
  await sequenceStatements(log.ports);
  expect(await verify(listingId)).toMatchObject({ exitCode: 0, result: { waiting: 1 } });
  sales.market.clock.advance(25 * 3_600_000);
  const { exitCode, result } = await verify(listingId);
  expect([exitCode, result.findings]).toMatchObject([14, [{ fault: 'unlogged', subject: '4' }]]);
});

it('names a rating that got its number long after it was signed', async () => {
  const none = await verify(listingId);
  expect(none.result.numberedLate).toBe(0);
  await rate(listingId, 2);
  await attestRatings(sales.market.newPorts());
  sales.market.clock.advance(25 * 3_600_000);
  await settle();
  expect(await verify(listingId)).toMatchObject({ exitCode: 0, result: { findings: [], numberedLate: 1 } });
  const args = ['verify', 'ratings', listingId, '--policy', policy, '--url', place.baseUrl];
  expect((await home.run(args)).stdout).toContain('1 were numbered more than a day after');
});

it('says that nobody can tell where the first entries of an old history were erased', async () => {
  const erase = async (version: number) => {
    const [row] = await sales.rows<{ entry: string }>(
      'SELECT entry FROM listing_history WHERE listing_id = ? AND version = ?',
      ...[listingId, version],
    );
    const { reasonDigest: _, texts: __, ...entry } = JSON.parse(row?.entry ?? '');
    const erased = JSON.stringify({ ...entry, isErased: true, changes: {}, reason: null });
    await run(
      'UPDATE listing_history SET entry = ? WHERE listing_id = ? AND version = ?',
      ...[erased, listingId, version],
    );
  };
  await erase(1);
  const { exitCode, result } = await verify(listingId);
  expect([exitCode, result.code]).toEqual([14, 'erased']);
  expect(result.message).toContain('no sign that all ratings are shown');
});

it('does not say that all are shown while a number has no rating', async () => {
  const { id } = await sales.listing();
  const purchase = await rate(id, 5);
  const ports = sales.market.newPorts();
  await attestRatings(ports);
  await numberRatings(ports);
  await sequenceStatements(log.ports);
  await run('DELETE FROM ratings WHERE purchase_id = ?', purchase);
  const args = ['verify', 'ratings', id, '--policy', policy, '--url', place.baseUrl];
  const { exitCode, stdout } = await home.run(args);
  expect([exitCode, stdout]).toEqual([
    0,
    expect.stringContaining('1 of the numbers have no rating on any page'),
  ]);
  expect(stdout).not.toContain('All ratings are shown');
});

it('numbers say of which listing they are to nobody who does not know its first entry', async () => {
  const numberings = await sales.rows<{ numbering: string }>(
    'SELECT numbering FROM ratings WHERE listing_id = ?',
    listingId,
  );
  const statements = numberings.map(({ numbering }) => JSON.parse(numbering).statement);
  const [first] = await sales.rows<{ digest: string }>(
    "SELECT entry ->> '$.digest' AS digest FROM listing_history WHERE listing_id = ? AND version = 1",
    listingId,
  );
  expect(statements).toEqual(
    expect.arrayContaining(
      [1, 2, 3].map((number) => ({ type: 'rating_number', listing: first?.digest, number })),
    ),
  );
});
