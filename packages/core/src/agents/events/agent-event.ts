import type { agentEvents } from '../../db/tables/events.ts';
import type { JsonObject } from '../../kernel/json/json.ts';
import type { IsoTime } from '../../kernel/time.ts';

/** What a registered callbackUrl is told of. */
export type AgentEventType = (typeof agentEvents.$inferSelect)['type'];

/** An event whose next try has just begun. */
export interface TakenEvent {
  readonly id: string;
  readonly agentId: string;
  readonly type: AgentEventType;
  readonly data: JsonObject;
  readonly createdAt: IsoTime;
  /** This one counted. */
  readonly attempts: number;
  readonly callbackUrl: string | null;
}

/** How an agent's events stand, as its own record shows. */
export interface EventsSummary {
  readonly givenUp: number;
  readonly lastDeliveredAt: IsoTime | null;
  readonly lastGivenUp: {
    readonly createdAt: IsoTime;
    readonly givenUpAt: IsoTime;
    readonly id: string;
    readonly type: AgentEventType;
  } | null;
  readonly pending: number;
}

/** What a seller finds on its dashboard. */
export interface SellerNotification {
  readonly createdAt: IsoTime;
  readonly data: JsonObject;
  readonly id: string;
  readonly type: string;
}
