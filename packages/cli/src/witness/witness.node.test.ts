import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatWitnessRequest } from '@agent-marketplace/protocol/log/log-proof.ts';
import { formatNoteKey, type NoteKey, parseNoteKey } from '@agent-marketplace/protocol/log/note.ts';
import { believeCheckpoint, parseLogPolicy } from '@agent-marketplace/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { createStubLog, fillers, type StubLog } from '../../../sdk/src/testing/stub-log.ts';
import { createCliHome } from '../testing/run-cli.ts';
import { createTwoFaced, requestOf } from '../testing/two-faced-log.ts';
import { addCheckpoint, type Witness } from './add-checkpoint.ts';
import { openWitnessKey } from './witness-key.ts';
import { folderTrees } from './witnessed-trees.ts';

const NOW = 1_800_000_000_000;
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'witness-'));
  folders.push(folder);
  return folder;
}

async function createWitness(log: StubLog, folder: string, more: Partial<Witness> = {}): Promise<Witness> {
  return {
    logs: [(await parseNoteKey(log.vkey)) as NoteKey],
    signer: await openWitnessKey(join(folder, 'key.json'), 'club.example/w1'),
    trees: folderTrees(join(folder, 'trees')),
    now: () => NOW,
    ...more,
  };
}

describe('a witness', () => {
  it('cosigns a log that grows, and what it answers is a cosignature', async () => {
    const log = await createStubLog();
    const witness = await createWitness(log, await newFolder());
    const policy = await parseLogPolicy(
      `log ${log.vkey}\nwitness w ${formatNoteKey(witness.signer.key)}\nquorum w\n`,
    );
    let oldSize = 0;
    for (const count of [0, 5, 300, 0]) {
      log.entries.push(...fillers(count, oldSize));
      const answer = await addCheckpoint(await requestOf(log, oldSize), witness);
      expect(answer).toMatchObject({ status: 200, contentType: 'text/plain; charset=utf-8' });
      expect(await believeCheckpoint(log.published + answer.body, policy)).toMatchObject({
        valid: true,
        checkpoint: { size: log.entries.length, cosigned: [{ name: 'w', at: new Date(NOW).toISOString() }] },
      });
      oldSize = log.entries.length;
    }
  });

  it('refuses everything else, each with its status', async () => {
    const log = await createStubLog();
    const folder = await newFolder();
    const witness = await createWitness(log, folder);
    log.entries.push(...fillers(10));
    expect((await addCheckpoint(await requestOf(log, 0), witness)).status).toBe(200);
    log.entries.push(...fillers(10, 10));
    const good = await requestOf(log, 10);
    const answerTo = (body: string) => addCheckpoint(body, witness);

    expect((await answerTo('old 1\n')).status).toBe(400);
    expect((await answerTo(good.replace(/\n\n.*/s, '\n\nno note\n'))).status).toBe(400);
    expect(
      (await answerTo(await requestOf(log, 20, 20).then((one) => one.replace('old 20', 'old 21')))).status,
    ).toBe(400);
    expect(await answerTo(good.replace('market.example', 'other.example'))).toMatchObject({ status: 404 });
    expect((await answerTo(good.replace('\n20\n', '\n21\n'))).status).toBe(403);
    const stranger = await createStubLog();
    stranger.entries.push(...fillers(20));
    expect((await answerTo(await requestOf(stranger, 10))).status).toBe(403);
    expect(await answerTo(good.replace('old 10', 'old 9'))).toMatchObject({
      status: 409,
      body: '10\n',
      contentType: 'text/x.tlog.size',
    });
    expect(
      (await answerTo(formatWitnessRequest({ oldSize: 10, hashes: [], checkpoint: log.published }))).status,
    ).toBe(422);
    expect((await addCheckpoint(good, { ...witness, now: () => NOW - 1000 })).status).toBe(503);
    expect((await answerTo(good)).status).toBe(200);

    const older = log.published;
    log.entries[3] = fillers(1, 99)[0] as Uint8Array;
    const forked = await answerTo(await requestOf(log, 20));
    expect(forked).toMatchObject({ status: 409, contentType: 'text/plain; charset=utf-8' });
    expect(forked.fork).toEqual({ older, newer: log.published });
    expect((await answerTo(await requestOf(log, 0))).fork).toEqual(forked.fork);
    log.entries.push(...fillers(1, 20));
    expect((await answerTo(await requestOf(log, 20))).status).toBe(422);
    const shrunk = formatWitnessRequest({
      oldSize: 5,
      hashes: [],
      checkpoint: await log.publish({ size: 5 }),
    });
    expect(await answerTo(shrunk)).toMatchObject({ status: 409, body: '20\n' });
  });

  it('keeps its key and refuses to sign under another name', async () => {
    const path = join(await newFolder(), 'key.json');
    await expect(openWitnessKey(path, null)).rejects.toThrow('Name the witness');
    const first = await openWitnessKey(path, 'club.example/w1');
    expect(formatNoteKey((await openWitnessKey(path, null)).key)).toBe(formatNoteKey(first.key));
    await expect(openWitnessKey(path, 'club.example/w2')).rejects.toThrow('is of club.example/w1');
    await writeFile(path, 'damaged');
    await expect(openWitnessKey(path, null)).rejects.toThrow('no key of a witness');
  });

  it('does not cosign on from a state that is damaged', async () => {
    const log = await createStubLog();
    const folder = await newFolder();
    const witness = await createWitness(log, folder);
    expect((await addCheckpoint(await requestOf(log, 0), witness)).status).toBe(200);
    const [place = ''] = await readdir(join(folder, 'trees'));
    await writeFile(join(folder, 'trees', place, '000000000001.json'), '{}');
    await expect(addCheckpoint(await requestOf(log, 0), witness)).rejects.toThrow('is damaged');
  });
});

