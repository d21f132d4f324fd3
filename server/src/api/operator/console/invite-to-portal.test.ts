import { afterAll, beforeAll, expect, test } from "vitest";
import { ROLES, STAFF_ROLES } from "../../../domain/auth/user.ts";
import { type ConsoleFixture, createConsoleFixture } from "./testing/fixture.ts";

let fixture: ConsoleFixture;
let accountId: string;
beforeAll(async () => {
  fixture = await createConsoleFixture();
  accountId = (await fixture.newAccount()).account_id;
});
afterAll(() => fixture.close());

const CASES = STAFF_ROLES.flatMap((staff) => ROLES.map((role) => [staff, role] as const));

test.each(CASES)("whether %s invites a client's %s: those who can replace credentials are invited by admins only", async (staff, role) => {
  const holdsCredentials = role === "owner" || role === "developer";
  const may = staff === "admin" || (staff === "operations" && !holdsCredentials);
  const reply = await fetch(`${fixture.base}/console/api/accounts/${accountId}/portal-invitations`, {
    method: "POST",
    headers: { ...fixture.as(staff), "content-type": "application/json" },
    body: JSON.stringify({ email: `${staff}-${role}@shop.example`, role }),
  });
  expect(reply.status).toBe(may ? 201 : 403);
  const [made] = await fixture.deps.sql`select 1 from invitations where email = ${`${staff}-${role}@shop.example`}`;
  expect(made !== undefined).toBe(may);
});

test("an owner is meant where no role is named, so that is for admins too", async () => {
  const invite = (role: "admin" | "operations") =>
    fetch(`${fixture.base}/console/api/accounts/${accountId}/portal-invitations`, {
      method: "POST",
      headers: { ...fixture.as(role), "content-type": "application/json" },
      body: JSON.stringify({ email: `unnamed-${role}@shop.example` }),
    });
  expect([(await invite("operations")).status, (await invite("admin")).status]).toEqual([403, 201]);
});
