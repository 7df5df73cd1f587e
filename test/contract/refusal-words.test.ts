import { commonErrors } from '@agent-marketplace/core/kernel/errors.ts';
import { purchaseListing } from '@agent-marketplace/core/purchases/purchase-listing.ts';
import { queryListing } from '@agent-marketplace/core/x402/queries/query-listing.ts';
import { refusalWords, UNRESOLVED_CODES } from '@agent-marketplace/site/order/refusal-words.ts';
import { describe, expect, test } from 'vitest';

// What people read who buy in the page of a listing, for each error that may answer them.

const errors = [...purchaseListing.errors, ...queryListing.errors, ...Object.values(commonErrors)];
const byCode = [...new Map(errors.map((one) => [one.code, one])).values()];
/** Names of fields and headers, routes, marks of code. */
const PROGRAMS = /`|Retry-After|\b(?:GET|POST|PATCH|DELETE)\b|\p{Ll}\p{Lu}|\w_\w|\{wait\}/u;

describe('each refusal of a purchase has words for people', () => {
  test.each(byCode)('$code', ({ code, kind, title, remedy, retryable }) => {
    const facts = { code, title, detail: remedy, charged: null, approvalUrl: null, retryAfterSeconds: 180 };
    const { what, money, next } = refusalWords(facts, false);
    expect(`${what} ${next}`).not.toMatch(PROGRAMS);
    expect(
      [what, next].every((text) => /^\p{Lu}.*[.?]$/u.test(text)),
      `${what} ${next}`,
    ).toBe(true);
    // When, where waiting helps, and what became of the money.
    if (kind === 'rate_limited' && retryable) expect(next).toContain('in 3 minutes');
    if (UNRESOLVED_CODES.includes(code)) expect(money).toMatch(/not known yet|once at most/);
    else expect(money).toMatch(/Nothing was charged\.|charged once at most/);
    expect(refusalWords(facts, true).money).toMatch(/free|once at most/);
  });
});
