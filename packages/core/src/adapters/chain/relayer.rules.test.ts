import { describe, expect, it } from 'vitest';
import {
  feesFor,
  gasLimit,
  isFinal,
  isLow,
  isStuck,
  MAX_FEE_PER_GAS,
  MAX_GAS,
  nextNonce,
  readSendProblem,
  replacementFees,
  STUCK_MS,
} from './relayer.rules.ts';

const GWEI = 1_000_000_000n;

describe('fees', () => {
  it('last for some full blocks, and tip at least what is usual', () => {
    expect(feesFor(10n * GWEI, 0n)).toEqual({
      maxFeePerGas: 20n * GWEI,
      maxPriorityFeePerGas: GWEI / 1000n,
    });
    expect(feesFor(GWEI, GWEI)).toEqual({ maxFeePerGas: 3n * GWEI, maxPriorityFeePerGas: GWEI });
  });

  it('have an upper end, to which the tip keeps as well', () => {
    expect(feesFor(100n * GWEI, 100n * GWEI)).toEqual({
      maxFeePerGas: MAX_FEE_PER_GAS,
      maxPriorityFeePerGas: MAX_FEE_PER_GAS,
    });
  });

  it('of a replacement are more than a tenth above, or what is needed now, but never beyond the end', () => {
    const before = feesFor(GWEI, GWEI / 100n);
    const after = replacementFees(before, before);
    if (!after) throw new Error('It was not replaced.');
    expect(after.maxFeePerGas * 10n).toBeGreaterThan(before.maxFeePerGas * 11n);
    expect(after.maxPriorityFeePerGas * 10n).toBeGreaterThan(before.maxPriorityFeePerGas * 11n);
    expect(replacementFees(before, feesFor(5n * GWEI, GWEI))).toEqual(feesFor(5n * GWEI, GWEI));
    expect(replacementFees(feesFor(100n * GWEI, GWEI), before)).toBeNull();
  });
});

describe('numbers of transactions', () => {
  it('are the first that is free, gaps included', () => {
    expect(nextNonce(0, null, [])).toBe(0);
    expect(nextNonce(5, null, [5, 6])).toBe(7);
    expect(nextNonce(5, null, [6, 7])).toBe(5);
    expect(nextNonce(5, null, [5, 7])).toBe(6);
  });

  it('are never one that was used up, whatever a node that lags behind counts', () => {
    expect(nextNonce(3, 5, [])).toBe(6);
    expect(nextNonce(3, 5, [6])).toBe(7);
    expect(nextNonce(9, 5, [])).toBe(9);
  });
});

it('waits for some blocks before a transaction is stuck', () => {
  expect(isStuck(1000, 1000 + STUCK_MS - 1)).toBe(false);
  expect(isStuck(1000, 1000 + STUCK_MS)).toBe(true);
});

it('leaves room above an estimate, and has an upper end for what wallets cost', () => {
  expect(gasLimit(100_000n, MAX_GAS)).toBe(125_000n);
  expect(gasLimit((MAX_GAS * 4n) / 5n, MAX_GAS)).toBe(MAX_GAS);
  expect(gasLimit(MAX_GAS, MAX_GAS)).toBeNull();
});

it('says that gas is low while it suffices for some transfers', () => {
  const fees = feesFor(GWEI, 0n);
  const oneTransfer = 100_000n * fees.maxFeePerGas;
  expect(isLow(199n * oneTransfer, fees)).toBe(true);
  expect(isLow(200n * oneTransfer, fees)).toBe(false);
});

it.each([
  ['already known', 'already_there'],
  ['transaction already imported', 'already_there'],
  ['nonce too low: next nonce 5, tx nonce 3', 'nonce_taken'],
  ['insufficient funds for gas * price + value', 'no_gas'],
  ['Insufficient funds for gas * price + value', 'no_gas'],
  ['replacement transaction underpriced', 'underpriced'],
  ['max fee per gas less than block base fee', 'underpriced'],
  ['the node is on holiday', 'unknown'],
])('reads a refusal: %s', (message, problem) => {
  expect(readSendProblem(message)).toBe(problem);
});

it('stops looking once a block is deep, or after some time where blocks are rare', () => {
  expect(isFinal(100n, 129n, 0, 0)).toBe(false);
  expect(isFinal(100n, 130n, 0, 0)).toBe(true);
  expect(isFinal(100n, 101n, 0, 600_001)).toBe(true);
});
