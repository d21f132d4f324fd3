import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createMerkleTree, leafHash, merkleRoot } from "./merkle.ts";

const leaves = fc.array(
  fc.string({ maxLength: 20 }).map((text) => leafHash(text)),
  { maxLength: 70 },
);

/** The definition of RFC 9162, section 2.1.1, word for word. */
function definedRoot(hashes: readonly Buffer[]): Buffer {
  const [first] = hashes;
  if (first === undefined) return createHash("sha256").digest();
  if (hashes.length === 1) return first;
  let split = 1;
  while (split * 2 < hashes.length) split *= 2;
  const [left, right] = [definedRoot(hashes.slice(0, split)), definedRoot(hashes.slice(split))];
  return createHash("sha256").update(Buffer.of(1)).update(left).update(right).digest();
}

test("the root is the one that RFC 9162 defines, whatever the number of leaves", () => {
  fc.assert(fc.property(leaves, (hashes) => void expect(merkleRoot(hashes)).toEqual(definedRoot(hashes))));
});

test("the roots of the published test vectors of Certificate Transparency are reproduced", () => {
  // Inputs and roots of the reference implementation (google/certificate-transparency, merkle_tree_test.cc).
  const inputs = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
  const roots = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
  ];
  const tree = createMerkleTree();
  const built = inputs.map((input) => {
    tree.add(leafHash(Buffer.from(input, "hex")));
    return tree.root().toString("hex");
  });
  expect(built).toEqual(roots);
});

test("changing, removing, adding or swapping a leaf changes the root", () => {
  const distinct = fc.uniqueArray(fc.string({ maxLength: 20 }), { minLength: 2, maxLength: 40 });
  fc.assert(
    fc.property(distinct, fc.nat(), fc.nat(), (texts, one, other) => {
      const hashes = texts.map((text) => leafHash(text));
      const [place, second] = [one % hashes.length, other % hashes.length];
      const root = merkleRoot(hashes);
      const added = hashes.toSpliced(place, 0, leafHash("another leaf that is longer than any"));
      expect(merkleRoot(hashes.with(place, leafHash(`${texts[place]}'`)))).not.toEqual(root);
      expect(merkleRoot(hashes.toSpliced(place, 1))).not.toEqual(root);
      expect(merkleRoot(added)).not.toEqual(root);
      if (place === second) return;
      const swapped = hashes.with(place, hashes[second] ?? root).with(second, hashes[place] ?? root);
      expect(merkleRoot(swapped)).not.toEqual(root);
    }),
  );
});

test("an inner node cannot be passed off as a leaf", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      const [left, right] = [leafHash(one), leafHash(other)];
      expect(merkleRoot([leafHash(Buffer.concat([left, right]))])).not.toEqual(merkleRoot([left, right]));
    }),
  );
});
