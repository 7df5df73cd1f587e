import { type KeySet, keySetOf } from '@agent-marketplace/sdk';
import { writePrivate } from '../config/config-file.ts';
import { logUrlOf } from '../config/log-url.ts';
import { readKeys } from '../config/read-keys.ts';
import { readPolicy } from '../config/read-policy.ts';
import { parseJson, readInput } from '../frame/arguments.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import type { AddCommand } from '../frame/command.ts';
import type { Shell } from '../frame/shell.ts';
import {
  type Check,
  checkDocument,
  type DoorProof,
  type SignedInDocument,
} from '../verification/check-document.ts';
import { fetchDoorProof } from '../verification/fetch-door-proof.ts';
import { keptText } from '../verification/kept-text.ts';
import { addVerifyDemand } from '../verification/verify-demand.ts';
import { addVerifyEvidence } from '../verification/verify-evidence.ts';
import { evidenceOfOmission, openLog, verifyInLog } from '../verification/verify-in-log.ts';
import { verifyMessage } from '../verification/verify-message.ts';
import { addVerifyRatings } from '../verification/verify-ratings.ts';

type Signed = SignedInDocument['signed'];

interface VerifiedFile {
  readonly file: string;
  readonly checks: readonly Check[];
  /** False: nobody signed what stands beside what was checked. */
  readonly isSignedWhole: boolean;
}

export const addVerify: AddCommand = (program, act) => {
  const verify = program
    .command('verify')
    .description(
      'Check what the marketplace signed: answers, purchases, statements, ratings, histories, messages to your URL, receipts of the door. Offline with --keys.',
    )
    .argument('[files...]', 'JSON as it was answered; - or nothing: stdin.')
    .option(
      '--keys <file>',
      'what signing-keys printed: whoever may write to it decides what is valid. Without it, the keys are fetched',
    )
    .option('--door <file>', 'what door keys printed; without it, and without --keys, it is fetched')
    .option('--policy <file>', 'also that they stand in the log, believing whom this file names')
    .option('--proof <file>', 'with --policy: the proof of the one statement; else the log is asked')
    .option('--evidence <file>', 'where what convicts the marketplace is kept, if something does')
    .option('--callback-url <url>', 'the files are messages to this URL: headers, an empty line, the body')
    .action(
      act(async (shell, files, options) => {
        const { callbackUrl } = options;
        const keys = await readKeys(shell, options.keys);
        const inLog = await logOptions(shell, keys, options);
        const results: VerifiedFile[] = [];
        const omitted: Signed[] = [];
        for (const file of files.length === 0 ? ['-'] : files) {
          const text = await readInput(file, shell.terminal);
          const name = file === '-' ? 'stdin' : file;
          const { checks, signed, isSignedWhole } =
            callbackUrl === undefined
              ? await checkDocument(text, parseJson(text, name), keys, () => doorProof(shell, options))
              : { checks: [await verifyMessage(text, callbackUrl, keys)], signed: [], isSignedWhole: true };
          if (checks.length === 0)
            throw new CliFailure('usage', `Nothing in ${name} is signed by a marketplace.`);
          const logged = inLog === null ? null : await verifyInLog(signed, inLog);
          results.push({ file: name, checks: [...checks, ...(logged?.checks ?? [])], isSignedWhole });
          omitted.push(...(logged?.omitted ?? []));
        }
        const invalid = results.flatMap(({ checks }) => checks).filter(({ valid }) => !valid);
        if (invalid.length > 0) {
          const { evidence = 'omitted.json' } = options;
          const isKept = inLog !== null && omitted.length > 0;
          if (isKept) await writePrivate(evidence, await evidenceOfOmission(omitted, inLog));
          const hint = [...results.map(describe), ...(isKept ? [keptText(evidence)] : [])].join('\n');
          throw new CliFailure(
            'invalid',
            `Not valid: ${invalid.length} of ${total(results)} checks failed.`,
            {
              hint,
              facts: { code: invalid[0]?.reason, files: results, ...(isKept ? { evidence } : {}) },
            },
          );
        }
        shell.print({ valid: true, files: results }, results.map(describe).join('\n'));
      }),
    );

  addVerifyDemand(verify, act);
  addVerifyEvidence(verify, act);
  addVerifyRatings(verify, act);

  program
    .command('signing-keys')
    .description('The public keys of the marketplace. Keep them, to verify later without it.')
    .action(
      act(async (shell) => {
        const keys = await shell.client.getSigningKey();
        shell.print(keys, JSON.stringify(keys, null, 2));
      }),
    );
};

interface LogFiles {
  readonly policy?: string | undefined;
  readonly proof?: string | undefined;
  readonly callbackUrl?: string | undefined;
}

