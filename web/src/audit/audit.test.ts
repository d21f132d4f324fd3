import { expect, test, vi } from "vitest";
import { actionText, readAuditEntry } from "./audit.ts";

test("an action becomes a sentence", () => {
  expect(actionText("signing_secret.replaced")).toBe("Signing secret replaced");
  expect([actionText("commercial"), actionText("commercial.set")]).toEqual(["Price rule", "Price rule set"]);
  expect([actionText("portal_user"), actionText("portal_user.invited")]).toEqual(["Member", "Member invited"]);
  expect([actionText("staff.totp_enabled"), actionText("totp_disabled")]).toEqual([
    "Staff authenticator app turned on",
    "Authenticator app turned off",
  ]);
});

test("an entry is read as the first before the number that follows it", async () => {
  const read = vi.fn(async () => ({ items: [{ seq: "41" }] }));
  expect(await readAuditEntry("41", read)).toEqual({ seq: "41" });
  expect(read).toHaveBeenCalledWith({ after: btoa("42").replaceAll("=", ""), limit: "1" });
});

test("a number beyond the exact numbers of JavaScript is counted exactly", async () => {
  const read = vi.fn(async () => ({ items: [{ seq: "9007199254740993" }] }));
  await readAuditEntry("9007199254740993", read);
  expect(read).toHaveBeenCalledWith({ after: btoa("9007199254740994").replaceAll("=", ""), limit: "1" });
});

test("another entry or none is not found, and what is no number is never asked for", async () => {
  const read = vi.fn(async () => ({ items: [{ seq: 40 }] }));
  await expect(readAuditEntry("41", read)).rejects.toMatchObject({ status: 404 });
  await expect(readAuditEntry("41", async () => ({ items: [] }))).rejects.toMatchObject({ status: 404 });
  await expect(readAuditEntry("../x", read)).rejects.toMatchObject({ status: 404 });
  expect(read).toHaveBeenCalledOnce();
});
