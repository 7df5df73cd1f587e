import type { Json, JsonObject } from '@agent-marketplace/protocol/json/json.ts';

export type TextFormat = 'date' | 'date-time' | 'email' | 'uri' | 'uuid';

/** How one member of a query is typed in. */
export type Control =
  | { readonly kind: 'text'; readonly format: TextFormat | null; readonly isLong: boolean }
  | { readonly kind: 'number' | 'integer' | 'boolean' }
  /** The value of an option is its place in the list. */
  | { readonly kind: 'choice'; readonly options: readonly Json[] }
  /** One item in each line. */
  | { readonly kind: 'list'; readonly item: 'text' | 'number' | 'integer' }
  | { readonly kind: 'group'; readonly fields: readonly QueryField[] }
  /** What no other control can hold: JSON as text; the type of it in words, where that says something. */
  | { readonly kind: 'json'; readonly type: string };

/** One member of a query, and how a person fills it in. */
export interface QueryField {
  /** The names that lead to it; none for a query that is one JSON text. */
  readonly path: readonly string[];
  /** The name of its form control. */
  readonly name: string;
  readonly label: string;
  /** What the seller says of it, and its bounds. */
  readonly description: string;
  readonly rules: string;
  readonly isRequired: boolean;
  /** Left empty, it is sent as `null`. */
  readonly isNullIfEmpty: boolean;
  readonly control: Control;
}

/** The form for the query of a listing. */
export interface QueryForm {
  readonly fields: readonly QueryField[];
  /** What is wanted of the query as a whole, in words. */
  readonly rules: string;
  readonly schema: JsonObject | null;
  /** A purchase without a query is answered too. */
  readonly isOptional: boolean;
}

/** Whether a form is one JSON text, which says nothing of what may be in it. */
export const isWholeQuery = ({ fields }: Pick<QueryForm, 'fields'>): boolean =>
  fields.length === 1 && fields[0]?.path.length === 0;
