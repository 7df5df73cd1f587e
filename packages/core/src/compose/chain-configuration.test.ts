import { USDC } from '@agent-marketplace/protocol/chain/networks.data.ts';
import { expect, it } from 'vitest';
import { FakeLog } from '../testing/doubles/recording-ports.ts';
import { readChainConfiguration, readChainOrNone } from './chain-configuration.ts';

const TEST_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const OWN_KEY = `0x${'12'.repeat(32)}`;
const ADDRESS = '0x00000000000000000000000000000000000000AA';
const X402_RPC_URL = 'https://base.example/rpc';

it('has no chain without a node', () => {
  expect(readChainConfiguration({})).toBeNull();
  expect(readChainConfiguration({ X402_NETWORK: 'base' })).toBeNull();
});

it('takes Base, the address of the relayer, and one confirmation unless told otherwise', () => {
  const rpcUrl = 'http://127.0.0.1:8545';
  expect(readChainConfiguration({ X402_RPC_URL: rpcUrl, X402_RELAYER_KEY: TEST_KEY })).toEqual({
    network: 'base',
    token: USDC.base,
    rpcUrl,
    payTo: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
    confirmations: 1,
    walletFactories: [
      '0x0ba5ed0c6aa8c49038f819e587e2633c4a9f428a',
      '0xba5ed110efdba3d005bfc882d75358acbbb85842',
    ],
    logRange: 2000,
    minCents: 1,
    payoutTerms: { gasSharePercent: 10, waitDays: 7 },
    gas: {
      contractGas: 400_000n,
      gasPerPayer: 5_000_000n,
      gasPerNetwork: 20_000_000n,
      gasInAll: 100_000_000n,
      priceSharePercent: 50n,
      etherCents: 400_000n,
    },
    facilitator: null,
  });
});

it('takes a facilitator, another network and its token', () => {
  expect(
    readChainConfiguration({
      X402_NETWORK: 'base-sepolia',
      X402_RPC_URL,
      X402_PAY_TO: ADDRESS,
      X402_FACILITATOR_URL: 'https://facilitator.example/x402/',
      X402_FACILITATOR_TOKEN: 'token',
      X402_CONFIRMATIONS: '3',
      X402_WALLET_FACTORIES: '',
      X402_LOG_RANGE: '10',
    }),
  ).toMatchObject({
    network: 'base-sepolia',
    token: USDC['base-sepolia'],
    payTo: ADDRESS.toLowerCase(),
    confirmations: 3,
    walletFactories: [],
    logRange: 10,
    facilitator: { url: 'https://facilitator.example/x402', token: 'token' },
  });
});

it.each([
  [{ X402_PAY_TO: ADDRESS }, /X402_PAY_TO is set, but X402_RPC_URL is not/],
  [{ X402_RELAYER_KEY: OWN_KEY }, /X402_RELAYER_KEY is set, but X402_RPC_URL is not/],
  [{ X402_RPC_URL }, /X402_PAY_TO is not set/],
  [{ X402_RPC_URL: 'http://base.example', X402_PAY_TO: ADDRESS }, /X402_RPC_URL is not an https URL/],
  [{ X402_RPC_URL, X402_PAY_TO: '0x12' }, /X402_PAY_TO is not an address/],
  [{ X402_RPC_URL, X402_PAY_TO: ADDRESS, X402_NETWORK: 'mainnet' }, /neither base nor base-sepolia/],
  [{ X402_RPC_URL, X402_RELAYER_KEY: '0x12' }, /X402_RELAYER_KEY is not 0x and 64/],
  [{ X402_RPC_URL, X402_PAY_TO: ADDRESS, X402_FACILITATOR_TOKEN: 'a' }, /X402_FACILITATOR_URL is not/],
  [{ X402_RPC_URL, X402_PAY_TO: ADDRESS, X402_MIN_CENTS: '0.5' }, /X402_MIN_CENTS is not a positive/],
  [{ X402_RPC_URL, X402_PAY_TO: ADDRESS, X402_CONFIRMATIONS: '0' }, /not a positive whole number/],
  [{ X402_RPC_URL, X402_RELAYER_KEY: TEST_KEY }, /public test key/],
  [
    {
      X402_RPC_URL,
      X402_PAY_TO: ADDRESS,
      X402_NETWORK: 'base-sepolia',
      STRIPE_SECRET_KEY: ['sk', 'live', 'x'].join('_'),
    },
    /sellers would get dollars/,
  ],
])('refuses what contradicts itself: %j', (variables, message) => {
  expect(() => readChainConfiguration(variables)).toThrow(message);
});

it.each([{ X402_PAY_TO: ADDRESS }, { X402_RPC_URL }, { X402_RPC_URL, X402_RELAYER_KEY: '0x12' }])(
  'closes only the rail of USDC, with an alarm: %j',
  (variables) => {
    const log = new FakeLog();
    expect(readChainOrNone(variables, log)).toBeNull();
    expect(log.lines).toMatchObject([{ event: 'x402_misconfigured' }]);
    expect(JSON.stringify(log.lines)).not.toContain('0x12');
  },
);

it('never shows the key', () => {
  const refusal = () => readChainConfiguration({ X402_RPC_URL, X402_RELAYER_KEY: `${OWN_KEY}0` });
  expect(refusal).toThrow(/^(?!.*1212)/);
  const read = readChainConfiguration({ X402_RPC_URL, X402_RELAYER_KEY: OWN_KEY });
  expect(
    JSON.stringify(read, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
  ).not.toContain(OWN_KEY.slice(2));
});
