import { expect, test } from "vitest";
import { formatMoney } from "../../../platform/core/money.ts";
import type { FileShape } from "./file-shape.ts";
import { readShape } from "./file-shape.ts";
import { checkMapping, type Mapping } from "./mapping.ts";
import { proposeMapping } from "./propose-mapping.ts";
import { readAmount, rowReader } from "./read-row.ts";

function shapeOf(...rows: readonly (readonly string[])[]): FileShape {
  const shape = readShape();
  rows.forEach((cells, place) => {
    shape.add({ line: place + 1, cells, text: cells.join(",") });
  });
  return shape.shape();
}

const SHAPE = shapeOf(
  ["Txn ID", "Client Ref", "Date", "Amount (INR)", "Status"],
  ["77001", "01JQ0Z4V7XABCDEFGH", "05-03-2026", "10.00", "SUCCESS"],
  ["77002", "01JQ0Z4V7YABCDEFGH", "05-03-2026", "1,200.00", "Failed"],
);
const MAPPING: Mapping = {
  reference: "Client Ref",
  provider_reference: "Txn ID",
  amount: "Amount (INR)",
  status: "Status",
  success: ["SUCCESS"],
  failed: ["Failed"],
  pending: [],
};

test("a file says what it holds: columns, the words of those that have few, and its first rows", () => {
  expect(SHAPE).toMatchObject({ delimiter: ",", rows: 2, lastLine: 3 });
  expect(SHAPE.columns[4]).toEqual({ name: "Status", words: ["Failed", "SUCCESS"] });
  expect(SHAPE.examples[0]).toMatchObject({ line: 2, cells: ["77001", "01JQ0Z4V7XABCDEFGH", "05-03-2026", "10.00", "SUCCESS"] });
  const many = shapeOf(["a", "b"], ...Array.from({ length: 30 }, (_, place) => [String(place), "x"]));
  expect(many.columns.map((column) => column.words)).toEqual([null, ["x"]]);
  expect(shapeOf(["a", ""], ["1", "2"]).columns.map((column) => column.name)).toEqual(["a", "Column 2"]);
});

test.each([
  ["Line 1 has the column a twice.", [["a", "b", "a"]]],
  ["Line 3 has 1 cell, the header has 2.", [["a", "b"], ["1", "2"], ["total"]]],
  ["The file has a header and no rows.", [["a", "b"]]],
  ["The file is empty.", []],
])("a file whose rows do not fit is refused: %s", (message, rows) => {
  expect(() => shapeOf(...rows)).toThrow(message);
});

test("columns and words are proposed by their names, and our order ids by their look", () => {
  expect(proposeMapping(SHAPE, null)).toEqual(MAPPING);
  const other = shapeOf(
    ["ORDER_ID", "agent_transaction_id", "operator_ref", "recharge_amount", "txn_status", "remark"],
    ["990", "X-1", "OP1", "10", "Success", "in process"],
    ["991", "X-2", "OP2", "10", "SUSPECT", "in process"],
    ["992", "X-3", "OP3", "10", "Odd", "in process"],
  );
  expect(proposeMapping(other, null)).toEqual({
    reference: "agent_transaction_id",
    provider_reference: "operator_ref",
    amount: "recharge_amount",
    status: "txn_status",
    success: ["Success"],
    failed: [],
    pending: ["SUSPECT"],
  });
});

test("what was said about a provider's last file is proposed for the next, if it still fits", () => {
  const last: Mapping = { ...MAPPING, reference: null, success: ["failed"], failed: ["success"] };
  expect(proposeMapping(SHAPE, last)).toEqual({ ...last, success: ["Failed"], failed: ["SUCCESS"] });
  expect(proposeMapping(SHAPE, { ...last, amount: "Gone" })).toMatchObject({ reference: "Client Ref", amount: "Amount (INR)" });
});

test.each([
  [{ amount: "Gone" }, { amount: "The file has no column Gone." }],
  [{ amount: "Status" }, { status: "The column is already used as the amount." }],
  [{ reference: null, provider_reference: null }, { reference: expect.stringContaining("Choose the column") }],
  [{ status: "Txn ID", provider_reference: null }, { status: "Say what these words mean: 77001, 77002." }],
  [{ failed: [] }, { status: "Say what these words mean: Failed." }],
  [{ pending: ["success"] }, { pending: "The word success has two meanings." }],
  [{ success: [], failed: ["failed", "success"] }, { success: "Say which word means success." }],
])("a mapping that does not fit is refused by its field: %j", (change, faults) => {
  expect(checkMapping(MAPPING, SHAPE)).toBe(null);
  expect(checkMapping({ ...MAPPING, ...change }, SHAPE)).toEqual(faults);
});

test.each([
  ["10", "10.0000"],
  ["010.50", "10.5000"],
  ["₹ 1,23,456.75", "123456.7500"],
  ["Rs. 1,234,567", "1234567.0000"],
  ["INR 99.990000", "99.9900"],
  ["0", "0.0000"],
])("the amount %s is read", (text, money) => {
  const amount = readAmount(text);
  expect(amount === null ? null : formatMoney(amount)).toBe(money);
});

test.each(["", "-10", "100,50", "1,2345", "ten", "10.00001", "1e3", "12345678901", "10.", ".5"])("the amount %s is none", (text) => {
  expect(readAmount(text)).toBe(null);
});

test("a line is read by its mapping, and says why it is unclear", () => {
  const read = rowReader(
    MAPPING,
    SHAPE.columns.map((column) => column.name),
  );
  const row = (...cells: string[]) => read({ line: 7, cells, text: cells.join(",") });
  expect(row("77001", " 01JQ0Z4V7XABCDEFGH ", "", "10.00", " success ")).toMatchObject({
    item: 7,
    reference: "01JQ0Z4V7XABCDEFGH",
    providerReference: "77001",
    amount: 100_000n,
    status: 1,
    unclear: null,
  });
  expect(row("", "", "", "10.00", "SUCCESS").unclear).toContain("neither");
  expect(row("1", "", "", "ten", "SUCCESS").unclear).toContain("amount");
  expect(row("1", "", "", "10", "odd")).toMatchObject({ status: null, unclear: "Its status word has no meaning in the mapping." });
  expect(row("1", "x".repeat(65), "", "10", "FAILED")).toMatchObject({
    reference: "x".repeat(64),
    unclear: expect.stringContaining("longer"),
  });
});
