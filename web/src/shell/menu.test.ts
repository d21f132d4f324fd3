import { expect, test } from "vitest";
import { MENU as CONSOLE_MENU } from "../console/menu.ts";
import { MENU as PORTAL_MENU } from "../portal/menu.ts";
import { MEMBER_ROLES, STAFF_ROLES } from "../roles.ts";
import { entryOf, fullLabel, menuFor } from "./menu.ts";

const pages = Object.fromEntries([...CONSOLE_MENU, ...PORTAL_MENU].map(({ to }) => [to, true]));
const paths = (menu: typeof CONSOLE_MENU, role: string, hidden: readonly string[] = []) =>
  menuFor(menu, { pages, role, hidden }).map(({ to }) => to);

test("only admins see the page of operator keys", () => {
  expect(STAFF_ROLES.EVERYBODY.filter((role) => paths(CONSOLE_MENU, role).includes("/keys"))).toEqual(["admin"]);
});

test("every role of both sites sees transactions, and an unknown role sees nothing", () => {
  for (const role of STAFF_ROLES.EVERYBODY) expect(paths(CONSOLE_MENU, role)).toContain("/transactions");
  for (const role of MEMBER_ROLES.EVERYBODY) expect(paths(PORTAL_MENU, role)).toContain("/transactions");
  expect(paths(CONSOLE_MENU, "owner")).toEqual([]);
});

test("hidden pages and pages that do not exist are left out", () => {
  expect(paths(CONSOLE_MENU, "admin", ["/jobs"])).not.toContain("/jobs");
  expect(menuFor(CONSOLE_MENU, { pages: {}, role: "admin", hidden: [] })).toEqual([]);
});

test("the entry of an address is the one with the longest path", () => {
  expect(entryOf(CONSOLE_MENU, "/transactions/OR1")?.to).toBe("/transactions");
  expect(entryOf(CONSOLE_MENU, "/transactionsX")).toBeUndefined();
  expect(entryOf(CONSOLE_MENU, "/")?.to).toBe("/");
});

test("the section is part of the name where the menu says so", () => {
  const named = PORTAL_MENU.find((entry) => entry.namedAfterSection && entry.label === "Credentials");
  expect(named && fullLabel(named)).toBe("API › Credentials");
});
