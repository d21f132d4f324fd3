import { expect, test } from "vitest";
import { parseDatabaseUrl, shownDatabaseUrl, urlOf } from "./database-url.ts";

test("several hosts and ports are read in order, and each gets its own address", () => {
  const address = parseDatabaseUrl(
    "postgres://me:s%40crt@one:5433,two,[::1]:5434/corprail?target_session_attrs=read-write&sslmode=require",
  );
  expect(address?.hosts).toEqual([
    { host: "one", port: 5433 },
    { host: "two", port: 5432 },
    { host: "::1", port: 5434 },
  ]);
  expect(address?.hosts.map((host) => urlOf(address, host))).toEqual([
    "postgres://me:s%40crt@one:5433/corprail?sslmode=require",
    "postgres://me:s%40crt@two:5432/corprail?sslmode=require",
    "postgres://me:s%40crt@[::1]:5434/corprail?sslmode=require",
  ]);
});

test("an address without a host uses the driver's default", () => {
  expect(parseDatabaseUrl("postgres:///corprail")?.hosts).toEqual([]);
});

test.each([
  "http://one/corprail",
  "postgres://one:99999/corprail",
  "postgres://one:54x,two/corprail",
  "postgres://one,,two/corprail",
  "postgres://one two/corprail",
  "postgres://one,two/corprail?target_session_attrs=standby",
  "postgres://one,two/corprail?target_session_attrs=read-only",
])("%s is refused", (text) => {
  expect(parseDatabaseUrl(text)).toBeNull();
});

test("a shown address contains neither credentials nor the query", () => {
  expect(shownDatabaseUrl("postgresql://me:secret@one:5433,two/corprail?target_session_attrs=read-write&options=x")).toBe(
    "postgresql://one:5433,two:5432/corprail",
  );
});
