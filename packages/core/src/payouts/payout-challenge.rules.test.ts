import { parseSiweMessage, validateSiweMessage } from 'viem/siwe';
import { expect, it } from 'vitest';
import { challengeMessage } from './payout-challenge.rules.ts';

it('the message to sign is one that wallets understand (EIP-4361)', () => {
  const message = challengeMessage({
    baseUrl: 'https://market.example/api',
    sellerId: '0b0f9d3e-7c3f-4c57-9d0c-1c1a4a3d2b1f',
    chainId: 8453,
    address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    nonce: '00112233445566778899aabbccddeeff',
    issuedAt: '2026-06-01T12:00:00.000Z',
    expiresAt: '2026-06-01T12:10:00.000Z',
  });
  const parsed = parseSiweMessage(message);
  expect(parsed).toMatchObject({
    domain: 'market.example',
    address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    chainId: 8453,
    nonce: '00112233445566778899aabbccddeeff',
    uri: 'https://market.example/api/sell/payout-wallet',
    version: '1',
    statement: 'Pay the USDC that seller 0b0f9d3e-7c3f-4c57-9d0c-1c1a4a3d2b1f earns to this account.',
  });
  const at = (time: string) => validateSiweMessage({ message: parsed, time: new Date(time) });
  expect(at('2026-06-01T12:09:59.999Z')).toBe(true);
  expect(at('2026-06-01T12:10:00.000Z')).toBe(false);
});
