import type { z } from "zod";

/** For tests: nothing that an action's output schema does not name may be sent. */
export function assertOutput(path: string, output: z.ZodType, result: unknown): void {
  const { error } = output.safeParse(JSON.parse(JSON.stringify(result)));
  if (error) throw new Error(`${path} sent a reply that its output schema does not describe: ${error.message}`);
}
