import type { Signer } from '@agent-marketplace/protocol/crypto/signer.ts';
import { type StandardDocument, standardUrl } from '../../kernel/documents/standard-documents.ts';
import type { AnyOperation } from '../../kernel/operation/operation.ts';

/** A description of the interface for programs, derived from the operations. */
export interface PublicDocument {
  /** Below the API root. */
  readonly path: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** Whether it has the form of another standard, and is served outside the API root as well. */
  readonly standard?: StandardDocument;
  /** JSON documents are objects, and signed where they are served; the others are text. */
  build(operations: readonly AnyOperation[], baseUrl: string): object | string;
  /** Adds the signature that its standard has. */
  sign?(document: object, baseUrl: string, signer: Signer): Promise<object>;
}

/** The document as it is served, without its provenance. */
export async function buildDocument(
  { build, sign }: PublicDocument,
  operations: readonly AnyOperation[],
  baseUrl: string,
  signer: Signer,
): Promise<object | string> {
  const document = build(operations, baseUrl);
  return typeof document === 'object' && sign ? sign(document, baseUrl, signer) : document;
}

/** Where programs are to fetch it. */
export function documentUrl(baseUrl: string, { path, standard }: PublicDocument): string {
  return standard === undefined ? baseUrl + path : standardUrl(baseUrl, standard);
}
