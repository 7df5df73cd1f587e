import type { Operations } from '@agent-marketplace/sdk';
import { addressOf, type Filters } from './filters.ts';

type Found = Operations['browseListings']['output'];
type Suggestion = NonNullable<Found['suggestions']>[number];

/** What to do about an empty page: go back to the first one, or follow a suggestion of the API. */
export function Nothing({ found, filters }: { found: Found; filters: Filters }) {
  if (found.total > 0) {
    return (
      <p>
        This page of the list is empty.{' '}
        <a href={addressOf(filters, { offset: null })}>Go to the first page</a>.
      </p>
    );
  }
  const links = found.suggestions ?? [];
  return (
    <>
      <p>No listing matches.{links.length > 0 && ' You can:'}</p>
      {links.length > 0 && (
        <ul>
          {links.map((suggestion) => (
            <li>
              <a href={hrefOf(filters, suggestion)}>{suggestion.text}</a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function hrefOf(filters: Filters, { leaveOut, set }: Suggestion): string {
  const removed = Object.fromEntries(leaveOut.map((name) => [name, null]));
  return addressOf(filters, { ...removed, ...set, offset: null });
}
