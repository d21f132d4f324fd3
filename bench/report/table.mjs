const HEADINGS = ["name", "figure", "against", "ratio", "at least", "aim", "verdict"];

/** @param {readonly { row: import("../rows.mjs").Row, figure: number, against: number, ratio: number, errors: number }[]} results */
export function table(results) {
  const lines = results.map(({ row, figure, against, ratio, errors }) => [
    row.name,
    perSecond(figure),
    `${perSecond(against)} ${row.against}`,
    times(ratio),
    row.atLeast === null ? "" : times(row.atLeast),
    row.aim === null ? "" : times(row.aim),
    verdict(row, ratio, errors),
  ]);
  const widths = HEADINGS.map((heading, at) => Math.max(heading.length, ...lines.map((line) => line[at].length)));
  return [HEADINGS, widths.map((width) => "-".repeat(width)), ...lines]
    .map((line) => line.map((cell, at) => cell.padEnd(widths[at])).join("  "))
    .join("\n");
}

function verdict(row, ratio, errors) {
  if (errors > 0) return `${errors} errors`;
  if (row.atLeast === null) return "to compare";
  if (ratio >= row.aim) return "aim reached";
  return ratio >= row.atLeast ? "minimum reached" : "below minimum";
}

function perSecond(figure) {
  return `${Math.round(figure).toLocaleString("en")}/s`;
}

function times(ratio) {
  return `${ratio.toFixed(2)}×`;
}
