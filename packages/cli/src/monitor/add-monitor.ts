import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLogReader } from '@agent-marketplace/sdk';
import { writePrivate } from '../config/config-file.ts';
import { logUrlOf } from '../config/log-url.ts';
import { readPolicy } from '../config/read-policy.ts';
import { parseJson, wholeNumber } from '../frame/arguments.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import type { AddCommand } from '../frame/command.ts';
import { whereReadable } from '../frame/read-log.ts';
import { findDiscontinuity, readSuccessor } from '../frame/read-successor.ts';
import type { Shell } from '../frame/shell.ts';
import { plainLine } from '../output/plain-text.ts';
import {
  type Followed,
  followLog,
  formatReadLog,
  type PlacedEntry,
  parseReadLog,
  type ReadLog,
  readPrefix,
} from './follow-log.ts';
import { statementsOfSeller } from './statements-of-seller.ts';

const DEFAULT_EVERY_S = 60;

interface MonitorOptions {
  readonly policy: string;
  readonly folder: string;
  readonly log?: string | undefined;
  readonly key?: string | undefined;
  readonly seller?: string | undefined;
  readonly mirror?: string | undefined;
}

export const addMonitor: AddCommand = (program, act) => {
  program
    .command('monitor')
    .description('Read what a log grew by, check that it only grew, and show the entries of a key or seller.')
    .requiredOption('--policy <file>', 'whom you believe: the log, its witnesses and a quorum')
    .option('--folder <folder>', 'how far it read, and the evidence of a fork', 'monitor')
    .option('--log <url>', 'the prefix of the log; else that of the marketplace')
    .option('--key <key-id>', 'show each entry that this key signed')
    .option('--seller <id>', 'show each entry about the listings of this seller that are on the market')
    .option(
      '--mirror <folder>',
      'keep a copy of the log there: its files under the paths at which it serves them',
    )
    .option('--follow', 'go on until Ctrl-C, or until the log forks')
    .option('--every <seconds>', 'how often with --follow', wholeNumber, DEFAULT_EVERY_S)
    .action(
      act(async (shell, { follow, every, ...options }) => {
        if (!follow) return void (await readOnce(shell, options));
        shell.isEndless = true;
        const { interrupt, sleep } = shell.terminal;
        while (!interrupt.aborted) {
          try {
            await readOnce(shell, options);
          } catch (error) {
            // An outage shows nothing of the log's honesty: look again.
            if (!(error instanceof CliFailure) || !/^(unreachable|try_later)$/.test(error.exit)) throw error;
            shell.note(error.message);
          }
          await sleep(every * 1000, interrupt);
        }
      }),
    );
};

async function readOnce(
  shell: Shell,
  { policy: path, folder, log, key, seller, mirror }: MonitorOptions,
): Promise<void> {
  const policy = await readPolicy(path, shell.terminal);
  const url = log ?? logUrlOf(shell.url, policy);
  const statePath = join(folder, 'log.json');
  const before = await readState(statePath);
  const isAll = key === undefined && seller === undefined;
  const ofSeller =
    seller === undefined ? new Map<string, string>() : await statementsOfSeller(shell.client, seller);
  const shown: (PlacedEntry & { about: string | null })[] = [];
  const onEntry = (placed: PlacedEntry) => {
    const about = ofSeller.get(placed.entry?.digest ?? '') ?? null;
    const isOfKey = key !== undefined && placed.entry?.keyId === key;
    if (isAll || isOfKey || about !== null) shown.push({ ...placed, about });
  };
  const reader = createLogReader({ url });
  const what = `The log at ${url}`;
  const followed = await whereReadable(what, () => followLog(reader, policy, before, onEntry));
  if (followed.kind !== 'grown') throw await failureOf(followed, folder);
  const broken = await whereReadable(what, () => findDiscontinuity(url, policy, followed.checkpoint));
  if (broken !== null) {
    const { note: older, last } = broken;
    const { size } = followed.checkpoint;
    const prefix = size < last.size ? {} : { prefix: await readPrefix(reader, last.size, size) };
    const kept = { kind: 'not_continued' as const, older, newer: followed.log.checkpoint, ...prefix };
    throw await failureOf(kept, folder);
  }
  if (mirror !== undefined) {
    const { mirrorLog } = await import('./mirror-log.ts');
    const checkpoint = { ...followed.checkpoint, text: followed.log.checkpoint };
    await whereReadable(what, () => mirrorLog(reader, mirror, checkpoint));
  }
  await writePrivate(statePath, formatReadLog(followed.log));
  const { size, cosigned } = followed.checkpoint;
  for (const one of shown)
    shell.printLine({ ...one.entry, index: one.index, about: one.about }, describe(one));
  const names = cosigned.map(({ name, at }) => `${name} at ${at}`).join(', ');
  shell.note(
    `The log of ${followed.log.origin} only grew: ${before?.frontier.size ?? 0} to ${size} entries${names && `, cosigned by ${names}`}.`,
  );
  const successor = await readSuccessor(reader, policy, followed.log.origin);
  if (successor !== null) shell.note(successor.join('\n'));
}

async function readState(path: string): Promise<ReadLog | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new CliFailure('config', `${path} cannot be read (${error.code}).`);
  });
  if (text === null) return null;
  const state = parseReadLog(parseJson(text, path));
  if (state === null) throw new CliFailure('config', `${path} is damaged.`);
  return state;
}

const FAULTS: Readonly<Record<Exclude<Followed['kind'], 'grown' | 'untrusted'>, string>> = {
  fork: 'The log shows another history than before.',
  shrunk: 'The log has fewer entries than before.',
  mismatch: 'The entries of the log are not those of its checkpoint.',
  not_continued: 'The log does not begin with all that the one had whose place it took.',
};

/** Keeps both checkpoints, under a name that the same evidence has again. */
async function failureOf(
  followed: Exclude<Followed, { kind: 'grown' }>,
  folder: string,
): Promise<CliFailure> {
  if (followed.kind === 'untrusted')
    return new CliFailure('invalid', followed.detail, { facts: { code: followed.reason } });
  const { sha256Hex } = await import('@agent-marketplace/protocol/crypto/digest.ts');
  const name = `${followed.kind}-${(await sha256Hex(followed.newer)).slice(0, 16)}.json`;
  const evidence = join(folder, name);
  await writePrivate(evidence, followed);
  const what = followed.older === null ? 'The checkpoint is' : 'What was signed is';
  return new CliFailure('invalid', FAULTS[followed.kind], {
    hint: `${what} in ${evidence}. Keep it, and show it to others who read this log: agent-market verify evidence ${evidence} --policy … says what it proves.`,
    facts: { code: followed.kind, evidence },
  });
}

function describe({ index, entry, about }: PlacedEntry & { about: string | null }): string {
  if (entry === null) return `${index}  is no statement of a marketplace`;
  const { signedAt, type, digest, keyId } = entry;
  return plainLine([index, signedAt, type, digest, keyId, about ?? ''].join('  ')).trimEnd();
}
