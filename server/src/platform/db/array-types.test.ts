import { once } from "node:events";
import { type AddressInfo, createConnection, createServer } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../testing/database.ts";
import { connect } from "./connection.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const text = fc.oneof(
  fc.string({ unit: "grapheme" }).filter((one) => !one.includes("\0")),
  fc.constantFrom("", "NULL", "null", "{}", "{", "a,b", `"`, `\\`, `\\"`, " ", "\n", ",", "é😀", "t"),
);

async function roundTrip(type: string, items: readonly unknown[]): Promise<unknown> {
  const [row] = await database.sql`select ${items as string[]}::${database.sql.unsafe(type)}[] as items`;
  return row?.["items"];
}

test.each<readonly [type: string, item: fc.Arbitrary<unknown>]>([
  ["text", text],
  ["varchar", text],
  ["integer", fc.integer()],
  ["smallint", fc.integer({ min: -32_768, max: 32_767 })],
  ["boolean", fc.boolean().map(String)],
  ["bigint", fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)],
])("any array of %s survives a round trip", async (type, item) => {
  const read = (value: unknown) =>
    value === null ? null : type === "bigint" ? BigInt(String(value)) : type === "boolean" ? value === "true" : value;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(item, { freq: 8 }), { maxLength: 12 }), async (items) => {
      expect(await roundTrip(type, items)).toEqual(items.map(read));
    }),
    { numRuns: 60 },
  );
});

test("bytes and times in arrays are read like those in columns", async () => {
  const [row] = await database.sql`
    select array['\\x00ff'::bytea, null] as bytes, array[timestamptz '2026-11-15 04:00:00.123+05:30'] as times, '{}'::text[] as none, null::text[] as nothing`;
  expect(row).toEqual({ bytes: [Buffer.of(0, 255), null], times: [new Date("2026-11-14T22:30:00.123Z")], none: [], nothing: null });
});

test("a comparison with any(list) needs no cast", async () => {
  const rows = await database.sql`select operator from operators where operator = any(${["AT", "JO"]}) order by operator`;
  expect(rows.map((row) => row["operator"])).toEqual(["AT", "JO"]);
});

test("arrays of arrays are refused when written and when read", async () => {
  await expect(roundTrip("text", [["a"]])).rejects.toThrow("neither undefined nor arrays");
  await expect(Promise.resolve(database.sql`select array[array[1]] as nested`)).rejects.toThrow("Arrays of arrays");
});

test("a new connection asks for no types, because a failure of that query could not be handled", async () => {
  const target = new URL(database.url);
  const sent: Buffer[] = [];
  const proxy = createServer((client) => {
    const server = createConnection(Number(target.port), target.hostname);
    client.on("data", (bytes) => sent.push(bytes)).on("error", () => server.destroy());
    server.on("error", () => client.destroy());
    client.pipe(server).pipe(client);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const url = new URL(database.url);
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const { sql, close } = connect({ url: url.href, connections: 1, role: null });
  expect(await sql`select ${["a"]}::text[] as items`).toEqual([{ items: ["a"] }]);
  await close();
  proxy.close();
  const text = Buffer.concat(sent).toString("latin1");
  expect(text).toContain("select");
  expect(text).not.toContain("pg_type");
});
