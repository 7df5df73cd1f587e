import { bumped, type Fees, isFinal, isStuck, nextNonce } from './relayer.rules.ts';
import type { Job, Send } from './relayer-jobs.ts';
import type { AccountStatus, RelayerParts } from './relayer-parts.ts';
import type { ContractCall } from './token-calls.ts';
import { isDeep, type Receipt, showsTransfer } from './transfer-trace.rules.ts';
import { readReceipt } from './wire-reading.ts';

type SendAgain = (job: Job, fees: Fees, call: ContractCall) => Promise<unknown>;

/** Brings every job that is not settled for good one step further, by what the chain shows. */
export async function lookAfterJobs(
  parts: RelayerParts,
  status: AccountStatus,
  send: SendAgain,
): Promise<void> {
  const jobs = parts.jobs.unsettled();
  const lowest = jobs.find(({ nonce }) => nonce >= status.count);
  for (const job of jobs) {
    const sends = parts.jobs.sends(job.reference);
    const receipt = await receiptOf(parts, sends);
    if (receipt === undefined) continue;
    if (receipt) recordMined(parts, job, receipt, sends, status);
    else if (job.nonce < status.count) await traceTaken(parts, job, status, send);
    else await pushOn(parts, job, sends, status, job === lowest, send);
  }
}

/** Of whichever of the transactions with this number was mined; undefined: cannot be told now. */
async function receiptOf({ rpc }: RelayerParts, sends: readonly Send[]): Promise<Receipt | null | undefined> {
  if (sends.length === 0) return null;
  const answers = await rpc(
    sends.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  );
  const receipts = answers?.map(readReceipt);
  const mined = receipts?.find((receipt) => receipt);
  return mined ?? (receipts && !receipts.includes(undefined) ? null : undefined);
}

function recordMined(
  { jobs, options, clock }: RelayerParts,
  job: Job,
  receipt: Receipt,
  sends: readonly Send[],
  { latest }: AccountStatus,
): void {
  const { token, confirmations } = options;
  const now = clock.now();
  const sentAt = sends.at(-1)?.sentAt ?? job.createdAt;
  if (!showsTransfer(receipt, token.address, job.transfer.authorization)) {
    const isOver = isDeep(receipt.block, latest.number, confirmations);
    jobs.mark(job, isOver ? 'failed' : 'mined', receipt.transaction, now);
    return;
  }
  const isOver = isFinal(receipt.block, latest.number, sentAt, now);
  jobs.mark(job, isOver ? 'done' : 'mined', receipt.transaction, now);
}

/** The number was used up by a transaction that is not known here. The token's events say what of the transfer. */
async function traceTaken(
  parts: RelayerParts,
  job: Job,
  status: AccountStatus,
  send: SendAgain,
): Promise<void> {
  const { jobs, reader, clock } = parts;
  const seenAt = Math.floor(job.createdAt / 1000);
  const trace = await reader.trace(job.transfer.authorization, { seenAt });
  if (trace.kind === 'settled') jobs.mark(job, 'done', trace.transaction, clock.now());
  if (trace.kind === 'void' || (trace.kind === 'unused' && trace.isExpired)) {
    jobs.mark(job, 'failed', null, clock.now());
  }
  if (trace.kind !== 'unused' || trace.isExpired) return;
  await renumber(parts, job, status, send);
}

async function renumber(
  { jobs, log }: RelayerParts,
  job: Job,
  { count, fees }: AccountStatus,
  send: SendAgain,
): Promise<void> {
  const others = jobs.takenNonces().filter((nonce) => nonce !== job.nonce);
  const nonce = nextNonce(count, null, others);
  log.info('relayer_renumbered', { from: job.nonce, to: nonce });
  jobs.renumber(job.reference, nonce);
  await send({ ...job, nonce }, fees, job.call);
}

/** In no block yet: is sent again, with higher fees if it has waited for long, to some effect or to none. */
async function pushOn(
  parts: RelayerParts,
  job: Job,
  sends: readonly Send[],
  status: AccountStatus,
  isLowest: boolean,
  send: SendAgain,
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
    // A gap below: no transaction holds the number that the chain waits for.
    if (job.nonce > status.count) return renumber(parts, job, status, send);
    const isExpired = status.latest.seconds >= job.transfer.authorization.validBefore;
    const fees = bumped(last.fees, status.fees);
    if (fees) {
      log.info('relayer_replaced', { nonce: job.nonce, isExpired });
      // What has expired can only fail: the number is used up at the least cost.
      await send(job, fees, isExpired ? { to: account.address, data: '0x' } : job.call);
      return;
    }
  }
  await rpc([{ method: 'eth_sendRawTransaction', params: [last.raw] }]);
}
