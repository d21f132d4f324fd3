/** Similarity of two names from 0 to 100: the share of common letter pairs, ignoring word order. */
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

// A pair marks the beginning of each word, so that single letters count too.
function pairsOf(name: string): readonly string[] {
  const words =
    name
      .normalize("NFKC")
      .toUpperCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.flatMap((word) => [...word].map((letter, place, letters) => `${letters[place - 1] ?? " "}${letter}`));
}
