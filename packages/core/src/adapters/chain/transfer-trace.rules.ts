import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import type { PaymentFault, TransferAuthorization } from '../../kernel/ports/chain.ts';

/** Keccak-256 of the events' signatures. */
export const EVENT = {
  authorizationUsed: '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5',
  authorizationCanceled: '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81',
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
} as const;

export interface ChainEvent {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly logIndex: number;
}

export interface Receipt {
  readonly transaction: Hex;
  readonly hasSucceeded: boolean;
  readonly block: bigint;
  /** Null: the node did not say. */
  readonly gasUsed: bigint | null;
  /** What its gas and its data cost; null: the node did not say. */
  readonly costWei: bigint | null;
  readonly events: readonly ChainEvent[];
}

const same = (a: string | undefined, b: string) => a?.toLowerCase() === b.toLowerCase();
/** A topic that names an account. */
export const wordOf = (hex: string) => `0x${hex.slice(2).padStart(64, '0')}`;

/** The topics that name a payer's nonce. */
export const nonceTopics = ({ from, nonce }: TransferAuthorization) => [wordOf(from), nonce] as const;

function isOfNonce(event: ChainEvent, authorization: TransferAuthorization): boolean {
  const [payer, nonce] = nonceTopics(authorization);
  return same(event.topics[1], payer) && same(event.topics[2], nonce);
}

/**
 * Whether a transaction made this very transfer. The token emits `AuthorizationUsed` and, with nothing
 * between, the `Transfer` that the authorisation made. Any other `Transfer` of the transaction proves
 * nothing: a payer could use up two nonces for transfers to himself and show one payment for both.
 */
export function showsTransfer(
  receipt: Receipt,
  token: string,
  authorization: TransferAuthorization,
): boolean {
  if (!receipt.hasSucceeded) return false;
  const ofToken = receipt.events.filter(({ address }) => same(address, token));
  return ofToken.some((used) => {
    if (!same(used.topics[0], EVENT.authorizationUsed) || !isOfNonce(used, authorization)) return false;
    const next = ofToken.find(({ logIndex }) => logIndex === used.logIndex + 1);
    return (
      next !== undefined &&
      same(next.topics[0], EVENT.transfer) &&
      same(next.topics[1], wordOf(authorization.from)) &&
      same(next.topics[2], wordOf(authorization.to)) &&
      /^0x[0-9a-fA-F]{64}$/.test(next.data) &&
      BigInt(next.data) === authorization.units
    );
  });
}

/** The latest block has depth 1. */
export const isDeep = (block: bigint, latestBlock: bigint, confirmations: number): boolean =>
  latestBlock - block + 1n >= BigInt(confirmations);

/** The x402 name of the reason that the token's contract gave. */
export function faultOf(reason: string, hasFunds: boolean): PaymentFault {
  if (/not yet valid/i.test(reason)) return 'invalid_exact_evm_payload_authorization_valid_after';
  if (/expired/i.test(reason)) return 'invalid_exact_evm_payload_authorization_valid_before';
  if (/signature/i.test(reason)) return 'invalid_exact_evm_payload_signature';
  if (/exceeds balance/i.test(reason) || !hasFunds) return 'insufficient_funds';
  return 'invalid_transaction_state';
}
