import * as z from 'zod';

/** Contracts count to 256 bits; a signature over more cannot even be made. */
const decimal = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,77})$/, 'A number as decimal digits.')
  .refine(
    (digits) => !/^\d{1,78}$/.test(digits) || BigInt(digits) >> 256n === 0n,
    'A number of at most 256 bits.',
  );
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, '0x and 40 hexadecimal digits.');

/** What both versions have around the payment; unknown members are the protocol's to add. */
export const envelope = z.looseObject({
  x402Version: z.int(),
  scheme: z.string().max(64).optional(),
  network: z.string().max(64).optional(),
  accepted: z
    .looseObject({
      scheme: z.string().max(64),
      network: z.string().max(64),
      amount: decimal,
      asset: z.string().max(128),
      payTo: z.string().max(128),
      extra: z.looseObject({ challenge: z.string().min(16).max(128).optional() }).nullish(),
    })
    .optional(),
  payload: z.looseObject({}),
  extensions: z.looseObject({}).nullish(),
});

/** Of an ordinary account 65 bytes; of a smart account with what deploys it some hundreds. */
const signature = z.string().regex(/^0x(?:[0-9a-fA-F]{2}){1,4096}$/, '0x and bytes in hexadecimal.');

const authorization = z.looseObject({
  from: address,
  to: address,
  value: decimal,
  validAfter: decimal,
  validBefore: decimal,
  nonce: z.string().regex(/^0x[0-9a-fA-F]{64}$/, '0x and 64 hexadecimal digits.'),
});

/** Of the scheme `exact` on EVM networks: EIP-3009. */
export const exactPayload = z.looseObject({ signature, authorization });

/** The same transfer as the scheme `Payment` has it. */
export const chargePayload = authorization.extend({ signature });

/** Of the scheme `Payment`: the challenge as it was given, and what answers it. */
export const mppCredential = z.looseObject({
  challenge: z.looseObject({
    id: z.string().max(128),
    realm: z.string().max(300),
    method: z.string().max(64),
    intent: z.string().max(64),
    request: z.string().max(2048),
    expires: z.string().max(64),
    digest: z.string().max(128).optional(),
    opaque: z.string().max(1024),
  }),
  payload: z.looseObject({ type: z.string().max(64) }),
  source: z.string().max(256).nullish(),
});

/** Of the extension `payment-identifier`; a client that echoes it without an id gives none. */
export const paymentIdentifier = z.looseObject({
  info: z
    .looseObject({
      id: z
        .string()
        .regex(/^[A-Za-z0-9_-]{16,128}$/, '16 to 128 letters, digits, hyphens and underscores.')
        .optional(),
    })
    .optional(),
});
