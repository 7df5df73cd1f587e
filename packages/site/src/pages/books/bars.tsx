import { count } from '../../format/figures.ts';

const WIDTH = 200;

/** Counts as bars. Each bar has its figure beside it, so that screen readers skip the chart. */
export function Bars({
  title,
  rows,
}: {
  title: string;
  rows: readonly { readonly label: string; readonly value: number }[];
}) {
  const most = Math.max(1, ...rows.map(({ value }) => value));
  return (
    <figure class="bars">
      <figcaption>{title}</figcaption>
      <dl>
        {rows.map(({ label, value }) => (
          <div>
            <dt>{label}</dt>
            <dd>
              <svg
                viewBox={`0 0 ${WIDTH} 10`}
                preserveAspectRatio="none"
                aria-hidden="true"
                focusable="false"
              >
                <rect width={String((value / most) * WIDTH)} height="10" />
              </svg>
              <span>{count(value)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </figure>
  );
}
