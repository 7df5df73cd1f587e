import { createLogReader } from '@agent-marketplace/sdk';
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
import { type JudgedRatings, judgeRatings, type RatingsEvidence } from './judge-ratings.ts';

// biome-ignore lint/suspicious/noExplicitAny: a subcommand may stand below any command.
type Parent = Command<any[], any, GlobalOptions>;

const PAGE = 100;
const UNREAD = 'It';

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
        const url = log ?? logUrlOf(shell.url, policy);
        const evidence = await whereReadable(UNREAD, () => readEvidence(shell, listingId, url));
        const verdict = await judgeRatings(evidence, policy, keys);
        if (!verdict.valid)
          throw new CliFailure('invalid', `The ratings cannot be judged: ${verdict.detail}`, {
            facts: { code: verdict.reason },
          });
        const { valid: _, ...judged } = verdict;
        const { findings } = judged;
        if (findings.length > 0) {
          await writePrivate(kept, evidence);
          throw new CliFailure('invalid', `The ratings do not hold: ${findings.length} findings.`, {
            hint: [
              ...findings.map(({ fault, subject, detail }) => `${fault} ${subject}: ${detail}`),
              `What was read is in ${kept}. Keep it, and show it to others: agent-market verify evidence ${kept} --policy … checks it again without network.`,
            ].join('\n'),
            facts: { code: findings[0]?.fault, ...judged, evidence: kept },
          });
        }
        shell.print({ valid: true, listingId, ...judged }, describe(judged));
      }),
    );
}

async function readEvidence(shell: Shell, listingId: string, url: string): Promise<RatingsEvidence> {
  // The log first: whatever is in it by then must be on the pages.
  const reader = createLogReader({ url });
  const checkpoint = await reader.checkpoint();
  const decoder = new TextDecoder();
  const entries = await readEntries(reader, 0, Number(checkpoint.split('\n')[1]));
  const history: RatingsEvidence['history'][number][] = [];
  for await (const entry of shell.client.items('getListingHistory', 'entries', { listingId }))
    history.push(entry);
  const pages: string[] = [];
  for (let total = 1; pages.length * PAGE < total; ) {
    const offset = String(pages.length * PAGE);
    const query = new URLSearchParams({ limit: String(PAGE), offset });
    const text = await readPage(`${shell.url}/marketplace/listings/${listingId}/ratings?${query}`);
    pages.push(text);
    total = Number((JSON.parse(text) as { readonly total?: unknown }).total);
  }
  return { listingId, history, pages, checkpoint, entries: entries.map((entry) => decoder.decode(entry)) };
}

function describe({ shown, numbered, waiting, unshown, ended }: JudgedRatings): string {
  return [
    unshown + ended === 0
      ? `All ratings are shown: ${shown}, and the log has ${numbered} numbers of this listing, each of which is one of them.`
      : `${shown} ratings are shown, and the log has ${numbered} numbers of this listing.`,
    ...(unshown === 0
      ? []
      : [`${unshown} of the numbers have no rating on any page: look again in ten minutes.`]),
    waiting === 0 ? 'Nothing waits.' : `${waiting} are too new to tell: look again in some minutes.`,
    ...(ended === 0 ? [] : [`${ended} are more than six years old, and their records have ended.`]),
  ].join('\n');
}
