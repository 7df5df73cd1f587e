import * as z from 'zod';

const base64Url = (maxLength: number) =>
  z
    .string()
    .regex(/^[\w-]+$/)
    .max(maxLength);

const answer = { id: base64Url(1400), rawId: base64Url(1400), type: z.literal('public-key') };
const clientDataJSON = base64Url(8192);

/** What navigator.credentials.create() gives, as JSON with base64url. */
export const newPasskey = z.object({
  ...answer,
  response: z.object({ attestationObject: base64Url(16_384), clientDataJSON }),
});

/** The same of navigator.credentials.get(). */
export const passkeyAnswer = z.object({
  ...answer,
  response: z.object({
    authenticatorData: base64Url(4096),
    clientDataJSON,
    signature: base64Url(4096),
    userHandle: base64Url(256).optional(),
  }),
});
