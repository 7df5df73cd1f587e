import type { Operations } from '../generated/api.ts';
import type { CallOptions } from './options.ts';

/** What tells where the next page begins: null at the end. A list of events has none, since it never ends. */
type PageEnd =
  | { readonly nextCursor: string | null }
  | { readonly nextAfter: string | number | null }
  | { readonly nextBefore: string | number | null }
  | { readonly limit: number; readonly offset: number; readonly total: number };

/** The operations that answer page by page. */
export type PagedOperation = {
  [Name in keyof Operations]: Operations[Name]['output'] extends PageEnd
    ? Operations[Name]['output'] extends { readonly nextAfter: number }
      ? never
      : Name
    : never;
}[keyof Operations];

/** The members of an answer that are lists. */
export type ListOf<Page> = {
  [Member in keyof Page & string]: Page[Member] extends readonly unknown[] ? Member : never;
}[keyof Page & string];

/** The fields of an input that say where a page begins. */
type Position = Readonly<Record<string, string | number>>;

/** Asks for one page after the other, each only when the one before was dealt with. */
export async function* readPages<Input extends object, Page extends object>(
  readPage: (input: Input, options?: CallOptions) => Promise<Page>,
  input: Input,
  options: CallOptions,
): AsyncGenerator<Page, void, undefined> {
  for (let position: Position | null = {}; position !== null; ) {
    const page: Page = await readPage({ ...input, ...position }, options);
    yield page;
    position = nextPosition(page as Record<string, unknown>);
  }
}

/** What each page has in one of its lists, one after the other. */
export async function* readItems<Item>(
  pages: AsyncGenerator<object, void, undefined>,
  list: string,
): AsyncGenerator<Item, void, undefined> {
  for await (const page of pages) yield* (page as Readonly<Record<string, readonly Item[]>>)[list] ?? [];
}

function nextPosition({ nextCursor, nextAfter, nextBefore, limit, offset, total }: Record<string, unknown>) {
  if (isPosition(nextCursor)) return { cursor: nextCursor };
  if (isPosition(nextAfter)) return { after: nextAfter };
  if (isPosition(nextBefore)) return { before: nextBefore };
  const nextOffset = Number(offset) + Number(limit);
  return nextOffset < Number(total) ? { offset: nextOffset } : null;
}

function isPosition(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
