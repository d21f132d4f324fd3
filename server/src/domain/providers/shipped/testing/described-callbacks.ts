import type { ContractCallbacks } from "@corprail/connector/testing";
import { systemClock } from "../../../../platform/core/clock.ts";
import type { ProviderMessage } from "../../connector.ts";
import { readCallback } from "../../description/callbacks/read-callback.ts";
import type { Description } from "../../description/definition.ts";
import type { CallbackDefinition } from "../../description/language/callbacks.ts";
import type { CallbackSample } from "../../description/language/samples.ts";
import type { Secrets } from "../../description/request/scope.ts";
import { cleaner } from "../../masking/cleaner.ts";
import { sampleFor } from "../../twin/answers.ts";
import { buildCallback } from "../../twin/send-callback.ts";
import type { SampleProvider } from "./sample-provider.ts";

type Parts = {
  readonly definition: Description;
  readonly secrets: Secrets;
  readonly callback: CallbackDefinition;
  readonly sample: CallbackSample;
  readonly provider: SampleProvider;
};
type Message = (isForged?: boolean) => ProviderMessage;

const USUAL_SOURCE = "203.0.113.7";
const FOREIGN_SOURCE = "198.51.100.99";

/** The callbacks of a description: genuine ones as the twin sends them, and forged ones of each kind that the proof must refuse. */
export function describedCallbacks(definition: Description, secrets: Secrets, provider: SampleProvider): readonly ContractCallbacks[] {
  return definition.callbacks.flatMap((callback) => {
    const samples = callback.samples ?? {};
    const sure = sampleFor(samples, ["success", "declined", "reversed", "pending"]);
    const sample = sure ?? sampleFor(samples, ["ask"]);
    if (sample === null) return [];
    const parts = { definition, secrets, callback, sample, provider };
    return [contractOf(parts, callback.auth.kind === "hint" || sure === null)];
  });
}

function contractOf(parts: Parts, isHint: boolean): ContractCallbacks {
  const { definition, secrets, callback } = parts;
  const source = callback.addresses?.[0]?.replace(/\/.*/, "") ?? USUAL_SOURCE;
  const message: Message = (isForged = false) => ({ ...built(parts, isForged), source });
  const reader = { definition, secrets, clock: systemClock(), clean: cleaner(secrets) };
  const proof = callback.auth.kind === "key" || callback.auth.kind === "addresses" ? "key" : "signature";
  return {
    proof: isHint ? "none" : proof,
    genuine: () => message(),
    read: (received) => readCallback(reader, received),
    forgeries: { ...forgeriesOf(parts, message) },
  };
}

function built({ definition, secrets, callback, sample, provider }: Parts, isForged: boolean): ProviderMessage {
  const { scope } = provider;
  return buildCallback({ definition, callback, sample, scope, secrets, now: Date.now(), isForged });
}

type Forgeries = NonNullable<ContractCallbacks["forgeries"]>;

function forgeriesOf({ callback, provider }: Parts, message: Message): Forgeries {
  const { auth, addresses } = callback;
  const isPlaced = "secret" in auth || auth.kind === "hash";
  const isInHead = isPlaced && auth.field === undefined;
  const isSigned = isPlaced && auth.kind !== "key";
  const changed = (one: ProviderMessage) => withOtherReference(one, provider.reference);
  return {
    ...(isInHead ? { "no proof": (one: ProviderMessage) => ({ ...one, headers: {}, query: {} }) } : {}),
    ...(isPlaced ? { "a wrong key or signature": () => message(true) } : {}),
    ...(isSigned ? { "a changed content": changed } : {}),
    ...(addresses === undefined ? {} : { "another source address": (one: ProviderMessage) => ({ ...one, source: FOREIGN_SOURCE }) }),
  };
}

/** The same message about another order, with the proof of the first. */
function withOtherReference(message: ProviderMessage, reference: string): ProviderMessage {
  const changed = (text: string) =>
    inToken(text, (part) => part.replaceAll(reference, `${reference}1`)).replaceAll(reference, `${reference}1`);
  const inAll = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([name, text]) => [name, changed(text)]));
  return { ...message, query: inAll(message.query), headers: inAll(message.headers), body: changed(message.body) };
}

/** Changes the claims of tokens in a text. */
function inToken(text: string, change: (claims: string) => string): string {
  return text.replace(/([\w-]+)\.([\w-]{8,})\.([\w-]+)/g, (whole, head: string, claims: string, signature: string) => {
    const plain = Buffer.from(claims, "base64url").toString("utf8");
    return plain.startsWith("{") ? `${head}.${Buffer.from(change(plain)).toString("base64url")}.${signature}` : whole;
  });
}
