/**
 * How a wait ended: `event`: there is a newer event, or something else to look at; `displaced`: the agent has newer waits,
 * as many as it may; `busy`: no more can wait here now.
 */
export type EventWait = 'event' | 'timed_out' | 'displaced' | 'busy' | 'unavailable';

/**
 * Where requests wait for an agent's next event, without asking the database meanwhile. What is lost with its memory is
 * told by the database when the wait is over. Never throws.
 */
export interface EventWaits {
  /** Until there is an event with a higher number than `after`, or the time is over. */
  wait(agentId: string, after: number, timeoutMs: number): Promise<EventWait>;
  /** The agent has an event with this number. Null: whoever waits is to look again, whatever there is. */
  wake(agentId: string, sequence: number | null): Promise<void>;
}