describe('no race and no kill makes a witness cosign a fork', () => {
  it('as two processes on one folder, asked for both histories at once', async () => {
    for (let round = 0; round < 20; round++) {
      const { log, requestFor } = await createTwoFaced();
      const folder = await newFolder();
      const processes = [await createWitness(log, folder), await createWitness(log, folder)];
      const first = await requestFor(0, 0, 5);
      await addCheckpoint(first.request, processes[0] as Witness);
      const submissions: Awaited<ReturnType<typeof requestFor>>[] = [];
      for (const at of [0, 1, 2, 3, 4, 5]) submissions.push(await requestFor(at % 2, 5, 6 + at));
      const answers = await Promise.all(
        submissions.map(({ request }, at) => addCheckpoint(request, processes[at % 2] as Witness)),
      );
      const signed = answers.flatMap(({ status }, at) => (status === 200 ? [submissions[at]?.branch] : []));
      expect(signed).toHaveLength(1);
      const refused = answers.filter(({ status }) => status === 409);
      expect(refused).toHaveLength(5);
      const size = submissions[answers.findIndex(({ status }) => status === 200)]?.size;
      for (const { body } of refused) expect(body).toBe(`${size}\n`);
    }
  });

  it('where a process slept between reading and storing, while many cosignatures were made', async () => {
    const { log, requestFor } = await createTwoFaced();
    const folder = await newFolder();
    const awake = await createWitness(log, folder);
    await addCheckpoint((await requestFor(0, 0, 5)).request, awake);
    const slow = folderTrees(join(folder, 'trees'));
    const sleeper: Witness = {
      ...awake,
      trees: {
        read: slow.read,
        async store(origin, tree) {
          for (let size = 6; size < 60; size++) {
            const { request } = await requestFor(1, size - 1, size);
            expect((await addCheckpoint(request, awake)).status).toBe(200);
          }
          return slow.store(origin, tree);
        },
      },
    };
    const { request } = await requestFor(0, 5, 150);
    expect(await addCheckpoint(request, sleeper)).toMatchObject({ status: 409, body: '59\n' });
    expect((await slow.read('market.example/api/log')).size).toBe(59);
  });

  it.each(['before it is stored', 'after it is stored', 'while it is signed'])(
    'killed %s',
    async (moment) => {
      const { log, requestFor } = await createTwoFaced();
      const folder = await newFolder();
      const whole = await createWitness(log, folder);
      await addCheckpoint((await requestFor(0, 0, 5)).request, whole);
      const die = async (): Promise<never> => {
        throw new Error('killed');
      };
      const dying: Witness = {
        ...whole,
        trees: {
          read: whole.trees.read,
          async store(origin, tree) {
            if (moment === 'before it is stored') return die();
            const isStored = await whole.trees.store(origin, tree);
            return moment === 'after it is stored' ? die() : isStored;
          },
        },
        ...(moment === 'while it is signed' && { signer: { ...whole.signer, sign: die } }),
      };
      const wanted = await requestFor(0, 5, 50);
      await expect(addCheckpoint(wanted.request, dying)).rejects.toThrow('killed');
      const again = await createWitness(log, folder);
      const other = await requestFor(1, 5, 60);
      const isStored = moment !== 'before it is stored';
      expect((await addCheckpoint(other.request, again)).status).toBe(isStored ? 409 : 200);
      // The log learns the size, proves growth from there, and goes on.
      const next = isStored ? await requestFor(0, 50, 50) : await requestFor(1, 60, 70);
      expect((await addCheckpoint(next.request, again)).status).toBe(200);
    },
  );
});

