import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatLogEntry } from '@agent-marketplace/protocol/log/log-entry.ts';
import { formatNoteKey } from '@agent-marketplace/protocol/log/note.ts';
import { tilePath, tilesOfGrowth } from '@agent-marketplace/protocol/log/tiles.ts';
import type { MarketplaceClient } from '@agent-marketplace/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createNoteSigner, createStubLog, fillers, type StubLog } from '../../../sdk/src/testing/stub-log.ts';
import { createCliHome } from '../testing/run-cli.ts';
import { statementsOfSeller } from './statements-of-seller.ts';

const URL_OF_LOG = 'https://market.example/api/log';
const witness = await createNoteSigner('club.example/w1', 4);

const leaf = (at: number, keyId: string) =>
  formatLogEntry({
    type: 'purchase_receipt',
    digest: `sha256:${String(at).padStart(64, '0')}`,
    keyId,
    signedAt: '2026-06-01T12:00:00.000Z',
  });

let log: StubLog;
let home: Awaited<ReturnType<typeof createCliHome>>;
let args: string[];
beforeEach(async () => {
  log = await createStubLog();
  home = await createCliHome();
  const policy = join(home.folder, 'policy.txt');
  await writeFile(policy, `log ${log.vkey}\nwitness w ${formatNoteKey(witness.key)}\nquorum w\n`);
  args = ['monitor', '--policy', policy, '--folder', join(home.folder, 'monitor'), '--log', URL_OF_LOG];
  vi.stubGlobal('fetch', (input: string) => log.fetch(input));
});
afterEach(() => home.remove());

const publish = () => log.publish({ cosigners: [witness] });
const evidenceIn = async () =>
  (await readdir(join(home.folder, 'monitor'))).filter((name) => name !== 'log.json').sort();
const readEvidence = async (name: string) =>
  JSON.parse(await readFile(join(home.folder, 'monitor', name), 'utf8'));

it('reads what a log grew by since it looked last, and says who cosigned it', async () => {
  log.entries.push(leaf(0, 'k1'), leaf(1, 'k2'));
  await publish();
  const first = await home.run(args);
  expect([first.exitCode, first.stdout.split('\n').length]).toEqual([0, 3]);
  expect(first.stderr).toContain('only grew: 0 to 2 entries, cosigned by w at 2026-');
  log.entries.push(...fillers(600), leaf(602, 'k2'));
  await publish();
  const ofKey = await home.run([...args, '--key', 'k2', '--json']);
  expect([ofKey.exitCode, ofKey.json]).toEqual([0, expect.objectContaining({ index: 602, keyId: 'k2' })]);
  expect(ofKey.stderr).toContain('2 to 603 entries');
  const idle = await home.run(args);
  expect([idle.exitCode, idle.stdout]).toEqual([0, '']);
  expect(await evidenceIn()).toEqual([]);
});

it.each([
  ['another entry in place of an old one, and more', 'fork', () => log.entries.push(...fillers(3, 9000))],
  ['another entry in place of an old one', 'fork', () => {}],
])('ends with 14 and keeps both checkpoints where the log has %s', async (_, kind, grow) => {
  log.entries.push(...fillers(300));
  const older = await publish();
  expect((await home.run(args)).exitCode).toBe(0);
  log.entries[7] = fillers(1, 5000)[0] as Uint8Array;
  grow();
  const newer = await publish();
  for (const run of [1, 2]) {
    const { exitCode, stdout } = await home.run([...args, '--json']);
    expect([run, exitCode, JSON.parse(stdout).error.code]).toEqual([run, 14, kind]);
  }
  const [name = '', ...more] = await evidenceIn();
  expect(more).toEqual([]);
  expect(await readEvidence(name)).toMatchObject({ kind, older, newer });
  const path = join(home.folder, 'monitor', name);
  const check = (...files: string[]) =>
    home.run(['verify', 'evidence', ...files, '--policy', join(home.folder, 'policy.txt'), '--json']);
  // Without the log, and whatever becomes of it.
  vi.stubGlobal('fetch', () => Promise.reject(new Error('There is no network.')));
  const checked = await check(path);
  expect([checked.exitCode, checked.json.files[0].isProven]).toEqual([0, true]);
  expect(checked.json.files[0].detail).toContain('two histories');
  const evidence = await readEvidence(name);
  for (const forged of [
    { ...evidence, newer: evidence.older },
    { ...evidence, older: evidence.older.replace(/\n300\n/, '\n299\n') },
    ...(evidence.prefix === undefined
      ? []
      : [{ ...evidence, prefix: { root: evidence.prefix.root, hashes: [] } }]),
  ]) {
    await writeFile(join(home.folder, 'forged.json'), JSON.stringify(forged));
    const refused = await check(path, join(home.folder, 'forged.json'));
    expect([refused.exitCode, refused.json.error.code]).toEqual([14, 'not_proven']);
    expect(refused.json.error.files.map(({ isProven }: { isProven: boolean }) => isProven)).toEqual([
      true,
      false,
    ]);
  }
});

