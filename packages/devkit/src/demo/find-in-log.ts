import { join } from 'node:path';
import { formatWitnessRequest } from '@agent-marketplace/protocol/log/log-proof.ts';
import { createLogReader, parseLogPolicy, verifyLogged } from '@agent-marketplace/sdk';
import { rewriteLog } from '../log/rewrite-log.ts';
import { LOG_WORKER } from '../marketplace.ts';
import type { Bought } from './buy.ts';
import { type Stage, short, withoutNetwork } from './stage.ts';
import { StepFailed } from './story.ts';

/** The receipt stands in a log that the operator cannot rewrite without being noticed. */
export async function findInLog(stage: Stage, { purchase }: Bought): Promise<void> {
  const { story, baseUrl, log, miniflare } = stage;
  story.chapter('The receipt is in a log that only grows, and then the operator changes its copy');
  const { receipt } = purchase;
  if (receipt === null) throw new StepFailed('The purchase has no receipt.');
  // What waits is taken now: nothing is to be added between the honest and the changed tree.
  const worker = await miniflare.getWorker(LOG_WORKER);
  await worker.scheduled({ cron: '* * * * *' });
  const reader = createLogReader({ url: `${baseUrl}/log` });
  const proof = await reader.proof(receipt.digest);
  if (proof === null) throw new StepFailed('The receipt is not in the log.');
  story.fact('policy', `the buyer's own file: this log, cosigned by ${log.witness.vkey.split('+')[0]}`);
  const policy = await parseLogPolicy(log.policy);
  const size = await withoutNetwork(async () => {
    const logged = await verifyLogged(receipt, proof, policy);
    if (!logged.valid) throw new StepFailed(`The proof does not hold: ${logged.detail}`);
    const { index, checkpoint } = logged;
    story.check(
      true,
      `offline: the receipt is entry ${index} of ${checkpoint.size}, cosigned by the witness at ${checkpoint.cosigned[0]?.at}`,
    );
    const other = await verifyLogged({ ...receipt, signedAt: new Date().toISOString() }, proof, policy);
    story.check(!other.valid, 'the same receipt with another time: not in the log');
    return { index, whole: checkpoint.size };
  });

  const monitor = () =>
    log.run(
      'monitor',
      ...['--policy', log.policyPath, '--folder', join(log.folder, 'monitor'), '--log', `${baseUrl}/log`],
      ...['--key', receipt.keyId, '--json'],
    );
  const before = await monitor();
  story.check(before.exitCode === 0, `agent-market monitor: ${before.stderr.trim()}`);

  const entries: Uint8Array[] = [];
  for await (const entry of reader.entries(0, size.whole)) entries.push(entry);
  const erased = entries.with(size.index, new TextEncoder().encode('{"type":"nothing"}'));
  const rewritten = await rewriteLog(miniflare, log.signer, erased);
  try {
    story.say('The operator, who has the key, replaces that entry and signs the tree anew.');
    const after = await monitor();
    const code = after.exitCode === 0 ? '' : (JSON.parse(after.stdout) as MonitorFailure).error.code;
    story.check(code === 'fork', `agent-market monitor ends with ${after.exitCode} (${code})`);
    const request = formatWitnessRequest({
      oldSize: size.whole,
      hashes: [],
      checkpoint: rewritten.checkpoint,
    });
    const answer = await fetch(`${log.witness.url}/add-checkpoint`, { method: 'POST', body: request });
    const text = (await answer.text()).trim();
    story.check(answer.status === 409, `the witness does not cosign it: ${answer.status}, “${text}”`);
    story.say('Both keep the two checkpoints, which convict the operator by its own signature.');
  } finally {
    await rewritten.restore();
  }
  story.fact('digest', short(receipt.digest));
}

interface MonitorFailure {
  readonly error: { readonly code: string };
}
