import { createHash } from "node:crypto";

// The Merkle tree of RFC 9162 (Certificate Transparency), section 2.1.1. The first byte tells leaves from inner nodes, so
// that an inner node cannot be presented as a leaf.
const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

export function leafHash(data: string | Buffer): Buffer {
  return createHash("sha256").update(LEAF).update(data).digest();
}

export type MerkleTree = {
  readonly add: (leaf: Buffer) => void;
  /** The root of the leaves so far. */
  readonly root: () => Buffer;
};

type Subtree = { readonly hash: Buffer; readonly leaves: number };

/** Builds a tree leaf by leaf and keeps one hash for each level only, however many leaves there are. */
export function createMerkleTree(): MerkleTree {
  // Complete subtrees, each at least twice as large as the next one.
  const subtrees: Subtree[] = [];
  return {
    add: (leaf) => {
      let right: Subtree = { hash: leaf, leaves: 1 };
      for (let left = subtrees.at(-1); left?.leaves === right.leaves; left = subtrees.at(-1)) {
        subtrees.pop();
        right = { hash: nodeHash(left.hash, right.hash), leaves: 2 * right.leaves };
      }
      subtrees.push(right);
    },
    root: () => {
      const last = subtrees.at(-1);
      if (!last) return createHash("sha256").digest();
      return subtrees.slice(0, -1).reduceRight((right, left) => nodeHash(left.hash, right), last.hash);
    },
  };
}

export function merkleRoot(leaves: readonly Buffer[]): Buffer {
  const tree = createMerkleTree();
  for (const leaf of leaves) tree.add(leaf);
  return tree.root();
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  return createHash("sha256").update(NODE).update(left).update(right).digest();
}