describe('agent-market witness', () => {
  it('serves its key and cosignatures, and keeps both checkpoints of a fork', async () => {
    const log = await createStubLog();
    const home = await createCliHome();
    folders.push(home.folder);
    const folder = join(home.folder, 'witness');
    const stop = new AbortController();
    const args = [
      'witness',
      '--folder',
      folder,
      '--name',
      'club.example/w1',
      '--log',
      log.vkey,
      '--port',
      '0',
    ];
    const { promise: listening, resolve } = Promise.withResolvers<string>();
    const running = home.run(args, { interrupt: stop.signal, onStderr: (text) => resolve(text) });
    const url = /http:\S+\d/.exec(await listening)?.[0] ?? '';
    const vkey = await (await fetch(url)).text();
    expect((await parseNoteKey(vkey.trim()))?.type).toBe(4);
    log.entries.push(...fillers(3));
    const post = async (body: string) => fetch(`${url}/w1/add-checkpoint`, { method: 'POST', body });
    expect((await post(await requestOf(log, 0))).status).toBe(200);
    log.entries[0] = fillers(1, 7)[0] as Uint8Array;
    expect((await post(await requestOf(log, 3))).status).toBe(409);
    // Said again, and by somebody who names another size.
    for (const oldSize of [3, 0]) expect((await post(await requestOf(log, oldSize))).status).toBe(409);
    const [fork = '', ...others] = await readdir(join(folder, 'forks'));
    expect(others).toEqual([]);
    expect(JSON.parse(await readFile(join(folder, 'forks', fork), 'utf8'))).toMatchObject({
      newer: log.published,
    });
    // Strangers may send what they like: they fill neither its log nor its disk.
    const foreign = await createStubLog('other.example/log');
    const stranger = await createStubLog();
    for (let n = 0; n < 10; n += 1) {
      for (const one of [foreign, stranger]) one.entries.push(...fillers(1, n));
      expect((await post(await requestOf(foreign, 0))).status).toBe(404);
      expect((await post(await requestOf(stranger, 0))).status).toBe(403);
      expect((await post(`no request ${n}`)).status).toBe(400);
    }
    expect(await readdir(join(folder, 'forks'))).toEqual([fork]);
    expect(await readdir(join(folder, 'trees'))).toHaveLength(1);
    expect((await post('x'.repeat(200_000))).status).toBe(413);
    const headers = { 'x-more': 'x'.repeat(17_000) };
    expect((await fetch(`${url}/add-checkpoint`, { method: 'POST', headers })).status).toBe(431);
    expect((await fetch(`${url}/add-checkpoint`)).status).toBe(405);
    expect((await fetch(`${url}/`, { method: 'DELETE' })).status).toBe(405);
    stop.abort();
    const { stderr } = await running;
    const lines = (text: string) => stderr.split('\n').filter((line) => line.includes(text));
    expect(lines('The log shows two histories.')).toHaveLength(1);
    for (const status of [400, 403, 404, 409]) expect(lines(`Z ${status}. `), `${status}`).toHaveLength(1);
  });

  it.each([
    [['--name', 'club.example/w1'], 'Name a log with --log.'],
    [['--log', 'nothing'], 'This is no verifier key of a log: nothing'],
  ])('says what is missing: %j', async (args, message) => {
    const home = await createCliHome();
    folders.push(home.folder);
    const ended = await home.run(['witness', '--folder', join(home.folder, 'w'), ...args]);
    expect([ended.exitCode, ended.stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('needs a name at its first start', async () => {
    const log = await createStubLog();
    const home = await createCliHome();
    folders.push(home.folder);
    const ended = await home.run(['witness', '--folder', join(home.folder, 'w'), '--log', log.vkey]);
    expect([ended.exitCode, ended.stderr]).toEqual([2, expect.stringContaining('--name')]);
  });
});
