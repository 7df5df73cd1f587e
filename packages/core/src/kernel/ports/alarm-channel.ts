import type { IsoTime } from '../time.ts';

/** What an operator is told: that a condition holds, or that it holds no more. */
export interface AlarmNotice {
  readonly code: string;
  readonly state: 'raised' | 'ended';
  readonly since: IsoTime;
  /** One sentence: what is wrong, and what to do. */
  readonly text: string;
}

/** Tells whoever operates the marketplace. Never throws; false: it was not taken, try again. */
export interface AlarmChannel {
  send(notice: AlarmNotice): Promise<boolean>;
}