/** Null: nothing is said of the log. */
async function logOptions(shell: Shell, keys: KeySet, { policy: path, proof, callbackUrl }: LogFiles) {
  if (path === undefined || callbackUrl !== undefined) {
    if (path === undefined && proof === undefined) return null;
    throw new CliFailure('usage', '--policy and --proof are of statements: name both, or --policy alone.');
  }
  const policy = await readPolicy(path, shell.terminal);
  const text = proof === undefined ? null : await readInput(proof, shell.terminal);
  return openLog({ policy, keys, proof: text, url: () => logUrlOf(shell.url, policy) });
}

/** What receipts of the door are checked with. Where the keys came from a file, nothing is fetched. */
async function doorProof(
  shell: Shell,
  { keys: isOffline, door }: { readonly keys?: string | undefined; readonly door?: string | undefined },
): Promise<DoorProof> {
  if (door === undefined && isOffline !== undefined)
    throw new CliFailure('usage', 'A receipt of the door is checked offline with --door <file>.', {
      hint: 'Make the file with: agent-market door keys --json',
    });
  try {
    const { keys, schedule } =
      door === undefined
        ? await fetchDoorProof(shell.client)
        : (parseJson(await readInput(door, shell.terminal), door) as Awaited<
            ReturnType<typeof fetchDoorProof>
          >);
    return { keys: keySetOf(keys), schedule };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CliFailure('usage', `${door ?? shell.url} has no keys of the door.`);
  }
}

const total = (results: readonly VerifiedFile[]) =>
  results.reduce((sum, { checks }) => sum + checks.length, 0);

const CONTENT_TEXTS = {
  matches: ', and the content is what it binds',
  absent: ', with no content to compare',
};

/** What is valid is counted where there are several of a kind; what is not is named, each one. */
function describe({ file, checks, isSignedWhole }: VerifiedFile): string {
  const lines: string[] = [];
  const counted = new Set<Check['what']>();
  for (const check of checks) {
    const alike = check.valid ? checks.filter(({ valid, what }) => valid && what === check.what).length : 1;
    if (alike === 1) lines.push(sentenceOf(check));
    else if (!counted.has(check.what)) lines.push(`${alike} ${PLURALS[check.what]}${cosignersOf(check)}`);
    if (alike > 1) counted.add(check.what);
    if (alike === 1 && check.notSigned !== undefined)
      lines.push(`not signed of the ${check.what}: ${check.notSigned.join(', ')}`);
    if (check.unsigned !== undefined) lines.push(unsignedText(check, check.unsigned));
  }
  for (const what of counted) {
    const names = new Set(checks.flatMap((check) => (check.what === what ? (check.notSigned ?? []) : [])));
    if (names.size > 0) lines.push(`not signed of each ${what}: ${[...names].sort().join(', ')}`);
  }
  if (!isSignedWhole)
    lines.push(
      'nobody signed it as a whole: only what is named here is signed, and nothing that stands beside it',
    );
  return lines.map((line) => `${file}: ${line}`).join('\n');
}

function unsignedText({ path = '', what }: Check, names: readonly string[]): string {
  const said = names.join(' and ');
  return what === 'listing history' || what === 'history entry'
    ? `${path || what}: the page alone says ${said}: texts were erased, and nobody can check what was signed`
    : `${path}: the page says ${said}, and its own statement does not, or not yet: look again in a few minutes`;
}

const cosignersOf = ({ cosigned = [] }: Pick<Check, 'cosigned'>) =>
  cosigned.map(({ name, at }) => `, cosigned by ${name} at ${at}`).join('');

const PLURALS: Readonly<Record<Check['what'], string>> = {
  response: 'responses are valid',
  purchase: 'receipts are valid',
  rating: 'ratings are valid',
  'listing history': 'listing histories are valid',
  'history entry': 'history entries are valid',
  'audit chain': 'audit chains are valid',
  'demand row': 'demand rows are valid',
  'affiliated row': 'affiliated rows are valid',
  'demand ledger': 'demand ledgers are valid',
  statement: 'statements are valid',
  'door receipt': 'door receipts are valid',
  message: 'messages are valid',
  log: 'statements stand in the log',
};

function sentenceOf({ what, path = '', ...check }: Check): string {
  const { valid, reason, detail, content, keyId, signedAt, index } = check;
  const place = path === '' ? '' : ` ${path}`;
  if (!valid) return `${what}${place} is NOT valid: ${reason}. ${detail}`;
  if (what === 'log') return `stands in the log as entry ${index}${cosignersOf(check)}`;
  const signed = keyId === undefined ? '' : `, signed ${signedAt} by ${keyId}`;
  return `${what === 'purchase' ? 'receipt' : what} is valid${content === undefined ? '' : CONTENT_TEXTS[content]}${signed}`;
}
