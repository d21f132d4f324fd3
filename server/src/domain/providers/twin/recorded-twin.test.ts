import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../platform/core/clock.ts";
import type { JsonObject } from "../../../platform/core/strict-json.ts";
import { createDescriptionConnector } from "../description/connector.ts";
import { startRecording } from "../recording/record.ts";
import { defined, JSON_SPOKEN } from "../testing/definitions.ts";
import { testEgress } from "../testing/egress.ts";
import { NEVER, providerRequest } from "../testing/requests.ts";
import { startUnrulyServer } from "../testing/unruly-server.ts";
import { localDescription } from "./local-description.ts";
import { type RecordedTwinOptions, startRecordedTwin } from "./start-recorded-twin.ts";

const ORDER = { reference: "REC000001", operator: "AT", target: "9876543000", amount: "199", circle: null };
const SECRETS = { token: "s3cret-token" };

/** A recording of a pending recharge that succeeds at the second status query. */
async function pendingRecharge() {
  const words = ["pending", "pending", "success"] as const;
  let count = 0;
  const server = await startUnrulyServer("success", (_, request) => JSON_SPOKEN.words(words[count++] ?? "success", request));
  const settings = JSON_SPOKEN.describe(server.origin) as JsonObject;
  const session = startRecording(
    { provider: "json-one", connector: "description", settings, secrets: SECRETS },
    { egress: testEgress(), now: Date.now() },
  );
  for (const part of ["send", "status", "status"] as const) await session.perform({ operation: "recharge.pay", part, input: ORDER });
  const { recording } = await session.finish();
  await session.close();
  await server.close();
  return { recording, settings };
}

async function connected(options: RecordedTwinOptions = {}) {
  const { recording, settings } = await pendingRecharge();
  const twin = await startRecordedTwin(recording, options);
  const definition = defined(localDescription(settings, twin.origin));
  const connector = createDescriptionConnector({
    definition,
    secrets: { token: "another-t0ken" },
    clock: systemClock(),
    egress: testEgress(),
  });
  onTestFinished(async () => {
    await connector.close();
    await twin.close();
  });
  return { connector, twin };
}

test("recorded answers are served in their order for each order, about its own reference", async () => {
  const { connector } = await connected();
  const requests = [providerRequest(), providerRequest({ target: "9876543111", amount: "49" })];
  for (const request of requests) expect((await connector.send(request, NEVER)).kind).toBe("pending");
  for (const kind of ["pending", "succeeded", "succeeded"])
    for (const request of requests) expect((await connector.ask(request, NEVER)).kind).toBe(kind);
});

test("a connection may fail as with any twin, and what was not recorded is answered 404", async () => {
  const { connector, twin } = await connected({ fault: "cut" });
  expect((await connector.send(providerRequest(), NEVER)).kind).toBe("unknown");
  expect((await connector.ask(providerRequest(), NEVER)).kind).toBe("pending");
  const response = await fetch(`${twin.origin}/elsewhere`);
  expect({ status: response.status, text: await response.text() }).toEqual({ status: 404, text: "The recording has no GET /elsewhere.\n" });
});

test("what only a description has is refused", async () => {
  const { recording } = await pendingRecharge();
  for (const options of [{ fault: "late-callback" }, { answer: "declined" }, { callbackUrl: "http://127.0.0.1:9/" }] as const)
    await expect(startRecordedTwin(recording, options)).rejects.toThrow("need");
});
