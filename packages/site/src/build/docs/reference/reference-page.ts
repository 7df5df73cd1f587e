/** A page of the API reference, before it is framed. */
export interface ReferencePage {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly content: string;
  /** The entry of the navigation that it belongs to. */
  readonly area: string;
  readonly searchText: string;
}

export const REFERENCE_PATH = '/docs/api';
