import type { Child } from 'hono/jsx';
import type { PageView } from '../page.ts';

interface Notice {
  readonly title: string;
  /** The title if left out. */
  readonly heading?: string;
  readonly description: string;
  readonly lead: Child;
  /** Of an error; without one the notice says what has just been done. */
  readonly status?: number;
  /** What the reader can do next, in paragraphs. */
  readonly next?: Child;
  readonly isPrivate?: boolean;
  /** What comes after the lead, or after what to do next. */
  readonly children?: Child;
}

/** A page that says one thing: what was done or why it was not, and what to do next. */
export function notice({
  title,
  heading = title,
  description,
  lead,
  status,
  next,
  isPrivate = true,
  children,
}: Notice): PageView {
  return {
    title,
    description,
    ...(status === undefined ? {} : { status }),
    ...(isPrivate ? { isPrivate } : {}),
    main: (
      <article class="notice-page">
        {status === undefined ? null : <p class="overline">{status}</p>}
        <h1>{heading}</h1>
        <p class="lead" role={status === undefined ? 'status' : undefined}>
          {lead}
        </p>
        {next === undefined ? null : (
          <>
            <h2>What to do next</h2>
            {next}
          </>
        )}
        {children}
      </article>
    ),
  };
}
