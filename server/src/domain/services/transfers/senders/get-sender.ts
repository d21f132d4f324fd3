import { z } from "zod";
import { type Route, route } from "../../../client-api/route.ts";
import { mobileField } from "../../signed/fields.ts";
import { SERVICE, type TransfersContext } from "../context.ts";
import { recordReply, senderShape } from "../fields.ts";
import { senderNotFound } from "../refusals.ts";
import { done, senderFields } from "../views.ts";
import { findSender } from "./sender-store.ts";

export function getSender(ctx: TransfersContext): Route {
  return route({
    method: "GET",
    path: "/transfers/senders",
    service: SERVICE,
    kind: "plain",
    summary: "Returns a sender and the rest of this month's limit",
    input: z.object({ mobile: mobileField }),
    reply: recordReply({ sender: senderShape }),
    refusals: ["sender_not_found"],
    handle: async ({ account, input: { mobile } }) => {
      const sender = await findSender(ctx.sql, account.accountId, mobile);
      return sender ? done({ sender: await senderFields(ctx, account.accountId, sender) }) : senderNotFound();
    },
  });
}
