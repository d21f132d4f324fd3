import { z } from "zod";
import { startView } from "../../../domain/auth/sessions/view-portal.ts";
import { browserOf, welcome } from "../../auth/answers.ts";
import { viewToken } from "../../auth/fields.ts";
import { signInOutput } from "../../auth/outputs.ts";
import { Refusal } from "../../sites/actions/refusal.ts";
import { type PortalAction, publicAction } from "../action.ts";

const openView = publicAction({
  path: "POST /view",
  summary: "Opens a read-only view for staff by a link from the console.",
  roles: "anyone",
  input: z.strictObject({ token: viewToken }),
  output: signInOutput,
  handler: async (call) => {
    const opened = await startView(call.deps.auth, call.input.token, { browser: browserOf(call), before: call.session });
    if (opened.kind === "refused")
      return new Refusal("not_found", "This link has been used or has expired. Open it again from the console.");
    return welcome(opened);
  },
});

export const viewActions: readonly PortalAction[] = [openView];
