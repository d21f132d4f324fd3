import { afterAll, beforeAll, expect, test } from "vitest";
import { type ConsoleHouse, openConsoleHouse } from "../console/testing/house.ts";

let house: ConsoleHouse;
beforeAll(async () => {
  house = await openConsoleHouse();
  for (let place = 0; place < 5; place++) await openAlert(`P${place}`);
});
afterAll(() => house.close());

async function openAlert(subject: string): Promise<string> {
  const { ctx, clock, database } = house.settings;
  const [alertId, at] = [ctx.ids.entry(clock.now()), new Date(clock.now())];
  await database.sql`
    insert into alerts (alert_id, kind, subject, message, opened_at, seen_at)
    values (${alertId}, 'provider_success', ${subject}, 'It fails.', ${at}, ${at})`;
  return alertId;
}

test("alerts are listed newest first, page by page, each once", async () => {
  const seen: string[] = [];
  let after = "";
  do {
    const { body } = await house.get(`/alerts?limit=2${after}`);
    seen.push(...body.items.map((item: { subject: string }) => item.subject));
    after = body.next === null ? "" : `&after=${body.next}`;
  } while (after !== "");
  expect(seen.sort()).toEqual(["P0", "P1", "P2", "P3", "P4"]);
  expect((await house.get("/alerts?state=nonsense")).status).toBe(400);
});

test("an alert is acknowledged with a note, by those who can do something about it, and then stands as acknowledged", async () => {
  const alertId = await openAlert("Q1");
  expect((await house.get(`/alerts/${alertId}`)).body).toMatchObject({ state: "open", severity: "page", note: null });
  for (const body of [{}, { note: "" }, { note: "  " }, { note: "x".repeat(501) }, { note: "x", more: 1 }])
    expect((await house.post(`/alerts/${alertId}/acknowledge`, body)).status).toBe(400);
  const { browser, userId } = await house.newStaff("support");
  const done = await browser.post(`/alerts/${alertId}/acknowledge`, { note: "Their desk is told." });
  expect(done.body).toMatchObject({ state: "acknowledged", acknowledged_by: `staff:${userId}`, note: "Their desk is told." });
  expect((await house.get(`/alerts/${alertId}`)).body).toEqual(done.body);
  expect((await house.post(`/alerts/${alertId}/acknowledge`, { note: "again" })).status).toBe(409);
  expect((await house.get("/alerts?state=acknowledged")).body.items).toEqual([done.body]);
  expect((await house.get("/alerts/NOBODY")).status).toBe(404);
  expect((await house.post("/alerts/NOBODY/acknowledge", { note: "x" })).status).toBe(404);
});

test("settings change one by one within their bounds; null switches one off", async () => {
  const { body: before } = await house.get("/alert-settings");
  expect((await house.post("/alert-settings", { pending_orders: null, callback_minutes: 5, reason: "quiet nights" })).body).toEqual({
    ...before,
    pending_orders: null,
    callback_minutes: 5,
  });
  const wrong = [{ provider_success_percent: 101 }, { pending_orders: -1 }, { close_seconds: null }, { human_tasks: "1" }, { nothing: 1 }];
  for (const body of wrong) expect((await house.post("/alert-settings", body)).status, JSON.stringify(body)).toBe(400);
  const { body: audit } = await house.get("/audit?subject_kind=alert_settings");
  expect(audit.items).toMatchObject([{ action: "alert_settings.changed", details: { pending_orders: null, callback_minutes: 5 } }]);
});
