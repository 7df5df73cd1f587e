import {
  believeCheckpoint,
  createLogReader,
  type KeySet,
  type LogPolicy,
  readLeaves,
  verifyListingHistory,
} from '@agent-marketplace/sdk';
import type { Command } from '@commander-js/extra-typings';
import { writePrivate } from '../config/config-file.ts';
import { logUrlOf } from '../config/log-url.ts';
import { readKeys } from '../config/read-keys.ts';
import { readPolicy } from '../config/read-policy.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import type { Act } from '../frame/command.ts';
import { readEntries, whereReadable } from '../frame/read-log.ts';
import { readPage } from '../frame/read-page.ts';
import type { GlobalOptions, Shell } from '../frame/shell.ts';
import { type JudgedRatings, judgeRatings } from './judge-ratings.ts';

// biome-ignore lint/suspicious/noExplicitAny: a subcommand may stand below any command.
type Parent = Command<any[], any, GlobalOptions>;

const PAGE = 100;
const UNREAD = 'It';
const TYPES: ReadonlySet<string> = new Set(['rating_attestation', 'rating_number']);

export function addVerifyRatings(program: Parent, act: Act): void {
  program
    .command('ratings')
    .description(
      'Whether all ratings of a listing are shown: each number that the log has of it must be one.',
    )
    .argument('<listing>', 'its id')
    .option('--log <url>', 'the prefix of the log; else that of the marketplace')
    .option('--evidence <file>', 'where pages and entries are kept if something is found', 'ratings.json')
    .action(
      act(async (shell, listingId, { log, evidence: kept }, command) => {
        const { policy: path, keys: keysPath } = command.optsWithGlobals() as {
          policy?: string;
          keys?: string;
        };
        if (path === undefined) throw new CliFailure('usage', 'Name whom you believe: --policy <file>.');
        const policy = await readPolicy(path, shell.terminal);
        const keys = await readKeys(shell, keysPath);
        const { evidence, judged } = await whereReadable(UNREAD, () =>
          readAndJudge(shell, listingId, { policy, keys, url: log ?? logUrlOf(shell.url, policy) }),
        );
        const { findings } = judged;
        if (findings.length > 0) {
          await writePrivate(kept, evidence);
          throw new CliFailure('invalid', `The ratings do not hold: ${findings.length} findings.`, {
            hint: [
              ...findings.map(({ fault, subject, detail }) => `${fault} ${subject}: ${detail}`),
              `What was read is in ${kept}. Keep it, and show it to others.`,
            ].join('\n'),
            facts: { code: findings[0]?.fault, ...judged, evidence: kept },
          });
        }
        shell.print({ valid: true, listingId, ...judged }, describe(judged));
      }),
    );
}

async function readAndJudge(
  shell: Shell,
  listingId: string,
  { policy, keys, url }: { readonly policy: LogPolicy; readonly keys: KeySet; readonly url: string },
) {
  // The log first: whatever is in it by then must be on the pages.
  const reader = createLogReader({ url });
  const checkpoint = await reader.checkpoint();
  const believed = await believeCheckpoint(checkpoint, policy);
  if (!believed.valid)
    throw new CliFailure('invalid', `The log cannot be believed: ${believed.detail}`, {
      facts: { code: believed.reason },
    });
  const entries = await readEntries(reader, 0, believed.checkpoint.size);
  const leaves = await readLeaves(entries, believed.checkpoint, ({ type }) => TYPES.has(type));
  if (leaves === null)
    throw new CliFailure('invalid', 'The entries of the log are not those of its checkpoint.', {
      facts: { code: 'incomplete' },
    });
  const firstEntry = await readFirstEntry(shell, listingId, keys);
  const pages: string[] = [];
  for (let total = 1; pages.length * PAGE < total; ) {
    const offset = String(pages.length * PAGE);
    const query = new URLSearchParams({ limit: String(PAGE), offset });
    const text = await readPage(`${shell.url}/marketplace/listings/${listingId}/ratings?${query}`);
    pages.push(text);
    total = Number((JSON.parse(text) as { readonly total?: unknown }).total);
  }
  const judged = await judgeRatings({ listingId, firstEntry, pages, leaves }, keys);
  const texts = entries.map((entry) => new TextDecoder().decode(entry));
  return { judged, evidence: { listingId, firstEntry, pages, checkpoint, entries: texts } };
}

/** What the numbers of the listing are made with: its history is a chain, so that nobody can show another beginning. */
async function readFirstEntry(shell: Shell, listingId: string, keys: KeySet): Promise<string> {
  const entries: { readonly version: number; readonly digest: string }[] = [];
  for await (const entry of shell.client.items('getListingHistory', 'entries', { listingId }))
    entries.push(entry);
  const history = await verifyListingHistory(listingId, entries, keys);
  const first = entries.find(({ version }) => version === 1);
  if (history.valid && first !== undefined) return first.digest;
  throw new CliFailure('invalid', 'The history of the listing does not hold.', {
    facts: { code: history.valid ? 'broken_chain' : history.reason },
  });
}

function describe({ shown, numbered, waiting, ended }: JudgedRatings): string {
  return [
    `All ratings are shown: ${shown}, and the log has ${numbered} numbers of this listing, each of which is one of them.`,
    waiting === 0 ? 'Nothing waits.' : `${waiting} are too new to tell: look again in some minutes.`,
    ...(ended === 0 ? [] : [`${ended} are more than six years old, and their records have ended.`]),
  ].join('\n');
}
