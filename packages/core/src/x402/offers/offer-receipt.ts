import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { compactJws, signJws } from '../../kernel/crypto/jws.ts';
import { didKeyOf } from '../../kernel/documents/did-web.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { type EpochMs, SECOND_MS } from '../../kernel/time.ts';
import { requirementsV2, type Terms } from '../terms.rules.ts';

const VERSION = 1;
/** Of `accepts`: it has one entry. */
const ACCEPT_INDEX = 0;

type SigningPorts = Pick<Ports, 'signer'>;

/** The terms of a 402, signed: whoever was asked for a payment can show for what, until when it was asked. */
export async function signedOffer(
  ports: SigningPorts,
  terms: Terms,
  validUntil: EpochMs,
): Promise<JsonObject> {
  const { amount, asset, network, payTo, scheme } = requirementsV2(terms);
  const signature = await sign(ports, terms.realm, {
    amount,
    asset,
    network,
    payTo,
    resourceUrl: terms.resource,
    scheme,
    validUntil: Math.floor(validUntil / SECOND_MS),
    version: VERSION,
  });
  return { info: { offers: [{ acceptIndex: ACCEPT_INDEX, format: 'jws', signature }] }, schema: OFFERS };
}

/** A payment that was settled and answered. */
export interface ServedPayment {
  readonly payer: Hex;
  readonly transaction: Hex;
  /** The same whenever the answer is sent again, so that there is one receipt. */
  readonly servedAt: EpochMs;
}

/** That a payment was taken for the resource, and the resource was served. */
export async function signedReceipt(
  ports: SigningPorts,
  terms: Terms,
  { payer, transaction, servedAt }: ServedPayment,
): Promise<JsonObject> {
  const signature = await sign(ports, terms.realm, {
    issuedAt: Math.floor(servedAt / SECOND_MS),
    network: requirementsV2(terms).network,
    payer,
    resourceUrl: terms.resource,
    transaction,
    version: VERSION,
  });
  return { info: { receipt: { format: 'jws', signature } }, schema: RECEIPT };
}

async function sign({ signer }: SigningPorts, host: string, payload: JsonObject): Promise<string> {
  return compactJws(await signJws(signer, (keyId) => ({ kid: didKeyOf(host, keyId) }), payload));
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const SIGNED: JsonObject = {
  properties: {
    acceptIndex: { type: 'integer' },
    format: { type: 'string' },
    signature: { type: 'string' },
  },
  required: ['format', 'signature'],
  type: 'object',
};

const OFFERS: JsonObject = {
  $schema: DIALECT,
  properties: { offers: { items: SIGNED, type: 'array' } },
  required: ['offers'],
  type: 'object',
};

const RECEIPT: JsonObject = {
  $schema: DIALECT,
  properties: { receipt: SIGNED },
  required: ['receipt'],
  type: 'object',
};