it('says of evidence that proves nothing why it does not', async () => {
  log.entries.push(...fillers(300));
  const older = await publish();
  const newer = await log.publish({ size: 200, cosigners: [witness] });
  const path = join(home.folder, 'shrunk.json');
  const check = () => home.run(['verify', 'evidence', path, '--policy', join(home.folder, 'policy.txt')]);
  for (const [kept, text] of [
    [{ kind: 'shrunk', older, newer }, 'is the word of whoever kept this'],
    [{ kind: 'mismatch', older: null, newer }, 'only one checkpoint'],
  ] as const) {
    await writeFile(path, JSON.stringify(kept));
    const { exitCode, stderr } = await check();
    expect([exitCode, stderr]).toEqual([14, expect.stringContaining(text)]);
  }
  await writeFile(path, '{}');
  expect((await check()).exitCode).toBe(2);
});

it('ends with 14 where the log shrank, and where its entries are not those of its checkpoint', async () => {
  log.entries.push(...fillers(300));
  const older = await publish();
  expect((await home.run(args)).exitCode).toBe(0);
  const newer = await log.publish({ size: 200, cosigners: [witness] });
  const shrunk = await home.run(args);
  expect([shrunk.exitCode, shrunk.stderr]).toEqual([14, expect.stringContaining('fewer entries')]);
  const [name = ''] = await evidenceIn();
  expect(await readEvidence(name)).toEqual({ kind: 'shrunk', older, newer });

  log.entries.push(...fillers(50, 300));
  await publish();
  log.entries[320] = fillers(1, 7000)[0] as Uint8Array;
  const mismatch = await home.run([...args, '--json']);
  expect([mismatch.exitCode, mismatch.json.error.code]).toEqual([14, 'mismatch']);
});

it('convicts a log by its own signature, which no honest witness would cosign', async () => {
  log.entries.push(...fillers(3));
  await publish();
  expect((await home.run(args)).exitCode).toBe(0);
  log.entries[0] = fillers(1, 9)[0] as Uint8Array;
  await log.publish();
  expect(JSON.parse((await home.run([...args, '--json'])).stdout).error.code).toBe('fork');
});

describe('a log that took the place of another', () => {
  let next: StubLog;
  let policy: string;
  let ofNext: string[];
  beforeEach(async () => {
    next = await createStubLog('market.example/api/log/2');
    policy = join(home.folder, 'both.txt');
    await writeFile(policy, `log ${log.vkey}\nlog ${next.vkey}\nquorum none\n`);
    ofNext = ['monitor', '--policy', policy, '--folder', join(home.folder, 'monitor'), '--json'];
    ofNext.push('--log', `${URL_OF_LOG}/2`);
    vi.stubGlobal('fetch', (input: string) =>
      input.includes('/log/2/') ? next.fetch(input.replace('/log/2/', '/log/')) : log.fetch(input),
    );
    log.entries.push(...fillers(300));
    await log.publish();
    await log.end(next.vkey);
    next.entries.push(...log.entries, ...fillers(40, 1000));
  });

  it('is read like any other where it begins with all that the first one had', async () => {
    await next.publish();
    expect((await home.run(ofNext)).exitCode).toBe(0);
  });

  it.each([
    ['leaves one out', () => next.entries.splice(75, 1)],
    ['has another in the place of one', () => next.entries.splice(75, 1, ...fillers(1, 9000))],
    ['has fewer', () => next.entries.splice(200)],
  ])('is found out where it %s, by what both keys signed', async (_, falsify) => {
    falsify();
    await next.publish();
    const found = await home.run(ofNext);
    expect([found.exitCode, found.json.error.code]).toEqual([14, 'not_continued']);
    const [name = '', ...more] = await evidenceIn();
    expect(more).toEqual([]);
    vi.stubGlobal('fetch', () => Promise.reject(new Error('There is no network.')));
    const check = async (evidence: object, believed = policy) => {
      const file = join(home.folder, 'kept.json');
      await writeFile(file, JSON.stringify(evidence));
      const { exitCode } = await home.run(['verify', 'evidence', file, '--policy', believed, '--json']);
      return exitCode;
    };
    const evidence = await readEvidence(name);
    expect(await check(evidence)).toBe(0);
    const own = join(home.folder, 'own.txt');
    await writeFile(own, `log ${next.vkey}\nquorum none\n`);
    expect(await check(evidence, own)).toBe(14);
    expect(await check({ ...evidence, older: evidence.older.replace('\n300\n', '\n301\n') })).toBe(14);
    if (evidence.prefix !== undefined) expect(await check({ ...evidence, prefix: [] })).toBe(14);
  });

  it('is not convicted by evidence where it begins with all of the first one', async () => {
    const newer = await next.publish();
    const older = await log.end(next.vkey);
    const file = join(home.folder, 'kept.json');
    const consistency = (await next.consistency(300)).map((hash) => Buffer.from(hash).toString('base64'));
    const root = older.split('\n')[3];
    await writeFile(
      file,
      JSON.stringify({ kind: 'not_continued', older, newer, prefix: { root, hashes: consistency } }),
    );
    const judged = await home.run(['verify', 'evidence', file, '--policy', policy, '--json']);
    expect([judged.exitCode, judged.json.error.code]).toEqual([14, 'not_proven']);
  });
});

