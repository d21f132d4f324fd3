import assert from "node:assert/strict";
import type { CallbackMessage } from "../plugin.ts";
import type { ContractCallbacks, TestFunction } from "./contract.ts";

/** The guarantees about messages that a provider sends by itself. */
export function callbackContract(name: string, callbacks: ContractCallbacks, test: TestFunction): void {
  const { proof, genuine, read } = callbacks;
  test(`${name}: a genuine callback is ${proof === "none" ? "only a reason to ask" : "believed"}`, async () => {
    const found = read(genuine());
    assert.ok(isReport(found), `it was refused: ${JSON.stringify(found)}`);
    assert.equal(isBelieved(found), proof !== "none");
  });

  for (const [what, forge] of Object.entries(callbacks.forgeries ?? usualForgeries(proof)))
    test(`${name}: a forged callback with ${what} is not believed`, async () => {
      const forged = forge(genuine());
      assert.equal(isBelieved(read(forged)), false);
    });

  test(`${name}: a callback that is replayed says the same again or is refused`, async () => {
    const message = genuine();
    const first = read(message);
    const second = read(message);
    if (isReport(second)) assert.deepEqual(withoutTimes(second), withoutTimes(first));
  });

  for (const body of ["", "\u0000", "{", "<a><b></a>", "null", "[]", "=&=&=", "x".repeat(100_000)])
    test(`${name}: a callback with the body ${JSON.stringify(body.slice(0, 12))} does no harm`, async () => {
      const message = genuine();
      // Without a body the content is in the query or in a header, such as a signed token.
      assert.equal(isBelieved(read({ ...message, body, query: {}, ...(message.body === "" ? { headers: {} } : {}) })), false);
    });
}

function usualForgeries(proof: ContractCallbacks["proof"]): NonNullable<ContractCallbacks["forgeries"]> {
  return {
    "no proof": (message) => ({ ...message, headers: {}, query: {} }),
    "a wrong proof": (message) => ({ ...message, headers: altered(message.headers), query: altered(message.query) }),
    ...(proof === "signature" ? { "a changed content": changedContent } : {}),
  };
}

function changedContent(message: CallbackMessage): CallbackMessage {
  return message.body === ""
    ? {
        ...message,
        query: {
          ...message.query,
          ...Object.fromEntries(
            Object.entries(message.query)
              .slice(0, 1)
              .map(([k, v]) => [k, `${v}1`]),
          ),
        },
      }
    : { ...message, body: `${message.body} ` };
}

function altered(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value.startsWith("0") ? `1${value.slice(1)}` : `0${value.slice(1)}`]),
  );
}

type Found = { readonly finding?: { readonly kind?: unknown } };

/** When to ask again is counted from the present. */
function withoutTimes(report: unknown): unknown {
  return JSON.parse(JSON.stringify(report, (name, value: unknown) => (name === "recheckAt" ? undefined : value)));
}

function isReport(found: unknown): boolean {
  return typeof found === "object" && found !== null && "finding" in found;
}

function isBelieved(found: unknown): boolean {
  return isReport(found) && (found as Found).finding?.kind !== "ask";
}
