import { createLogReader } from '@agent-marketplace/sdk';
import { type RatingsVerified, readListingRatings, verifyRatings } from '@agent-marketplace/sdk/ratings';
import type { Command } from '@commander-js/extra-typings';
import { writePrivate } from '../config/config-file.ts';
import { logUrlOf } from '../config/log-url.ts';
import { readKeys } from '../config/read-keys.ts';
import { readPolicy } from '../config/read-policy.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import type { Act } from '../frame/command.ts';
import { readEntries, whereReadable } from '../frame/read-log.ts';
import { readPage } from '../frame/read-page.ts';
import { readSuccessor, requireContinuation } from '../frame/read-successor.ts';
import type { GlobalOptions, Shell } from '../frame/shell.ts';
import { keptText } from './kept-text.ts';

// biome-ignore lint/suspicious/noExplicitAny: a subcommand may stand below any command.
type Parent = Command<any[], any, GlobalOptions>;

const UNREAD = 'It';

/** Options of `verify`, which its subcommand has as well. */
interface VerifyOptions {
  readonly policy?: string;
  readonly keys?: string;
  readonly evidence?: string;
}

export function addVerifyRatings(program: Parent, act: Act): void {
  program
    .command('ratings')
    .description(
      'Whether all ratings of a listing are shown: each number that the log has of it must be one.',
    )
    .argument('<listing>', 'its id')
    .option('--log <url>', 'the prefix of the log; else that of the marketplace')
    .option('--first <digest>', 'what the history began with at an earlier look: it must begin so now')
    .action(
      act(async (shell, listingId, { log, first }, command) => {
        const options: VerifyOptions = command.optsWithGlobals();
        const { policy: path, keys: keysPath, evidence: kept = 'ratings.json' } = options;
        if (path === undefined) throw new CliFailure('usage', 'Name whom you believe: --policy <file>.');
        const policy = await readPolicy(path, shell.terminal);
        const keys = await readKeys(shell, keysPath);
        const url = log ?? logUrlOf(shell.url, policy);
        const read = await whereReadable(UNREAD, () => readEvidence(shell, listingId, url));
        const evidence = { ...read, firstEntryBefore: first };
        const verified = await verifyRatings({ ...evidence, policy }, keys);
        if (!verified.valid)
          throw new CliFailure('invalid', `The ratings cannot be judged: ${verified.detail}`, {
            facts: { code: verified.reason },
          });
        const { valid: _, checkpoint, ...judged } = verified;
        await whereReadable(UNREAD, () => requireContinuation(url, policy, checkpoint));
        const successor = await readSuccessor(createLogReader({ url }), policy, checkpoint.origin);
        const { findings } = judged;
        if (findings.length > 0) {
          const decoder = new TextDecoder();
          const entries = evidence.entries.map((entry) => decoder.decode(entry));
          await writePrivate(kept, { ...evidence, entries });
          throw new CliFailure('invalid', `The ratings do not hold: ${findings.length} findings.`, {
            hint: [
              ...findings.map(({ fault, subject, detail }) => `${fault} ${subject}: ${detail}`),
              keptText(kept),
              ...(successor ?? []),
            ].join('\n'),
            facts: { code: findings[0]?.fault, ...judged, evidence: kept },
          });
        }
        if (successor !== null) shell.note(successor.join('\n'));
        shell.print({ valid: true, listingId, ...judged }, describe(verified));
      }),
    );
}

async function readEvidence(shell: Shell, listingId: string, url: string) {
  // The log first: whatever is in it by then must be on the pages.
  const reader = createLogReader({ url });
  const checkpoint = await reader.checkpoint();
  const entries = await readEntries(reader, 0, Number(checkpoint.split('\n')[1]));
  const read = await readListingRatings(listingId, (path, query) =>
    readPage(`${shell.url}${path}?${new URLSearchParams(query)}`),
  );
  return { ...read, checkpoint, entries };
}

function describe(verified: RatingsVerified): string {
  const { shown, numbered, waiting, unshown, ended, numberedLate, firstEntry } = verified;
  return [
    unshown + ended === 0
      ? `All ratings are shown: ${shown}, and the log has ${numbered} numbers of this listing, each of which is one of them.`
      : `${shown} ratings are shown, and the log has ${numbered} numbers of this listing.`,
    ...(unshown === 0
      ? []
      : [`${unshown} of the numbers have no rating on any page: look again in ten minutes.`]),
    waiting === 0 ? 'Nothing waits.' : `${waiting} are too new to tell: look again in some minutes.`,
    ...(ended === 0 ? [] : [`${ended} are more than six years old, and their records have ended.`]),
    ...(numberedLate === 0
      ? []
      : [
          `${numberedLate} were numbered more than a day after they were signed, as those were that came before there were numbers. Of younger ones, ask why: numbers under another beginning of the history are not found.`,
        ]),
    `Its history begins with ${firstEntry}: keep that, and name it next time (--first).`,
  ].join('\n');
}
