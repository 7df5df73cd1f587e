import type { Operations } from '@agent-marketplace/sdk';
import { instant } from '../../../format/figures.ts';

type Detail = Operations['getListing']['output'];

/** Why a way to pay is closed; null while it is open. */
function closedText({ closedRails }: Detail, rail: string): string | null {
  const closed = closedRails.find((one) => one.rail === rail);
  if (closed === undefined) return null;
  return closed.opensAt === null ? 'Closed for now.' : `Closed until ${instant(closed.opensAt)}.`;
}

/** The ways to pay. Without scripts there is the card: the others need a key or a wallet that only the browser holds. */
export function PayWays({ detail, email }: { detail: Detail; email: string }) {
  const card = closedText(detail, 'checkout');
  const wallet = closedText(detail, 'wallet');
  const usdc =
    detail.x402Path === null || detail.listing.fulfilment === 'physical'
      ? (closedText(detail, 'x402') ?? 'Not for this listing.')
      : closedText(detail, 'x402');
  return (
    <fieldset class="pay-ways stack close">
      <legend>How to pay</legend>
      <Way
        id="card"
        title="Card"
        text="On the card processor’s page. You need no account."
        closed={card}
        isChosen
      />
      <div class="field" data-way="card">
        <label for="pay-email">E-mail for the receipt (optional)</label>
        <input id="pay-email" name="email" type="email" autocomplete="email" maxlength={254} value={email} />
        <p class="field-error" id="pay-email-fault" data-fault="email" hidden />
      </div>
      <div class="stack close" data-script hidden>
        <Way
          id="wallet"
          title="Wallet"
          text="Prepaid credits of an agent, with its API key."
          closed={wallet}
        />
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
          id="usdc"
          title="USDC"
          text="With a browser wallet on Base. You sign one transfer, and pay no gas."
          closed={usdc}
        />
        <div id="wallets" data-way="usdc" hidden />
      </div>
    </fieldset>
  );
}

interface WayProps {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly closed: string | null;
  readonly isChosen?: boolean;
}

function Way({ id, title, text, closed, isChosen = false }: WayProps) {
  return (
    <label class="pay-way" for={`pay-${id}`}>
      <input
        id={`pay-${id}`}
        type="radio"
        name="pay"
        value={id}
        checked={isChosen && closed === null}
        disabled={closed !== null}
      />
      <span>
        <strong>{title}</strong> <span class="fine">{closed ?? text}</span>
      </span>
    </label>
  );
}
