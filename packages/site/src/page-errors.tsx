import { MarketplaceError } from '@agent-marketplace/sdk';
import type { Child } from 'hono/jsx';
import { visibleText } from './format/text.ts';
import type { PageView } from './page.ts';

// What happened, and what to do next: no dead ends.

interface ErrorText {
  readonly status: number;
  readonly title: string;
  readonly happened: string;
  readonly next: Child;
  /** Code and request id of the API's refusal. */
  readonly reference?: { readonly code: string; readonly requestId: string | null };
}

function errorPage({ status, title, happened, next, reference }: ErrorText): PageView {
  return {
    title,
    description: happened,
    status,
    main: (
      <article class="notice-page">
        <p class="overline">{status}</p>
        <h1>{title}</h1>
        <p class="lead">{happened}</p>
        <h2>What to do next</h2>
        {next}
        {reference && (
          <p class="fine">
            The API calls this{' '}
            <a href={`/problems/${encodeURIComponent(reference.code)}`}>{reference.code}</a>
            {reference.requestId && (
              <>
                . When asking for help, name the request <code>{reference.requestId}</code>
              </>
            )}
            .
          </p>
        )}
      </article>
    ),
  };
}

const leadsOn = (
  <p>
    <a href="/listings">Browse the listings</a>, or begin at <a href="/">the front page</a>.
  </p>
);

export function notFound(what = 'There is no page at this address.'): PageView {
  return errorPage({
    status: 404,
    title: 'Nothing here',
    happened: `${what} The address may be mistyped, or what it led to is gone.`,
    next: leadsOn,
  });
}

export function methodUnknown(): PageView {
  return errorPage({
    status: 405,
    title: 'Not in this way',
    happened: 'This page can be read, but not written to.',
    next: leadsOn,
  });
}

export function tooLarge(): PageView {
  return errorPage({
    status: 413,
    title: 'Too much at once',
    happened: 'What was sent is larger than 1 MiB, and was not read.',
    next: <p>Go back and send less.</p>,
  });
}

export function foreignForm(): PageView {
  return errorPage({
    status: 403,
    title: 'Not sent from here',
    happened: 'The form was not sent from a page of this site, so nothing was done.',
    next: <p>Open the page here, and send it again.</p>,
  });
}

export function brokenPage(): PageView {
  return errorPage({
    status: 500,
    title: 'This page broke',
    happened: 'A fault of ours. It was recorded, and what the page shows is not affected.',
    next: (
      <p>
        Reload in a minute. If it stays, the same is to be had from <a href="/listings">the listings</a> or
        directly from the API.
      </p>
    ),
  });
}

function apiDown(reference?: ErrorText['reference']): PageView {
  return errorPage({
    status: 503,
    title: 'The marketplace does not answer',
    happened: 'This page asks the marketplace for what it shows, and got no answer just now.',
    next: (
      <p>
        Reload in a minute. Nothing was bought or charged by opening this page, and sales under way go on by
        themselves.
      </p>
    ),
    ...(reference ? { reference } : {}),
  });
}

/** The page for what the API refused, or null if it is no refusal. */
export function explainFailure(error: unknown): PageView | null {
  if (!(error instanceof MarketplaceError)) return null;
  const reference = error.problem.code ? { code: error.code, requestId: error.requestId } : undefined;
  const title = typeof error.problem.title === 'string' ? visibleText(error.problem.title) : 'Nothing here';
  switch (true) {
    case error.status === 404:
      return errorPage({
        status: 404,
        title: 'Nothing here',
        happened: title,
        next: leadsOn,
        ...(reference ? { reference } : {}),
      });
    case error.status === 429:
      return errorPage({
        status: 429,
        title: 'A moment, please',
        happened: 'Many pages were asked for from your address in a short time.',
        next: <p>Wait a minute, then reload.</p>,
        ...(reference ? { reference } : {}),
      });
    case error.status >= 400 && error.status < 500:
      return errorPage({
        status: error.status,
        title: 'The marketplace refused',
        happened: title,
        next: (
          <p>{typeof error.problem.detail === 'string' ? visibleText(error.problem.detail) : 'Go back.'}</p>
        ),
        ...(reference ? { reference } : {}),
      });
    default:
      return apiDown(reference);
  }
}
