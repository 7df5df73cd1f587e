/** A place in a list that is sorted by time and id: `<time>_<id>` of the last row seen. */
export interface Position {
  readonly createdAt: string;
  readonly id: string;
}

/** Sorts after every row: a page after it begins with the newest. */
export const NEWEST: Position = { createdAt: '~', id: '' };

/** Text that `positionOf` reads. */
export const CURSOR = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z_[0-9A-Za-z_-]{1,80}$/;

export function cursorOf({ createdAt, id }: Position): string {
  return `${createdAt}_${id}`;
}

/** Null: from the beginning. */
export function positionOf(cursor: string | undefined): Position | null {
  if (cursor === undefined) return null;
  const end = cursor.indexOf('_');
  return { createdAt: cursor.slice(0, end), id: cursor.slice(end + 1) };
}

/** One page and the next one's cursor. `rows` holds one row more than the page if there is a next page. */
export function pageOf<Row extends Position>(
  rows: readonly Row[],
  limit: number,
): { readonly rows: readonly Row[]; readonly nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: rows.length > limit && last ? cursorOf(last) : null };
}
