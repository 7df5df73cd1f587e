import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import type { SignedTransfer, TransferAuthorization, WirePayment } from '../../../kernel/ports/chain.ts';
import type { IsoTime } from '../../../kernel/time.ts';

/** A payment in USDC as its payer sent it. */
export interface UsdcOffer {
  readonly transfer: SignedTransfer;
  readonly wire: WirePayment;
  /** Digest of the listing, the query and the signed authorisation: what makes a repetition the same. */
  readonly binding: string;
  /** sha256 over the RFC 8785 form of the query as it was sent. */
  readonly parametersDigest: string;
  /** Of the query as it was sent, too: what the query is stored under, so that the same request opens it. */
  readonly queryKey: string;
  /** An id that the payer gave it; the same id with another payment is a mistake. */
  readonly identifier: string | null;
  /** The network that it came from, as a keyed hash. */
  readonly network: string;
  /** Whether an earlier payment of the same account was settled. */
  readonly hasPaid: boolean;
  /** It pays for a tab, in whose queries it is spent. */
  readonly opensTab?: true;
}

/** What is written down of it. */
export type RecordedOffer = Omit<UsdcOffer, 'wire' | 'queryKey' | 'hasPaid'>;

/** A payment in USDC as it is recorded. */
export interface UsdcPayment {
  readonly purchaseId: string;
  readonly chainId: number;
  readonly authorization: TransferAuthorization;
  readonly binding: string;
  readonly paymentIdentifier: string | null;
  /** The network that it first came from, as a keyed hash; null: it was not recorded. */
  readonly network: string | null;
  /** What the seller delivered before settlement was asked for; null: it never was. */
  readonly contentDigest: string | null;
  readonly deliveredAt: IsoTime | null;
  /** Of the outputSchema that it was checked against. */
  readonly outputSchemaDigest: string | null;
  /** How long the seller took. */
  readonly latencyMs: number | null;
  /** Of the query as it was sent; null: paid before it was kept. */
  readonly parametersDigest: string | null;
  /** What was last said to settle it. */
  readonly transactionHash: Hex | null;
  /** What settled it, as the chain shows it. */
  readonly settledBy: Hex | null;
  /** False: its purchase ended unpaid, and the authorisation is free again. */
  readonly isLive: boolean;
}
