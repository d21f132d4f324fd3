import { expect, test } from "vitest";
import { testDatabase } from "../../testing/database.ts";
import { digestRange, type Reference, referenceDigest } from "./reference-digest.ts";

const REFERENCES: readonly Reference[] = [
  { accountId: "A00000000001", service: "recharge", reference: "urid-1", operation: "" },
  { accountId: "A00000000001", service: "transfers", reference: "urid-1", operation: "" },
  { accountId: "A00000000001", service: "transfers", reference: "urid-1", operation: "penny_drop" },
  { accountId: "A00000000002", service: "recharge", reference: "urid-1", operation: "" },
  { accountId: "A00000000002", service: "recharge", reference: "ürid ✓", operation: "" },
];

test("the service and the database compute the same digest, another one for every reference", async () => {
  const database = await testDatabase();
  try {
    const computed = REFERENCES.map(referenceDigest);
    const rows = await Promise.all(
      REFERENCES.map(
        ({ accountId, service, reference, operation }) =>
          database.sql<{ digest: string }[]>`
            select replace(order_reference_digest(${accountId}, ${service}, ${reference}, ${operation})::text, '-', '') as digest`,
      ),
    );
    expect(rows.map(([row]) => row?.digest)).toEqual(computed);
    expect(new Set(computed).size).toBe(REFERENCES.length);
  } finally {
    await database.drop();
  }
});

test("all operations of a reference lie in its range, and no other reference does", () => {
  const [first, last] = digestRange("A00000000001", "transfers", "urid-1");
  const inRange = REFERENCES.filter((one) => referenceDigest(one) >= first && referenceDigest(one) <= last);
  expect(inRange.map(({ service, operation }) => [service, operation])).toEqual([
    ["transfers", ""],
    ["transfers", "penny_drop"],
  ]);
});