it('believes its policy alone', async () => {
  log.entries.push(...fillers(3));
  await log.publish();
  const { exitCode, stdout } = await home.run([...args, '--json']);
  expect([exitCode, JSON.parse(stdout).error.code]).toEqual([14, 'quorum']);
  await writeFile(join(home.folder, 'policy.txt'), 'quorum two\n');
  const faulty = await home.run(args);
  expect([faulty.exitCode, faulty.stderr]).toEqual([2, expect.stringContaining('line 1 of the policy')]);
});

it('follows until the log forks, also over an outage', async () => {
  log.entries.push(...fillers(3));
  await publish();
  let looks = 0;
  const sleep = async () => {
    looks += 1;
    if (looks === 1) vi.stubGlobal('fetch', async () => new Response('', { status: 503 }));
    if (looks === 2) vi.stubGlobal('fetch', (input: string) => log.fetch(input));
    if (looks === 2) log.entries[0] = fillers(1, 99)[0] as Uint8Array;
    await publish();
  };
  const { exitCode, stderr } = await home.run([...args, '--follow'], { sleep });
  expect([exitCode, looks]).toEqual([14, 2]);
  expect(stderr).toMatch(/0 to 3 entries[\s\S]*answered with 503[\s\S]*another history/);
});

it('does not go on from a state that is damaged', async () => {
  log.entries.push(...fillers(3));
  await publish();
  await home.run(args);
  await writeFile(join(home.folder, 'monitor/log.json'), '{"origin":1}');
  expect((await home.run(args)).stderr).toContain('is damaged');
});

it('knows what is public of the listings of a seller', async () => {
  const lists: Record<string, object[]> = {
    browseListings: [
      { id: 'l1', sellerId: 's1' },
      { id: 'l2', sellerId: 's2' },
    ],
    getListingHistory: [{ digest: 'sha256:a', version: 1 }],
    listRatings: [{ attestation: { digest: 'sha256:b' } }],
  };
  const client = {
    async *items(name: string, _list: string, input: { listingId?: string }) {
      if (input.listingId !== 'l2') yield* lists[name] ?? [];
    },
  } as unknown as MarketplaceClient;
  expect(await statementsOfSeller(client, 's1')).toEqual(
    new Map([
      ['sha256:a', 'version 1 of listing l1'],
      ['sha256:b', 'a rating of listing l1'],
    ]),
  );
  expect((await statementsOfSeller(client, 's2')).size).toBe(0);
});

it('keeps a copy of the log whose files are those that it serves, and adds to it', async () => {
  const mirror = join(home.folder, 'mirror');
  // Batches end within a tile, and between two.
  for (const count of [0, 300, 4500, 1]) {
    log.entries.push(...fillers(count, log.entries.length));
    await publish();
    const { exitCode, stderr } = await home.run([...args, '--mirror', mirror]);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('only grew')]);
    expect(await readFile(join(mirror, 'checkpoint'), 'utf8')).toBe(log.published);
    for (const tile of tilesOfGrowth(0, log.entries.length)) {
      const path = tilePath(tile);
      const served = new Uint8Array(await (await log.fetch(`${URL_OF_LOG}/${path}`)).arrayBuffer());
      expect(new Uint8Array(await readFile(join(mirror, path))), path).toEqual(served);
    }
  }
  await writeFile(join(mirror, 'tile/0/018.p/193'), new Uint8Array(193 * 32));
  log.entries.push(...fillers(1, log.entries.length));
  await publish();
  const damaged = await home.run([...args, '--mirror', mirror]);
  expect([damaged.exitCode, damaged.stderr]).toEqual([
    expect.any(Number),
    expect.stringContaining('begin it anew'),
  ]);
  expect(damaged.exitCode).not.toBe(0);
});
