/** How alike two names are, from 0 to 100: the share of letter pairs they have in common, word order aside. */
export function nameMatchScore(one: string, other: string): number {
  const [first, second] = [pairsOf(one), pairsOf(other)];
  if (first.length === 0 || second.length === 0) return 0;
  const left = [...second];
  let common = 0;
  for (const pair of first) {
    const place = left.indexOf(pair);
    if (place < 0) continue;
    left.splice(place, 1);
    common++;
  }
  return Math.round((200 * common) / (first.length + second.length));
}

// A word begins with a pair of its own, so that single letters count too.
function pairsOf(name: string): readonly string[] {
  const words =
    name
      .normalize("NFKC")
      .toUpperCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.flatMap((word) => [...word].map((letter, place, letters) => `${letters[place - 1] ?? " "}${letter}`));
}
