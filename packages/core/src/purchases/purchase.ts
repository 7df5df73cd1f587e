import type { ChargebackColumns, Dispute, Payment, Rail, SaleStatus } from '../escrow/index.ts';
import type { HealthAttestation } from '../health/index.ts';
import type { JsonObject } from '../kernel/json/json.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { SignedStatement } from '../provenance/index.ts';

/** What a purchase receipt says: who sold what to whom, and the digest of exactly what was delivered. */
export type PurchaseReceiptStatement = {
  readonly amountCents: number;
  /** The buyer's pseudonym; null if the purchase was made without a key. */
  readonly buyer: string | null;
  readonly contentDigest: string;
  readonly currency: 'usd';
  readonly deliveredAt: IsoTime;
  readonly feeScheduleVersion: number;
  readonly fingerprint: string;
  readonly listingId: string;
  readonly listingVersion: number;
  readonly platformFeeCents: number;
  readonly purchaseId: string;
  /** sha256 over the RFC 8785 form of the query. */
  readonly queryDigest: string;
  readonly rail: Rail;
  readonly sellerId: string;
  readonly type: 'purchase_receipt';
};

export type PurchaseReceipt = SignedStatement<PurchaseReceiptStatement>;

/** A purchase as it is recorded. What was delivered is not part of it: only its digest is kept. */
export interface Purchase {
  readonly id: string;
  readonly listingId: string;
  readonly listingVersion: number;
  readonly sellerId: string;
  readonly buyerId: string | null;
  readonly status: SaleStatus;
  readonly rail: Rail;
  readonly amountCents: number;
  readonly platformFeeCents: number;
  readonly feeScheduleVersion: number;
  readonly query: JsonObject | null;
  readonly email: string | null;
  readonly contentDigest: string | null;
  readonly deliveredAt: IsoTime | null;
  readonly receipt: PurchaseReceipt | null;
  /** What the buyer of personal health data signed for. */
  readonly healthAttestation: HealthAttestation | null;
  readonly createdAt: IsoTime;
}

/** The purchase that an attestation was signed for: it is made under this id. */
export interface AttestedPurchase {
  readonly purchaseId: string;
  readonly attestation: HealthAttestation;
}

/** A purchase as it is found, with how far its money got; free ones have no payment. */
export interface PurchaseOnRecord extends Purchase {
  readonly payment: Payment | null;
  /** Not there before there can be one: while a purchase is being made. */
  readonly dispute?: Omit<Dispute, 'purchaseId'> | null;
  readonly chargeback?: ChargebackColumns | null;
}

/** A purchase that is, or was to be, paid for. */
export interface PaidPurchase extends Purchase {
  readonly payment: Payment;
}
