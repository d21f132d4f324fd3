import { expect, test } from "vitest";
import { accountsOfMembers } from "./member-names.ts";

const entry = (changes: object) => ({ actor: "staff:U1", subject_kind: "account", subject_id: "A1", details: {}, ...changes });

test("members are looked up in the account that the entry changed or names, each account once", () => {
  const byMember = entry({ actor: "user:U2" });
  const ofMember = entry({ subject_kind: "portal_user", subject_id: "U3", details: { account_id: "A2" } });
  const elsewhere = entry({ actor: "user:U4", subject_kind: "complaint", subject_id: "CMP1" });
  expect(accountsOfMembers([byMember, byMember, ofMember, elsewhere])).toEqual(["A1", "A2"]);
});

test("entries without a member need no account", () => {
  expect(accountsOfMembers([entry({})])).toEqual([]);
});
