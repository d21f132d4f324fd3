import { done, type Outcome } from "../outcome.ts";
import type { ClientContext } from "../run-command.ts";
import { createClient, type ProfileOption } from "./credentials.ts";
import { fieldLines, wireNames } from "./wire-names.ts";

export async function getComplaint(ctx: ClientContext, reference: string, options: ProfileOption): Promise<Outcome> {
  const complaint = wireNames(await (await createClient(ctx, options)).complaints.get(reference));
  return done(`The complaint ${complaint["complaint_ref"]} is ${complaint["status"]}.`, complaint, fieldLines(complaint));
}
