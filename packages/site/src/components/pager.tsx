import { count } from '../format/figures.ts';

export interface PageOfMany {
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
}

/** The reader's position in a list, with links to the pages before and after. */
export function Pager({ page, hrefAt }: { page: PageOfMany; hrefAt: (offset: number) => string }) {
  const { total, offset, limit } = page;
  if (offset === 0 && total <= limit) return null;
  const last = Math.min(offset + limit, total);
  return (
    <nav class="pager" aria-label="Pages of the list">
      <span class="soft">
        {offset < total
          ? `${count(offset + 1)} to ${count(last)} of ${count(total)}`
          : `None of ${count(total)}`}
      </span>
      <span class="actions">
        {offset > 0 && (
          <a rel="prev" href={hrefAt(Math.max(0, offset - limit))}>
            ← Previous
          </a>
        )}
        {last < total && (
          <a rel="next" href={hrefAt(offset + limit)}>
            Next →
          </a>
        )}
      </span>
    </nav>
  );
}
