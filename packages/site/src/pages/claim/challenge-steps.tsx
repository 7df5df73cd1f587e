import type { MarketplaceError } from '@agent-marketplace/sdk';
import { SellerText } from '../../components/text.tsx';
import { visibleText } from '../../format/text.ts';

export interface Step {
  readonly did: string;
  readonly isDone: boolean;
  /** What went wrong, and how to mend it. */
  readonly trouble?: string;
}

/** The challenge as it went, up to the step that failed. */
export function stepsOf(type: string, refusal: Pick<MarketplaceError, 'code' | 'problem'> | null): Step[] {
  const asked =
    type === 'polling'
      ? 'The challenge was laid out for the agent to fetch'
      : 'The challenge was sent, signed, with a fresh nonce';
  if (refusal === null) {
    return [
      { did: 'The address may be called', isDone: true },
      { did: asked, isDone: true },
      { did: 'The same nonce came back in time', isDone: true },
      { did: 'The endpoint is verified, and what waited for it alone is live', isDone: true },
    ];
  }
  const trouble = troubleOf(refusal);
  switch (refusal.code) {
    case 'endpoint_timed_out':
    case 'endpoint_not_verified':
      return [
        { did: 'The address may be called', isDone: true },
        { did: asked, isDone: true },
        { did: 'The same nonce should have come back within 15 seconds', isDone: false, trouble },
      ];
    default:
      return [{ did: 'The address was not called', isDone: false, trouble }];
  }
}

function troubleOf({ problem }: Pick<MarketplaceError, 'problem'>): string {
  const fields = Array.isArray(problem.errors)
    ? problem.errors.map((one) => (one as { message?: unknown }).message)
    : [];
  const said = [problem.detail, ...fields, problem.remedy].filter(
    (text): text is string => typeof text === 'string' && text !== '',
  );
  const title = typeof problem.title === 'string' ? problem.title : 'It was refused.';
  return visibleText(said.length === 0 ? title : [...new Set(said)].join(' '));
}

export function ChallengeSteps({
  url,
  type,
  refusal,
}: {
  url: string;
  type: string;
  refusal: MarketplaceError | null;
}) {
  return (
    <div class={refusal === null ? 'note' : 'note stop'} role="status">
      <p>
        {refusal === null ? 'It passed: ' : 'It did not pass: '}
        <SellerText text={url} />
      </p>
      <ol class="steps">
        {stepsOf(type, refusal).map(({ did, isDone, trouble }) => (
          <li>
            <span class="visually-hidden">{isDone ? 'Done: ' : 'Failed: '}</span>
            <span aria-hidden="true">{isDone ? '✓' : '✗'}</span> {did}
            {trouble && <p class="soft">{trouble}</p>}
          </li>
        ))}
      </ol>
    </div>
  );
}
