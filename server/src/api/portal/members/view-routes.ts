import { z } from "zod";
import { startView } from "../../../domain/auth/sessions/view-portal.ts";
import { browserOf, welcome } from "../../auth/answers.ts";
import { viewToken } from "../../auth/fields.ts";
import { publicRoute } from "../../sites/route.ts";
import type { PortalContext } from "../context.ts";
import { fault, type PortalRoute } from "../route.ts";
import type { Session } from "../session.ts";

export function viewRoutes(ctx: PortalContext): readonly PortalRoute[] {
  return [
    publicRoute<Session, { readonly token: string }>({
      method: "POST",
      path: "/view",
      does: "Opens a read-only view for staff by a link from the console",
      who: "anyone",
      input: z.strictObject({ token: viewToken }),
      handle: async (visit) => {
        const opened = await startView(ctx.auth, visit.input.token, { browser: browserOf(visit), before: visit.session });
        if (opened.kind === "refused") return fault("not_found", "This link has been used or has expired. Open it again from the console.");
        return welcome(opened);
      },
    }),
  ];
}
