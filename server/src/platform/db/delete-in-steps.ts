const ROWS_A_STEP = 1_000;
// The rest waits for the next run, so that a long pause or a shorter retention does not make one long run.
const MAX_STEPS = 50;

export type Deleted = { readonly rows: number /** False when rows are left for the next run. */; readonly complete: boolean };

/** Repeats a deletion of at most so many rows until none is left, in short transactions that lock little. */
export async function deleteInSteps(deleteSome: (rows: number) => Promise<number>): Promise<Deleted> {
  let rows = 0;
  for (let step = 0; step < MAX_STEPS; step++) {
    const count = await deleteSome(ROWS_A_STEP);
    rows += count;
    if (count < ROWS_A_STEP) return { rows, complete: true };
  }
  return { rows, complete: false };
}
