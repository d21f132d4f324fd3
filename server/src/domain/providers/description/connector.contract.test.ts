import { systemClock } from "../../../platform/core/clock.ts";
import { type ConnectorUnderTest, connectorContract } from "../testing/contract-suite.ts";
import { defined, JSON_SPOKEN, type Spoken, TEXT_SPOKEN, XML_SPOKEN } from "../testing/definitions.ts";
import { testEgress } from "../testing/egress.ts";
import { providerRequest } from "../testing/requests.ts";
import { BEHAVIOURS, startUnrulyServer } from "../testing/unruly-server.ts";
import { createDescriptionConnector } from "./connector.ts";

function underTest(name: string, spoken: Spoken): ConnectorUnderTest {
  return {
    name,
    behaviours: BEHAVIOURS,
    failureWhenAsked: "declined",
    open: async (behaviour, timeoutMilliseconds) => {
      const server = await startUnrulyServer(behaviour, spoken.words);
      const definition = defined({
        ...spoken.describe(server.origin),
        timeouts: { connect_seconds: 5, whole_seconds: timeoutMilliseconds / 1000 },
      });
      const connector = createDescriptionConnector({
        definition,
        secrets: { token: "s3cret-token" },
        clock: systemClock(),
        egress: testEgress(),
      });
      return {
        connector,
        request: providerRequest(),
        references: () => server.received.map(spoken.referenceIn),
        close: async () => {
          await connector.close();
          await server.close();
        },
      };
    },
  };
}

connectorContract(underTest("description with JSON", JSON_SPOKEN));
connectorContract(underTest("description with XML", XML_SPOKEN));
connectorContract(underTest("description with text", TEXT_SPOKEN));
