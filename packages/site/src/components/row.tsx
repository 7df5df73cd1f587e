import type { Child } from 'hono/jsx';

interface Row {
  readonly href: string;
  readonly title: Child;
  /** The title is of something for sale. */
  readonly isForSale?: boolean;
  readonly line?: Child;
  /** Short facts on the last line, each an element. */
  readonly facts?: readonly Child[];
  /** 40 pixels wide. */
  readonly icon: Child;
  /** At the right, aligned with those of other rows. */
  readonly price?: string;
  readonly end?: Child;
}

/** A list of which each row leads somewhere. Arrow keys walk it where the page has the script `search`. */
export function Rows({ rows }: { rows: readonly Row[] }) {
  return (
    <ul class="rows">
      {rows.map(({ href, title, isForSale = false, line, facts = [], icon, price, end }) => (
        <li class="row">
          {icon}
          <div class="row-what">
            <h3 class={isForSale ? 'row-title for-sale' : 'row-title'}>
              <a href={href}>{title}</a>
            </h3>
            {line && <p class="row-line">{line}</p>}
            {facts.length > 0 && (
              <p class="row-facts">
                {facts.map((fact) => (
                  <span>{fact}</span>
                ))}
              </p>
            )}
          </div>
          <div class="row-end">
            {price && <span class="row-price">{price}</span>}
            {end}
          </div>
        </li>
      ))}
    </ul>
  );
}
