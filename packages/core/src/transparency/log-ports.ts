import type { NoteSigner } from '@agent-marketplace/protocol/log/note.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import type { LogFiles, LogTree, Witness } from '../kernel/ports/transparency/transparency-log.ts';
import type { EpochMs } from '../kernel/time.ts';

/** A log that ended, and can go on no more. */
export interface FormerLog {
  readonly files: LogFiles;
  readonly origin: string;
  /** Names its successor; null: its key is not to be believed any more. */
  readonly signer: NoteSigner | null;
}

/** What the log needs from outside. */
export interface LogPorts extends Pick<Ports, 'market' | 'clock' | 'log'> {
  readonly tree: LogTree;
  readonly files: LogFiles;
  /** Each signs every checkpoint: one, or while a key is replaced two. Their keys have one name, the origin of the log. */
  readonly signers: readonly [NoteSigner, ...NoteSigner[]];
  readonly witnesses: readonly Witness[];
  readonly sinceStart: SinceStart;
  /** The logs that ended, the newest first: this one takes the place of the newest that published anything. */
  readonly formers: readonly FormerLog[];
}

/** What the object learned since it started. Never stored: one that was put back to an earlier state knows nothing of it. */
export interface SinceStart {
  /** Whether it has all leaves of the log before it. */
  hasBegun: boolean;
  /** Whether it was found to agree with what others know of the log. */
  isRunning: boolean;
  /** When the bucket was last found to hold what the object published; null: not yet. */
  comparedAt: EpochMs | null;
  /** Who was asked, by the ids of their keys. */
  readonly witnesses: Map<string, { readonly askedAt: EpochMs; readonly hasAnswered: boolean }>;
}

export const newSinceStart = (): SinceStart => ({
  hasBegun: false,
  isRunning: false,
  comparedAt: null,
  witnesses: new Map(),
});
