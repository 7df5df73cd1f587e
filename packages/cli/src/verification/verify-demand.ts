import { createLogReader, type KeySet, type LogReader } from '@agent-marketplace/sdk';
import {
  type DemandEvidence,
  type DemandVerified,
  readDemandLedger,
  verifyDemandLedger,
} from '@agent-marketplace/sdk/demand';
import type { Command } from '@commander-js/extra-typings';
import { writePrivate } from '../config/config-file.ts';
import { logUrlOf } from '../config/log-url.ts';
import { readKeys } from '../config/read-keys.ts';
import { readPolicy } from '../config/read-policy.ts';
import { wholeNumber } from '../frame/arguments.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import type { Act } from '../frame/command.ts';
import { readEntries, whereReadable } from '../frame/read-log.ts';
import { readPage } from '../frame/read-page.ts';
import { readSuccessor, requireContinuation } from '../frame/read-successor.ts';
import type { GlobalOptions, Shell } from '../frame/shell.ts';
import { keptText } from './kept-text.ts';

/** The ledger changes while it is read, and answers may be remembered for seconds: what is wrong for good stays so. */
const LOOKS = 3;
const BETWEEN_LOOKS_MS = 10_000;
/** Pages are remembered for seconds, and for an hour while the database is down. */
const FRESH_MS = 2 * 3_600_000;
/** Pages or log: whichever it was, the error says. */
const UNREAD = 'It';

// biome-ignore lint/suspicious/noExplicitAny: a subcommand may stand below any command.
type Parent = Command<any[], any, GlobalOptions>;

/** Options of `verify`, which its subcommand has as well. */
interface VerifyOptions {
  readonly policy?: string;
  readonly keys?: string;
  readonly evidence?: string;
}

export function addVerifyDemand(program: Parent, act: Act): void {
  program
    .command('demand')
    .description(
      'Recompute the demand ledger from the entries of the log: what is missing, altered or counted twice.',
    )
    .option('--log <url>', 'the prefix of the log; else that of the marketplace')
    .option(
      '--again <seconds>',
      'look once more after so long: what waits then as well is a finding',
      wholeNumber,
    )
    .action(
      act(async (shell, { log, again }, command) => {
        const options: VerifyOptions = command.optsWithGlobals();
        const { policy: path, keys: keysPath, evidence: kept = 'ledger.json' } = options;
        if (path === undefined) throw new CliFailure('usage', 'Name whom you believe: --policy <file>.');
        const policy = await readPolicy(path, shell.terminal);
        const keys = await readKeys(shell, keysPath);
        const url = log ?? logUrlOf(shell.url, policy);
        const reader = createLogReader({ url });
        const checkpointBefore = await whereReadable(UNREAD, () => reader.checkpoint());
        const look = (waitedBefore: readonly string[]) =>
          lookUntilSettled(shell, { keys, policy, reader, checkpointBefore, waitedBefore });
        let { verified, evidence } = await look([]);
        await whereReadable(UNREAD, () => requireContinuation(url, policy, verified.checkpoint));
        if (again !== undefined && verified.findings.length === 0 && verified.waiting.length > 0) {
          await shell.terminal.sleep(again * 1000, shell.terminal.interrupt);
          ({ verified, evidence } = await look(verified.waiting));
        }
        const { findings, hasMoved } = verified;
        if (findings.length > 0) {
          await writePrivate(kept, { ...evidence, policy: undefined });
          // A log that has ended lacks all that was signed since, and is no shorter for it.
          const successor = await readSuccessor(reader, policy, verified.checkpoint.origin);
          throw new CliFailure('invalid', `The ledger does not hold: ${findings.length} findings.`, {
            hint: [
              ...findings.map(({ fault, subject, detail }) => `${fault} ${subject}: ${detail}`),
              keptText(kept),
              ...(successor ?? []),
            ].join('\n'),
            facts: { code: findings[0]?.fault, ...summaryOf(verified), evidence: kept },
          });
        }
        if (hasMoved) {
          throw new CliFailure('invalid', 'The totals of the ledger cannot be judged.', {
            hint: `Its pages were of different states in each of ${LOOKS} readings. Each row that they hold is in the log. Look again when less is sold; a ledger that never stands still while its log grows by nothing is no honest one.`,
            facts: { code: 'moving', ...summaryOf(verified) },
          });
        }
        shell.print({ valid: true, ...summaryOf(verified) }, describe(verified));
      }),
    );
}

interface Look extends Pick<DemandEvidence, 'policy'> {
  readonly keys: KeySet;
  readonly checkpointBefore: string;
  readonly reader: LogReader;
  readonly waitedBefore: readonly string[];
}

async function lookUntilSettled(shell: Shell, options: Look) {
  for (let looks = 1; ; looks += 1) {
    const found = await lookOnce(shell, options);
    const { findings, hasMoved } = found.verified;
    if (looks === LOOKS || (findings.length === 0 && !hasMoved)) return found;
    await shell.terminal.sleep(BETWEEN_LOOKS_MS, shell.terminal.interrupt);
  }
}

function lookOnce(shell: Shell, { keys, policy, reader, checkpointBefore, waitedBefore }: Look) {
  const notOlderThan = new Date(Date.now() - FRESH_MS).toISOString();
  return whereReadable(UNREAD, async () => {
    const pages = await readDemandLedger((query) =>
      readPage(`${shell.url}/proof/demand?${new URLSearchParams(query)}`),
    );
    const checkpoint = await reader.checkpoint();
    const size = Number(checkpoint.split('\n')[1]);
    const entries = await readEntries(reader, 0, size);
    const read = { ...pages, checkpoint, checkpointBefore, entries, policy };
    const verified = await verifyDemandLedger({ ...read, waitedBefore, notOlderThan }, keys);
    if (!verified.valid) {
      throw new CliFailure('invalid', `The ledger cannot be verified: ${verified.detail}`, {
        facts: { code: verified.reason },
      });
    }
    const texts = entries.map((entry) => new TextDecoder().decode(entry));
    return { verified, evidence: { ...read, entries: texts, waitedBefore, notOlderThan } };
  });
}

const summaryOf = ({ valid: _, checkpoint, ...verified }: DemandVerified & { readonly valid: true }) => ({
  ...verified,
  checkpoint: { size: checkpoint.size, cosigned: checkpoint.cosigned },
});

function describe({ treeSize, waiting, logged, checkpoint, restored, removed }: DemandVerified): string {
  const { totals, armsLengthCents } = logged;
  const names = checkpoint.cosigned.map(({ name, at }) => `${name} at ${at}`).join(', ');
  return [
    `The ledger holds: each of its statements among the first ${treeSize} entries of the log is in one row, and all totals are the sums of the rows.`,
    `In the log: ${totals.settledRows} settled rows, ${totals.grossCents} cents, of which ${armsLengthCents} at arm's length; ${totals.distinctBuyers} buyers, ${totals.distinctSellers} sellers.`,
    `Left the ledger: ${removed.refunded} rows as refunded, ${removed.ended} because their records ended.`,
    ...restored.map(
      ({ id, removals, signedAt, entries }) =>
        `Row ${id} was taken out of the ledger ${removals === 1 ? 'once' : `${removals} times`} and put back, as was signed on ${signedAt}: entries ${entries.join(', ')} of the log. Ask why.`,
    ),
    waiting.length === 0
      ? 'Nothing waits.'
      : `${waiting.length} wait to be signed or logged: look again with --again 600.`,
    names === '' ? 'Nobody cosigned it.' : `Cosigned by ${names}.`,
  ].join('\n');
}
