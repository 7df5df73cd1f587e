import { type MarketplaceClient, MarketplaceError, ProvenanceError } from '@agent-marketplace/sdk';
import { CliFailure } from './cli-failure.ts';
import { explainFailure } from './explain-failure.ts';
import type { Shell } from './shell.ts';

/** What is told if the answer to a request that may move money is lost. */
export interface LostAnswer {
  /** What may have happened, such as `$0.90 may be charged.` */
  readonly outcome: string;
  /** The command that shows what happened. */
  readonly look: string;
}

/** Codes of a connection that was never made: nothing was sent over it. */
const NOT_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];
/** Answers that come before the marketplace looks at what the request did. */
const NOT_LOOKED_AT = [429, 503];

/**
 * Sends a request that may move money, with the key of the agent.
 *
 * @throws CliFailure `unresolved` if a try of it may have arrived whose answer is not known, `untrusted` if its answer is not
 *   the marketplace's.
 */
export async function sendMoneyRequest<T>(
  shell: Shell,
  { outcome, look }: LostAnswer,
  send: (client: MarketplaceClient) => Promise<T>,
): Promise<T> {
  let mayHaveArrived = false;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    try {
      const response = await globalThis.fetch(input, init);
      // Read here: a body that is cut off is a lost answer as well.
      const body = await response.arrayBuffer();
      return new Response(body.byteLength === 0 ? null : body, response);
    } catch (error) {
      mayHaveArrived ||= !isNotConnected(error);
      throw error;
    }
  };
  try {
    return await send(shell.meOver(fetch));
  } catch (error) {
    const untrusted = error instanceof ProvenanceError ? explainFailure(error) : null;
    if (untrusted !== null) {
      const { exit, message, hint, facts } = untrusted;
      throw new CliFailure(exit, `${message.replace(/\.$/, '')}; ${outcome}`, {
        hint: `${hint}\nLook: ${look}`,
        facts: { ...facts, look },
      });
    }
    const reason = error instanceof MarketplaceError ? reasonOf(error, mayHaveArrived) : null;
    if (!(error instanceof MarketplaceError) || reason === null) throw error;
    const { code, retryable, requestId, idempotencyKey, problem } = error;
    throw new CliFailure('unresolved', `${reason}; ${outcome}`, {
      hint: `Look: ${look}`,
      facts: { code, charged: null, retryable, requestId, idempotencyKey, problem, look },
    });
  }
}

/** Null: the marketplace told what the request did, or none arrived. */
function reasonOf({ code, status }: MarketplaceError, mayHaveArrived: boolean): string | null {
  if (code === 'idempotency_in_flight') return 'An earlier try of this request is still at work';
  if (code === 'keys_unavailable') return 'The answer cannot be checked';
  const isCutOff = code === 'unexpected_response' && status >= 500;
  const isUnknown = code === 'network_error' || code === 'timed_out' || NOT_LOOKED_AT.includes(status);
  return isCutOff || (isUnknown && mayHaveArrived) ? 'The answer was lost' : null;
}

function isNotConnected(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: unknown } };
  return NOT_CONNECTED.includes(String(cause?.code));
}
