import { BRAND } from './brand.ts';
import { sha256Hex } from './crypto/digest.ts';
import { utf8 } from './crypto/encoding.ts';
import type { Signer } from './crypto/signer.ts';
import { type DeliveryPurpose, deliverySignatureInput } from './delivery-purpose.ts';

/** A POST as its signature sees it. */
export interface PostInput {
  /** Exactly as registered. */
  readonly callbackUrl: string;
  /** ISO-8601 UTC with milliseconds. */
  readonly timestamp: string;
  /** Of the body, in lower-case hex. */
  readonly bodySha256: string;
}

/** The signed message in one line, as a header tells it; `\n` stands for a newline. */
const INPUT_NAMED = `POST\\n<callback URL>\\n<${BRAND.header.timestamp}>\\n<${BRAND.header.bodySha256}>`;

/** What the signature of every POST of the marketplace is over (clause: Events). */
export function signedPostInput({ callbackUrl, timestamp, bodySha256 }: PostInput): Uint8Array<ArrayBuffer> {
  return utf8(`POST\n${callbackUrl}\n${timestamp}\n${bodySha256}`);
}

/** The headers that prove who sent a body, when and to whom, and with `purpose` for which purchase. */
export async function signPost(
  signer: Pick<Signer, 'signBytes'>,
  post: Omit<PostInput, 'bodySha256'> & { readonly body: string | Uint8Array },
  purpose?: DeliveryPurpose,
): Promise<Record<string, string>> {
  const { header } = BRAND;
  const input = { ...post, bodySha256: await sha256Hex(post.body) };
  const { keyId, signature } = await signer.signBytes(signedPostInput(input));
  const headers = {
    [header.keyId]: keyId,
    [header.signature]: signature,
    [header.signatureAlg]: 'ed25519',
    [header.timestamp]: input.timestamp,
    [header.bodySha256]: input.bodySha256,
    [header.signatureInput]: INPUT_NAMED,
  };
  if (purpose === undefined) return headers;
  const second = await signer.signBytes(utf8(deliverySignatureInput(input, purpose)));
  return {
    ...headers,
    [header.sellerId]: purpose.sellerId,
    [header.purchaseId]: purpose.purchaseId,
    [header.redelivery]: String(purpose.redelivery),
    [header.deliverySignature]: second.signature,
  };
}
