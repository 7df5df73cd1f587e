import { MarketplaceError } from '@agent-marketplace/sdk';
import type { Child } from 'hono/jsx';
import { notice } from './components/notice.tsx';
import { waitText } from './format/figures.ts';
import { visibleText } from './format/text.ts';
import { forPeople } from './order/for-people.ts';
import { retryAfterSeconds } from './order/refusal-facts.ts';
import type { PageView } from './page.ts';

// Every error page says what happened and what to do next.

interface ErrorText {
  readonly status: number;
  readonly title: string;
  readonly cause: string;
  readonly next: Child;
  /** Code and request id of the API's refusal. */
  readonly reference?: { readonly code: string; readonly requestId: string | null };
}

function errorPage({ status, title, cause, next, reference }: ErrorText): PageView {
  return notice({
    title,
    description: cause,
    lead: cause,
    status,
    next,
    isPrivate: false,
    children: reference && (
      <p class="fine">
        Error code: <a href={`/problems/${encodeURIComponent(reference.code)}`}>{reference.code}</a>
        {reference.requestId && (
          <>
            . If you ask for help, give this request id: <code>{reference.requestId}</code>
          </>
        )}
        .
      </p>
    ),
  });
}

const homeLinks = (
  <p>
    <a href="/listings">Browse the listings</a>, or go to the <a href="/">home page</a>.
  </p>
);

export function notFoundPage(what = 'There is no page at this address.'): PageView {
  return errorPage({
    status: 404,
    title: 'Nothing here',
    cause: `${what} The address may be wrong, or the page was removed.`,
    next: homeLinks,
  });
}

export function methodNotAllowedPage(): PageView {
  return errorPage({
    status: 405,
    title: 'Method not allowed',
    cause: 'You can read this page, but not send a form to it.',
    next: homeLinks,
  });
}

export function tooLargePage(): PageView {
  return errorPage({
    status: 413,
    title: 'Too large',
    cause: 'You sent more than 1 MiB, so nothing was read.',
    next: <p>Go back and send less.</p>,
  });
}

export function foreignFormPage(): PageView {
  return errorPage({
    status: 403,
    title: 'Sent from another site',
    cause: 'The form came from another site, so nothing was done.',
    next: <p>Open the page here and send the form again.</p>,
  });
}

export function brokenPage(): PageView {
  return errorPage({
    status: 500,
    title: 'This page failed',
    cause: 'This is our fault. We have a record of it, and your data is not affected.',
    next: (
      <p>
        Reload in a minute. If it fails again, use <a href="/listings">the listings</a> or the API.
      </p>
    ),
  });
}

function apiDownPage(wait: string, reference?: ErrorText['reference']): PageView {
  return errorPage({
    status: 503,
    title: 'The marketplace does not answer',
    cause: 'This page got no answer from the marketplace.',
    next: (
      <p>
        Reload {wait}. Opening this page bought and charged nothing, and open sales continue by themselves.
      </p>
    ),
    ...(reference ? { reference } : {}),
  });
}

/** The page for a refusal of the API; null for other errors. */
export function explainFailure(error: unknown): PageView | null {
  if (!(error instanceof MarketplaceError)) return null;
  const reference = error.problem.code ? { code: error.code, requestId: error.requestId } : undefined;
  const title =
    typeof error.problem.title === 'string'
      ? visibleText(forPeople(error.problem.title, null))
      : 'Nothing here';
  switch (true) {
    case error.status === 404:
      return errorPage({
        status: 404,
        title: 'Nothing here',
        cause: title,
        next: homeLinks,
        ...(reference ? { reference } : {}),
      });
    case error.status === 429:
      return errorPage({
        status: 429,
        title: 'Too many requests',
        cause: 'There were many requests from your address in a short time, so this one was not looked at.',
        next: (
          <p>
            Nothing was done and nothing was charged. Try again {waitText(retryAfterSeconds(error))}: reload
            the page, and confirm it if your browser asks whether to send a form again.
          </p>
        ),
        ...(reference ? { reference } : {}),
      });
    case error.status >= 400 && error.status < 500:
      return errorPage({
        status: error.status,
        title: 'The marketplace refused',
        cause: title,
        next: (
          <p>
            {typeof error.problem.detail === 'string'
              ? visibleText(forPeople(error.problem.detail, retryAfterSeconds(error))) || 'Go back.'
              : 'Go back.'}
          </p>
        ),
        ...(reference ? { reference } : {}),
      });
    default:
      return apiDownPage(waitText(retryAfterSeconds(error)), reference);
  }
}
