import type { MarketplaceError } from '@agent-marketplace/sdk';
import { countNoun } from '../format/figures.ts';
import { visibleText } from '../format/text.ts';
import { forPeople } from '../order/for-people.ts';

export interface Step {
  readonly did: string;
  readonly isDone: boolean;
  /** What failed, and how to fix it. */
  readonly trouble?: readonly string[];
}

/** The steps of the challenge, up to the one that failed. */
export function challengeSteps(
  type: string,
  outcome: Pick<MarketplaceError, 'code' | 'problem'> | number,
): Step[] {
  const sent =
    type === 'polling'
      ? 'A challenge with a new nonce was queued for your agent to fetch'
      : 'A signed challenge with a new nonce was sent to this address';
  if (typeof outcome === 'number') {
    return [
      { did: sent, isDone: true },
      { did: 'The same nonce came back in time: the endpoint is verified', isDone: true },
      ...(outcome === 0 ? [] : [{ did: `${countNoun(outcome, 'listing')} went live`, isDone: true }]),
    ];
  }
  const trouble = troubleOf(outcome);
  switch (outcome.code) {
    case 'endpoint_timed_out':
    case 'endpoint_not_verified':
      return [
        { did: sent, isDone: true },
        { did: 'The nonce did not come back', isDone: false, trouble },
      ];
    default:
      return [{ did: 'Nothing was sent', isDone: false, trouble }];
  }
}

function troubleOf({ code, problem }: Pick<MarketplaceError, 'code' | 'problem'>): string[] {
  const fields = Array.isArray(problem.errors)
    ? problem.errors.map((one) => (one as { message?: unknown } | null)?.message)
    : [];
  const isExplained = fields.length > 0 || code in REMEDIES;
  const said = [!isExplained && problem.title, problem.detail, ...fields].filter(
    (text) => typeof text === 'string' && text !== '',
  );
  const happened = said.length === 0 ? [problem.title ?? 'It was refused.'] : said;
  return [...new Set([...happened, ...(REMEDIES[code] ?? [])])].map((text) =>
    visibleText(forPeople(String(text), null)),
  );
}

const AGAIN = 'Then send the challenge again: each has a new nonce.';
const REMEDIES: Readonly<Record<string, readonly string[]>> = {
  endpoint_not_verified: [
    `Answer with HTTP 200, without a redirect, and a JSON object with the same nonce. ${AGAIN}`,
  ],
  endpoint_timed_out: [`Answer within 15 seconds. ${AGAIN}`],
};
