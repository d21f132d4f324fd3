import Fastify from "fastify";
import { afterAll, expect, test } from "vitest";
import { createStatusReader, sampleStatus } from "../../../domain/status/snapshot.ts";
import { statusPage } from "../../http/pages/status-page.ts";
import { createConsoleFixture } from "../console/testing/fixture.ts";

const fixture = await createConsoleFixture();
const { sql } = fixture.settings.database;
const { clock } = fixture.settings;
const site = Fastify();
await statusPage(site, fixture.deps);
afterAll(async () => {
  await site.close();
  await fixture.close();
});

const open = async (path: string) => await site.inject({ method: "GET", url: path });
/** The public page is at most ten seconds old. */
const later = () => clock.advance(11_000);
const component = async (name: string) =>
  ((await fixture.get("/status")).body.components as { component: string; state: string }[]).find((one) => one.component === name)?.state;

test("the page is for everybody only after the platform made it public", async () => {
  expect((await open("/status")).statusCode).toBe(404);
  expect((await fixture.post("/status", { visibility: "public" })).body.visibility).toBe("public");
  later();
  const page = await open("/status");
  expect(page.statusCode).toBe(200);
  expect(page.headers["cache-control"]).toBe("public, max-age=15");
  expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none';style-src 'sha256-[^']+';/);
  expect(page.body).not.toContain("<script");
  for (const path of ["/status.json", "/status.atom"]) expect((await open(path)).statusCode).toBe(200);
});

test("it names no client, no provider and no volume", async () => {
  await fixture.newAccount({ name: "Secret Client" });
  later();
  for (const path of ["/status", "/status.json", "/status.atom"]) {
    const { body } = await open(path);
    expect(body).not.toMatch(/Secret Client|simulator|success_rate|samples|staff:|operator-key/i);
  }
});

test("states follow the switches", async () => {
  expect(await component("operator:AT")).toBe("up");
  await fixture.post("/operators/AT", { enabled: false });
  await fixture.post("/services/bus", { enabled: false });
  expect([await component("operator:AT"), await component("service:bus"), await component("service:recharge")]).toEqual([
    "off",
    "off",
    "up",
  ]);
});

test("an incident is followed by updates until it is resolved, and its text is never markup", async () => {
  const asked = { kind: "incident", title: "Bills <b>fail</b>", text: "We look into it.", components: ["service:bills"] };
  const { status, body: event } = await fixture.post("/status/events", asked);
  expect([status, event.state]).toEqual([201, "investigating"]);
  expect((await fixture.get("/status")).body.overall).toBe("degraded");
  const update = (state: string) => fixture.post(`/status/events/${event.event_id}/updates`, { state, text: `Now ${state}.` });
  expect((await update("planned")).status).toBe(409);
  expect((await update("identified")).body.updates).toMatchObject([{ text: "Now identified." }, { text: "We look into it." }]);
  expect((await update("resolved")).body).toMatchObject({ state: "resolved", ends_at: expect.any(String) });
  expect((await update("monitoring")).status).toBe(409);
  later();
  const { body } = await open("/status");
  expect(body).toContain("Bills &lt;b&gt;fail&lt;/b&gt;");
  expect((await open("/status.atom")).body).toContain("<content>Now resolved.</content>");
});

test("a maintenance window needs its times and known parts, and is shown ahead", async () => {
  const asked = { kind: "maintenance", title: "New hardware", text: "No service.", components: ["service:bus"] };
  expect((await fixture.post("/status/events", asked)).body.fields).toHaveProperty("starts_at");
  const times = { starts_at: "2030-01-01 01:00:00", ends_at: "2030-01-01 03:00:00" };
  expect((await fixture.post("/status/events", { ...asked, ...times, ends_at: "2029-01-01" })).body.fields).toHaveProperty("ends_at");
  expect((await fixture.post("/status/events", { ...asked, ...times, components: ["service:moon"] })).body.fields).toHaveProperty(
    "components",
  );
  expect((await fixture.post("/status/events", { ...asked, ...times })).body).toMatchObject({ state: "planned", ...times });
});

test("each minute is sampled once, and the history has the share of the day", async () => {
  const ctx = { ...fixture.deps, sql };
  await sampleStatus(ctx);
  await sampleStatus(ctx);
  const rows = await sql<{ samples: number }[]>`select samples from status_days where component = 'operator:JO'`;
  expect(rows).toEqual([{ samples: 1 }]);
  expect(await sql`select 1 from status_days where component = 'operator:AT'`).toHaveLength(0);
});

test("however many ask at the same time, the database is read once", async () => {
  const read = createStatusReader(fixture.deps);
  const [first, ...others] = await Promise.all(Array.from({ length: 50 }, () => read()));
  expect(others.every((one) => one === first)).toBe(true);
});
