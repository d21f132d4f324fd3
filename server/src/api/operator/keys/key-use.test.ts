import { expect, test } from "vitest";
import { testSettings } from "../../../domain/accounts/testing/settings.ts";
import { writeKeyUse } from "./key-store.ts";
import { keyUseRecorder } from "./key-use.ts";

test("a use that cannot be stored is logged, not thrown, and tried again after a minute", async () => {
  const settings = await testSettings();
  const { sql } = settings.database;
  let now = Date.parse("2026-11-17T10:00:00Z");
  const failed: object[] = [];
  await sql`
    insert into operator_keys (key_id, name, digest, created_at) values ('K1', 'A program', ${Buffer.from("digest")}, ${new Date(now)})`;
  const record = keyUseRecorder({ sql, clock: { ...settings.clock, now: () => now }, log: { error: (details) => failed.push(details) } });
  const used = async () => (await sql`select last_used_at, last_used_from from operator_keys`)[0];
  const key = { key_id: "K1", last_used_at: null };
  // PostgreSQL refuses this text.
  record(key, "\u0000");
  await expect.poll(() => failed).toHaveLength(1);
  now += 59_999;
  record(key, "::1");
  expect(await used()).toEqual({ last_used_at: null, last_used_from: null });
  now += 1;
  record(key, "::1");
  await expect.poll(used).toEqual({ last_used_at: new Date(now), last_used_from: "::1" });
  expect(failed).toHaveLength(1);
  await settings.close();
});

test("of two processes that read the same last use, one stores its own", async () => {
  const settings = await testSettings();
  const { sql } = settings.database;
  const at = new Date(settings.clock.now());
  await sql`insert into operator_keys (key_id, name, digest, created_at) values ('K1', 'A program', ${Buffer.from("digest")}, ${at})`;
  const key = { key_id: "K1", last_used_at: null };
  await writeKeyUse(sql, key, at, "::1");
  await writeKeyUse(sql, key, new Date(at.getTime() + 1), "::2");
  expect((await sql`select last_used_at, last_used_from from operator_keys`)[0]).toEqual({ last_used_at: at, last_used_from: "::1" });
  await settings.close();
});
