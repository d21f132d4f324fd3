import fc from "fast-check";
import { expect, test } from "vitest";
import { camel, fromWire, snake, toWire } from "./codec.js";

test("names go to the wire and back, at every depth", () => {
  const input = { requestId: "1", contact: { mobile: "2" }, passengers: [{ idNumber: "3" }] };
  expect(toWire(input)).toEqual({ request_id: "1", contact: { mobile: "2" }, passengers: [{ id_number: "3" }] });
  expect(fromWire(toWire(input))).toEqual(input);
});

test("a biller's own parameter names are sent as they are", () => {
  expect(toWire({ billerId: "B", params: { "Consumer Number": "1", kNo: "2" } })).toEqual({
    biller_id: "B",
    params: { "Consumer Number": "1", kNo: "2" },
  });
});

test("what is undefined is not sent, what is null, empty or false is", () => {
  expect(toWire({ a: undefined, b: null, c: "", d: false, e: 0 })).toEqual({ b: null, c: "", d: false, e: 0 });
});

test("a name of small letters and underscores comes back the same", () => {
  fc.assert(fc.property(fc.stringMatching(/^[a-z]+(?:_[a-z]+){0,3}$/), (name) => snake(camel(name)) === name));
  expect(camel("success_rate_1h")).toBe("successRate1h");
});
