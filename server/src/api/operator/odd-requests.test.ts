import { afterAll, expect, test } from "vitest";
import type { z } from "zod";
import { createConsoleFixture } from "./console/testing/fixture.ts";

// Tests all mounted routes, so that a new route is covered automatically.
const fixture = await createConsoleFixture();
afterAll(() => fixture.close());

type Call = { readonly method: string; readonly path: string; readonly names: readonly string[] };
const CALLS: readonly Call[] = fixture.routes.flatMap(({ method, url, config, schema }) => {
  const query = schema?.querystring as z.ZodObject | undefined;
  const path = url.replace("/console/api", "");
  return config?.access ? [{ method: String(method), path, names: Object.keys(query?.shape ?? {}) }] : [];
});
const withIds = (path: string, id: string) => path.replaceAll(/:\w+/g, id);
const named = (calls: readonly Call[]) => calls.map((call) => [`${call.method} ${call.path}`, call] as const);
const UNREADABLE = ["%00", "a%00b", "%ED%A0%80", "%zz", "x".repeat(2_001)];

test("there are routes with query parameters", () => {
  expect(CALLS.filter(({ names }) => names.length > 0).length).toBeGreaterThan(15);
});

test.each(named(CALLS.filter(({ names }) => names.length > 0)))("%s refuses unreadable text in each of its parameters", async (_, call) => {
  for (const name of call.names) {
    for (const value of UNREADABLE) {
      const { status, body } = await fixture.get(`${withIds(call.path, "X1")}?${name}=${value}`);
      expect([name, value.slice(0, 20), status, body.error]).toEqual([name, value.slice(0, 20), 400, "invalid_request"]);
    }
  }
});

test.each(named(CALLS.filter(({ path }) => path.includes(":"))))("%s answers 404 to an unreadable id", async (_, call) => {
  for (const id of ["%00", "A%00B", "x".repeat(3_000)]) {
    const { status, body } = await fixture.send(call.method, withIds(call.path, id), call.method === "GET" ? undefined : {});
    // An invalid body may be refused first.
    expect([404, 400]).toContain(status);
    expect(Object.keys(body).filter((name) => name !== "fields")).toEqual(["error", "message"]);
  }
});

test.each(named(CALLS))("%s lists the supported methods when it is called with another one", async (_, call) => {
  for (const method of ["PUT", "DELETE", "LOCK"]) {
    const { status, body, headers } = await fixture.send(method, withIds(call.path, "X1"), undefined);
    expect([method, status, body.error]).toEqual([method, 405, "method_not_allowed"]);
    expect(headers.get("allow")?.split(", ")).toContain(call.method);
  }
  expect(await fixture.send("PUT", `${withIds(call.path, "X1")}/none/at/all`, undefined)).toMatchObject({ status: 404 });
});

test("without a key a wrong method gets the same answer as a supported one", async () => {
  expect(await fixture.send("PUT", "/accounts", undefined, { key: null })).toMatchObject({ status: 401, body: { error: "unauthorized" } });
});

test("none of these requests caused an internal error", () => {
  expect(fixture.logged).toEqual([]);
});
