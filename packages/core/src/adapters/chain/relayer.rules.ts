const GWEI = 1_000_000_000n;

export interface Fees {
  /** Wei for each unit of gas. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** What Base's blocks take at least, in practice. */
const MIN_PRIORITY_FEE = GWEI / 1000n;
/** Base has seen some gwei on its worst days. What costs more than this waits. */
export const MAX_FEE_PER_GAS = 20n * GWEI;
/** A node takes a replacement from a tenth more on; after some bumps it must also be worth mining. */
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

/** The fees of a replacement; null once they would be more than is paid at all. */
export function bumped(before: Fees, now: Fees): Fees | null {
  const up = (fee: bigint) => (fee * BUMP_NUMERATOR) / BUMP_DENOMINATOR + 1n;
  const maxFeePerGas = most(up(before.maxFeePerGas), now.maxFeePerGas);
  const maxPriorityFeePerGas = most(up(before.maxPriorityFeePerGas), now.maxPriorityFeePerGas);
  if (maxFeePerGas > MAX_FEE_PER_GAS) return null;
  return { maxFeePerGas, maxPriorityFeePerGas: least(maxPriorityFeePerGas, maxFeePerGas) };
}

/**
 * The number of the next transaction: the first that is free. So a number that was given out and never
 * reached the chain is filled by the next transaction, and what comes after it is not stuck for good.
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

/** Time for seven blocks. */
export const STUCK_MS = 15_000;

export const isStuck = (lastSentAt: number, now: number): boolean => now - lastSentAt >= STUCK_MS;

/** A wallet's code runs at the platform's cost: a deployment with a passkey's check needs half of this. */
export const MAX_GAS = 1_200_000n;

/** With room for what changes between estimate and block; null: too dear to be relayed. */
export function gasLimit(estimate: bigint): bigint | null {
  const limit = (estimate * 5n) / 4n;
  return limit > MAX_GAS ? null : limit;
}

/** A transfer costs about this much, with its part of posting to the chain below. */
const USUAL_GAS = 100_000n;
const LOW_COUNT = 200n;

/** Whether the account has gas for few more transfers. */
export const isLow = (balance: bigint, { maxFeePerGas }: Fees): boolean =>
  balance < USUAL_GAS * maxFeePerGas * LOW_COUNT;

export type SendProblem = 'already_there' | 'nonce_taken' | 'no_gas' | 'underpriced' | 'unknown';

/** What a node means that does not take a transaction. The texts are those of geth, reth and anvil. */
export function readSendProblem(message: string): SendProblem {
  if (/already known|already imported|known transaction/i.test(message)) return 'already_there';
  if (/nonce too low|nonce is too low/i.test(message)) return 'nonce_taken';
  if (/insufficient funds|insufficient balance/i.test(message)) return 'no_gas';
  if (/underpriced|fee too low|max fee per gas less than/i.test(message)) return 'underpriced';
  return 'unknown';
}

/** How deep a block is after which nobody looks again, and for how long one looks where blocks are rare. */
const FINAL_DEPTH = 30n;
const WATCHED_MS = 600_000;

export const isFinal = (block: bigint, latest: bigint, sentAt: number, now: number): boolean =>
  latest - block >= FINAL_DEPTH || now - sentAt > WATCHED_MS;
