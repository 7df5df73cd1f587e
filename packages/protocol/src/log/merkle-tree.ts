import { concatBytes } from '../json/raw-json.ts';

/** SHA-256, 32 bytes. */
export type Hash = Uint8Array;

/** The hash of the perfect subtree of 2^`height` leaves that starts at leaf `index` × 2^`height`. */
export type ReadNode = (height: number, index: number) => Promise<Hash>;

/** Consecutive leaves: the first, and the one after the last. */
export interface LeafRange {
  readonly start: number;
  readonly end: number;
}

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

async function sha256(...parts: readonly Uint8Array[]): Promise<Hash> {
  const bytes = concatBytes(parts) as Uint8Array<ArrayBuffer>;
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

/** RFC 6962 section 2.1: the hash of a leaf. */
export const leafHash = (entry: Uint8Array): Promise<Hash> => sha256(LEAF, entry);

/** RFC 6962 section 2.1: the hash of two subtrees side by side. */
export const nodeHash = (left: Hash, right: Hash): Promise<Hash> => sha256(NODE, left, right);

/** The root of the tree without leaves. */
export const emptyRoot = (): Promise<Hash> => sha256();

export function isSameHash(a: Hash, b: Hash): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

/** Sizes go beyond 32 bits, so shifts are divisions here. */
const half = (value: number) => Math.floor(value / 2);
const isOdd = (value: number) => value % 2 === 1;

/** The largest power of two below `size`, which is 2 at least: where RFC 6962 splits a tree. */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

/** The root over hashes of neighbouring subtrees of one height, of which only the last may be missing leaves. */
export async function rootOfHashes(hashes: readonly Hash[]): Promise<Hash> {
  const [first] = hashes;
  if (first === undefined) return emptyRoot();
  if (hashes.length === 1) return first;
  const split = splitOf(hashes.length);
  return nodeHash(await rootOfHashes(hashes.slice(0, split)), await rootOfHashes(hashes.slice(split)));
}

/**
 * The hash of a range that RFC 6962 makes a subtree of: it starts at a multiple of the power of two that covers it. Reads
 * one node for each bit of its length.
 */
export async function hashOfRange({ start, end }: LeafRange, readNode: ReadNode): Promise<Hash> {
  const nodes: Promise<Hash>[] = [];
  for (let at = start; at < end; ) {
    let height = 0;
    let width = 1;
    while (at + width * 2 <= end && (at - start) % (width * 2) === 0) {
      width *= 2;
      height += 1;
    }
    nodes.push(readNode(height, at / width));
    at += width;
  }
  return rootOfFrontier({ hashes: await Promise.all(nodes) });
}

/** The roots of the perfect subtrees that a tree consists of, the largest first: all that is needed to add leaves to it. */
export interface Frontier {
  /** Leaves. */
  readonly size: number;
  readonly hashes: readonly Hash[];
}

export const EMPTY_FRONTIER: Frontier = { size: 0, hashes: [] };

/** The tree with one more leaf. */
export async function appendLeaf({ size, hashes }: Frontier, leaf: Hash): Promise<Frontier> {
  const left = [...hashes];
  let right = leaf;
  for (let at = size; isOdd(at); at = half(at)) right = await nodeHash(left.pop() as Hash, right);
  return { size: size + 1, hashes: [...left, right] };
}

/** The root of the tree, from its perfect subtrees. */
export async function rootOfFrontier({ hashes }: Pick<Frontier, 'hashes'>): Promise<Hash> {
  const left = [...hashes];
  let root = left.pop();
  if (root === undefined) return emptyRoot();
  for (const hash of left.reverse()) root = await nodeHash(hash, root);
  return root;
}

/** RFC 6962 section 2.1.1: what the proof of a leaf consists of, from its sibling to the child of the root. */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  if (!Number.isSafeInteger(index) || !(index >= 0 && index < size)) throw new RangeError('no such leaf');
  const ranges: LeafRange[] = [];
  let start = 0;
  let end = size;
  while (end - start > 1) {
    const middle = start + splitOf(end - start);
    if (index < middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
    }
  }
  return ranges.reverse();
}

/** RFC 6962 section 2.1.2: what the proof consists of that a tree of `oldSize` leaves is the beginning of one of `size`. */
export function consistencyRanges(oldSize: number, size: number): LeafRange[] {
  if (!Number.isSafeInteger(oldSize) || !(oldSize >= 0 && oldSize <= size))
    throw new RangeError('no such tree');
  if (oldSize === 0 || oldSize === size) return [];
  const ranges: LeafRange[] = [];
  let start = 0;
  let end = size;
  while (end > oldSize) {
    const middle = start + splitOf(end - start);
    if (oldSize <= middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
    }
  }
  // The verifier knows the root of the old tree, where that is a subtree of the new one.
  if (start > 0) ranges.push({ start, end });
  return ranges.reverse();
}

/** RFC 9162 section 2.1.3.2: whether the proof leads from this leaf, at this place of a tree of `size`, to this root. */
export async function verifyInclusion(
  leaf: { readonly hash: Hash; readonly index: number },
  tree: { readonly size: number; readonly root: Hash },
  proof: readonly Hash[],
): Promise<boolean> {
  if (!Number.isSafeInteger(tree.size) || !Number.isSafeInteger(leaf.index)) return false;
  if (!(leaf.index >= 0 && leaf.index < tree.size)) return false;
  let index = leaf.index;
  let last = tree.size - 1;
  let hash = leaf.hash;
  for (const sibling of proof) {
    if (last === 0 || sibling.length !== 32) return false;
    if (isOdd(index) || index === last) {
      hash = await nodeHash(sibling, hash);
      while (!isOdd(index) && index > 0) {
        index = half(index);
        last = half(last);
      }
    } else {
      hash = await nodeHash(hash, sibling);
    }
    index = half(index);
    last = half(last);
  }
  return last === 0 && isSameHash(hash, tree.root);
}

/** RFC 9162 section 2.1.4.2: whether the proof shows that the old tree is the beginning of the new one. */
export async function verifyConsistency(
  old: { readonly size: number; readonly root: Hash },
  tree: { readonly size: number; readonly root: Hash },
  proof: readonly Hash[],
): Promise<boolean> {
  if (!Number.isSafeInteger(tree.size) || !Number.isSafeInteger(old.size)) return false;
  if (!(old.size >= 0 && old.size <= tree.size)) return false;
  if (old.size === tree.size) return proof.length === 0 && isSameHash(old.root, tree.root);
  if (old.size === 0) return proof.length === 0 && isSameHash(old.root, await emptyRoot());
  let index = old.size - 1;
  let last = tree.size - 1;
  while (isOdd(index)) {
    index = half(index);
    last = half(last);
  }
  // Where the old tree is one perfect subtree, its root begins the path.
  const path = index === 0 ? [old.root, ...proof] : [...proof];
  const first = path.shift();
  if (first === undefined) return false;
  let oldHash = first;
  let hash = first;
  for (const node of path) {
    if (last === 0 || node.length !== 32) return false;
    if (isOdd(index) || index === last) {
      oldHash = await nodeHash(node, oldHash);
      hash = await nodeHash(node, hash);
      while (!isOdd(index) && index > 0) {
        index = half(index);
        last = half(last);
      }
    } else {
      hash = await nodeHash(hash, node);
    }
    index = half(index);
    last = half(last);
  }
  return last === 0 && isSameHash(oldHash, old.root) && isSameHash(hash, tree.root);
}
