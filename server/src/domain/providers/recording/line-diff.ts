/** The lines of two texts with a mark each: same, only in the first, only in the second. */
export type DiffLine = { readonly mark: " " | "-" | "+"; readonly text: string };

const MOST_LINES = 2000;

/** What changed from the first to the second, by the longest common sequence of lines. */
export function lineDiff(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  if (before.length > MOST_LINES || after.length > MOST_LINES) return [...marked("-", before), ...marked("+", after)];
  const lengths = commonLengths(before, after);
  const lines: DiffLine[] = [];
  let [one, other] = [0, 0];
  while (one < before.length || other < after.length) {
    const [text = "", second = ""] = [before[one], after[other]];
    if (one < before.length && other < after.length && text === second) {
      lines.push({ mark: " ", text });
      one++;
      other++;
    } else if (one < before.length && (other === after.length || at(lengths, one + 1, other) >= at(lengths, one, other + 1))) {
      lines.push({ mark: "-", text });
      one++;
    } else {
      lines.push({ mark: "+", text: second });
      other++;
    }
  }
  return lines;
}

/** As text: what changed, with a few lines around it. */
export function diffText(before: readonly string[], after: readonly string[], context = 2): string {
  const lines = lineDiff(before, after);
  const isNear = (position: number) =>
    lines.slice(Math.max(0, position - context), position + context + 1).some(({ mark }) => mark !== " ");
  return lines.flatMap(({ mark, text }, position) => (isNear(position) ? [`${mark} ${text}`] : [])).join("\n");
}

function marked(mark: DiffLine["mark"], lines: readonly string[]): readonly DiffLine[] {
  return lines.map((text) => ({ mark, text }));
}

type Lengths = readonly (readonly number[])[];

function at(lengths: Lengths, one: number, other: number): number {
  return lengths[one]?.[other] ?? 0;
}

function commonLengths(before: readonly string[], after: readonly string[]): Lengths {
  const lengths = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  for (let one = before.length - 1; one >= 0; one--) {
    for (let other = after.length - 1; other >= 0; other--) {
      const row = lengths[one];
      if (row === undefined) continue;
      row[other] =
        before[one] === after[other]
          ? at(lengths, one + 1, other + 1) + 1
          : Math.max(at(lengths, one + 1, other), at(lengths, one, other + 1));
    }
  }
  return lengths;
}
