import { expect, test } from "vitest";
import { scriptedConnector } from "../../providers/testing/scripted-connector.ts";
import { providerQueries } from "./provider-queries.ts";

const TICKET = { reference: "ORD1", provider_ref: "P1", pnr: "PNR1", trip_id: "T1", seats: ["A1"] };
const FORM = { characters: "digits", length: 10, date: "none", prefix: "" } as const;

function queriesOf(form?: typeof FORM) {
  const asked: object[] = [];
  const cancel = (input: object) => {
    asked.push(input);
    return { kind: "answered", value: {} } as const;
  };
  const scripted = scriptedConnector(["bus.book"], { answers: { "bus.cancel": cancel } });
  const connector = form ? { ...scripted, referenceForm: form } : scripted;
  const references = { allocate: async (provider: string, _form: object, subject: string) => `${provider}/${subject}` };
  const { signal: stopping } = new AbortController();
  return { queries: providerQueries({ provider: "bus-co", connector, references, stopping }), asked };
}

test("a query names an order and a cancellation by references of the form that the provider demands", async () => {
  const { queries, asked } = queriesOf(FORM);
  await queries.ask("bus.cancel", { ...TICKET, cancel_reference: "CAN1" });
  expect(asked).toEqual([{ ...TICKET, reference: "bus-co/ORD1", cancel_reference: "bus-co/CAN1" }]);
});

test("without such a form our own references are sent", async () => {
  const { queries, asked } = queriesOf();
  await queries.ask("bus.cancel", { ...TICKET, cancel_reference: "CAN1" });
  expect(asked).toEqual([{ ...TICKET, cancel_reference: "CAN1" }]);
});
