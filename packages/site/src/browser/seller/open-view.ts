import { AGENT_KEY } from '../parts/agent-key.ts';
import { type Desk, openDesk, withApiKey } from '../parts/desk.ts';

type Draw = (desk: Desk) => Promise<HTMLElement[]>;

/** Opens the view that the page names in `data-view`. */
export async function openView(views: Readonly<Record<string, () => Promise<Draw>>>): Promise<void> {
  const name = document.querySelector<HTMLElement>('[data-view]')?.dataset.view ?? '';
  const draw = await views[name]?.();
  if (draw) openDesk(AGENT_KEY, withApiKey, draw);
}
