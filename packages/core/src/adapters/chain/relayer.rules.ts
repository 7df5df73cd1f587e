const GWEI = 1_000_000_000n;

export interface Fees {
  /** Wei for each unit of gas. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** The lowest priority fee that Base includes in practice. */
const MIN_PRIORITY_FEE = GWEI / 1000n;
/** Base reaches a few gwei on its busiest days. Transactions that would cost more wait. */
export const MAX_FEE_PER_GAS = 20n * GWEI;
/** Nodes accept a replacement from 10 % more; a larger step reaches a fee that is mined sooner. */
const BUMP_NUMERATOR = 5n;
const BUMP_DENOMINATOR = 4n;

const least = (a: bigint, b: bigint) => (a < b ? a : b);
const most = (a: bigint, b: bigint) => (a > b ? a : b);

/** Twice the base fee lasts for six full blocks in a row. */
export function feesFor(baseFee: bigint, suggestedPriorityFee: bigint): Fees {
  const maxPriorityFeePerGas = most(suggestedPriorityFee, MIN_PRIORITY_FEE);
  const maxFeePerGas = least(2n * baseFee + maxPriorityFeePerGas, MAX_FEE_PER_GAS);
  return { maxFeePerGas, maxPriorityFeePerGas: least(maxPriorityFeePerGas, maxFeePerGas) };
}

/** The fees of a replacement; null if they would exceed the maximum. */
export function replacementFees(before: Fees, now: Fees): Fees | null {
  const up = (fee: bigint) => (fee * BUMP_NUMERATOR) / BUMP_DENOMINATOR + 1n;
  const maxFeePerGas = most(up(before.maxFeePerGas), now.maxFeePerGas);
  const maxPriorityFeePerGas = most(up(before.maxPriorityFeePerGas), now.maxPriorityFeePerGas);
  if (maxFeePerGas > MAX_FEE_PER_GAS) return null;
  return { maxFeePerGas, maxPriorityFeePerGas: least(maxPriorityFeePerGas, maxFeePerGas) };
}

/**
 * The nonce of the next transaction: the first free one. A nonce whose transaction never reached the chain is
 * filled by it; otherwise all later transactions would be stuck.
 */
export function nextNonce(
  countOnChain: number,
  highestFinal: number | null,
  taken: readonly number[],
): number {
  const isTaken = new Set(taken);
  let nonce = Math.max(countOnChain, (highestFinal ?? -1) + 1);
  while (isTaken.has(nonce)) nonce++;
  return nonce;
}

/** Seven blocks. */
export const STUCK_MS = 15_000;

export const isStuck = (lastSentAt: number, now: number): boolean => now - lastSentAt >= STUCK_MS;

/** The platform pays for the code of the payer's wallet. Deploying one with a passkey check needs half of this. */
export const MAX_GAS = 1_200_000n;

/** A quarter above the estimate, which may be too low by the time of the block. Null: too expensive to relay. */
export function gasLimit(estimate: bigint, maxGas: bigint): bigint | null {
  const limit = (estimate * 5n) / 4n;
  return limit > maxGas ? null : limit;
}

/** A usual transfer, including its share of the data posted to Ethereum. */
export const USUAL_GAS = 100_000n;
const LOW_COUNT = 200;

/** For how many more transfers the account has gas. */
export const transfersLeft = (balance: bigint, { maxFeePerGas }: Fees): number =>
  Number(balance / (USUAL_GAS * maxFeePerGas));

/** Whether the account can pay for fewer than `LOW_COUNT` more transfers. */
export const isLow = (balance: bigint, fees: Fees): boolean => transfersLeft(balance, fees) < LOW_COUNT;

export type SendProblem = 'already_there' | 'nonce_taken' | 'no_gas' | 'underpriced' | 'unknown';

/** Why a node rejected a transaction. The texts are those of geth, reth and anvil. */
export function readSendProblem(message: string): SendProblem {
  if (/already known|already imported|known transaction/i.test(message)) return 'already_there';
  if (/nonce too low|nonce is too low/i.test(message)) return 'nonce_taken';
  if (/insufficient funds|insufficient balance/i.test(message)) return 'no_gas';
  if (/underpriced|fee too low|max fee per gas less than/i.test(message)) return 'underpriced';
  return 'unknown';
}

/** A block this deep is not checked again; where blocks are rare, this much time is enough. */
const FINAL_DEPTH = 30n;
const MONITORED_MS = 600_000;

export const isFinal = (block: bigint, latest: bigint, sentAt: number, now: number): boolean =>
  latest - block >= FINAL_DEPTH || now - sentAt > MONITORED_MS;
