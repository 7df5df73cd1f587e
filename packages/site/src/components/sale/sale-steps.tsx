import type { Child } from 'hono/jsx';
import { Instant } from '../time.tsx';

export interface SaleStep {
  /** The step in a word: "Reserved". */
  readonly label: string;
  /** When it was or will be; null: not known yet. */
  readonly at: string | null;
  readonly standing: 'past' | 'now' | 'failed' | 'to come';
  /** What it means for the reader's money. */
  readonly note?: Child;
}

/** A sale from its reservation to the seller's payment, the same on buyers', sellers' and operators' pages. */
export function SaleSteps({ steps }: { steps: readonly SaleStep[] }) {
  return (
    <ol class="sale-steps">
      {steps.map(({ label, at, standing, note }) => (
        <li
          class={standing === 'to come' ? undefined : standing}
          aria-current={standing === 'now' ? 'step' : undefined}
        >
          <strong>{label}</strong>
          {at !== null && <Instant iso={at} />}
          {note && <span>{note}</span>}
          {standing !== 'now' && <span class="visually-hidden">({STANDINGS[standing]})</span>}
        </li>
      ))}
    </ol>
  );
}

const STANDINGS = { past: 'done', failed: 'failed', 'to come': 'still to come' } as const;
