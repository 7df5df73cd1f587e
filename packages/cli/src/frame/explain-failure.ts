import {
  MarketplaceError,
  PaymentRefusedError,
  PaymentUnresolvedError,
  ProvenanceError,
  TooExpensiveError,
  UnacceptableTermsError,
  WrongAnswerError,
} from '@agent-marketplace/sdk';
import { plainLine } from '../output/plain-text.ts';
import { CliFailure } from './cli-failure.ts';
import type { ExitName } from './exit-codes.data.ts';
import { nameCommands } from './name-commands.ts';

const EXIT_OF_CODE: Readonly<Record<string, ExitName>> = {
  network_error: 'unreachable',
  timed_out: 'unreachable',
  aborted: 'interrupted',
  keys_unavailable: 'unreachable',
  unexpected_response: 'unreachable',
  approval_required: 'approval',
  price_above_max: 'price',
  budget_exceeded: 'not_bought',
  own_listing: 'refused',
  validation_failed: 'refused',
  query_not_accepted: 'refused',
  query_required: 'refused',
  attestation_required: 'refused',
  idempotency_key_reused: 'refused',
};

/** Codes after which money may have moved. */
const UNRESOLVED = [
  'settlement_pending',
  'idempotency_in_flight',
  'payment_in_progress',
  'purchase_in_progress',
  'paid_not_delivered',
];

/**
 * What a failure means to a person and to a script; null: a fault of this program.
 *
 * @param nameField what the person knows a field of the API as.
 */
export function explainFailure(
  error: unknown,
  nameField: (path: string) => string = (path) => path,
): CliFailure | null {
  if (error instanceof CliFailure) return error;
  if (error instanceof MarketplaceError) return ofMarketplace(error, nameField);
  if (error instanceof ProvenanceError) {
    return new CliFailure(
      'untrusted',
      'The answer is not signed by the marketplace, or was changed on its way.',
      {
        hint: `It is not shown. Reason: ${error.reason}.`,
        facts: { code: error.reason, idempotencyKey: error.idempotencyKey },
      },
    );
  }
  return ofPayment(error);
}

function ofMarketplace(error: MarketplaceError, nameField: (path: string) => string): CliFailure {
  const { code, retryable, requestId, idempotencyKey, problem, status } = error;
  // While another request is at work, only what it charged would count.
  const charged = code === 'idempotency_in_flight' ? null : error.charged;
  const facts = { code, charged, retryable, requestId, idempotencyKey, problem };
  if (code === 'unexpected_response' || code === 'keys_unavailable') {
    return new CliFailure('unreachable', 'What answers there is not a marketplace.', {
      hint: 'Check the address: it is the API root and ends in /api (--url, AGENT_MARKET_URL or the profile).',
      facts,
    });
  }
  if (code === 'not_a_seller') {
    return new CliFailure('key', 'This key is no seller’s. It sells nothing yet.', {
      hint: 'It becomes one with its first listing: agent-market sell, or agent-market listings create.',
      facts,
    });
  }
  const fields = error.fields.map(({ path, message }) => `${nameField(path)}: ${textOf(message)}`);
  const { approvalUrl } = problem;
  const hints = [
    ...(code === 'network_error' ? [`Check the address and your connection${socketCode(error)}.`] : []),
    ...fields,
    ...(typeof approvalUrl === 'string' ? [`A person decides here: ${plainLine(approvalUrl)}`] : []),
    ...(charged === false ? ['Nothing was charged.'] : []),
    ...(charged === true ? ['It was charged.'] : []),
    ...(requestId === null ? [] : [`Request: ${requestId}`]),
  ];
  const isOfFields = code === 'validation_failed' && fields.length > 0;
  const message = isOfFields ? `${problem.title} Correct these fields:` : error.message;
  const exit =
    isOfFields && error.fields.every(({ path }) => IS_ID.test(path))
      ? 'not_found'
      : exitOf(code, status, charged);
  return new CliFailure(exit, textOf(message), { hint: hints.join('\n'), facts });
}

/** The name on the wire of an id. What is no id names nothing that exists. */
const IS_ID = /^(id|\w+Id|\w+_id)$/;

const textOf = (text: string) => nameCommands(plainLine(text));

/** As the socket told it, such as ECONNREFUSED: below the error of `fetch`. */
function socketCode({ cause }: Error): string {
  const { cause: below } = (cause ?? {}) as { cause?: { code?: unknown } };
  return typeof below?.code === 'string' ? ` (${below.code})` : '';
}

function exitOf(code: string, status: number, charged: boolean | null): ExitName {
  const known = EXIT_OF_CODE[code];
  if (known !== undefined) return known;
  if (charged === true || UNRESOLVED.includes(code)) return 'unresolved';
  if (status === 401) return 'key';
  if (/^(scope_missing|key_is_bounded|agent_suspended|not_the_owner)$/.test(code)) return 'key';
  if (/^not_(\w+_owner|offer_party)$/.test(code)) return 'not_found';
  if (status === 404 || status === 410) return 'not_found';
  if (status === 429 || status === 503) return 'try_later';
  if (charged === false) return 'not_bought';
  return 'refused';
}

function ofPayment(error: unknown): CliFailure | null {
  if (error instanceof TooExpensiveError) {
    return new CliFailure('price', error.message, { facts: { code: 'price_above_max', charged: false } });
  }
  if (error instanceof UnacceptableTermsError) {
    return new CliFailure('refused', `${error.message} Nothing was signed.`, {
      facts: { code: error.fault, charged: false },
    });
  }
  if (error instanceof PaymentRefusedError) {
    const { reason, charged } = error;
    const hint = charged === false ? 'Nothing was charged.' : 'It may have been charged before.';
    return new CliFailure(charged === false ? 'not_bought' : 'unresolved', error.message, {
      hint,
      facts: { code: reason, charged },
    });
  }
  if (error instanceof PaymentUnresolvedError || error instanceof WrongAnswerError) {
    return new CliFailure('unresolved', error.message, {
      facts: { code: error instanceof WrongAnswerError ? error.reason : 'payment_unresolved', charged: null },
    });
  }
  return null;
}
