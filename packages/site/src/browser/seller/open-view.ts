import { MarketplaceError } from '@agent-marketplace/sdk';
import { AGENT_KEY } from '../parts/agent-key.ts';
import { element, emptyPlace } from '../parts/dom.ts';
import { openSession, type Session, withApiKey } from '../parts/session.ts';

type Draw = (session: Session) => Promise<HTMLElement[]>;

/** Opens the view that the page names in `data-view`. */
export async function openView(views: Readonly<Record<string, () => Promise<Draw>>>): Promise<void> {
  const name = document.querySelector<HTMLElement>('[data-view]')?.dataset.view ?? '';
  const draw = await views[name]?.();
  if (!draw) return;
  openSession(AGENT_KEY, withApiKey, async (session) => {
    try {
      return await draw(session);
    } catch (error) {
      // A good key: to take it for a wrong one would forget it, and it was shown only once.
      if (!(error instanceof MarketplaceError && error.code === 'not_a_seller')) throw error;
      const list = element('a', { class: 'button', href: '/seller/listings/new' }, 'List something');
      return [emptyPlace('This key sells nothing yet', 'With its first listing it becomes a seller.', list)];
    }
  });
}
