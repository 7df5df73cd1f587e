import type { MarketplaceError, Operations } from '@agent-marketplace/sdk';
import { Code } from '../../components/code.tsx';
import { SellerText } from '../../components/text.tsx';
import { countNoun } from '../../format/figures.ts';
import { visibleText } from '../../format/text.ts';

/** The result of the challenge that this page sent. */
export interface Challenge {
  readonly url: string;
  readonly type: string;
  readonly outcome: Operations['claimEndpoint']['output'] | MarketplaceError;
}

export interface Step {
  readonly did: string;
  readonly isDone: boolean;
  /** What failed, and how to fix it. */
  readonly trouble?: readonly string[];
}

/** The steps of the challenge, up to the one that failed. */
export function stepsOf(type: string, outcome: Pick<MarketplaceError, 'code' | 'problem'> | number): Step[] {
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
  const said = [problem.detail, ...fields].filter((text) => typeof text === 'string' && text !== '');
  const happened = said.length === 0 ? [problem.title ?? 'It was refused.'] : said;
  return [...new Set([...happened, ...(REMEDIES[code] ?? [])])].map((text) => visibleText(String(text)));
}

const AGAIN = 'Then send the challenge again: each has a new nonce.';
const REMEDIES: Readonly<Record<string, readonly string[]>> = {
  endpoint_not_verified: [
    `Answer with HTTP 200, without a redirect, and a JSON object with the same nonce. ${AGAIN}`,
  ],
  endpoint_timed_out: [`Answer within 15 seconds. ${AGAIN}`],
};

export function ChallengeSteps({ challenge: { url, type, outcome } }: { challenge: Challenge }) {
  const hasPassed = !(outcome instanceof Error);
  return (
    <div class={hasPassed ? 'note' : 'note stop'} role="status">
      <p>
        {hasPassed ? 'It passed: ' : 'It did not pass: '}
        <SellerText text={url} />
      </p>
      <ol class="challenge">
        {stepsOf(type, hasPassed ? outcome.activatedListings.length : outcome).map(
          ({ did, isDone, trouble = [] }) => (
            <li>
              <span aria-hidden="true">{isDone ? '✓' : '✗'}</span>
              <div>
                <span class="visually-hidden">{isDone ? 'Done: ' : 'Failed: '}</span>
                {did}
                {trouble.map((text) => (
                  <p class="soft">{text}</p>
                ))}
              </div>
            </li>
          ),
        )}
      </ol>
    </div>
  );
}

/** The request and the answer, for developers of an endpoint. */
export function ChallengeOnTheWire() {
  return (
    <details class="half">
      <summary>The request, and the expected answer</summary>
      <div class="stack">
        <Code
          label="Sent as a signed POST, or as a call of the tool deliver on an MCP server"
          text={`{
  "type": "verification_challenge",
  "nonce": "<48 hexadecimal digits>",
  "issuedAt": "<time>",
  "instructions": "<text>"
}`}
        />
        <Code label="Expected within 15 seconds: HTTP 200" text={'{ "nonce": "<the same nonce>" }'} />
      </div>
    </details>
  );
}
