import { AGENT_KEY } from '../parts/agent-key.ts';
import { openSession, type Session, withApiKey } from '../parts/session.ts';

type Draw = (session: Session) => Promise<HTMLElement[]>;

/** Opens the view that the page names in `data-view`. */
export async function openView(views: Readonly<Record<string, () => Promise<Draw>>>): Promise<void> {
  const name = document.querySelector<HTMLElement>('[data-view]')?.dataset.view ?? '';
  const draw = await views[name]?.();
  if (draw) openSession(AGENT_KEY, withApiKey, draw);
}
