import { describedProvider, type Heard, type Reply } from "../../description/testing/provider.ts";
import { localDescription } from "../../twin/local-description.ts";
import { type ConnectedSubject, settingsOf } from "./shipped-suite.ts";

/** The connector of a shipped description, at a provider whose answers the test says. */
export function answeringProvider(subject: ConnectedSubject, answer: (heard: Heard) => Reply) {
  const describe = (origin: string) => localDescription(settingsOf(subject), origin);
  return describedProvider(describe, answer, undefined, subject.secrets);
}
