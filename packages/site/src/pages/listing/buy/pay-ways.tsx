import type { Operations } from '@agent-marketplace/sdk';
import { instant } from '../../../format/figures.ts';

type Detail = Operations['getListing']['output'];

/** The ways to pay, with the rails behind them. */
const RAILS = { card: 'checkout', wallet: 'wallet', usdc: 'x402' } as const;

type WayId = keyof typeof RAILS;

const WAYS = Object.keys(RAILS) as readonly WayId[];

/** Why no wait opens it. */
const CLOSED: Readonly<Record<Detail['closedRails'][number]['reason'], string>> = {
  budget_spent: 'Closed for now.',
  cost_not_borne: 'Not for so small an amount: it costs more than the fee.',
  price_too_large: 'Not for so large an amount.',
  price_too_small: 'Not for so small an amount.',
  unavailable: 'Closed for now.',
};

const closureOf = ({ closedRails }: Detail, way: WayId) =>
  closedRails.find(({ rail }) => rail === RAILS[way]) ?? null;

/** Why a way to pay is closed; null while it is open. */
function closedText(detail: Detail, way: WayId): string | null {
  const closure = closureOf(detail, way);
  if (closure !== null) {
    if (closure.opensAt !== null) return `Closed until ${instant(closure.opensAt)}.`;
    return CLOSED[closure.reason];
  }
  const isSold = detail.x402Path !== null && detail.listing.fulfilment !== 'physical';
  return way === 'usdc' && !isSold ? 'Not for this listing.' : null;
}

/** Why a priced listing cannot be paid for now in any way; null while it can. */
export function paymentObstacle(detail: Detail): string | null {
  if (WAYS.some((way) => closedText(detail, way) === null)) return null;
  const [opensAt] = WAYS.flatMap((way) => closureOf(detail, way)?.opensAt ?? []).sort();
  const until = opensAt === undefined ? 'now' : `until ${instant(opensAt)}`;
  return `No way to pay is open for it ${until}. Nothing is charged.`;
}

/** The ways to pay. Without scripts there is the card: the others need a key or a wallet that only the browser holds. */
export function PayWays({ detail, email }: { detail: Detail; email: string }) {
  const chosen = WAYS.find((way) => closedText(detail, way) === null);
  const stateOf = (id: WayId) => ({ id, closed: closedText(detail, id), isChosen: id === chosen });
  return (
    <fieldset class="pay-ways stack close">
      <legend>How to pay</legend>
      <Way {...stateOf('card')} title="Card" text="On the card processor’s page. You need no account." />
      <div class="field" data-way="card">
        <label for="pay-email">E-mail for the receipt (optional)</label>
        <input id="pay-email" name="email" type="email" autocomplete="email" maxlength={254} value={email} />
        <p class="field-error" id="pay-email-fault" data-fault="email" hidden />
      </div>
      <div class="stack close" data-script hidden>
        <Way {...stateOf('wallet')} title="Wallet" text="Prepaid credits of an agent, with its API key." />
        <div class="field" data-way="wallet" hidden>
          <label for="pay-key">The agent’s API key</label>
          <input
            id="pay-key"
            type="password"
            autocomplete="off"
            spellcheck={false}
            aria-describedby="pay-key-help pay-key-fault"
          />
          <p class="fine" id="pay-key-help">
            It stays in this tab: it is sent to the API only, and deleted when you close the tab.
          </p>
          <p class="field-error" id="pay-key-fault" data-fault="key" hidden />
        </div>
        <p class="fine" data-way="wallet" id="key-kept" hidden>
          A key is kept in this tab.{' '}
          <button type="button" class="bare" id="forget-key">
            Forget it
          </button>
        </p>
        <Way
          {...stateOf('usdc')}
          title="USDC"
          text="With a browser wallet on Base. You sign one transfer, and pay no gas."
        />
        <div id="wallets" data-way="usdc" hidden />
      </div>
    </fieldset>
  );
}

interface WayProps {
  readonly id: WayId;
  readonly title: string;
  readonly text: string;
  readonly closed: string | null;
  readonly isChosen: boolean;
}

function Way({ id, title, text, closed, isChosen }: WayProps) {
  return (
    <label class="pay-way" for={`pay-${id}`}>
      <input
        id={`pay-${id}`}
        type="radio"
        name="pay"
        value={id}
        checked={isChosen}
        disabled={closed !== null}
      />
      <span>
        <strong>{title}</strong> <span class="fine">{closed ?? text}</span>
      </span>
    </label>
  );
}
