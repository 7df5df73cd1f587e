import { wideNetworkOf } from '../../kernel/operation/rate-key.ts';
import type { Log } from '../../kernel/ports/log.ts';
import type { RatePolicy } from '../../kernel/ports/rate-limiter.ts';

type OwnBinding = `RATE_${Uppercase<RatePolicy>}`;

/**
 * The counters that all isolates of one location share: of each class one for callers, and one for whole /48 networks with
 * ten times its limit. Their figures stand in the configuration files. A Worker has those of the operations that it serves.
 */
export type LocationBindings = { readonly [Name in OwnBinding | `${OwnBinding}_WIDE`]?: RateLimit };

/** Counts a request of `callerKey` in its location; false: over the limit. `counted` is what of the caller is counted. */
export type CountInLocation = (policy: RatePolicy, counted: string, callerKey: string) => Promise<boolean>;

/** A counter that does not answer refuses nobody: the isolate's own window still holds. */
export function createLocationLimits(bindings: LocationBindings, log: Log): CountInLocation {
  async function isWithin(binding: RateLimit | undefined, key: string): Promise<boolean> {
    if (binding === undefined) return true;
    try {
      return (await binding.limit({ key })).success;
    } catch (error) {
      log.error('rate_limit_unavailable', { message: String(error) });
      return true;
    }
  }

  return async (policy, counted, callerKey) => {
    const own: OwnBinding = `RATE_${policy.toUpperCase() as Uppercase<RatePolicy>}`;
    // In this order, what one network is refused does not count for its neighbours.
    if (!(await isWithin(bindings[own], `${counted} ${callerKey}`))) return false;
    const wide = wideNetworkOf(callerKey);
    return wide === null || isWithin(bindings[`${own}_WIDE`], `${counted} ${wide}`);
  };
}
