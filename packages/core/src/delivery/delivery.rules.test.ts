import { expect, test } from 'vitest';
import {
  countedAs,
  DELIVERY_FAILURES,
  type DeliveryFailure,
  failed,
  failedStatus,
} from './delivery.rules.ts';

type Undelivered = Parameters<typeof countedAs>[0];

/** Of every reason there is, what it counts as for the seller. */
const BY_REASON: Readonly<Record<DeliveryFailure, ReturnType<typeof countedAs>>> = {
  no_endpoint: 'failed',
  url_refused: 'failed',
  unreachable: 'failed',
  redirected: 'failed',
  bad_status: 'failed',
  query_refused: 'refused',
  call_refused: 'refused',
  gone: 'refused',
  not_json: 'failed',
  not_an_object: 'failed',
  no_data: 'failed',
  mcp_protocol_error: 'failed',
  mcp_tool_error: 'refused',
  mailbox_busy: null,
  mailbox_unavailable: null,
  relay_busy: null,
  number_not_exact: 'failed',
  schema_mismatch: 'failed',
  units_not_allowed: 'failed',
};

const BY_KIND: Readonly<Record<Exclude<Undelivered['kind'], 'failed'>, ReturnType<typeof countedAs>>> = {
  unavailable: null,
  integrity_mismatch: 'failed',
  too_large: 'failed',
  timed_out: 'failed',
};

test.each(Object.keys(DELIVERY_FAILURES) as DeliveryFailure[])('%s', (reason) => {
  expect(countedAs(failed(reason))).toBe(BY_REASON[reason]);
});

test.each(Object.entries(BY_KIND))('%s', (kind, counted) => {
  expect(countedAs({ kind } as Undelivered)).toBe(counted);
});

test.each([
  [400, 'refused', false],
  [401, 'refused', false],
  [408, 'refused', true],
  [422, 'refused', false],
  [429, 'refused', true],
  // Of a webhook it means that there is no such data; an MCP server has no address to be missing.
  [404, 'failed', false],
  [201, 'failed', false],
  [500, 'failed', true],
  [501, 'failed', false],
  [503, 'failed', true],
])('a reply with HTTP %i counts as %s; a retry may help: %s', (status, counted, retryable) => {
  const outcome = failedStatus(status);
  expect([countedAs(outcome), outcome.retryable]).toEqual([counted, retryable]);
});
