import type { SignedStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { MeteredUnit } from '@agent-marketplace/protocol/metered-units.ts';
import type {
  chargebacks,
  disputes,
  operatorHolds,
  paidElsewhere,
  payments,
  shipments,
  transfers,
} from '../db/tables/sales.ts';
import type { HealthAttestation } from '../health/index.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { SaleStatus } from './sale-status.rules.ts';

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
  /** By then it is a leaf of the transparency log. Receipts of before the log lack it. */
  readonly logBy?: IsoTime;
  /**
   * sha256 over the RFC 8785 form of the outputSchema that the content was checked against; null: the listing has none.
   * Receipts of before the check lack it.
   */
  readonly outputSchemaDigest?: string | null;
  readonly platformFeeCents: number;
  readonly purchaseId: string;
  /** sha256 over the RFC 8785 form of the query. */
  readonly queryDigest: string;
  readonly rail: string;
  /** 128 random bits: the log shows the digest to everybody, and nobody finds by trying what it is of. Older receipts lack it. */
  readonly salt?: string;
  readonly sellerId: string;
  readonly type: 'purchase_receipt';
  /** Of what is priced by units, with the price of one and how many were used. */
  readonly unit?: MeteredUnit;
  readonly unitPriceMicros?: number;
  readonly units?: number;
};

export type PurchaseReceipt = SignedStatement<PurchaseReceiptStatement>;

/** How far a sale got with its money, and what has to be done next. */
export type Payment = Readonly<typeof payments.$inferSelect>;

/** Of a physical order: until when it must be shipped, and how it was. */
export type Shipment = Readonly<Omit<typeof shipments.$inferSelect, 'purchaseId'>>;

/** The seller's share on its way to it. */
export type Transfer = Readonly<Omit<typeof transfers.$inferSelect, 'purchaseId'>>;

/** What the platform paid by means of its own in place of a transfer or a refund. */
export type PaidElsewhere = Readonly<Omit<typeof paidElsewhere.$inferSelect, 'purchaseId'>>;

export type Dispute = Readonly<Omit<typeof disputes.$inferSelect, 'purchaseId'>>;
export type Decision = NonNullable<Dispute['decision']>;

/** The latest dispute of the cardholder with its bank, as the parties of a sale see it. */
export type SaleChargeback = Readonly<
  Pick<typeof chargebacks.$inferSelect, 'openedAt' | 'settledAt' | 'status'>
>;

/** What a purchase without a key asked for, as it is stored: whoever has no link of its page cannot read it. */
export interface SealedQuery {
  /** sha256 over the RFC 8785 form of the query, for the receipt. */
  readonly digest: string;
  readonly text: string;
}

/**
 * One sale of a listing, from its reservation to its end. What was delivered is not part of it: only its digest is
 * kept. What only its rail knows is in the rail's own table.
 */
export interface Sale {
  readonly id: string;
  readonly listingId: string;
  readonly listingVersion: number;
  readonly sellerId: string;
  /** Null: bought without a key. */
  readonly buyerId: string | null;
  readonly status: SaleStatus;
  /** The name of the rail that was asked for; `railOf` gives the rail itself. */
  readonly rail: string;
  readonly amountCents: number;
  readonly platformFeeCents: number;
  readonly feeScheduleVersion: number;
  /** Null as well while it is sealed: `openQuery` reads it. */
  readonly query: JsonObject | null;
  /** Null: bought with a key, or without a query. */
  readonly sealedQuery: SealedQuery | null;
  readonly email: string | null;
  readonly contentDigest: string | null;
  readonly deliveredAt: IsoTime | null;
  readonly receipt: PurchaseReceipt | null;
  /** What the buyer of personal health data signed for. */
  readonly healthAttestation: HealthAttestation | null;
  readonly createdAt: IsoTime;
  /** Of the buyer and the Idempotency-Key of its request; null: it sent none. */
  readonly idempotencyDigest: string | null;
  readonly payment: Payment;
  /** Null for what is not shipped. */
  readonly shipment: Shipment | null;
  /** Null before the seller's share was first sent on its way. */
  readonly transfer: Transfer | null;
  readonly dispute: Dispute | null;
  readonly chargeback: SaleChargeback | null;
  /** Null: the operator never held it. */
  readonly operatorHold: Readonly<Omit<typeof operatorHolds.$inferSelect, 'purchaseId'>> | null;
  /** Null: what was paid went through the rail. */
  readonly paidElsewhere: PaidElsewhere | null;
}

/** A sale as lists show it. */
export type SaleSummary = Omit<Sale, 'query' | 'sealedQuery' | 'email' | 'receipt' | 'healthAttestation'> & {
  readonly listingTitle: string;
};

/** The purchase that an attestation was signed for: it is made under this id. */
export interface AttestedPurchase {
  readonly purchaseId: string;
  readonly attestation: HealthAttestation;
}
