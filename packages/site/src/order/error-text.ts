import { MarketplaceError } from '@agent-marketplace/sdk';
import { waitText } from '../format/figures.ts';
import { visibleText } from '../format/text.ts';
import { forPeople } from './for-people.ts';
import { retryAfterSeconds } from './refusal-facts.ts';

const NO_ANSWER =
  'No good answer came, so it is not known whether this was done. Reload the page to see, before you try again.';

/** Whether the marketplace itself said what became of a request: otherwise it may have done it. */
export function isAnswered(error: unknown): error is MarketplaceError {
  if (!(error instanceof MarketplaceError) || error.status === 0) return false;
  const { code } = error.problem;
  return typeof code === 'string' && code !== 'internal_error';
}

/** What a refused action comes to: the API's own text, with the time to wait and what is known of the money. */
export function errorText(error: unknown): string {
  if (!isAnswered(error)) return NO_ANSWER;
  const { title, detail, errors, code } = error.problem;
  const waitSeconds = retryAfterSeconds(error);
  if (code === 'rate_limited')
    return `There were too many requests from you, so nothing was done and nothing was charged. Try again ${waitText(waitSeconds)}.`;
  const fields = Array.isArray(errors)
    ? errors.map((one) => {
        const { path, message } = one as { path?: unknown; message?: unknown };
        return `${path}: ${message}`;
      })
    : [];
  const status = [title, detail, ...fields].filter((text): text is string => typeof text === 'string');
  if (error.charged === false && !status.join(' ').includes('Nothing was charged'))
    status.push('Nothing was charged.');
  return visibleText(forPeople(status.join(' '), waitSeconds));
}
