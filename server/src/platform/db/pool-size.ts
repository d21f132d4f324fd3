/**
 * How many connections each of several processes has. Two have as many as one alone would, because one can be busy while the
 * other is not; more share twice that number, so that PostgreSQL's limit is not reached on machines with many cores.
 */
export function poolSize({ alone, least }: { readonly alone: number; readonly least: number }, processes: number): number {
  return Math.min(alone, Math.max(least, Math.ceil((2 * alone) / processes)));
}
