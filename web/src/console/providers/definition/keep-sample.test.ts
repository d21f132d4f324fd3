import { expect, test } from "vitest";
import { applyEdit } from "../form/edit-document.ts";
import { sampleEdit, sampleName } from "./keep-sample.ts";

const TEXT = JSON.stringify({ operations: { "recharge.pay": { request: {}, status: { steps: [{ name: "a" }, { name: "b" }] } } } });
const NEW = { operation: "recharge.pay", reference: "R7", name: "success" };

function kept(sample: Parameters<typeof sampleEdit>[1]): unknown {
  const edit = sampleEdit(TEXT, sample);
  return edit && JSON.parse(applyEdit(TEXT, edit)).operations["recharge.pay"];
}

test("a response is filed under what it means, with the class of a decline", () => {
  expect(sampleName({ outcome: "succeeded", decline: null })).toBe("success");
  expect(sampleName({ outcome: "declined", decline: "float" })).toBe("declined.float");
  expect(sampleName({ outcome: "declined", decline: "provider" })).toBe("declined");
});

test("a JSON response is kept as a value in which our reference is a placeholder", () => {
  const answer = { body: '{"ref":"R7","status":"OK"}', http_status: 202, to: "request" } as const;
  expect(kept({ ...NEW, answer })).toMatchObject({ samples: { success: { http: 202, body: { ref: "{reference}", status: "OK" } } } });
});

test("a text response to a status query of several steps belongs to the last step", () => {
  const answer = { body: "OK,R7", http_status: 200, to: "status" } as const;
  expect(kept({ ...NEW, answer })).toMatchObject({ status: { steps: [{}, { samples: { success: { body: "OK,{reference}" } } }] } });
});

test("a response to a call that the description does not have is kept nowhere", () => {
  expect(kept({ ...NEW, answer: { body: "OK", http_status: 200, to: "callback" } })).toBeNull();
});
