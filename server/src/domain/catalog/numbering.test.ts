import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../testing/database.ts";
import { type Catalogue, loadCatalogue } from "./catalogue.ts";
import { numbering } from "./numbering.ts";

const SERIES = [
  { prefix: "9", operator: "AT", circle: "DL" },
  { prefix: "98", operator: "VI", circle: "MH" },
  { prefix: "9876", operator: "AT", circle: "PB" },
];

describe("a number's origin", () => {
  const { originOf } = numbering([], SERIES, []);
  test("is that of its longest known prefix", () => {
    expect(originOf("9876543210")).toEqual({ operator: "AT", circle: "PB" });
    expect(originOf("9877543210")).toEqual({ operator: "VI", circle: "MH" });
    expect(originOf("9077543210")).toEqual({ operator: "AT", circle: "DL" });
  });

  test("is none when not even its first digit is known", () => {
    expect(originOf("6000000000")).toBeNull();
    expect(originOf("")).toBeNull();
  });
});

describe("the shipped data", () => {
  let database: TestDatabase;
  let catalogue: Catalogue;
  beforeAll(async () => {
    database = await testDatabase();
    catalogue = await loadCatalogue(database.sql);
  });
  afterAll(() => database.drop());

  test("knows the 22 telecom circles", async () => {
    const rows = await database.sql<{ circle: string }[]>`select circle from circles order by circle`;
    expect(rows.map((row) => row.circle).join(" ")).toBe("AP AS BR DL GJ HP HR JK KA KL KO MH MP MU NE OR PB RJ TN UE UW WB");
    expect(catalogue.numbering().circle("KA")).toMatchObject({ name: "Karnataka" });
    for (const unknown of ["XX", "ka", "", "*", "__proto__"]) expect(catalogue.numbering().circle(unknown)).toBeNull();
  });

  test("places every mobile number there can be", () => {
    const { originOf, circle } = catalogue.numbering();
    for (let series = 6_000; series <= 9_999; series++) {
      const origin = originOf(`${series}123456`);
      expect(circle(origin?.circle ?? "")).not.toBeNull();
      expect(catalogue.operator(origin?.operator ?? "")?.kind).toBe("mobile_prepaid");
    }
  });

  test("has at least eight plans of every mobile operator and packs of every DTH one, each within the operator's amounts", () => {
    for (const { operator, kind, minAmount, maxAmount } of catalogue.operators()) {
      const plans = catalogue.numbering().plansOf(operator, null);
      expect(plans.length).toBeGreaterThanOrEqual(kind === "dth" ? 4 : 8);
      for (const plan of plans) expect(plan.amount >= minAmount && plan.amount <= maxAmount).toBe(true);
    }
  });

  test("sells in a circle only what belongs to a known one", async () => {
    const rows = await database.sql<{ circle: string }[]>`select distinct circle from plans where circle <> '*'`;
    expect(rows.length).toBeGreaterThan(5);
    for (const { circle } of rows) expect(catalogue.numbering().circle(circle)).not.toBeNull();
  });
});
