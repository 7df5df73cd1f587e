import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { AgentEventType } from '../../db/tables/events.ts';
import type { IsoTime } from '../../kernel/time.ts';

/** What a registered callbackUrl receives. */
export type { AgentEventType };

/** An event that was claimed for its next try. */
export interface ClaimedEvent {
  readonly id: string;
  readonly agentId: string;
  readonly type: AgentEventType;
  readonly data: JsonObject;
  readonly createdAt: IsoTime;
  /** This try included. */
  readonly attempts: number;
  readonly callbackUrl: string | null;
  /** Whether the callback acknowledged an event before. */
  readonly isConfirmed: boolean;
}

/** The state of an agent's events, as its own record shows it. */
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
