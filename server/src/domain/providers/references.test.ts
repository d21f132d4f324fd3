import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrdersFixture, ids, type OrdersFixture } from "../orders/testing/fixture.ts";
import type { ReferenceForm } from "./connector.ts";
import { createProviderReferences, formatReference, type ProviderReferences } from "./references.ts";

let fixture: OrdersFixture;
let references: ProviderReferences;
beforeAll(async () => {
  fixture = await createOrdersFixture();
  references = createProviderReferences(fixture.database.sql, fixture.clock);
});
afterAll(() => fixture.close());

const TEN_DIGITS: ReferenceForm = { characters: "digits", length: 10, date: "none", prefix: "" };

test("one of our references has one reference at a provider, also for many callers at once, and it leads back", async () => {
  const subject = ids.entry(fixture.clock.now());
  const all = await Promise.all(Array.from({ length: 20 }, () => references.allocate("acme", TEN_DIGITS, subject)));
  const [reference = ""] = all;
  expect(new Set(all).size).toBe(1);
  expect(reference).toMatch(/^[0-9]{10}$/);
  expect(await references.subjectOf("acme", reference)).toBe(subject);
  expect(await references.subjectOf("other", reference)).toBeNull();
});

test("a number that is taken after a wrap-around is skipped", async () => {
  const four: ReferenceForm = { ...TEN_DIGITS, length: 4 };
  const { sql } = fixture.database;
  const [row] = await sql<{ last: bigint }[]>`select last_value as last from provider_reference_numbers`;
  const next = Number(row?.last ?? 0n);
  for (let ahead = 0; ahead < 5; ahead++)
    await sql`
      insert into provider_references (provider, reference, subject)
      values ('tight', ${String((next + ahead) % 10_000).padStart(4, "0")}, ${`taken-${ahead}`})`;
  const reference = await references.allocate("tight", four, "mine");
  expect(await references.subjectOf("tight", reference)).toBe("mine");
});

test("a reference has exactly the form: its length, its characters, its prefix and the day in India", () => {
  const form = fc.record({
    characters: fc.constantFrom("digits" as const, "capitals_and_digits" as const),
    length: fc.integer({ min: 14, max: 30 }),
    date: fc.constantFrom("none" as const, "yyMMdd" as const, "yyyyMMdd" as const),
    prefix: fc.constantFrom("", "7", "99"),
  });
  fc.assert(
    fc.property(form, fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (one, number) => {
      const text = formatReference(one, number, Date.UTC(2026, 0, 1, 20));
      expect(text).toHaveLength(one.length);
      expect(text).toMatch(one.characters === "digits" ? /^[0-9]+$/ : /^[0-9A-Z]+$/);
      const day = { none: "", yyMMdd: "260102", yyyyMMdd: "20260102" }[one.date];
      expect(text.startsWith(one.prefix + day)).toBe(true);
    }),
  );
});
