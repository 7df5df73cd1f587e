import type { NoteSigner } from '@agent-marketplace/protocol/log/note.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import type { LogFiles, LogTree, Witness } from '../kernel/ports/transparency/transparency-log.ts';

/** What the log needs from outside. */
export interface LogPorts extends Pick<Ports, 'market' | 'clock' | 'log'> {
  readonly tree: LogTree;
  readonly files: LogFiles;
  /** Each signs every checkpoint: one, or while a key is replaced two. Their keys have one name, the origin of the log. */
  readonly signers: readonly [NoteSigner, ...NoteSigner[]];
  readonly witnesses: readonly Witness[];
}
