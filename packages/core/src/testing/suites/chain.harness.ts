import type { ChainToken, Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { keccak256, stringToBytes } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { typedTransfer } from '../../adapters/chain/typed-transfer.ts';
import type {
  Chain,
  OutgoingOutcome,
  OutgoingTransfer,
  SignedTransfer,
  TransferAuthorization,
  WirePayment,
} from '../../kernel/ports/chain.ts';
import { countUp } from '../doubles/counters.ts';

/** A chain under test, with what payers, miners and time do to it from outside. */
export interface ChainUnderTest {
  readonly chain: Chain;
  /** Of whom `pay` pays. */
  readonly payer: Hex;
  /** Unix seconds, by the chain's clock. */
  now(): Promise<number>;
  fund(account: Hex, units: bigint): Promise<void>;
  balanceOf(account: Hex): Promise<bigint>;
  /** Brings a transfer to the chain without the marketplace. */
  relay(transfer: SignedTransfer): Promise<Hex>;
  cancel(payer: PrivateKeyAccount, nonce: Hex): Promise<void>;
  stopMining(): Promise<void>;
  startMining(): Promise<void>;
  mine(): Promise<void>;
  /** Until all blocks so far are final. */
  finalize(): Promise<void>;
  /** Mines a block that is so much later. */
  passTime(seconds: number): Promise<void>;
  /** Undoes the last block with a transaction; the transaction is forgotten. */
  dropLastBlock(): Promise<void>;
  /** A smart wallet of one owner: its address, and its signature made of the owner's. */
  newWallet(
    owner: Hex,
    options: { isDeployed: boolean; isAllowed: boolean },
  ): Promise<{ address: Hex; wrap(signature: Hex): Hex }>;
}

/** Shown to facilitators only. */
export const NO_WIRE: WirePayment = { x402Version: 2, paymentPayload: {}, paymentRequirements: {} };

export const ONE_DOLLAR = 1_000_000n;

/** A new account each time, from a key that everyone can compute. */
export function newAccount(): PrivateKeyAccount {
  return privateKeyToAccount(keccak256(stringToBytes(`test account ${countUp('account')}`)));
}

export const newNonce = (): Hex => keccak256(stringToBytes(`test nonce ${countUp('nonce')}`));

/** Signs as an x402 client does. */
export async function signTransfer(
  account: PrivateKeyAccount,
  token: ChainToken,
  authorization: TransferAuthorization,
): Promise<SignedTransfer> {
  return { authorization, signature: await account.signTypedData(typedTransfer(token, authorization)) };
}

/** A block may take longer than one call waits. */
export async function payUntilKnown(chain: Chain, transfer: OutgoingTransfer): Promise<OutgoingOutcome> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await chain.pay(transfer);
    const isKnown = outcome.kind !== 'unavailable' && outcome.kind !== 'pending';
    if (isKnown || tries === 20) return outcome;
  }
}
