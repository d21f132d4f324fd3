/** Results show the API's own names: `order_id`, where the SDK says `orderId`. */
export function wireNames(value: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name.replace(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`), inner]),
  );
}

/** One field a line, for a person; what is not there is left out. */
export function fieldLines(fields: Readonly<Record<string, unknown>>): string {
  const shown = Object.entries(fields).filter(([, value]) => value !== null && value !== "" && value !== undefined);
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${typeof value === "string" ? value : JSON.stringify(value)}`).join("\n");
}
