import { fromBase64, toBase64, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { signStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { SigningParty } from '@agent-marketplace/protocol/testing/signing-party.ts';
import { digestOf } from '../verify/verification.ts';
import type { PayingAccount, TransferToSign } from '../x402/index.ts';
import type { ReceivedCall, StubReply } from './stub-marketplace.ts';

export const LISTING = 'l-1';
export const PRICE_CENTS = 3;
export const CONTENT = { low: '04:12' };
export const TRANSACTION = `0x${'ab'.repeat(32)}`;
const ASSET = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
const PAY_TO = '0x00000000000000000000000000000000000000fe';
const SIGNED_AT = '2026-06-01T12:00:00.000Z';

/** Notes what it signed. */
export function recordingAccount(): PayingAccount & { readonly signed: TransferToSign[] } {
  const signed: TransferToSign[] = [];
  return {
    address: '0xAAaaAAaaAAaaAAaaAAaaAAaaAAaaAAaaAAaaAAaa',
    signed,
    async signTypedData(transfer) {
      signed.push(transfer);
      return `0x${'11'.repeat(65)}`;
    },
  };
}

/** A 402 as the marketplace has it, with what a bad one says instead; `v2: null` leaves the header out. */
export function challenge(
  v1: JsonObject = {},
  { v2 = {}, error = 'Payment required' }: { v2?: JsonObject | null; error?: string } = {},
): StubReply {
  const domain = { extra: { name: 'USD Coin', version: '2' }, maxTimeoutSeconds: 60, scheme: 'exact' };
  const one = {
    ...domain,
    asset: ASSET,
    maxAmountRequired: String(PRICE_CENTS * 10_000),
    network: 'base',
    payTo: PAY_TO,
    resource: `https://market.example/api/x402/listings/${LISTING}/query?harbour=Brest`,
    ...v1,
  };
  const two = {
    ...domain,
    amount: one.maxAmountRequired,
    asset: one.asset,
    extra: one.extra,
    maxTimeoutSeconds: one.maxTimeoutSeconds,
    network: 'eip155:8453',
    payTo: one.payTo,
    ...v2,
  };
  const required = {
    x402Version: 2,
    resource: { url: one.resource },
    accepts: [two],
    extensions: { 'payment-identifier': { info: { required: false }, schema: {} } },
  };
  const headers = { 'PAYMENT-REQUIRED': toBase64(utf8(JSON.stringify(required))) };
  return {
    status: 402,
    body: { accepts: [one], error, x402Version: 1 },
    ...(v2 === null ? {} : { headers }),
  };
}

/** A sale as the marketplace answers it, with what a bad one says instead. */
export async function sold(
  party: SigningParty,
  payer: string,
  {
    payment = {},
    statement = {},
    ...answer
  }: { [member: string]: unknown; payment?: object | null; statement?: object } = {},
): Promise<StubReply> {
  const shared = { amountCents: PRICE_CENTS, listingId: LISTING, listingVersion: 1, sellerId: 's-1' };
  const contentDigest = await digestOf(CONTENT);
  const said = { ...shared, contentDigest, purchaseId: 'p-1', type: 'purchase_receipt', ...statement };
  const paid = {
    amountUnits: String(PRICE_CENTS * 10_000),
    asset: ASSET,
    network: 'eip155:8453',
    payer: payer.toLowerCase(),
    transaction: TRANSACTION,
  };
  const body = {
    ...shared,
    content: CONTENT,
    contentDigest,
    contentMatchesReceipt: true,
    id: 'p-1',
    payment: payment && { ...paid, ...payment },
    receipt: await signStatement(party.signer, said, SIGNED_AT),
    ...answer,
  };
  return { body: body as unknown as JsonObject };
}

/** The payments that calls carried. */
export function paymentsIn(calls: readonly ReceivedCall[]): string[] {
  return calls.flatMap(({ headers }) => headers['payment-signature'] ?? headers['x-payment'] ?? []);
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into payments of every kind.
export function decoded(payment: string | undefined): any {
  return JSON.parse(new TextDecoder().decode(fromBase64(payment ?? '') ?? undefined));
}
