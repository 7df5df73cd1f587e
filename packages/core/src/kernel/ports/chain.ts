import type { ChainToken, Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';

/** USDC has six decimals: a cent is ten thousand of its units. */
export const UNITS_PER_CENT = 10_000n;

/** What a payer signs (EIP-3009, `TransferWithAuthorization`): this much, to this address, in this time, once. */
export interface TransferAuthorization {
  readonly from: Hex;
  readonly to: Hex;
  readonly units: bigint;
  /** Unix seconds: valid strictly after the one and strictly before the other. */
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  /** 32 random bytes: one transfer for each payer and nonce. */
  readonly nonce: Hex;
}

export interface SignedTransfer {
  readonly authorization: TransferAuthorization;
  /** Of an ordinary account (65 bytes), of a deployed smart account (ERC-1271) or of one yet to be deployed (ERC-6492). */
  readonly signature: Hex;
}

/** Why a payment is not accepted. The names are those of the x402 specification; an open set, as facilitators add theirs. */
export type PaymentFault =
  | 'insufficient_funds'
  | 'invalid_exact_evm_payload_signature'
  | 'invalid_exact_evm_payload_authorization_valid_after'
  | 'invalid_exact_evm_payload_authorization_valid_before'
  | 'invalid_transaction_state'
  | 'unexpected_settle_error'
  | (string & {});

/** Why a payer's transfer is not sent for now, though it is good. */
export type SettlementLimit =
  /** An earlier transfer of this payer was reverted on chain, less than a day ago. */
  | 'payer_reverted'
  /** The gas that may be lost for this payer, or for the network that it pays from, in a day. */
  | 'payer_gas_spent'
  | 'network_gas_spent'
  /** The gas that may be lost in all: payers with code that never paid here wait. */
  | 'contract_gas_spent'
  /** The network's gas costs too large a part of the price. */
  | 'gas_too_dear';

/** Who asks for a settlement, as far as the platform knows them. */
export interface SettlementPayer {
  /** The network that the payment came from, as a keyed hash. */
  readonly network: string;
  /** Whether an earlier payment of the same account was settled. */
  readonly hasPaid: boolean;
}

/** Of whom nothing is known. */
export const UNKNOWN_PAYER: SettlementPayer = { network: '', hasPaid: false };

export type TransferCheck =
  | {
      readonly kind: 'valid';
      /** Whether the payer's account runs code of its own. */
      readonly hasCode: boolean;
    }
  | { readonly kind: 'limited'; readonly limit: SettlementLimit; readonly retryAfterSeconds: number }
  /** The platform's own trouble: nobody's payment can be taken. */
  | { readonly kind: 'closed'; readonly reason: string }
  | { readonly kind: 'invalid'; readonly fault: PaymentFault }
  /** The nonce was used or cancelled before; `find` tells whether by this very transfer. */
  | { readonly kind: 'nonce_used' }
  | { readonly kind: 'unavailable' };

export type TransferTrace =
  /** This very transfer (same payer, recipient, units and nonce) is on chain, deep enough to count. */
  | { readonly kind: 'settled'; readonly transaction: Hex }
  /** It is on chain, but not deep enough yet, or waits to be mined. */
  | { readonly kind: 'pending'; readonly transaction: Hex | null }
  /** The nonce is unused: it may still be settled while it is valid, and never after `validBefore` has passed on chain. */
  | { readonly kind: 'unused'; readonly isExpired: boolean }
  /** The nonce is gone (cancelled, or used by another transfer): this one will never be settled. */
  | { readonly kind: 'void' }
  | { readonly kind: 'unavailable' };

export type SettlementOutcome =
  | { readonly kind: 'settled'; readonly transaction: Hex }
  /** Nobody knows yet. Not a failure: `find` will tell. */
  | { readonly kind: 'pending'; readonly transaction: Hex | null }
  /** Certainly not settled by this call. */
  | { readonly kind: 'rejected'; readonly fault: PaymentFault }
  | { readonly kind: 'limited'; readonly limit: SettlementLimit; readonly retryAfterSeconds: number };

/** What a wallet shows and signs, as EIP-712 has it. */
export interface TypedMessage {
  readonly domain: { readonly name: string; readonly version: string; readonly chainId: number };
  readonly primaryType: string;
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>;
  readonly message: Readonly<Record<string, unknown>>;
}

/** The payment as the client sent it and as it was asked for: what a facilitator is shown, unchanged. */
export interface WirePayment {
  readonly x402Version: 1 | 2;
  readonly paymentPayload: unknown;
  readonly paymentRequirements: unknown;
}

/** USDC that leaves the platform: a seller's share, or a refund. */
export interface OutgoingTransfer {
  /** Unique for each thing that is paid: asking again with the same reference never pays twice. */
  readonly reference: string;
  readonly to: Hex;
  readonly units: bigint;
}

export type OutgoingOutcome =
  | { readonly kind: 'paid'; readonly transaction: Hex }
  /** Under way; ask again with the same reference. */
  | { readonly kind: 'pending'; readonly transaction: Hex | null }
  /**
   * Certainly not paid, and never will be under this reference unless it is asked for again: nothing of it was
   * ever sent. `reason` is for the log and the operator.
   */
  | {
      readonly kind: 'refused';
      readonly reason: 'insufficient_funds' | 'recipient_refused' | 'not_configured';
    }
  | { readonly kind: 'unavailable' };

/** When small payouts are sent. */
export interface PayoutTerms {
  /** The largest part of a payout that its gas may cost, in percent. */
  readonly gasSharePercent: number;
  /** How long the seller's share of a sale waits for more at most. */
  readonly waitDays: number;
}

/** What a transaction of the platform's own account cost, reverted ones included. */
export interface GasCost {
  /** They are numbered in the order in which they became final. */
  readonly id: number;
  readonly transaction: Hex;
  /** Gas and data. */
  readonly wei: bigint;
}

/** What the account that pays out has for gas, as the chain has it now. */
export interface GasState {
  readonly balanceWei: bigint;
  /** For so many more transfers it has gas, at twice the present price. */
  readonly transfersLeft: number;
  /** What one payout costs now, in units of the token. */
  readonly payoutUnits: bigint;
}

/** Whether payers' transfers can be settled now at all. */
export interface Readiness {
  /** Null: nothing is in the way. */
  readonly closedBy: 'token_paused' | 'pay_to_blocked' | 'out_of_gas' | null;
}

/** What the asker remembers of a transfer, so that it is found however long ago it was. */
export interface TransferHint {
  /** The transaction that was said to settle it. Believed only once its own events show the transfer. */
  readonly transaction?: Hex | null;
  /** Unix seconds: when the payment was first seen here. Without it, only the last hour is searched. */
  readonly seenAt?: number;
}

/** USDC that came to `payTo` or left it, whoever sent it, in a block that is final. */
export interface AccountTransfer {
  readonly transaction: Hex;
  readonly logIndex: number;
  readonly block: number;
  /** Unix seconds, of its block. */
  readonly seconds: number;
  readonly from: Hex;
  readonly to: Hex;
  readonly units: bigint;
}

/** All transfers after some block and up to `block`. */
export interface TransferPage {
  readonly transfers: readonly AccountTransfer[];
  readonly block: number;
  /** Unix seconds, of `block`. */
  readonly seconds: number;
  /** What lay at `payTo` after `block`: it tells whether transfers are missing. Null: the node keeps no state so old. */
  readonly units: bigint | null;
  /** No later block is final yet. */
  readonly isLast: boolean;
}

/**
 * USDC on Base: reads the chain, has payers' transfers settled (by a facilitator or by the platform's own
 * relayer) and pays out. Never throws.
 */
export interface Chain {
  readonly token: ChainToken;
  /** Where payers' USDC goes. */
  readonly payTo: Hex;
  /** The smallest price that is taken over x402: below it, gas may cost more than the sale brings. */
  readonly minCents: number;
  readonly payoutTerms: PayoutTerms;
  /**
   * Signature, balance and nonce, as the chain has them now, and whether it would be settled now. Times are the
   * caller's to check.
   */
  check(transfer: SignedTransfer, payer?: SettlementPayer): Promise<TransferCheck>;
  /** Waits for the outcome for at most `timeoutMs`. */
  settle(
    transfer: SignedTransfer,
    wire: WirePayment,
    timeoutMs: number,
    payer?: SettlementPayer,
  ): Promise<SettlementOutcome>;
  /** What became of a transfer, by the token's own events: never by what somebody says. */
  find(authorization: TransferAuthorization, hint?: TransferHint): Promise<TransferTrace>;
  /** A `reference` that was paid is paid once, on chain too; asked for with other terms it is `unavailable`. */
  pay(transfer: OutgoingTransfer): Promise<OutgoingOutcome>;
  /** Those that became final after `afterId`, at most 50. Null: nobody knows, or there is no such account. */
  gasCosts(afterId: number): Promise<readonly GasCost[] | null>;
  /** Null: nobody knows, or there is no such account. */
  gas(): Promise<GasState | null>;
  /** Null: nobody knows. */
  readiness(): Promise<Readiness | null>;
  /** What lies at `payTo`, in units. Null: the chain could not be asked. */
  balance(): Promise<bigint | null>;
  /**
   * The transfers after a block; with a moment instead, none, and the last block before it. Transfers of nothing are
   * left out: anybody can make those. Null: the chain could not be asked, or has fewer blocks than that.
   */
  listTransfers(from: { afterBlock: number } | { sinceSeconds: number }): Promise<TransferPage | null>;
  /**
   * Whether `signature` over a text (EIP-191) or typed data (EIP-712) is the account's: ordinary, ERC-1271 or ERC-6492. The
   * chain is asked only where it is not of an ordinary account. Null: the chain could not be asked.
   */
  hasSigned(account: Hex, message: string | TypedMessage, signature: Hex): Promise<boolean | null>;
}
