import type { AnyOperation } from '../../kernel/operation/operation.ts';

/** A description of the interface for programs, derived from the operations. */
export interface PublicDocument {
  /** Below the API root. */
  readonly path: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** JSON documents are objects, and signed where they are served; the others are text. */
  build(operations: readonly AnyOperation[], baseUrl: string): object | string;
}
