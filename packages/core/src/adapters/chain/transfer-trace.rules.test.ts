import { toEventSelector } from 'viem';
import { describe, expect, it } from 'vitest';
import type { TransferAuthorization } from '../../kernel/ports/chain.ts';
import {
  type ChainEvent,
  EVENT,
  faultOf,
  isDeep,
  nonceTopics,
  showsTransfer,
} from './transfer-trace.rules.ts';

const TOKEN = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
const OTHER = '0x00000000000000000000000000000000000000ee';
const authorization: TransferAuthorization = {
  from: '0x00000000000000000000000000000000000000Aa',
  to: '0x00000000000000000000000000000000000000bb',
  units: 500n,
  validAfter: 0n,
  validBefore: 10n,
  nonce: `0x${'01'.repeat(32)}`,
};

const word = (hex: string) => `0x${hex.slice(2).toLowerCase().padStart(64, '0')}`;
const used = (logIndex: number, nonce: string = authorization.nonce): ChainEvent => ({
  address: TOKEN,
  topics: [EVENT.authorizationUsed, word(authorization.from), nonce],
  data: '0x',
  logIndex,
});
const moved = (logIndex: number, { to = authorization.to as string, units = 500, address = TOKEN } = {}) => ({
  address,
  topics: [EVENT.transfer, word(authorization.from), word(to)],
  data: word(`0x${units.toString(16)}`),
  logIndex,
});
const shows = (events: ChainEvent[], hasSucceeded = true) =>
  showsTransfer(
    { transaction: '0x', hasSucceeded, block: 1n, gasUsed: null, costWei: null, events },
    TOKEN,
    authorization,
  );

it('knows the events by the hashes of their signatures', () => {
  expect(EVENT).toEqual({
    authorizationUsed: toEventSelector('AuthorizationUsed(address,bytes32)'),
    authorizationCanceled: toEventSelector('AuthorizationCanceled(address,bytes32)'),
    transfer: toEventSelector('Transfer(address,address,uint256)'),
  });
  expect(nonceTopics(authorization)[0]).toHaveLength(66);
});

describe('a transaction shows a transfer', () => {
  it('by the two events of the token, one right after the other', () => {
    expect(shows([used(3), moved(4)])).toBe(true);
    expect(shows([moved(9, { units: 1 }), used(3), moved(4)])).toBe(true);
  });

  it('not by a transfer that belongs to another authorisation', () => {
    // Two nonces used up for transfers to oneself, and one payment: it pays for neither.
    const elsewhere = { to: authorization.from as string };
    const second = `0x${'02'.repeat(32)}`;
    expect(shows([used(0), moved(1, elsewhere), used(2, second), moved(3, elsewhere), moved(4)])).toBe(false);
    expect(shows([moved(2), used(3)])).toBe(false);
    expect(shows([used(3), used(4, second), moved(5)])).toBe(false);
  });

  it('not with another amount, recipient, nonce or token, nor if it failed', () => {
    expect(shows([used(3), moved(4, { units: 499 })])).toBe(false);
    expect(shows([used(3), moved(4, { to: OTHER })])).toBe(false);
    expect(shows([used(3, `0x${'02'.repeat(32)}`), moved(4)])).toBe(false);
    expect(shows([used(3), moved(4, { address: OTHER })])).toBe(false);
    expect(shows([{ ...used(3), address: OTHER }, moved(4)])).toBe(false);
    expect(shows([used(3), moved(4)], false)).toBe(false);
    expect(shows([used(3), { ...moved(4), data: '0x' }])).toBe(false);
  });
});

it('counts the block of a transfer as its first confirmation', () => {
  expect(isDeep(10n, 10n, 1)).toBe(true);
  expect(isDeep(10n, 10n, 2)).toBe(false);
  expect(isDeep(10n, 11n, 2)).toBe(true);
});

it.each([
  ['FiatTokenV2: authorization is not yet valid', 'invalid_exact_evm_payload_authorization_valid_after'],
  ['FiatTokenV2: authorization is expired', 'invalid_exact_evm_payload_authorization_valid_before'],
  ['FiatTokenV2: invalid signature', 'invalid_exact_evm_payload_signature'],
  ["ECRecover: invalid signature 's' value", 'invalid_exact_evm_payload_signature'],
  ['ERC20: transfer amount exceeds balance', 'insufficient_funds'],
  ['Blacklistable: account is blacklisted', 'invalid_transaction_state'],
])('names what the token said: %s', (reason, fault) => {
  expect(faultOf(reason, true)).toBe(fault);
});

it('names missing funds where the token gave no reason', () => {
  expect(faultOf('', false)).toBe('insufficient_funds');
});
