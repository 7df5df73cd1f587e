import { type Fees, isFinal, isStuck, nextNonce, replacementFees } from './relayer.rules.ts';
import type { Job, Send } from './relayer-jobs.ts';
import type { AccountStatus, RelayerParts } from './relayer-parts.ts';
import type { ContractCall } from './token-calls.ts';
import { isDeep, type Receipt, showsTransfer } from './transfer-trace.rules.ts';
import { readReceipt } from './wire-reading.ts';

type Resend = (job: Job, fees: Fees, call: ContractCall) => Promise<unknown>;

/** Reads the chain for every job that is not final, records its state, and resends what is not mined. */
export async function monitorTransactions(
  parts: RelayerParts,
  status: AccountStatus,
  send: Resend,
): Promise<void> {
  const jobs = parts.jobs.unsettled();
  const lowest = jobs.find(({ nonce }) => nonce >= status.count);
  for (const job of jobs) {
    const sends = parts.jobs.sends(job.reference);
    const receipt = await receiptOf(parts, sends);
    if (receipt === undefined) continue;
    if (receipt) await recordMined(parts, job, receipt, sends, status);
    else if (job.nonce < status.count) await resolveLostNonce(parts, job, status, send);
    else await resend(parts, { job, sends, isLowest: job === lowest }, status, send);
  }
}

/** The receipt of whichever transaction of the job was mined; undefined: the node did not answer. */
async function receiptOf({ rpc }: RelayerParts, sends: readonly Send[]): Promise<Receipt | null | undefined> {
  if (sends.length === 0) return null;
  const answers = await rpc(
    sends.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  );
  const receipts = answers?.map(readReceipt);
  const mined = receipts?.find((receipt) => receipt);
  return mined ?? (receipts && !receipts.includes(undefined) ? null : undefined);
}

async function recordMined(
  parts: RelayerParts,
  job: Job,
  receipt: Receipt,
  sends: readonly Send[],
  { latest }: AccountStatus,
): Promise<void> {
  const { gasClaims, options, clock } = parts;
  const { token, confirmations } = options;
  const sentAt = sends.at(-1)?.sentAt ?? job.createdAt;
  if (showsTransfer(receipt, token.address, job.transfer.authorization)) {
    const isOver = isFinal(receipt.block, latest.number, sentAt, clock.now());
    gasClaims.end(job.reference, 'nothing_lost', clock.now());
    recordEnd(parts, job, receipt, isOver ? 'done' : 'mined');
    return;
  }
  const end = receipt.hasSucceeded ? 'nothing_lost' : await blameFor(parts, job);
  if (end === null) return;
  gasClaims.end(job.reference, end, clock.now(), receipt.gasUsed);
  const isOver = isDeep(receipt.block, latest.number, confirmations);
  recordEnd(parts, job, receipt, isOver ? 'failed' : 'mined');
}

/** What a transaction cost is known once it is final, whatever it did. */
function recordEnd(
  { jobs, clock }: RelayerParts,
  job: Job,
  { transaction, costWei }: Receipt,
  state: 'done' | 'failed' | 'mined',
): void {
  if (state !== 'mined' && costWei !== null) jobs.addCost(transaction, costWei);
  jobs.mark(job, state, transaction, clock.now());
}

/** Whether a reverted transfer is its payer's doing: not where somebody else made the same one. Null: not known yet. */
async function blameFor(
  { reader, gasClaims }: RelayerParts,
  { transfer: { authorization }, createdAt }: Job,
): Promise<'reverted' | 'wasted' | null> {
  if (!gasClaims.hasOpen(authorization.from)) return 'reverted';
  const trace = await reader.trace(authorization, { seenAt: Math.floor(createdAt / 1000) });
  if (trace.kind === 'unavailable') return null;
  return trace.kind === 'settled' || trace.kind === 'pending' ? 'wasted' : 'reverted';
}

/** An unknown transaction used the job's nonce: the token's events tell whether the transfer was made. */
async function resolveLostNonce(
  parts: RelayerParts,
  job: Job,
  status: AccountStatus,
  send: Resend,
): Promise<void> {
  const { jobs, gasClaims, reader, clock } = parts;
  const seenAt = Math.floor(job.createdAt / 1000);
  const trace = await reader.trace(job.transfer.authorization, { seenAt });
  if (trace.kind === 'settled') jobs.mark(job, 'done', trace.transaction, clock.now());
  if (trace.kind === 'void' || (trace.kind === 'unused' && trace.isExpired)) {
    jobs.mark(job, 'failed', null, clock.now());
  }
  if (trace.kind === 'pending' || trace.kind === 'unavailable') return;
  if (trace.kind !== 'unused' || trace.isExpired) {
    gasClaims.end(job.reference, 'nothing_lost', clock.now());
    return;
  }
  await renumber(parts, job, status, send);
}

async function renumber(
  { jobs, log }: RelayerParts,
  job: Job,
  { count, fees }: AccountStatus,
  send: Resend,
): Promise<void> {
  const others = jobs.takenNonces().filter((nonce) => nonce !== job.nonce);
  const nonce = nextNonce(count, null, others);
  log.info('relayer_renumbered', { from: job.nonce, to: nonce });
  jobs.renumber(job.reference, nonce);
  await send({ ...job, nonce }, fees, job.call);
}

/** Sends a job again that is not mined yet, with higher fees if it is stuck. */
async function resend(
  parts: RelayerParts,
  { job, sends, isLowest }: { job: Job; sends: readonly Send[]; isLowest: boolean },
  status: AccountStatus,
  send: Resend,
): Promise<void> {
  const { jobs, rpc, account, clock, log } = parts;
  const now = clock.now();
  if (job.state === 'mined') jobs.mark(job, 'open', null, now);
  const last = sends.at(-1);
  if (!last) {
    await send(job, status.fees, job.call);
    return;
  }
  if (isLowest && isStuck(last.sentAt, now)) {
    // The chain waits for a lower nonce that no transaction has: take that one.
    if (job.nonce > status.count) return renumber(parts, job, status, send);
    const isExpired = status.latest.seconds >= job.transfer.authorization.validBefore;
    const fees = replacementFees(last.fees, status.fees);
    if (fees) {
      log.info('relayer_replaced', { nonce: job.nonce, isExpired });
      // An expired transfer can only fail: an empty transaction uses up its nonce at the lowest cost.
      await send(job, fees, isExpired ? { to: account.address, data: '0x' } : job.call);
      return;
    }
  }
  await rpc([{ method: 'eth_sendRawTransaction', params: [last.raw] }]);
}
