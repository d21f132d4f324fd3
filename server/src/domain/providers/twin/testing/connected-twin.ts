import { onTestFinished } from "vitest";
import { systemClock } from "../../../../platform/core/clock.ts";
import type { JsonObject } from "../../../../platform/core/strict-json.ts";
import { createDescriptionConnector } from "../../description/connector.ts";
import { defined } from "../../testing/definitions.ts";
import { testEgress } from "../../testing/egress.ts";
import { localDescription } from "../local-description.ts";
import { startTwin, type TwinOptions } from "../start-twin.ts";

/** A description's connector, connected to its twin over real sockets. `changed` is what the connector's description has of its own. */
export async function connectedTwin(settings: JsonObject, { secrets = {}, ...options }: TwinOptions = {}, changed: JsonObject = {}) {
  const twin = await startTwin(defined(settings), { secrets, delayMilliseconds: 0, ...options });
  const definition = defined({ ...localDescription(settings, twin.origin), ...changed });
  const connector = createDescriptionConnector({ definition, secrets, clock: systemClock(), egress: testEgress() });
  onTestFinished(async () => {
    await connector.close();
    await twin.close();
  });
  return { twin, connector };
}
