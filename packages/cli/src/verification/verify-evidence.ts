import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import {
  type FindingProof,
  type KeySet,
  type LogPolicy,
  type OmissionEvidence,
  verifyOmitted,
} from '@agent-marketplace/sdk';
import { type DemandEvidence, verifyDemandLedger } from '@agent-marketplace/sdk/demand';
import { type RatingsEvidence, verifyRatings } from '@agent-marketplace/sdk/ratings';
import type { Command } from '@commander-js/extra-typings';
import { readKeys } from '../config/read-keys.ts';
import { readPolicy } from '../config/read-policy.ts';
import { parseJson, readInput } from '../frame/arguments.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import type { Act } from '../frame/command.ts';
import type { GlobalOptions, Shell } from '../frame/shell.ts';
import { type ForkEvidence, type Judgement, judgeFork, judgeSuccession } from './judge-fork.ts';

// biome-ignore lint/suspicious/noExplicitAny: a subcommand may stand below any command.
type Parent = Command<any[], any, GlobalOptions>;

export function addVerifyEvidence(program: Parent, act: Act): void {
  program
    .command('evidence')
    .description(
      'Check again, without network, what monitor, a witness or verify kept, and say what it proves.',
    )
    .argument('<files...>', 'as they were kept')
    .action(
      act(async (shell, files, _options, command) => {
        const { policy: path, keys } = command.optsWithGlobals() as { policy?: string; keys?: string };
        if (path === undefined) throw new CliFailure('usage', 'Name whom you believe: --policy <file>.');
        const policy = await readPolicy(path, shell.terminal);
        const results: (Judgement & { readonly file: string })[] = [];
        for (const file of files) {
          const evidence = parseJson(await readInput(file, shell.terminal), file);
          results.push({ file, ...(await judge(shell, evidence, { file, policy, keys })) });
        }
        const text = results
          .map(({ file, isProven, detail }) => `${file}: ${isProven ? 'proven' : 'NOT proven'}. ${detail}`)
          .join('\n');
        if (results.every(({ isProven }) => isProven))
          return shell.print({ valid: true, files: results }, text);
        throw new CliFailure('invalid', 'The evidence does not prove what it was kept for.', {
          hint: text,
          facts: { code: 'not_proven', files: results },
        });
      }),
    );
}

async function judge(
  shell: Shell,
  evidence: unknown,
  {
    file,
    policy,
    keys,
  }: { readonly file: string; readonly policy: LogPolicy; readonly keys: string | undefined },
): Promise<Judgement> {
  if (isJsonObject(evidence) && typeof evidence.newer === 'string') {
    const kept = evidence as unknown as ForkEvidence;
    return evidence.kind === 'not_continued' ? judgeSuccession(kept, policy) : judgeFork(kept, policy);
  }
  const kind = kindOf(evidence);
  if (!isJsonObject(evidence) || kind === null)
    throw new CliFailure('usage', `${file} is nothing that monitor, a witness or verify kept.`);
  if (keys === undefined)
    throw new CliFailure('usage', 'What a marketplace signed is checked offline with --keys <file>.');
  const keySet = await readKeys(shell, keys);
  const entries = (evidence.entries as string[]).map((entry) => new TextEncoder().encode(entry));
  const kept: unknown = { ...evidence, entries, policy };
  switch (kind) {
    case 'omission':
      return judgeOmissions(kept as OmissionsEvidence, keySet);
    case 'ratings':
      return judgedOf(await verifyRatings(kept as RatingsEvidence, keySet));
    case 'ledger':
      return judgedOf(await verifyDemandLedger(kept as DemandEvidence, keySet));
  }
}

function kindOf(evidence: unknown): 'omission' | 'ratings' | 'ledger' | null {
  if (!isJsonObject(evidence)) return null;
  if (Array.isArray(evidence.omitted) && isOfTexts(evidence)) return 'omission';
  if (Array.isArray(evidence.history) && isOfTexts(evidence, 'pages')) return 'ratings';
  return isOfTexts(evidence, 'rows', 'removed', 'affiliated') ? 'ledger' : null;
}

interface OmissionsEvidence extends OmissionEvidence {
  readonly omitted: readonly unknown[];
}

/** Each of them must have been left out. */
async function judgeOmissions(evidence: OmissionsEvidence, keys: KeySet): Promise<Judgement> {
  const { omitted } = evidence;
  if (omitted.length === 0) return { isProven: false, detail: 'Nothing is said to be omitted.' };
  const found: string[] = [];
  for (const one of omitted) {
    const verdict = await verifyOmitted(one, keys, evidence);
    if (!verdict.valid) return { isProven: false, detail: verdict.detail };
    found.push(
      `${(one as JsonObject).digest} was promised to be in the log by ${verdict.logBy}, and is none of its ${verdict.checkpoint.size} entries.`,
    );
  }
  return { isProven: true, detail: found.join('\n') };
}

const isOfTexts = (evidence: JsonObject, ...lists: readonly string[]) =>
  typeof evidence.checkpoint === 'string' &&
  [...lists, 'entries'].every((name) => {
    const list = evidence[name];
    return Array.isArray(list) && list.every((text) => typeof text === 'string');
  });

type Verdict =
  | { readonly valid: false; readonly detail: string }
  | {
      readonly valid: true;
      readonly findings: readonly {
        readonly fault: string;
        readonly subject: string;
        readonly detail: string;
        readonly proof: FindingProof;
      }[];
    };

function judgedOf(verdict: Verdict): Judgement {
  if (!verdict.valid) return { isProven: false, detail: `It cannot be verified: ${verdict.detail}` };
  const { findings } = verdict;
  if (findings.length === 0) return { isProven: false, detail: 'What was kept holds.' };
  const found = PROOFS.map(([proof, title]) => {
    const lines = findings
      .filter((finding) => finding.proof === proof)
      .map(({ fault, subject, detail }) => `${fault} ${subject}: ${detail}`);
    return lines.length === 0 ? [] : [title, ...lines];
  });
  const isProven = findings.some(({ proof }) => proof === 'signed');
  return { isProven, detail: found.flat().join('\n') };
}

const PROOFS: readonly (readonly [FindingProof, string])[] = [
  ['signed', 'The marketplace signed these pages, and the log these entries, and they do not agree:'],
  ['incomplete', 'This proves nothing: not all pages are here, or they are not of one state.'],
  ['word', 'This is the word of whoever kept it, and signed by nobody:'],
];
