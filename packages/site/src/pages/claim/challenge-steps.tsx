import type { MarketplaceError, Operations } from '@agent-marketplace/sdk';
import { Code } from '../../components/code.tsx';
import { SellerText } from '../../components/text.tsx';
import { challengeSteps } from '../../selling/challenge-steps.ts';

/** The result of the challenge that this page sent. */
export interface Challenge {
  readonly url: string;
  readonly type: string;
  readonly outcome: Operations['claimEndpoint']['output'] | MarketplaceError;
}

export function ChallengeSteps({ challenge: { url, type, outcome } }: { challenge: Challenge }) {
  const hasPassed = !(outcome instanceof Error);
  return (
    <div class={hasPassed ? 'note' : 'note stop'} role="status">
      <p>
        {hasPassed ? 'It passed: ' : 'It did not pass: '}
        <SellerText text={url} />
      </p>
      <ol class="challenge">
        {challengeSteps(type, hasPassed ? outcome.activatedListings.length : outcome).map(
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
