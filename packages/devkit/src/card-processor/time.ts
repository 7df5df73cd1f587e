import { expireSession } from './endpoints/checkout-sessions.ts';
import { release } from './money.ts';
import { seconds, type World } from './world.ts';

const KEY_LIFETIME_MS = 24 * 3600 * 1000;

/** Lets happen what time alone brings about: pages close, reservations lapse, keys are forgotten. */
export function passTime(world: World): void {
  const now = seconds(world);
  const { state } = world;
  for (const session of Object.values(state.sessions)) {
    if (session.status === 'open' && session.expires_at <= now) expireSession(world, session);
  }
  for (const intent of Object.values(state.paymentIntents)) {
    const reserved = state.charges[intent.latest_charge ?? ''];
    const captureBefore = reserved?.payment_method_details.card.capture_before ?? 0;
    if (intent.status === 'requires_capture' && captureBefore <= now) release(world, intent, 'expired');
  }
  for (const [key, { keptAt }] of Object.entries(state.idempotency)) {
    if (keptAt + KEY_LIFETIME_MS <= world.now()) delete state.idempotency[key];
  }
}
