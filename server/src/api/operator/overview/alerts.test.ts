import { afterAll, beforeAll, expect, test } from "vitest";
import { type ConsoleFixture, createConsoleFixture } from "../console/testing/fixture.ts";

let fixture: ConsoleFixture;
beforeAll(async () => {
  fixture = await createConsoleFixture();
  for (let place = 0; place < 5; place++) await openAlert(`P${place}`);
});
afterAll(() => fixture.close());

async function openAlert(subject: string): Promise<string> {
  const { ctx, clock, database } = fixture.settings;
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
    const { body } = await fixture.get(`/alerts?limit=2${after}`);
    seen.push(...body.items.map((item: { subject: string }) => item.subject));
    after = body.next === null ? "" : `&after=${body.next}`;
  } while (after !== "");
  expect(seen.sort()).toEqual(["P0", "P1", "P2", "P3", "P4"]);
  expect((await fixture.get("/alerts?state=nonsense")).status).toBe(400);
});

test("an alert is acknowledged with a note, by those who can do something about it, and then stands as acknowledged", async () => {
  const alertId = await openAlert("Q1");
  expect((await fixture.get(`/alerts/${alertId}`)).body).toMatchObject({ state: "open", severity: "page", note: null });
  for (const body of [{}, { note: "" }, { note: "  " }, { note: "x".repeat(501) }, { note: "x", more: 1 }])
    expect((await fixture.post(`/alerts/${alertId}/acknowledge`, body)).status).toBe(400);
  const { browser, userId } = await fixture.newStaff("support");
  const done = await browser.post(`/alerts/${alertId}/acknowledge`, { note: "Their support is informed." });
  expect(done.body).toMatchObject({ state: "acknowledged", acknowledged_by: `staff:${userId}`, note: "Their support is informed." });
  expect((await fixture.get(`/alerts/${alertId}`)).body).toEqual(done.body);
  expect((await fixture.post(`/alerts/${alertId}/acknowledge`, { note: "again" })).status).toBe(409);
  expect((await fixture.get("/alerts?state=acknowledged")).body.items).toEqual([done.body]);
  expect((await fixture.get("/alerts/NOBODY")).status).toBe(404);
  expect((await fixture.post("/alerts/NOBODY/acknowledge", { note: "x" })).status).toBe(404);
});

test("settings change one by one within their bounds; null switches one off", async () => {
  const { body: before } = await fixture.get("/alert-settings");
  expect((await fixture.post("/alert-settings", { pending_orders: null, callback_minutes: 5, reason: "quiet nights" })).body).toEqual({
    ...before,
    pending_orders: null,
    callback_minutes: 5,
  });
  const wrong = [{ provider_success_percent: 101 }, { pending_orders: -1 }, { close_seconds: null }, { human_tasks: "1" }, { nothing: 1 }];
  for (const body of wrong) expect((await fixture.post("/alert-settings", body)).status, JSON.stringify(body)).toBe(400);
  const { body: audit } = await fixture.get("/audit?subject_kind=alert_settings");
  expect(audit.items).toMatchObject([{ action: "alert_settings.changed", details: { pending_orders: null, callback_minutes: 5 } }]);
});
