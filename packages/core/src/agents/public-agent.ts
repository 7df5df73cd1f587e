import type { IsoTime } from '../kernel/time.ts';

/** An agent as everyone may see it. The private name and e-mail address are not part of it. */
export interface PublicAgent {
  readonly id: string;
  readonly handle: string;
  readonly displayName: string | null;
  readonly isSeller: boolean;
  readonly createdAt: IsoTime;
}
