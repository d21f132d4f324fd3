import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { action } from "./action.ts";
import { createPortalFixture, type PortalFixture } from "./testing/fixture.ts";

let portal: PortalFixture;
beforeAll(async () => {
  portal = await createPortalFixture({ actions: [rename], change: { inCell: () => portal.ctx } });
});
afterAll(() => portal.close());

const rename = action({
  path: "POST /rename",
  summary: "Changes the account in its cell, while another command may move it.",
  roles: ["owner"],
  input: z.object({ moved: z.boolean() }),
  output: z.object({ name: z.string() }),
  handler: async ({ deps, session, input }) => {
    await deps.sql`update accounts set name = 'New' where account_id = ${session.accountId}`;
    if (input.moved) await deps.sql`insert into wallets (account_id, moved_to) values (${session.accountId}, 1)`;
    return { name: "New" };
  },
});

test("a member's change is not confirmed when the account left its cell meanwhile", async () => {
  const { accountId } = await portal.newAccount();
  const owner = portal.as("owner", accountId);
  expect(await owner.post("/rename", { moved: false })).toMatchObject({ status: 200, body: { name: "New" } });
  expect(await owner.post("/rename", { moved: true })).toMatchObject({ status: 503, body: { error: "busy" } });
});
