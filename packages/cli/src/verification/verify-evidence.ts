import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { FindingProof, LogPolicy } from '@agent-marketplace/sdk';
import { type DemandEvidence, verifyDemandLedger } from '@agent-marketplace/sdk/demand';
import { type RatingsEvidence, verifyRatings } from '@agent-marketplace/sdk/ratings';
import type { Command } from '@commander-js/extra-typings';
import { readKeys } from '../config/read-keys.ts';
import { readPolicy } from '../config/read-policy.ts';
import { parseJson, readInput } from '../frame/arguments.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import type { Act } from '../frame/command.ts';
import type { GlobalOptions, Shell } from '../frame/shell.ts';
import { type ForkEvidence, type Judgement, judgeFork } from './judge-fork.ts';

// biome-ignore lint/suspicious/noExplicitAny: a subcommand may stand below any command.
type Parent = Command<any[], any, GlobalOptions>;

export function addVerifyEvidence(program: Parent, act: Act): void {
  program
    .command('evidence')
    .description(
      'Check again, without network, what monitor, a witness, verify demand or verify ratings kept, and say what it proves.',
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
  if (isJsonObject(evidence) && typeof evidence.newer === 'string')
    return judgeFork(evidence as unknown as ForkEvidence, policy);
  const isOfRatings =
    isJsonObject(evidence) && isOfTexts(evidence, 'pages') && Array.isArray(evidence.history);
  const isOfLedger = isJsonObject(evidence) && isOfTexts(evidence, 'rows', 'removed', 'affiliated');
  if (!isJsonObject(evidence) || !(isOfRatings || isOfLedger))
    throw new CliFailure(
      'usage',
      `${file} is nothing that monitor, a witness, verify demand or verify ratings kept.`,
    );
  if (keys === undefined)
    throw new CliFailure('usage', 'Pages of a marketplace are checked offline with --keys <file>.');
  const keySet = await readKeys(shell, keys);
  const entries = (evidence.entries as string[]).map((entry) => new TextEncoder().encode(entry));
  const kept: unknown = { ...evidence, entries, policy };
  return judgedOf(
    isOfRatings
      ? await verifyRatings(kept as RatingsEvidence, keySet)
      : await verifyDemandLedger(kept as DemandEvidence, keySet),
  );
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
