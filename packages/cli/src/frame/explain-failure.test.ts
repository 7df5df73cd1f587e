import { MarketplaceError } from '@agent-marketplace/sdk';
import { expect, it } from 'vitest';
import { EXIT_CODES } from './exit-codes.data.ts';
import { explainFailure } from './explain-failure.ts';

it.each([
  ['idempotency_in_flight', 409, {}, 'unresolved'],
  ['purchase_in_progress', 409, {}, 'unresolved'],
  ['aborted', 0, {}, 'interrupted'],
  ['sold_out', 409, { charged: false }, 'not_bought'],
] as const)('%s', (code, status, problem, exit) => {
  const facts = { code, message: 'm', status, problem, retryable: true, idempotencyKey: 'order-7' };
  const failure = explainFailure(new MarketplaceError(facts));
  expect(failure?.exit).toBe(exit);
  expect(EXIT_CODES[exit].code).toBeGreaterThan(1);
  expect(failure?.facts).toMatchObject({ code, idempotencyKey: 'order-7' });
});

it('names the page where a person decides, whatever was bought', () => {
  const problem = { approvalUrl: 'https://market.example/approvals/1', charged: false };
  const facts = { code: 'approval_required' as const, message: 'm', status: 403, problem, retryable: true };
  const failure = explainFailure(new MarketplaceError({ ...facts, idempotencyKey: null }));
  expect(failure?.hint).toContain('A person decides here: https://market.example/approvals/1');
});
