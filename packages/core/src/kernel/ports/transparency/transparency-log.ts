import type { LogProof } from '@agent-marketplace/protocol/log/log-proof.ts';
import type { Hash } from '@agent-marketplace/protocol/log/merkle-tree.ts';
import type { NoteKey } from '@agent-marketplace/protocol/log/note.ts';
import type { EpochMs } from '../../time.ts';

/** All leaves up to one, in one hash. */
export interface TreeHead {
  /** Leaves. */
  readonly size: number;
  readonly root: Hash;
}

/** A leaf to be: its bytes, their hash, and the digest of the statement that it is about. */
export interface NewLeaf {
  readonly entry: Uint8Array;
  readonly hash: Hash;
  readonly digest: string;
}

export interface TreeState {
  readonly head: TreeHead;
  /** The leaves at its end whose tiles are not known to be stored, in order. */
  readonly unwritten: readonly Uint8Array[];
  /** The ids of the keys that signed the checkpoint of this head which was published; null: none was. */
  readonly publishedBy: readonly string[] | null;
}

/** What the log remembers of its own growth. Each call is one transaction. */
export interface LogTree {
  read(): Promise<TreeState>;
  /** Those that are no leaves yet, in order, each once. */
  selectNew(leaves: readonly NewLeaf[]): Promise<readonly NewLeaf[]>;
  /** Adds leaves. False: the tree is not at `from` any more, and nothing was added. */
  append(from: TreeHead, to: TreeHead, leaves: readonly NewLeaf[]): Promise<boolean>;
  /** All tiles of the first `size` leaves are stored. */
  setWritten(size: number): Promise<void>;
  /** A checkpoint of `size` leaves, signed by these keys, is where everybody reads it. */
  setPublished(size: number, keyIds: readonly string[]): Promise<void>;
  /** The first leaf about the statement with this digest; null: there is none. */
  find(digest: string): Promise<number | null>;
  /** Of the leaves from `start` on, at most `count`. */
  readHashes(start: number, count: number): Promise<readonly Hash[]>;
  /** How many full tiles of leaves were compared with what the bucket holds, in this round. */
  readComparedTiles(): Promise<number>;
  setComparedTiles(count: number): Promise<void>;
  /** Null: the witness has never been asked. */
  readWitness(keyId: string): Promise<WitnessState | null>;
  setWitness(keyId: string, state: WitnessState): Promise<void>;
  readPruning(): Promise<PruningState>;
  setPruning(state: PruningState): Promise<void>;
}

/** How far partial tiles were deleted, and how far they may be once enough time has passed. */
export interface PruningState {
  /** No full tile of this tree has partial ones beside it any more. */
  readonly prunedSize: number;
  /** A size whose checkpoint was published at `markedAt`: nobody was shown a smaller one since. */
  readonly markedSize: number;
  readonly markedAt: EpochMs;
}

export interface WitnessState {
  /** Of the last checkpoint that it is known to have cosigned. */
  readonly size: number;
  /** When it last did; 0: never. */
  readonly cosignedAt: EpochMs;
  readonly askedAt: EpochMs;
  /** Of a tree that it cosigned and that this one does not lead to; null: it knows of none. */
  readonly disputedSize: number | null;
}

/** Where everybody reads the log: tiles and the checkpoint, by path. Each call rejects where the store cannot be reached. */
export interface LogFiles {
  /** Null: there is no such tile. */
  read(path: string): Promise<Uint8Array | null>;
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** The paths that begin so. */
  list(prefix: string): Promise<readonly string[]>;
  /** At most 1000 paths. */
  delete(paths: readonly string[]): Promise<void>;
  /** Null: none was ever published. */
  readCheckpoint(): Promise<{ readonly text: string; readonly version: string } | null>;
  /**
   * Publishes a checkpoint in place of the version that was read; null: where there was none. False: another one was
   * published meanwhile, and this one was not.
   */
  replaceCheckpoint(text: string, version: string | null): Promise<boolean>;
}

/** What a witness said to a checkpoint (c2sp.org/tlog-witness). */
export type WitnessReply =
  /** Lines of signatures. */
  | { readonly kind: 'cosigned'; readonly lines: string }
  /** The last one that it cosigned is of another size. */
  | { readonly kind: 'conflict'; readonly size: number }
  /** It cosigned a tree that does not lead to this one. */
  | { readonly kind: 'disputed' }
  | { readonly kind: 'failed'; readonly reason: string };

/** Somebody else's program that cosigns checkpoints which only grow. */
export interface Witness {
  readonly key: NoteKey;
  /** Never rejects. */
  addCheckpoint(request: string): Promise<WitnessReply>;
}

/** Proofs for whoever asks. */
export interface LogReader {
  /** Of the leaf about the statement with this digest, in the published tree; null: it is not there yet. */
  proofOf(digest: string): Promise<LogProof | null>;
}
