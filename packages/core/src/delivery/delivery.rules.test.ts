import { expect, test } from 'vitest';
import { DELIVERY_FAILURES, type DeliveryFailure, failed, isSellersFailure } from './delivery.rules.ts';

type Undelivered = Parameters<typeof isSellersFailure>[0];

/** Of every reason there is, whether it is the seller's doing. */
const BY_REASON: Readonly<Record<DeliveryFailure, boolean>> = {
  no_endpoint: true,
  url_refused: true,
  unreachable: true,
  redirected: true,
  bad_status: true,
  not_json: true,
  not_an_object: true,
  no_data: true,
  mcp_protocol_error: true,
  mcp_tool_error: true,
  mailbox_busy: false,
  mailbox_unavailable: false,
  relay_busy: false,
  number_not_exact: true,
  schema_mismatch: true,
};

const BY_KIND: Readonly<Record<Exclude<Undelivered['kind'], 'failed'>, boolean>> = {
  unavailable: false,
  integrity_mismatch: true,
  too_large: true,
  timed_out: true,
};

test.each(Object.keys(DELIVERY_FAILURES) as DeliveryFailure[])('%s', (reason) => {
  expect(isSellersFailure(failed(reason))).toBe(BY_REASON[reason]);
});

test.each(Object.entries(BY_KIND))('%s', (kind, isTheSellers) => {
  expect(isSellersFailure({ kind } as Undelivered)).toBe(isTheSellers);
});
