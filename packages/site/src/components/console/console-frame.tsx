import type { Child } from 'hono/jsx';
import type { StateKind } from '../../format/state-kind.ts';
import type { IconData } from '../../icons/icon-data.ts';
import { INTERFACE_ICONS } from '../../icons/interface-icons.data.ts';
import { Icon } from '../icon.tsx';
import { StateBadge } from '../sale/state-badge.tsx';

export interface ConsolePage {
  readonly href: string;
  readonly label: string;
  readonly icon: IconData;
  /** How many things wait there. */
  readonly waiting?: number;
}

interface ConsoleFrame {
  /** "Buyer's console". */
  readonly name: string;
  readonly pages: readonly ConsolePage[];
  /** The address of the page that is open. */
  readonly open: string;
  readonly children: Child;
}

const STATES: readonly StateKind[] = ['waiting', 'done', 'attention', 'failed'];

/**
 * The frame of a console: its pages at the left, whose key it is above. The page's script fills `#console-owner`
 * and shows `#forget-key`, which `openSession` of `browser/parts/session.ts` handles. The badges of states
 * lie ready for `stateBadge` of `browser/parts/console/templates.ts`.
 */
export function ConsoleFrame({ name, pages, open, children }: ConsoleFrame) {
  return (
    <div class="console">
      <div class="console-bar">
        <span class="console-whose">
          <Icon icon={INTERFACE_ICONS.key} />
          <span id="console-owner">No key is open in this tab.</span>
        </span>
        <button type="button" class="quiet" id="forget-key" hidden>
          Forget the key
        </button>
      </div>
      <nav class="console-nav" aria-label={name}>
        {pages.map(({ href, label, icon, waiting = 0 }) => (
          <a href={href} aria-current={href === open ? 'page' : undefined}>
            <Icon icon={icon} size={18} />
            {label}
            {waiting > 0 && (
              <span class="chip">
                {waiting}
                <span class="visually-hidden"> waiting</span>
              </span>
            )}
          </a>
        ))}
      </nav>
      <div class="console-main">{children}</div>
      <template id="states">
        {STATES.map((kind) => (
          <StateBadge kind={kind}>{kind}</StateBadge>
        ))}
      </template>
    </div>
  );
}
